import { spawn } from 'node:child_process';
import { initialPreferences } from '@filestead/contract/user-fields';
import { noPermissions } from '@filestead/contract/values/permissions';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundledForTests } from '../programs/test-script.ts';
import type { Database, NewUser } from './database.ts';
import { openDatabase } from './open-database.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

const permissions = { ...noPermissions, create: true, modify: true, share: true };
const user = (username: string, change: Partial<NewUser> = {}): NewUser => ({
  username,
  passwordHash: 'hash',
  scope: '/',
  lockPassword: false,
  ...initialPreferences,
  locale: 'en',
  viewMode: 'mosaic gallery',
  singleClick: true,
  redirectAfterCopyMove: true,
  perm: permissions,
  commands: ['git'],
  sorting: { by: 'size', asc: true },
  rules: [{ regex: true, allow: false, path: '', regexp: { raw: 'x' } }],
  hideDotfiles: true,
  aceEditorTheme: 'dark-one',
  autoplay: true,
  startOn: 'home',
  ...change,
});
const administrator = (username: string): NewUser =>
  user(username, { perm: { ...permissions, admin: true } });

let folder: string;
let database: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-database-'));
  database = await openDatabase(join(folder, 'test.db'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

test('the database file has mode 600, and a second start finds all data', async () => {
  expect((await stat(join(folder, 'test.db'))).mode & 0o777).toBe(0o600);
  const key = await database.settings.secret('token', 64);
  const created = await database.users.create(user('Alice'));
  await database.close();
  database = await openDatabase(join(folder, 'test.db'));
  expect(await database.settings.secret('token', 64)).toEqual(key);
  expect(await database.users.find(created.id)).toEqual(created);
  expect(created).toMatchObject(user('Alice'));
});

test('ids are never reused', async () => {
  const first = await database.users.create(user('first'));
  await database.users.remove(first.id);
  const second = await database.users.create(user('second'));
  expect(second.id).toBeGreaterThan(first.id);
});

test('names that differ only in case are equal', async () => {
  await database.users.create(user('Ängström'));
  await expect(database.users.create(user('ängSTRÖM'))).rejects.toMatchObject({ code: 'username_taken' });
  expect((await database.users.findByName('ÄNGSTRÖM'))?.username).toBe('Ängström');
});

test('one administrator remains when two demote each other concurrently', async () => {
  const one = await database.users.create(administrator('one'));
  const two = await database.users.create(administrator('two'));
  const results = await Promise.allSettled([
    database.users.update(one.id, { perm: permissions }),
    database.users.update(two.id, { perm: permissions }),
  ]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await database.users.list()).filter(({ perm }) => perm.admin)).toHaveLength(1);
});

test('the sessions of a removed user are removed, and ended ones by a purge', async () => {
  const { id } = await database.users.create(user('someone'));
  const session = (name: string, endsAt: number) => ({
    session: { id: name, userId: id, createdAt: 1, lastSeenAt: endsAt, endsAt, address: '', userAgent: '' },
    token: {
      hash: `${name} token`,
      cookieHash: `${name} cookie`,
      sessionId: name,
      issuedAt: 1,
      expiresAt: endsAt,
      rotatedAt: null,
    },
  });
  for (const { session: row, token } of [session('a', 10), session('b', 100)]) {
    await database.sessions.create(row, token, {
      maxPerUser: 10,
      passwordHash: user('someone').passwordHash,
    });
  }
  expect(await database.sessions.purge({ now: 50, lastSeenAt: 5 })).toBe(1);
  expect(await database.sessions.find('a token')).toBeNull();
  expect(await database.sessions.find('b cookie')).toMatchObject({ isCookie: true, session: { userId: id } });
  await database.users.remove(id);
  expect(await database.sessions.find('b token')).toBeNull();
});

test('a transaction is atomic across all repositories', async () => {
  const work = database.transact(async (transaction) => {
    const { id } = await transaction.users.create(administrator('one'));
    await transaction.users.update(id, { locale: 'de' });
    await transaction.serverOptions.write({ port: '9000' });
    await expect(transaction.users.create(user('ONE'))).rejects.toMatchObject({ code: 'username_taken' });
    await transaction.transact((nested) => nested.users.create(user('two')));
    throw new Error('broken off');
  });
  await expect(work).rejects.toThrow('broken off');
  expect(await database.users.list()).toEqual([]);
  expect(await database.serverOptions.read()).toEqual({});
  await database.transact(async (transaction) => {
    await transaction.users.create(user('two'));
    await transaction.serverOptions.write({ port: '9000', root: '/srv' });
  });
  expect((await database.users.list()).map(({ username }) => username)).toEqual(['two']);
  expect(await database.serverOptions.read()).toEqual({ port: '9000', root: '/srv' });
});

test('a change of another process is reported once, one of this process is not', async () => {
  const other = await openDatabase(join(folder, 'test.db'));
  try {
    database.wasChangedElsewhere();
    await database.users.create(user('mine'));
    expect(database.wasChangedElsewhere()).toBe(false);
    await other.users.list();
    expect(database.wasChangedElsewhere()).toBe(false);
    await other.users.create(user('theirs'));
    expect(database.wasChangedElsewhere()).toBe(true);
    expect(database.wasChangedElsewhere()).toBe(false);
  } finally {
    await other.close();
  }
});

test('two processes that read and then write wait for each other', async () => {
  const other = await openDatabase(join(folder, 'test.db'));
  const script = `
    import { openDatabase } from ${JSON.stringify(bundledForTests('open-database'))};
    const database = await openDatabase(process.argv[1]);
    for (let turn = 0; turn < 200; turn += 1) await database.users.update(1, { locale: 'de' });
    await database.close();`;
  try {
    await database.users.create(user('contested'));
    const args = ['--input-type=module', '-e', script, join(folder, 'test.db')];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    for (let turn = 0; child.exitCode === null; turn += 1) {
      await database.users.update(1, { scope: `/${turn}` });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await ended).toBe(0);
    expect((await other.users.find(1))?.locale).toBe('de');
  } finally {
    await other.close();
  }
});

test('a copy is complete, has mode 600, and replaces no file', async () => {
  await database.users.create(user('kept'));
  const copy = join(folder, 'copy.db');
  await database.backUp(copy);
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
  await expect(database.backUp(copy)).rejects.toThrow(/EEXIST/);
  const opened = await openDatabase(copy);
  expect((await opened.users.list()).map(({ username }) => username)).toEqual(['kept']);
  await opened.close();
});

test('a file of another program and a database of a newer version are refused', async () => {
  await writeFile(join(folder, 'other.db'), 'not a database at all');
  await expect(openDatabase(join(folder, 'other.db'))).rejects.toThrow(/is not a database of Filestead/);
  await (await openDatabase(join(folder, 'newer.db'))).close();
  const connection = openSqlite(join(folder, 'newer.db'));
  connection.exec("insert into kysely_migration values ('9999-from-the-future', '2099')");
  connection.close();
  await expect(openDatabase(join(folder, 'newer.db'))).rejects.toThrow(/newer version/);
});
