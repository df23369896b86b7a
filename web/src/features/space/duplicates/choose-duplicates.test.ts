import type { DuplicateGroup } from '@filestead/contract/endpoints/duplicates';
import { expect, test } from 'vitest';
import {
  canSelect,
  keepSelectable,
  reclaimableBytes,
  selectAllBut,
  selectedBytes,
} from './choose-duplicates.ts';

const group = (size: number, ...paths: string[]): DuplicateGroup => ({
  size,
  checksum: `sum of ${size}`,
  files: paths.map((path) => ({ path, modified: '2026-01-01T00:00:00Z', type: 'blob' as const })),
});
const groups = [group(10, '/old/a', '/b', '/new/deep/c'), group(5, '/d/first', '/e')];

test.each([
  ['oldest', ['/b', '/new/deep/c', '/e']],
  ['newest', ['/old/a', '/b', '/d/first']],
  ['shortest', ['/old/a', '/new/deep/c', '/d/first']],
] as const)('selects all files but the %s of each group', (rule, expected) => {
  expect([...selectAllBut(groups, rule)]).toEqual(expected);
});

test('the last file of a group that is not selected cannot be selected', () => {
  const [pair] = groups.slice(1);
  if (!pair) throw new Error('there is no second group');
  expect(canSelect(pair, new Set(), '/e')).toBe(true);
  expect(canSelect(pair, new Set(['/d/first']), '/e')).toBe(false);
  expect(canSelect(pair, new Set(['/d/first']), '/d/first')).toBe(true);
});

test('a group of which only selected files are left loses its selection', () => {
  const selected = new Set(['/old/a', '/b', '/e', '/gone']);
  expect([...keepSelectable(groups, selected)]).toEqual(['/old/a', '/b', '/e']);
  expect([...keepSelectable([group(10, '/old/a', '/b')], selected)]).toEqual([]);
});

test('the bytes that can be freed, and those of the selection, are counted', () => {
  expect(reclaimableBytes(groups)).toBe(25);
  expect(selectedBytes(groups, new Set(['/b', '/e']))).toBe(15);
});
