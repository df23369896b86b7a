import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { numberedPaths } from './numbered-paths.ts';

const path = '/docs/a.txt' as VirtualPath;

test('yields a path and then its numbered names', () => {
  expect([...numberedPaths(path)].slice(0, 3)).toEqual(['/docs/a.txt', '/docs/a(1).txt', '/docs/a(2).txt']);
});

test('starts at another suffix and ends after ten thousand', () => {
  expect([...numberedPaths(path, 9_999)]).toEqual(['/docs/a(9999).txt', '/docs/a(10000).txt']);
});
