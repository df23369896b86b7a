import { parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { hiddenCrumbs } from './hidden-crumbs.ts';

const above: VirtualPath[] = ['/', '/a', '/a/b', '/a/b/c'].map((path) => parsePath(path).path);

test.each([
  [0, []],
  [1, ['/a']],
  [2, ['/a', '/a/b']],
  [3, ['/', '/a', '/a/b']],
  [4, ['/', '/a', '/a/b', '/a/b/c']],
])('with %i folders too many, %j go into the menu', (count, hidden) => {
  expect(hiddenCrumbs(above, count)).toEqual(hidden);
});

test('a folder right below the topmost has nothing between', () => {
  expect(hiddenCrumbs(above.slice(0, 1), 1)).toEqual(['/']);
});
