import { parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { hiddenCrumbs } from './hidden-crumbs.ts';

const ancestors: VirtualPath[] = ['/', '/a', '/a/b', '/a/b/c'].map((path) => parsePath(path).path);

test.each([
  [0, []],
  [1, ['/a']],
  [2, ['/a', '/a/b']],
  [3, ['/', '/a', '/a/b']],
  [4, ['/', '/a', '/a/b', '/a/b/c']],
])('if %i folders do not fit, hides %j', (count, hidden) => {
  expect(hiddenCrumbs(ancestors, count)).toEqual(hidden);
});

test('hides the root when nothing is between it and the folder', () => {
  expect(hiddenCrumbs(ancestors.slice(0, 1), 1)).toEqual(['/']);
});
