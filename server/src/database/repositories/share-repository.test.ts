import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';
import type { Database, ListedShare } from '../database.ts';
import type { StoredShare } from '../stored-share.ts';
import { openDatabase } from '../open-database.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';

let app: TestApp;
let database: Database;
let file: string;
let alice: number;
let bob: number;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-shares-'));
  file = join(folder, 'filestead.db');
  app = await startApp({ config: { database: file } });
  alice = (await app.createUser({ username: 'alice', scope: '/users/alice' })).id;
  bob = (await app.createUser({ username: 'bob', scope: '/users/bob' })).id;
  await app.close();
  database = await openDatabase(file);
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

let number = 0;
const add = async (userId: number, path: string, change: Partial<StoredShare> = {}): Promise<StoredShare> => {
  number += 1;
  const share: StoredShare = {
    hash: `Hash-${String(number).padStart(6, '0')}`,
    userId,
    path: virtualPath(path),
    isFolder: false,
    expiresAt: 0,
    passwordHash: null,
    createdAt: number,
    visits: 0,
    ...change,
  };
  expect(await database.shares.create(share, { maxPerUser: 1000 })).toBe('created');
  return share;
};
const listed = async (now: number, userId?: number): Promise<ListedShare[]> => {
  const found: ListedShare[] = [];
  for await (const page of database.shares.list(now, userId)) found.push(...page);
  return found;
};
const pathsOf = async (userId: number): Promise<string[]> =>
  (await listed(0, userId)).map(({ path }) => path);

test('a share is found unchanged by its exact hash until it expires', async () => {
  const share = await add(alice, '/a.txt', { isFolder: true, expiresAt: 100, passwordHash: 'secret' });
  expect(await database.shares.find(share.hash, 99)).toEqual(share);
  expect(await database.shares.find(share.hash, 100)).toBeNull();
  expect(await database.shares.find(share.hash.toLowerCase(), 99)).toBeNull();
  expect(await database.shares.find('', 99)).toBeNull();
});

test('lists are ordered by owner, then by expiry with permanent shares first', async () => {
  const bobs = await add(bob, '/a');
  const late = await add(alice, '/a', { expiresAt: 300 });
  const soon = await add(alice, '/b', { expiresAt: 200 });
  const always = await add(alice, '/a');
  await add(alice, '/a', { expiresAt: 100 });
  const hashes = async (userId?: number): Promise<string[]> =>
    (await listed(100, userId)).map(({ hash }) => hash);
  expect(await hashes()).toEqual([always, soon, late, bobs].map(({ hash }) => hash));
  expect(await hashes(bob)).toEqual([bobs.hash]);
  const paths = [
    { userId: bob, path: virtualPath('/a') },
    { userId: alice, path: virtualPath('/a') },
  ];
  expect(await database.shares.listAt(100, paths)).toEqual([
    { ...bobs, username: 'bob' },
    { ...always, username: 'alice' },
    { ...late, username: 'alice' },
  ]);
  expect(await database.shares.removeExpired(200)).toBe(2);
  expect(await hashes()).toEqual([always, late, bobs].map(({ hash }) => hash));
});

