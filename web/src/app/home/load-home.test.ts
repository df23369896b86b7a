import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { usedFolders } from './load-home.ts';

const recent = ['/a/1', '/b/1', '/b/2', '/top.txt', '/c/d/1', '/c/d/2', '/c/d/3'].map((path) => ({ path }));

test('shows favorite folders first, then those with most recent entries, each once and without the root', () => {
  expect(usedFolders([virtualPath('/fav'), virtualPath('/b')], recent)).toEqual(['/fav', '/b', '/c/d', '/a']);
});

test('shows at most eight folders', () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ path: `/folder ${i}/file` }));
  expect(usedFolders([], many)).toHaveLength(8);
});
