import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { locationText, pathFromRoot, pathText } from './path-text.ts';

test('a path for reading isolates each name, so that a number does not move before an Arabic name', () => {
  const path = virtualPath('/وثائق/2026/a.xlsx');
  expect(pathText(path, 'My files')).toBe('\u2068وثائق\u2069 / \u20682026\u2069 / \u2068a.xlsx\u2069');
  expect(locationText(path, 'My files')).toBe('\u2068وثائق\u2069 / \u20682026\u2069');
  expect(pathFromRoot(virtualPath('/2026'), 'My files')).toBe('My files / \u20682026\u2069');
});

test('a single name is not isolated, and the root has its own name', () => {
  expect(pathText(virtualPath('/وثائق'), 'My files')).toBe('وثائق');
  expect(pathText(virtualPath('/'), 'My files')).toBe('My files');
  expect(locationText(virtualPath('/a.txt'), 'My files')).toBe('My files');
});
