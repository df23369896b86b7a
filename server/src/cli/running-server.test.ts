import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFile } from 'node:fs/promises';
import {
  formerPassword,
  formerLink,
  formerUser,
  writeFormerDatabase,
} from '../../test/fixtures/filebrowser-data.ts';
import { programArgs, programNode } from '../../test/run-main.ts';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';
import { findCommand } from './find-command.ts';
import { runCommandLine } from './run-command-line.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startApp({
    files: {
      'notes.txt': 'text',
      'secret/plan.txt': 'text',
      'alice/own.txt': 'text',
      'docs/a.txt': 'shared',
    },
    users: [{ username: 'alice' }],
  });
});
afterEach(() => app.close());

/** Runs a command on the data of the running server. Throws if it fails. */
async function command(...args: string[]): Promise<void> {
  const found = findCommand([...args, '--data', app.data, '--root', app.root]);
  if (found === undefined) throw new Error('that would start a server');
  const messages: string[] = [];
  const status = await runCommandLine(found, {
    env: {},
    cwd: app.root,
    home: app.root,
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    print: () => undefined,
    warn: (text) => void messages.push(text),
  });
  if (status !== 0) throw new Error(messages.join('\n'));
}

const get = async (path: string, token?: string): Promise<number> =>
  (await app.fetch(path, token === undefined ? {} : { token })).status;

test('an added user can sign in at once, and a removed one is signed out with the next request', async () => {
  await command('users', 'add', 'bob', testPassword, '--scope', '/alice');
  const token = await app.signIn('bob');
  expect(await get('/api/raw/own.txt', token)).toBe(200);
  await command('users', 'rm', 'bob');
  expect(await get('/api/raw/own.txt', token)).toBe(401);
  await expect(app.signIn('bob')).rejects.toThrow('403');
});

test('permissions, scope and rules of a user apply from the next request', async () => {
  const token = await app.signIn('alice');
  expect(await get('/api/raw/notes.txt', token)).toBe(200);
  await command('rules', 'add', '/notes.txt', '-u', 'alice');
  expect(await get('/api/raw/notes.txt', token)).toBe(403);
  await command('rules', 'rm', '0', '-u', 'alice');
  expect(await get('/api/raw/notes.txt', token)).toBe(200);
  await command('users', 'update', 'alice', '--scope', '/alice');
  expect(await get('/api/raw/notes.txt', token)).toBe(404);
  expect(await get('/api/raw/own.txt', token)).toBe(200);
  await command('users', 'update', 'alice', '--perm.download=false');
  expect(await get('/api/raw/own.txt', token)).toBe(403);
  expect(await get('/api/users', token)).toBe(403);
  await command('users', 'update', 'alice', '--perm.admin');
  expect(await get('/api/users', token)).toBe(200);
});

test('a new password ends the sessions of its user only', async () => {
  const alice = await app.signIn('alice');
  const admin = await app.signIn('admin');
  expect(await get('/api/raw/notes.txt', alice)).toBe(200);
  await command('users', 'update', 'alice', '--password', 'another long password');
  expect(await get('/api/raw/notes.txt', alice)).toBe(401);
  expect(await get('/api/raw/notes.txt', admin)).toBe(200);
  await expect(app.signIn('alice')).rejects.toThrow('403');
  await app.signIn('alice', 'another long password');
});

test('global rules and settings apply from the next request', async () => {
  const token = await app.signIn('alice');
  const admin = await app.signIn('admin');
  expect(await get('/api/raw/secret/plan.txt', token)).toBe(200);
  await command('rules', 'add', '/secret');
  expect(await get('/api/raw/secret/plan.txt', token)).toBe(403);
  await command('config', 'set', '--branding.name', 'Home', '--minimumPasswordLength=20');
  const settings = (await (await app.fetch('/api/settings', { token: admin })).json()) as {
    branding: { name: string };
  };
  expect(settings.branding.name).toBe('Home');
  const short = await app.fetch('/api/users', {
    method: 'POST',
    token: admin,
    json: { what: 'user', which: [], data: { username: 'x', password: 'not twenty long' } },
  });
  expect(short.status).toBe(400);
});

