import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type VirtualPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import type { NameKey, StoredKept } from '../trash-repository.ts';

let database: Database;
beforeEach(async () => {
  database = await openDatabase(':memory:');
});
afterEach(() => database.close());

const exact: NameKey = (name) => name;
const folded: NameKey = (name) => name.toLowerCase();
const entry = (id: string, path: string, more: Partial<StoredKept> = {}): StoredKept => ({
  id,
  store: virtualPath('/'),
  folder: '2026-11-22T10',
  storedName: id,
  originalPath: virtualPath(path),
  kind: 'file',
  size: 1,
  modifiedNs: '0',
  keptAt: 1_000,
  operation: 'operation',
  act: 'delete',
  userId: 1,
  session: null,
  ...more,
});
const placeOf = async (id: string): Promise<VirtualPath | undefined> =>
  (await database.trash.find(id))?.place;
const add = (...entries: StoredKept[]): Promise<void> => database.trash.add(entries, exact);
const move = (from: string, to: string, keyOf = exact): Promise<void> =>
  database.trash.movePlaces(virtualPath(from), virtualPath(to), keyOf);

test('the place of an entry follows its folder through renames and moves', async () => {
  await add(entry('one', '/a/b/file'), entry('two', '/a/other'));
  await move('/a/b', '/c/d');
  expect(await placeOf('one')).toBe('/c/d/file');
  await move('/c', '/e');
  expect(await placeOf('one')).toBe('/e/d/file');
  expect(await placeOf('two')).toBe('/a/other');
  await move('/nothing', '/here');
  expect(await placeOf('two')).toBe('/a/other');
});

test('a folder that is moved into another one merges with its places', async () => {
  await add(entry('one', '/a/x/file'), entry('two', '/b/x/file'), entry('three', '/a/y/file'));
  await move('/a', '/b');
  expect(await placeOf('one')).toBe('/b/x/file');
  expect(await placeOf('two')).toBe('/b/x/file');
  expect(await placeOf('three')).toBe('/b/y/file');
});

test('a new folder with the name of a deleted one has no part in its entries', async () => {
  await add(entry('inner', '/a/b/file'));
  await add(entry('folder', '/a', { kind: 'folder', size: null, keptAt: 2_000 }));
  await add(entry('new', '/a/b/file', { keptAt: 3_000 }));
  await move('/a', '/renamed');
  expect(await placeOf('new')).toBe('/renamed/b/file');
  expect(await database.trash.find('inner')).toMatchObject({ place: '/a/b/file', parentId: 'folder' });
});

test('entries below a restored folder are where it was restored to', async () => {
  await add(entry('inner', '/a/b/file'));
  await add(entry('folder', '/a', { kind: 'folder', size: null }));
  await database.trash.restored('folder', virtualPath('/elsewhere/c'), exact);
  expect(await database.trash.find('inner')).toMatchObject({ place: '/elsewhere/c/b/file', parentId: null });
  expect(await database.trash.find('folder')).toBeNull();
});

test('entries below a folder that is removed forever keep their path', async () => {
  await add(entry('inner', '/a/b/file'));
  await add(entry('folder', '/a', { kind: 'folder', size: null }));
  await add(entry('new', '/a/b/other'));
  await database.trash.remove(['folder']);
  expect(await database.trash.find('inner')).toMatchObject({ place: '/a/b/file', parentId: null });
  expect(await placeOf('new')).toBe('/a/b/other');
});

test('a folder inside a deleted folder inside a deleted folder has its whole path', async () => {
  await add(entry('file', '/a/b/c/file'));
  await add(entry('b', '/a/b', { kind: 'folder' }));
  await add(entry('a', '/a', { kind: 'folder' }));
  expect(await database.trash.find('file')).toMatchObject({ place: '/a/b/c/file', parentId: 'b' });
  expect(await database.trash.find('b')).toMatchObject({ place: '/a/b', parentId: 'a' });
});

test('folders whose names differ only in letter case are one where the disk ignores case', async () => {
  await database.trash.add([entry('one', '/Docs/file'), entry('two', '/docs/other')], folded);
  await move('/DOCS', '/Papers', folded);
  expect(await placeOf('one')).toBe('/Papers/file');
  expect(await placeOf('two')).toBe('/Papers/other');
});

test('an entry that is added twice is not changed, and a new folder of its name stays attached', async () => {
  await add(entry('folder', '/a', { kind: 'folder' }));
  await add(entry('inner', '/a/file'));
  await add(entry('folder', '/a', { kind: 'folder' }));
  expect(await database.trash.find('inner')).toMatchObject({ parentId: null });
});

