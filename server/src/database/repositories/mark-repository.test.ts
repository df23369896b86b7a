import { type VirtualPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newUser } from '../../../test/new-user.ts';
import type { Database } from '../database.ts';
import type { KeyAt, NewMark } from '../mark-repository.ts';
import { openDatabase } from '../open-database.ts';
import type { StoredKept } from '../trash-repository.ts';

let database: Database;
let userId: number;
beforeEach(async () => {
  database = await openDatabase(':memory:');
  userId = (await database.users.create(newUser('alice', '/'))).id;
});
afterEach(() => database.close());

const exactAt: KeyAt = () => (name) => name;
const limits = { favorites: 5, tags: 5, tagsPerEntry: 2 };

/** A mark of an entry; the inode of each place is that of its name. */
function markOf(path: string, more: Partial<NewMark> = {}): NewMark {
  const names = path.slice(1).split('/');
  const places = names.map((name, i) => ({
    path: `/${names.slice(0, i + 1).join('/')}` as VirtualPath,
    isFolder: i < names.length - 1,
    identity: { device: '1', inode: `inode of ${name}`, bornNs: '1' },
  }));
  return { places, kind: 'favorite', tag: '', act: null, at: 1, ...more };
}
const add = (...marks: NewMark[]): Promise<boolean> => database.marks.add(userId, marks, exactAt, limits);
const favorites = async (): Promise<string[]> =>
  (await database.marks.list(userId, 'favorite')).map(({ path, keptId }) =>
    keptId === null ? path : `${path} in ${keptId}`,
  );
const move = (from: string, to: string): Promise<void> =>
  database.trash.movePlaces(virtualPath(from), virtualPath(to), (name) => name);
const deleted = (
  id: string,
  path: string,
  kind: StoredKept['kind'] = 'file',
  repository = database.trash,
): Promise<void> =>
  repository.add(
    [
      {
        id,
        store: virtualPath('/'),
        folder: '2026-11-22T10',
        storedName: id,
        originalPath: virtualPath(path),
        kind,
        size: null,
        modifiedNs: '0',
        keptAt: 1_000,
        operation: 'operation',
        act: 'delete',
        userId,
        session: null,
      },
    ],
    (name) => name,
  );

test('marks and deleted entries share one tree, so that one rename moves both', async () => {
  await add(markOf('/a/b/marked.txt'));
  await deleted('kept', '/a/b/deleted.txt');
  await move('/a', '/z');
  expect(await favorites()).toEqual(['/z/b/marked.txt']);
  expect((await database.trash.find('kept'))?.place).toBe('/z/b/deleted.txt');
});

test('a marked file that replaces another marked one has the marks of both, each once', async () => {
  await add(
    markOf('/a.txt'),
    markOf('/b.txt'),
    markOf('/a.txt', { kind: 'tag', tag: 'x' }),
    markOf('/b.txt', { kind: 'tag', tag: 'y' }),
  );
  await move('/a.txt', '/b.txt');
  expect(await favorites()).toEqual(['/b.txt']);
  for (const tag of ['X', 'Y']) {
    expect((await database.marks.list(userId, 'tag', tag)).map(({ path }) => path)).toEqual(['/b.txt']);
  }
});

test('a deleted file belongs to its entry in the trash until it is restored', async () => {
  await add(markOf('/a/b.txt'));
  await deleted('file', '/a/b.txt');
  await deleted('folder', '/a', 'folder');
  expect(await favorites()).toEqual(['/a/b.txt in file']);
  await database.trash.restored('folder', virtualPath('/c'), (name) => name);
  expect(await favorites()).toEqual(['/c/b.txt in file']);
  await database.trash.restored('file', virtualPath('/c/b.txt'), (name) => name);
  expect(await favorites()).toEqual(['/c/b.txt']);
});

test('marks of deleted entries survive a rebuild of the index of the trash', async () => {
  await add(markOf('/a/b/c.txt'), markOf('/d.txt'));
  await deleted('inner', '/a/b', 'folder');
  await deleted('outer', '/a', 'folder');
  await deleted('other', '/x/y');
  await database.trash.clear();
  expect(await favorites()).toEqual(['/a/b/c.txt', '/d.txt']);
  await deleted('inner', '/a/b', 'folder');
  await deleted('outer', '/a', 'folder');
  expect(await favorites()).toEqual(['/a/b/c.txt in inner', '/d.txt']);
});

test('marks of deleted entries survive a rebuild in which the history of the trash is read', async () => {
  await add(markOf('/a/b/c.txt'), markOf('/a/e.txt'), markOf('/d.txt'));
  await deleted('inner', '/a/b', 'folder');
  await deleted('outer', '/a', 'folder');
  await database.trash.clear();
  await database.trash.inOwnTree(async (own) => {
    await deleted('inner', '/a/b', 'folder', own);
    await deleted('outer', '/a', 'folder', own);
  });
  expect(await favorites()).toEqual(['/a/b/c.txt in inner', '/a/e.txt in outer', '/d.txt']);
});

test('places stay as long as an entry below them is marked', async () => {
  await add(markOf('/a/b/c.txt'));
  expect(await database.trash.prunePlaces(10)).toBe(0);
  await database.marks.remove(userId, [virtualPath('/a/b/c.txt')], { kind: 'favorite', tag: '' }, exactAt);
  for (const pruned of [1, 1, 1, 0]) expect(await database.trash.prunePlaces(10)).toBe(pruned);
});

test('nothing is stored beyond the limits', async () => {
  const many = Array.from({ length: 6 }, (_, i) => markOf(`/${i}.txt`));
  expect(await add(...many)).toBe(false);
  expect(await add(...['x', 'y', 'z'].map((tag) => markOf('/a.txt', { kind: 'tag', tag })))).toBe(false);
  expect(await favorites()).toEqual([]);
  expect(await database.marks.tagsOf(userId)).toEqual([]);
  expect(await add(...many.slice(1))).toBe(true);
});

test('a place that is found again under another path takes along what is in it', async () => {
  await add(markOf('/a/b/c.txt'));
  const [folder] = await database.marks.withInodes(['inode of b', 'unknown']);
  expect(folder).toMatchObject({ path: '/a/b', isFolder: true });
  await database.marks.relocate(folder?.place ?? 0, virtualPath('/new/name'), exactAt);
  expect(await favorites()).toEqual(['/new/name/c.txt']);
});

test('a folder is not moved into itself', async () => {
  await add(markOf('/a/b/c.txt'));
  const [folder] = await database.marks.withInodes(['inode of a']);
  await database.marks.relocate(folder?.place ?? 0, virtualPath('/a/b/a'), exactAt);
  expect(await favorites()).toEqual(['/a/b/c.txt']);
});