test('new keys end all sessions and opened shares with the next request, and nothing else', async () => {
  const [admin, alice] = [await app.signIn('admin'), await app.signIn('alice')];
  const share = await app.fetch('/api/share/docs', {
    method: 'POST',
    token: alice,
    json: { password: 'a word' },
  });
  const { hash } = (await share.json()) as { hash: string };
  const open = async (headers: Record<string, string>): Promise<Response> =>
    app.fetch(`/api/public/share/${hash}`, { headers });
  const { token } = (await (await open({ 'x-share-password': 'a word' })).json()) as { token: string };
  const withToken = async (path: string): Promise<number> =>
    get(`/api/public/dl/${hash}${path}?token=${encodeURIComponent(token)}`);
  expect(await withToken('/a.txt')).toBe(200);
  expect(await get('/api/raw/notes.txt', alice)).toBe(200);

  await command('keys', 'rotate');
  expect(await get('/api/raw/notes.txt', alice)).toBe(401);
  expect(await get('/api/users', admin)).toBe(401);
  expect((await app.fetch('/api/renew', { method: 'POST', token: alice })).status).toBe(401);
  expect(await withToken('/a.txt')).toBe(401);
  expect((await open({ 'x-share-password': 'a word' })).status).toBe(200);

  const again = await app.signIn('alice');
  expect(await get('/api/raw/notes.txt', again)).toBe(200);
  // Like a restart, the running server reads the keys that the command has stored.
  await command('config', 'set', '--branding.name', 'Home');
  expect(await get('/api/raw/notes.txt', again)).toBe(200);
});

test('concurrent changes of the server and of commands are all stored', async () => {
  const token = await app.signIn('admin');
  const program = (name: string): Promise<unknown> => {
    const args = ['users', 'add', name, testPassword, '--data', app.data, '--root', app.root];
    return promisify(execFile)(programNode, [...programArgs, ...args], { cwd: app.root });
  };
  const commandsEnd = new AbortController();
  const commands = Promise.all(['one', 'two', 'three'].map(program)).finally(() => commandsEnd.abort());
  let added = 0;
  for (; !commandsEnd.signal.aborted && added < 200; added += 1) {
    const data = { username: `server ${added}`, password: testPassword };
    const response = await app.fetch('/api/users', {
      method: 'POST',
      token,
      json: { what: 'user', which: [], data },
    });
    expect(response.status).toBe(201);
  }
  await commands;
  const users = (await (await app.fetch('/api/users', { token })).json()) as unknown[];
  expect(users).toHaveLength(2 + 3 + added);
});

test('an imported user signs in with the previous password and opens the previous shares', async () => {
  const file = join(app.data, '..', 'filebrowser.db');
  const users = [
    formerUser({ id: 5, username: 'carol', scope: '/', perm: { download: true, share: true } }),
    formerUser({ id: 1, username: 'admin', perm: { admin: true } }),
  ];
  await writeFile(
    file,
    writeFormerDatabase({ users, links: [formerLink({ hash: 'kept_one', path: '/docs/', userID: 5 })] }),
  );
  await command('import-filebrowser', file, '--overwrite');
  const token = await app.signIn('carol', formerPassword);
  expect(await get('/api/raw/notes.txt', token)).toBe(200);
  await expect(app.signIn('carol', 'another password')).rejects.toThrow('403');
  expect(await get('/api/public/share/kept_one')).toBe(200);
  const download = await app.fetch('/api/public/dl/kept_one/a.txt');
  expect(await download.text()).toBe('shared');
  // The hash has been replaced by an argon2id hash of the same password.
  await app.signIn('carol', formerPassword);
});
