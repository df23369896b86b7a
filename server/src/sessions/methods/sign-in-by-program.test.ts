import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User } from '@filestead/contract/users';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { initialSettings } from '../../access/global-settings.ts';
import type { TestApp } from '../../../test/start-app.ts';
import { startPreparedApp } from '../../../test/start-prepared-app.ts';
import { userOfToken } from '../../../test/fixtures/user-of-token.ts';
import { parseHookResult } from './parse-hook-result.ts';

let app: TestApp;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-program-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts with the shell script `script` as the program; `config` may set another one. */
async function start(script: string, config: Record<string, string> = {}): Promise<void> {
  const file = join(folder, 'program.sh');
  await writeFile(file, script);
  const { defaults } = initialSettings();
  const perm = { ...defaults.perm, admin: true, execute: true };
  app = await startPreparedApp(
    { createUserDir: true, defaults: { ...defaults, perm, commands: ['git'], dateFormat: true } },
    {
      users: [{ username: 'bob', password: 'the stored one', rules: [{ path: '/x' }], scope: '/bob' }],
      config: { 'auth.method': 'hook', 'auth.command': `sh ${file} 1  2`, ...config },
    },
  );
  const { close } = app;
  onTestFinished(() => close());
}
/** Returns the last output recorded by the program. */
const recordedOutput = async (): Promise<string> => (await readFile(join(folder, 'note'), 'utf8')).trim();
const login = (username: string, password: string): Promise<Response> =>
  app.fetch('/api/login', { method: 'POST', json: { username, password } });
const statusOf = async (username: string, password: string): Promise<number> =>
  (await login(username, password)).status;
const userOf = async (username: string, password: string): Promise<User> => {
  const response = await login(username, password);
  expect(response.status).toBe(200);
  const token = await response.text();
  return (await (await app.fetch(`/api/users/${userOfToken(token).id}`, { token })).json()) as User;
};

test('name and password are in a clean environment, and nothing of them is executed', async () => {
  process.env.FILESTEAD_TEST_SECRET = 'canary';
  try {
    await start(
      `printf '%s|%s|%s|%s' "$USERNAME" "$PASSWORD" "$*" "$FILESTEAD_TEST_SECRET" > ${folder}/note\necho hook.action=block\n`,
    );
    const password = `$(touch ${folder}/executed)\`id\`;"'`;
    expect(await statusOf('a$(id)', password)).toBe(403);
    expect(await recordedOutput()).toBe(`a$(id)|${password}|1 2|`);
    await expect(readFile(join(folder, 'executed'))).rejects.toThrow();
  } finally {
    delete process.env.FILESTEAD_TEST_SECRET;
  }
});

test('a missing program makes sign-ins fail with 500, and the log contains the reason', async () => {
  await start('', { 'auth.command': join(folder, 'missing') });
  const response = await login('alice', 'secret one');
  expect(response.status).toBe(500);
  expect(app.log.some((line) => line.includes('sign-in program') && line.includes('ENOENT'))).toBe(true);
  expect(app.log.join('')).not.toContain('secret one');
});

test.each([
  ['exit 3', 'a failure'],
  ['echo hook.action=maybe', 'another action'],
  ['echo nothing', 'no action'],
  ['echo hook.action=auth; echo user.viewMode=grid', 'a value that does not exist'],
  ['echo hook.action=auth; echo user.scope=../../etc', 'a scope outside'],
  ['yes hook.action=auth', 'too much'],
])('sign-ins fail with 500 if the program runs %s (%s)', async (script) => {
  await start(script);
  const response = await login('alice', 'any');
  expect(response.status).toBe(500);
  expect(response.headers.get('set-cookie')).toBeNull();
});

test('an accepted user is created from the defaults, without administration or execution, with a home folder and a locked password', async () => {
  await start('printf " hook.action = auth \\r\\n"; echo unknown=1; echo user.locale=de');
  const alice = await userOf('alice', 'whatever she likes');
  expect(alice).toMatchObject({
    username: 'alice',
    locale: 'de',
    lockPassword: true,
    dateFormat: true,
    commands: [],
    rules: [],
  });
  expect(alice.perm).toEqual({ ...initialSettings().defaults.perm, admin: false, execute: false });
  expect((await userOf('alice', 'another one')).id).toBe(alice.id);
  expect(await statusOf('ALICE', 'x')).toBe(403);
  expect(await statusOf(' alice', 'x')).toBe(403);
  expect(await statusOf('', 'x')).toBe(403);
  expect(await statusOf('nul\0', 'x')).toBe(403);
});

test("fields of the program's output are applied, and others of an existing user are kept", async () => {
  await start(
    'cat <<END\nhook.action=auth\nuser.scope=/homes/new\nuser.viewMode=mosaic gallery\nuser.singleClick=true\n' +
      'user.sorting.by=size\nuser.sorting.asc=TRUE\nuser.commands=git  ls\nuser.perm.share=false\nuser.perm.execute=true\nEND',
  );
  const token = await (await login('bob', 'the stored one')).text();
  expect(userOfToken(token)).toMatchObject({
    viewMode: 'mosaic gallery',
    singleClick: true,
    sorting: { by: 'size', asc: false },
    commands: ['git', 'ls'],
    lockPassword: true,
    perm: { share: false, execute: true, create: true, admin: false },
  });
  const bob = await userOf('bob', 'the stored one');
  expect(bob.rules).toEqual([{ regex: false, allow: false, path: '/x', regexp: null }]);
  expect((await app.fetch('/api/resources/', { token })).status).toBe(200);
});

test('administrators get every permission', async () => {
  await start('echo hook.action=auth; echo user.perm.admin=true; echo user.perm.create=false');
  expect(Object.values((await userOf('alice', 'x')).perm).every(Boolean)).toBe(true);
});

test('“pass” verifies the stored password, “block” refuses every user', async () => {
  await start('if [ "$USERNAME" = bob ]; then echo hook.action=pass; else echo hook.action=block; fi');
  expect(await statusOf('bob', 'the stored one')).toBe(200);
  expect(await statusOf('bob', 'wrong')).toBe(403);
  expect(await statusOf('bob', '')).toBe(403);
  expect(await statusOf('admin', 'a password for tests')).toBe(403);
});

test('guesses are limited for programs too', async () => {
  await start('echo hook.action=block', { loginAttemptsPerName: '2' });
  const statuses = [await statusOf('eve', '1'), await statusOf('eve', '2'), await statusOf('eve', '3')];
  expect(statuses).toEqual([403, 403, 429]);
});

test.each([
  ['hook.action=auth\nuser.perm.admin=yes', { perm: { admin: false } }],
  ['hook.action=auth\nuser.commands=', { commands: [] }],
  ['hook.action=block\nhook.action=auth\n=x\nuser.scope=a=b', { scope: '/a=b' }],
  ['hook.action=auth\nuser.__proto__=x\n__proto__=x\nuser.id=1\nuser.password=x', {}],
])('the output %j is parsed exactly', (output, fields) => {
  expect(parseHookResult(output)).toEqual({
    action: 'auth',
    fields,
    hasFields: Object.keys(fields).length > 0,
  });
});
