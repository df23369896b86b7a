import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import type { FileEntry } from '../../features/files/entries/entry.ts';
import { mapTree } from '../../features/space/map-tree.ts';
import { largestIn, recentAfter, usedFolders } from './load-home.ts';

const recent = ['/a/1', '/b/1', '/b/2', '/top.txt', '/c/d/1', '/c/d/2', '/c/d/3'].map((path) => ({ path }));

test('shows favorite folders first, then those with most recent entries, each once and without the root', () => {
  expect(usedFolders([virtualPath('/fav'), virtualPath('/b')], recent)).toEqual(['/fav', '/b', '/c/d', '/a']);
});

test('shows at most eight folders', () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ path: `/folder ${i}/file` }));
  expect(usedFolders([], many)).toHaveLength(8);
});

const row = (path: string, bytes: number, dir = true) => ({ path, dir, bytes, allocated: bytes, files: 1 });
const largestOf = (...rows: ReturnType<typeof row>[]) =>
  largestIn(mapTree({ self: row('', 1000), rows, checkedAt: null, coverage: 'all' }));

test('shows the folders of the root that are large enough to be shown, without the files beside them', () => {
  expect(
    largestOf(row('Photos', 700), row('big.iso', 200, false), row('Music', 90), row('Notes', 1)),
  ).toEqual([
    { name: 'Photos', bytes: 700, kind: 'folder' },
    { name: 'Music', bytes: 90, kind: 'folder' },
  ]);
});

test('gives a folder the kind of most bytes of the files below it', () => {
  const folders = largestOf(
    row('Mixed', 100),
    row('Mixed/film.mp4', 40, false),
    row('Mixed/2024', 60),
    row('Mixed/2024/a.jpg', 30, false),
    row('Mixed/2024/b.jpg', 30, false),
  );
  expect(folders.map(({ kind }) => kind)).toEqual(['image']);
});

test('shows no folders of an unknown root', () => {
  expect(largestIn(null)).toEqual([]);
});

const recentRows = ['/a/1', '/ab', '/b/2'].map((path) => ({
  path,
  dir: false,
  size: 1,
  modified: null,
  type: 'text' as const,
  favorite: false,
  tags: [],
  act: 'opened' as const,
  at: '2026-01-01T00:00:00Z',
}));
const fileAt = (path: string): FileEntry => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  path: virtualPath(path),
  isFolder: false,
  isSymlink: false,
  type: 'text',
  size: 1,
  modifiedMs: 0,
});
const pathsAfter = (change: Omit<Parameters<typeof recentAfter>[1], 'folders'>) =>
  recentAfter(recentRows, { folders: [], ...change }).map(({ path }) => path);

test('leaves out deleted recent entries and those in deleted folders', () => {
  expect(pathsAfter({ removed: [virtualPath('/a')] })).toEqual(['/ab', '/b/2']);
  expect(pathsAfter({ removed: [virtualPath('/ab'), virtualPath('/b/2')] })).toEqual(['/a/1']);
});

test('follows renamed recent entries and their folders', () => {
  const moved = [
    { entry: fileAt('/a'), to: virtualPath('/new/a') },
    { entry: fileAt('/b/2'), to: virtualPath('/b/3') },
  ];
  expect(pathsAfter({ moved })).toEqual(['/new/a/1', '/ab', '/b/3']);
});
