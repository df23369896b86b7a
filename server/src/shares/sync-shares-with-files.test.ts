import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Share } from '@filestead/contract/shares';
import { encodePath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';

let app: TestApp;
const tokens = new Map<string, string>();
beforeEach(async () => {
  app = await startApp({
    files: {
      'users/alice/a.txt': 'a of alice',
      'users/alice/abc/x.txt': 'x',
      'users/alice/abc/sub/y.txt': 'y',
      'users/alice/abcd/z.txt': 'z',
      'users/alice/🦊 [ä]_%/x.txt': 'fox',
      'users/bob/a.txt': 'a of bob',
      'users/bob/abc/x.txt': 'x of bob',
      'elsewhere/': '',
    },
    users: [
      { username: 'alice', scope: '/users/alice' },
      { username: 'alice-too', scope: '/users/alice/abc' },
      { username: 'bob', scope: '/users/bob' },
    ],
  });
  tokens.clear();
  for (const name of ['admin', 'alice', 'alice-too', 'bob']) tokens.set(name, await app.signIn(name));
});
afterEach(() => app.close());

const as = (name: string): { token: string } => ({ token: tokens.get(name) ?? '' });
const share = async (name: string, path: string): Promise<string> => {
  const response = await app.fetch(`/api/share${encodePath(path)}`, {
    method: 'POST',
    json: {},
    ...as(name),
  });
  if (response.status !== 200) throw new Error(await response.text());
  return ((await response.json()) as Share).hash;
};
const read = async (hash: string, rest = ''): Promise<string | number> => {
  const response = await app.fetch(`/api/public/dl/${hash}${rest}`);
  return response.status === 200 ? response.text() : response.status;
};
const pathsOf = async (name: string): Promise<string[]> => {
  const shares = (await (await app.fetch('/api/shares', as(name))).json()) as Share[];
  return shares.map(({ path }) => path).sort();
};
const remove = async (name: string, path: string): Promise<void> => {
  const response = await app.fetch(`/api/resources${encodePath(path)}`, { method: 'DELETE', ...as(name) });
  expect(response.status).toBe(200);
};
const upload = async (name: string, path: string, body: string, query = ''): Promise<void> => {
  const url = `/api/resources${encodePath(path)}${query}`;
  expect((await app.fetch(url, { method: 'POST', body, ...as(name) })).status).toBe(200);
};
const move = async (name: string, from: string, to: string, query = ''): Promise<void> => {
  const destination = encodeURIComponent(encodePath(to));
  const url = `/api/resources${encodePath(from)}?action=rename&destination=${destination}${query}`;
  expect((await app.fetch(url, { method: 'PATCH', ...as(name) })).status).toBe(200);
};

test('a share ends with its file; a later file of the same name is not shared', async () => {
  const hash = await share('alice', '/a.txt');
  expect(await read(hash)).toBe('a of alice');
  await remove('alice', '/a.txt');
  await upload('alice', '/a.txt', 'new');
  expect(await read(hash)).toBe(404);
  expect(await pathsOf('alice')).toEqual([]);
});

test('a share ends when the folder above its file is deleted, by any user', async () => {
  const shares = [
    await share('alice', '/abc/x.txt'),
    await share('alice', '/abc'),
    await share('alice-too', '/sub/y.txt'),
    await share('alice-too', '/'),
    await share('admin', '/users/alice/abc/sub'),
  ];
  await share('alice', '/abcd');
  await share('alice', '/');
  await share('bob', '/abc/x.txt');
  await share('admin', '/users');
  await remove('alice', '/abc');
  for (const hash of shares) expect(await read(hash, '/x.txt')).toBe(404);
  expect(await pathsOf('alice')).toEqual(['/', '/abcd/']);
  expect(await pathsOf('alice-too')).toEqual([]);
  expect(await pathsOf('bob')).toEqual(['/abc/x.txt']);
  expect(await pathsOf('admin')).toEqual(['/', '/abc/x.txt', '/abcd/', '/users/']);
});

test('deleting in one scope does not affect shares of another', async () => {
  const hash = await share('alice', '/abc/x.txt');
  for (const name of ['a', 'ab', 'abc']) {
    await upload('bob', `/${name}/x.txt`, 'x', '?override=true');
    await remove('bob', `/${name}`);
  }
  expect(await read(hash)).toBe('x');
});

test('a refused or failed deletion ends no share', async () => {
  const hash = await share('alice', '/abc/x.txt');
  const missing = await app.fetch('/api/resources/abc/x.txt/below', { method: 'DELETE', ...as('alice') });
  expect(missing.status).toBe(409);
  expect(await read(hash)).toBe('x');
});

test('a share follows its renamed file, and never shows a new file of the old name', async () => {
  const hash = await share('alice', '/a.txt');
  await move('alice', '/a.txt', '/b.txt');
  await upload('alice', '/a.txt', 'another');
  expect(await read(hash)).toBe('a of alice');
  await move('alice', '/a.txt', '/c.txt');
  await upload('alice', '/a.txt/', '');
  expect(await read(hash)).toBe('a of alice');
  expect(await pathsOf('alice')).toEqual(['/b.txt']);
});

test('shares follow a renamed folder above them, for all users who share from it', async () => {
  const file = await share('alice', '/abc/x.txt');
  const folder = await share('alice', '/abc');
  const neighbor = await share('alice', '/abcd');
  const inner = await share('alice-too', '/sub/y.txt');
  const admins = await share('admin', '/users/alice/abc/sub');
  await move('alice', '/abc', '/abcd/moved');
  expect(await read(file)).toBe('x');
  expect(await read(folder, '/sub/y.txt')).toBe('y');
  expect(await read(neighbor, '/z.txt')).toBe('z');
  expect(await read(admins, '/y.txt')).toBe('y');
  expect(await pathsOf('alice')).toEqual(['/abcd/', '/abcd/moved/', '/abcd/moved/x.txt']);
  // The scope itself has moved away; the shares of its user keep their paths relative to it.
  await expect.poll(() => read(inner)).toBe(404);
  expect(await pathsOf('alice-too')).toEqual(['/sub/y.txt']);
});

test('a share ends when its file is moved out of its owner’s scope', async () => {
  const bobs = await share('bob', '/abc/x.txt');
  const admins = await share('admin', '/users/bob/abc/x.txt');
  await move('admin', '/users/bob/abc', '/elsewhere/abc');
  expect(await read(bobs)).toBe(404);
  expect(await pathsOf('bob')).toEqual([]);
  expect(await read(admins)).toBe('x of bob');
});

test('a share follows its file to an automatically chosen name', async () => {
  const hash = await share('alice', '/a.txt');
  await move('alice', '/a.txt', '/abc/x.txt', '&rename=true');
  expect(await read(hash)).toBe('a of alice');
  expect(await pathsOf('alice')).toEqual(['/abc/x(1).txt']);
});

test('shares follow names in any script, and not similar names', async () => {
  const hash = await share('alice', '/🦊 [ä]_%/x.txt');
  await move('alice', '/🦊 [ä]_%', "/o'fox 🦊🦊");
  expect(await read(hash)).toBe('fox');
  expect(await pathsOf('alice')).toEqual(["/o'fox 🦊🦊/x.txt"]);
});

test('a copy is not shared, but new content of the shared file is', async () => {
  const hash = await share('alice', '/a.txt');
  await upload('alice', '/a.txt', 'newer', '?override=true');
  expect(await read(hash)).toBe('newer');
  const url = '/api/resources/a.txt?action=copy&destination=%2Fcopy.txt';
  expect((await app.fetch(url, { method: 'PATCH', ...as('alice') })).status).toBe(200);
  expect(await pathsOf('alice')).toEqual(['/a.txt']);
});

test('changes outside Filestead make a share unavailable', async () => {
  const hash = await share('alice', '/a.txt');
  const path = join(app.root, 'users/alice/a.txt');
  await rename(path, `${path}.gone`);
  expect(await read(hash)).toBe(404);
  await writeFile(path, 'again');
  expect(await read(hash)).toBe('again');
  await rm(path);
  expect(await pathsOf('alice')).toEqual(['/a.txt']);
});

test('shares end with their owner, and are not restored for a new user of the same name', async () => {
  const hash = await share('bob', '/a.txt');
  const users = (await (await app.fetch('/api/users', as('admin'))).json()) as {
    id: number;
    username: string;
  }[];
  const id = users.find(({ username }) => username === 'bob')?.id ?? 0;
  expect((await app.fetch(`/api/users/${id}`, { method: 'DELETE', ...as('admin') })).status).toBe(200);
  expect(await read(hash)).toBe(404);
  const again = await app.createUser({ username: 'bob', scope: '/users/bob', password: testPassword });
  expect(again.id).toBeGreaterThan(id);
  expect(await read(hash)).toBe(404);
  expect(await pathsOf('admin')).toEqual([]);
});
