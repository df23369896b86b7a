import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { mapOf, usedFolders } from './load-home.ts';

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