test('long lists are returned in batches, each share once', async () => {
  const connection = openSqlite(file);
  connection.exec(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1200)
    insert into shares (hash, user_id, path, is_folder, expires_at, password_hash, created_at)
    select 'share-number-' || n, ${alice}, '/a', 0, n / 400 * 1000, null, n % 7 from numbers`);
  connection.close();
  await add(bob, '/a');
  const found = await listed(5);
  expect(new Set(found.map(({ hash }) => hash)).size).toBe(1201);
  expect(found).toHaveLength(1201);
  const order = found.map(({ userId, expiresAt, createdAt }) => userId * 1e9 + expiresAt * 10 + createdAt);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(await listed(1500, alice)).toHaveLength(800);
});

test('changes only the given options of a share', async () => {
  const share = await add(alice, '/a.txt', { expiresAt: 100, passwordHash: 'secret' });
  const other = await add(alice, '/b.txt');
  await database.shares.update(share.hash, { expiresAt: 0 });
  expect(await database.shares.find(share.hash, 0)).toEqual({ ...share, expiresAt: 0 });
  await database.shares.update(share.hash, { passwordHash: null });
  expect(await database.shares.find(share.hash, 0)).toEqual({ ...share, expiresAt: 0, passwordHash: null });
  expect(await database.shares.find(other.hash, 0)).toEqual(other);
});

test('adds visits to several shares, and ignores shares that were deleted', async () => {
  const one = await add(alice, '/a.txt', { visits: 3 });
  const two = await add(bob, '/a.txt');
  await database.shares.addVisits(
    new Map([
      [one.hash, 2],
      ['deleted', 7],
    ]),
  );
  expect((await database.shares.find(one.hash, 0))?.visits).toBe(5);
  expect((await database.shares.find(two.hash, 0))?.visits).toBe(0);
});

test('owners returns the users who have shares', async () => {
  expect(await database.shares.owners()).toEqual([]);
  await add(bob, '/a');
  await add(bob, '/b');
  expect(await database.shares.owners()).toEqual([{ userId: bob, scope: '/users/bob' }]);
});

const neighbors = ['/a', '/a/b', '/a/b/c', '/a-b', '/a.txt', '/a0', '/ab', '/A/b', '/a b', '/b/a', '/ä'];

test('removing the shares under a folder removes no others', async () => {
  for (const path of neighbors) await add(alice, path);
  await add(bob, '/a/b');
  await database.shares.endUnder([{ userId: alice, path: virtualPath('/a'), keptId: null }]);
  expect(await pathsOf(alice)).toEqual(neighbors.filter((path) => path !== '/a' && !path.startsWith('/a/')));
  expect(await pathsOf(bob)).toEqual(['/a/b']);
  await database.shares.endUnder([{ userId: alice, path: virtualPath('/'), keptId: null }]);
  expect(await pathsOf(alice)).toEqual([]);
  expect(await pathsOf(bob)).toEqual(['/a/b']);
});

test('shares are suspended with the first deleted entry above them, by many deletions at once', async () => {
  for (const path of neighbors) await add(alice, path);
  const inside = await add(alice, '/a/b/inside');
  await add(bob, '/a/b');
  const others = Array.from({ length: 1_200 }, (_, index) => ({
    userId: alice,
    path: virtualPath(`/other ${index}`),
    keptId: 'other',
  }));
  const deleted = ['/a/b', '/a', '/ä'].map((path) => ({
    userId: alice,
    path: virtualPath(path),
    keptId: `kept ${path}`,
  }));
  await database.shares.endUnder([...others, ...deleted]);
  expect(await pathsOf(alice)).toEqual(
    neighbors.filter((path) => path !== '/a' && path !== '/ä' && !path.startsWith('/a/')),
  );
  const pathsWith = async (keptId: string) =>
    (await database.shares.suspended(keptId)).map(({ servedPath }) => servedPath).sort();
  expect(await pathsWith('kept /a/b')).toEqual(
    ['/a/b', '/a/b/c', inside.path].map((path) => `/users/alice${path}`),
  );
  expect(await pathsWith('kept /a')).toEqual(['/users/alice/a']);
  expect(await pathsOf(bob)).toEqual(['/a/b']);
});

test.each([
  ['/a', '/z/y'],
  ['/a', '/🦊🦊'],
  ['/a', '/'.padEnd(200, 'x')],
])('moving the shares under %s to %s moves no others', async (from, to) => {
  for (const path of neighbors) await add(alice, path);
  await add(bob, '/a/b');
  const moves = [{ userId: alice, from: virtualPath(from), to: virtualPath(to) }];
  await database.shares.moveUnder(moves);
  const moved = neighbors.map((path) =>
    path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path,
  );
  expect(await pathsOf(alice)).toEqual(moved);
  expect(await pathsOf(bob)).toEqual(['/a/b']);
});

test('names outside the basic multilingual plane are cut at their end', async () => {
  await add(alice, '/🦊/ä/🦊.txt');
  await database.shares.moveUnder([{ userId: alice, from: virtualPath('/🦊/ä'), to: virtualPath('/x') }]);
  expect(await pathsOf(alice)).toEqual(['/x/🦊.txt']);
});

test("the number of shares per user is limited, and a user's shares are removed with the user", async () => {
  await add(alice, '/a');
  const share = await add(alice, '/b');
  expect(await database.shares.create({ ...share, hash: 'another' }, { maxPerUser: 2 })).toBe('too_many');
  expect(await database.shares.create({ ...share, hash: 'another', userId: bob }, { maxPerUser: 2 })).toBe(
    'created',
  );
  await database.users.remove(alice);
  expect(await pathsOf(alice)).toEqual([]);
  expect(await pathsOf(bob)).toEqual(['/b']);
});

test('a share is not created if the scope has changed since its path was checked, or if its owner was deleted', async () => {
  const share = await add(alice, '/a');
  const another = { ...share, hash: 'another' };
  const create = (scope: string) => database.shares.create(another, { maxPerUser: 10, scope });
  expect(await create('/users/bob')).toBe('other_scope');
  expect(await pathsOf(alice)).toEqual(['/a']);
  expect(await create('/users/alice')).toBe('created');
  await database.users.remove(alice);
  expect(await create('/users/alice')).toBe('other_scope');
});

test('every query uses an index', () => {
  const connection = openSqlite(file);
  try {
    for (const condition of [
      "hash = 'x'",
      "user_id = 1 and path = '/a'",
      "user_id = 1 and (path = '/a' or (path >= '/a/' and path < '/a0'))",
      'expires_at > 0 and expires_at <= 5',
      "user_id = 1 and (user_id, expires_at, created_at, hash) > (1, 2, 3, 'x')",
    ]) {
      const plan = connection.prepare(`explain query plan select * from shares where ${condition}`).all();
      expect(JSON.stringify(plan), condition).toMatch(/SEARCH shares USING/);
    }
  } finally {
    connection.close();
  }
});
