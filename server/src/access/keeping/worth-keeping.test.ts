import { expect, test } from 'vitest';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { fileOptions } from '../../config/file-options.ts';
import { parseNamePatterns, parseVirtualPaths } from '../../config/parse-values.ts';
import { isExcludedPlace, isWorthKeeping, type KeepingExclusions } from './worth-keeping.ts';

const now = Date.UTC(2026, 10, 22, 12);
const state = (name: string, size: number, ageMs: number) => ({
  name,
  place: virtualPath(`/docs/${name}`),
  kind: 'file' as const,
  size,
  modifiedNs: BigInt(now - ageMs) * 1_000_000n,
});

const exclusions: KeepingExclusions = {
  noTrashBelow: parseVirtualPaths('/scratch, /docs/build/'),
  unversionedNames: parseNamePatterns(fileOptions.unversionedNames.fallback),
};

test('a file with content is kept, however recent it is', () => {
  expect(isWorthKeeping(state('a.txt', 1, 0), now, exclusions)).toBe(true);
});

test('an empty file is kept only if it is at least a minute old', () => {
  expect(isWorthKeeping(state('a.txt', 0, 59_999), now, exclusions)).toBe(false);
  expect(isWorthKeeping(state('a.txt', 0, 60_000), now, exclusions)).toBe(true);
});

test.each([
  '.DS_Store',
  '._a.txt',
  'Thumbs.db',
  'desktop.ini',
  'Desktop.ini',
  '~$report.docx',
  '.~lock.report.odt#',
])('%s, which a program writes unasked, is not kept', (name) => {
  expect(isWorthKeeping(state(name, 10, 1e9), now, exclusions)).toBe(false);
});

test.each(['DS_Store', 'a._b', 'my Thumbs.db', 'report~$.docx', '.~lock.report.odt'])(
  '%s is kept, although its name resembles that of a file that is not',
  (name) => {
    expect(isWorthKeeping(state(name, 10, 1e9), now, exclusions)).toBe(true);
  },
);

test('nothing is kept below an excluded folder, and everything beside it is', () => {
  const excluded = ['/scratch', '/scratch/deep/a.txt', '/docs/build/a.txt'];
  const kept = ['/', '/scratch.txt', '/docs/a.txt', '/docs/builds/a.txt'];
  expect(excluded.filter((path) => !isExcludedPlace(virtualPath(path), exclusions))).toEqual([]);
  expect(kept.filter((path) => isExcludedPlace(virtualPath(path), exclusions))).toEqual([]);
  expect(
    isWorthKeeping({ ...state('a.txt', 1, 0), place: virtualPath('/scratch/a.txt') }, now, exclusions),
  ).toBe(false);
});

test('patterns of names are literal except for the asterisk', () => {
  const [pattern] = parseNamePatterns('a+(b).*');
  expect(['a+(b).txt', 'A+(B).'].every((name) => pattern?.test(name))).toBe(true);
  expect(['aab.txt', 'a+(b)', 'xa+(b).txt'].some((name) => pattern?.test(name))).toBe(false);
  expect(() => parseNamePatterns('docs/a.txt')).toThrow('without slashes');
  expect(() => parseVirtualPaths('scratch')).toThrow('paths of the served folder');
});
