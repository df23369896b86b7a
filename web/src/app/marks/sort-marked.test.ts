import { parsePath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import type { ScatteredEntry } from '../scattered/list-entries.ts';
import { sortMarked } from './sort-marked.ts';

const entry = (path: string, size: number | null, modifiedMs: number | null): ScatteredEntry => ({
  path: parsePath(path).path,
  isFolder: size === null,
  size,
  modifiedMs,
  type: null,
});

const entries = [
  entry('/z/10.txt', 5, 300),
  entry('/a/b', null, 100),
  entry('/y/9.txt', 70, null),
  entry('/x/a.txt', 5, 200),
];
const numbers = {
  size: ({ size }: ScatteredEntry) => size ?? Number.NaN,
  modified: ({ modifiedMs }: ScatteredEntry) => modifiedMs ?? Number.NaN,
};
const sorted = (by: 'name' | 'size' | 'modified', asc: boolean): string[] =>
  sortMarked(entries, { by, asc }, numbers).map(({ path }) => path);

test('names are sorted in natural order, whatever folder they are in', () => {
  expect(sorted('name', false)).toEqual(['/y/9.txt', '/z/10.txt', '/x/a.txt', '/a/b']);
  expect(sorted('name', true)).toEqual(['/a/b', '/x/a.txt', '/z/10.txt', '/y/9.txt']);
});

test('entries without a number are last in both directions, and equal ones are sorted by name', () => {
  expect(sorted('size', false)).toEqual(['/y/9.txt', '/z/10.txt', '/x/a.txt', '/a/b']);
  expect(sorted('size', true)).toEqual(['/z/10.txt', '/x/a.txt', '/y/9.txt', '/a/b']);
  expect(sorted('modified', false)).toEqual(['/z/10.txt', '/x/a.txt', '/a/b', '/y/9.txt']);
});