test('entries that are added together have the places and versions as if they were added one by one', async () => {
  const version = (id: string, path: string, keptAt: number): StoredKept =>
    entry(id, path, { act: 'save', userId: keptAt, keptAt });
  const history = [
    version('v1', '/a/b/file', 1),
    version('v2', '/a/b/file', 2),
    entry('d1', '/a/b/file', { keptAt: 3 }),
    version('v3', '/a/b/file', 4),
    entry('x', '/a/b', { kind: 'folder', size: null, keptAt: 5 }),
    version('v4', '/a/b/file', 6),
    entry('f', '/a/b/file', { keptAt: 7 }),
    entry('g', '/a/b/file/inner', { keptAt: 8 }),
    version('v4', '/elsewhere', 9),
    entry('h', '/a/b/file', { kind: 'folder', size: null, keptAt: 10 }),
    entry('y', '/A', { kind: 'folder', size: null, keptAt: 11 }),
  ];
  const described = async (): Promise<unknown> => {
    const versions = await database.versions.findAll(['v1', 'v2', 'v3', 'v4']);
    const kept = await database.trash.findAll(history.map(({ id }) => id));
    return {
      versions: versions.map(({ id, ownerId, written }) => [id, ownerId, written]).toSorted(),
      kept: kept.map(({ id, place, parentId }) => [id, place, parentId]).toSorted(),
    };
  };
  for (const keyOf of [exact, folded]) {
    await database.trash.clear();
    for (const one of history) await database.trash.add([one], keyOf);
    const expected = await described();
    await database.trash.clear();
    await database.trash.add(history, keyOf);
    expect(await described()).toEqual(expected);
  }
});

test('pages continue after the last entry of the one before, also within the same millisecond', async () => {
  const ids = Array.from({ length: 25 }, (_, index) => `id${String(index).padStart(2, '0')}`);
  await add(...ids.map((id, index) => entry(id, `/f${index}`, { keptAt: Math.floor(index / 10) })));
  const seen: string[] = [];
  let after: { keptAt: number; id: string } | undefined;
  for (;;) {
    const page = await database.trash.list({ limit: 10, after });
    if (page.length === 0) break;
    seen.push(...page.map(({ id }) => id));
    after = page.at(-1);
  }
  expect(seen).toEqual(ids.toReversed());
  expect(await database.trash.count({})).toBe(25);
  expect(await database.trash.count({ since: 2 })).toBe(5);
  expect(await database.trash.count({ userId: 2 })).toBe(0);
});

test('hidden entries are not listed, and only the user who hid them shows them again in time', async () => {
  await add(entry('one', '/one'), entry('two', '/two'));
  expect(await database.trash.hide(['one', 'unknown'], 500, 7)).toEqual(['one']);
  expect(await database.trash.hide(['one', 'two'], 900, 8)).toEqual(['two']);
  expect(await database.trash.list({ limit: 10 })).toEqual([]);
  expect(await database.trash.find('one')).toBeNull();
  expect(await database.trash.unhide(['one', 'two'], 8, 400)).toEqual(['two']);
  expect(await database.trash.unhide(['one'], 7, 500)).toEqual([]);
  expect((await database.trash.due(500, 10)).map(({ id }) => id)).toEqual(['one']);
});

test('places that nothing refers to are removed, from the leaves up', async () => {
  await add(entry('one', '/a/b/c/file'), entry('two', '/a/file'));
  await database.trash.remove(['one']);
  expect(await database.trash.prunePlaces(10)).toBe(1);
  expect(await database.trash.prunePlaces(10)).toBe(1);
  expect(await database.trash.prunePlaces(10)).toBe(0);
  expect(await placeOf('two')).toBe('/a/file');
});

test('folders without a size are found by an index, the latest deletion first', async () => {
  await add(
    entry('old', '/old', { kind: 'folder', size: null }),
    entry('new', '/new', { kind: 'folder', size: null, keptAt: 2_000 }),
    entry('measured', '/measured', { kind: 'folder', size: 5 }),
    entry('file', '/file'),
  );
  expect((await database.trash.unmeasured(5)).map(({ id }) => id)).toEqual(['new', 'old']);
  await database.trash.setSize('new', 7);
  expect((await database.trash.unmeasured(5)).map(({ id }) => id)).toEqual(['old']);
  const folder = await mkdtemp(join(tmpdir(), 'filestead-database-'));
  try {
    const file = join(folder, 'filestead.db');
    await (await openDatabase(file)).close();
    const connection = openSqlite(file);
    const plan = connection
      .prepare(
        `explain query plan select * from kept where act = 'delete' and purge_at is null and kind = 'folder'
        and size is null order by kept_at desc limit 20`,
      )
      .all();
    connection.close();
    expect(JSON.stringify(plan)).toContain('USING INDEX kept_unmeasured');
    expect(plan).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
