import { rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { checkName, stemEnd } from './name-check.ts';

const isFree = () => false;

test('trims a name before checking it', () => {
  expect(checkName('  notes.txt ', rootPath, isFree)).toEqual({ name: 'notes.txt', problem: null });
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
] as const)('rejects %j with the problem %s', (name, problem) => {
  expect(checkName(name, rootPath, (name) => name === 'budget.csv').problem).toBe(problem);
});

test('accepts a name of 255 bytes unless the whole path would be too long', () => {
  const name = 'x'.repeat(255);
  expect(checkName(name, rootPath, isFree).problem).toBeNull();
  const deep = virtualPath(`/${Array.from({ length: 16 }, () => 'y'.repeat(255)).join('/')}`);
  expect(checkName('z'.repeat(255), deep, isFree).problem).toBe('tooDeep');
});

test('reports the current name as unchanged instead of taken', () => {
  expect(checkName('a.txt', rootPath, () => true, 'a.txt').problem).toBe('unchanged');
  expect(checkName('A.txt', rootPath, isFree, 'a.txt').problem).toBeNull();
});

test('selects the stem for editing, and the whole name of folders and dotfiles', () => {
  expect(stemEnd('photo.jpg', false)).toBe(5);
  expect(stemEnd('a.tar.gz', false)).toBe(5);
  expect(stemEnd('.env', false)).toBe(4);
  expect(stemEnd('v1.2', true)).toBe(4);
  expect(stemEnd('README', false)).toBe(6);
});
