import { rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { checkName, stemEnd } from './name-check.ts';

const nothingTaken = () => false;

test('a name is trimmed before it is judged', () => {
  expect(checkName('  notes.txt ', rootPath, nothingTaken)).toEqual({ name: 'notes.txt', problem: null });
});

test.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['a/b', 'slash'],
  ['..', 'dots'],
  ['.', 'dots'],
  ['a\tb', 'controlCharacter'],
  ['x'.repeat(256), 'tooLong'],
  // 86 characters of three bytes each are 258 bytes.
  ['漢'.repeat(86), 'tooLong'],
  ['budget.csv', 'taken'],
] as const)('%j is refused: %s', (typed, problem) => {
  expect(checkName(typed, rootPath, (name) => name === 'budget.csv').problem).toBe(problem);
});

test('a name of 255 bytes is allowed, but not where the whole path would be too long', () => {
  const name = 'x'.repeat(255);
  expect(checkName(name, rootPath, nothingTaken).problem).toBeNull();
  const deep = virtualPath(`/${Array.from({ length: 16 }, () => 'y'.repeat(255)).join('/')}`);
  expect(checkName('z'.repeat(255), deep, nothingTaken).problem).toBe('tooDeep');
});

test('keeping the present name is no conflict with itself', () => {
  expect(checkName('a.txt', rootPath, () => true, 'a.txt').problem).toBe('unchanged');
  expect(checkName('A.txt', rootPath, nothingTaken, 'a.txt').problem).toBeNull();
});

test('the stem is selected for editing, the whole name for folders and dotfiles', () => {
  expect(stemEnd('photo.jpg', false)).toBe(5);
  expect(stemEnd('a.tar.gz', false)).toBe(5);
  expect(stemEnd('.env', false)).toBe(4);
  expect(stemEnd('v1.2', true)).toBe(4);
  expect(stemEnd('README', false)).toBe(6);
});
