import type { MapResult, MapRow } from '@filestead/contract/endpoints/find';
import { expect, test } from 'vitest';
import { layOutMap, nodeAt } from './map-layout.ts';
import { mapTree } from './map-tree.ts';

const row = (path: string, dir: boolean, bytes: number, rest?: number): MapRow => ({
  path,
  dir,
  bytes,
  allocated: bytes,
  files: 1,
  ...(rest !== undefined && { rest: { bytes: rest, allocated: rest, files: 2 } }),
});
const result = (rows: MapRow[]): MapResult => ({
  self: row('', true, 100, 10),
  rows,
  checkedAt: null,
  coverage: 'all',
});
const rows = [
  row('a', true, 60, 15),
  row('a/b', true, 30),
  row('a/b/c.txt', false, 30),
  row('a/x.txt', false, 15),
  row('d.png', false, 30),
  row('empty', true, 0),
];

test('builds a tree with the rest of each folder last, without entries of no size', () => {
  const tree = mapTree(result(rows));
  expect(tree?.children.map(({ path, kind }) => [path, kind])).toEqual([
    ['a', 'folder'],
    ['d.png', 'file'],
    ['/', 'rest'],
  ]);
  expect(tree?.children[0]?.children.map(({ path, name }) => [path, name])).toEqual([
    ['a/b', 'b'],
    ['a/x.txt', 'x.txt'],
    ['a/', ''],
  ]);
});

test('is nothing while the folder is unknown', () => {
  expect(mapTree({ ...result([]), self: null })).toBeNull();
});

test('places entries inside their folders, and finds the innermost one at a point', () => {
  const tree = mapTree(result(rows));
  const placed = tree ? layOutMap(tree, { x: 0, y: 0, width: 800, height: 600 }) : [];
  const find = (path: string) => placed.find(({ node }) => node.path === path);
  const folder = find('a');
  const file = find('a/b/c.txt');
  expect(folder?.isOpen).toBe(true);
  expect(file?.level).toBe(2);
  if (!folder || !file) throw new Error('not placed');
  expect(file.rect.x).toBeGreaterThan(folder.rect.x);
  expect(file.rect.x + file.rect.width).toBeLessThan(folder.rect.x + folder.rect.width);
  const at = (x: number, y: number) => nodeAt(placed, x, y)?.node.path;
  expect(at(file.rect.x + 1, file.rect.y + 1)).toBe('a/b/c.txt');
  expect(at(folder.rect.x + 1, folder.rect.y + 1)).toBe('a');
  expect(at(-1, 0)).toBeUndefined();
});

test('draws no entries in folders that are too small for them', () => {
  const tree = mapTree(result(rows));
  const placed = tree ? layOutMap(tree, { x: 0, y: 0, width: 50, height: 50 }) : [];
  expect(placed.map(({ node }) => node.path)).toEqual(['a', 'd.png', '/']);
});
