import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import type { FileEntry } from '../../features/files/entries/entry.ts';
import { mapOf, recentAfter, usedFolders } from './load-home.ts';

const recent = ['/a/1', '/b/1', '/b/2', '/top.txt', '/c/d/1', '/c/d/2', '/c/d/3'].map((path) => ({ path }));

test('shows favorite folders first, then those with most recent entries, each once and without the root', () => {
  expect(usedFolders([virtualPath('/fav'), virtualPath('/b')], recent)).toEqual(['/fav', '/b', '/c/d', '/a']);
});

test('shows at most eight folders', () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ path: `/folder ${i}/file` }));
  expect(usedFolders([], many)).toHaveLength(8);
});

const total = (name: string, bytes: number) =>
  ({ name, bytes, allocated: bytes, files: 1, folders: 0, checkedAt: null }) as const;

test('maps the folders of the root, and what is beside them as the rest', () => {
  const map = mapOf(total('', 100), [total('Photos', 70), total('Music', 20)]);
  expect(map?.bytes).toBe(100);
  expect(map?.children.map(({ kind, name, bytes }) => [kind, name, bytes])).toEqual([
    ['folder', 'Photos', 70],
    ['folder', 'Music', 20],
    ['rest', '', 10],
  ]);
});

test('maps no rest if the folders contain everything, and nothing for a single folder', () => {
  expect(mapOf(total('', 90), [total('Photos', 70), total('Music', 20)])?.children).toHaveLength(2);
  expect(mapOf(total('', 90), [total('Photos', 70)])).toBeNull();
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
