import { expect, test } from 'vitest';
import { trashItem } from '../test-items.ts';
import { sectionsOf, TrashGeometry } from './trash-geometry.ts';

const now = new Date(2026, 10, 22, 13, 0);
const deletedAt = (daysBefore: number, hour: number) =>
  trashItem(`${daysBefore} ${hour}`, {
    deletedAt: new Date(2026, 10, 22 - daysBefore, hour).toISOString(),
  });
const items = [
  deletedAt(0, 12),
  deletedAt(0, 0),
  deletedAt(1, 23),
  deletedAt(1, 0),
  deletedAt(2, 23),
  deletedAt(20, 5),
];

test('groups items by the day of their deletion in the time zone of the browser', () => {
  expect(sectionsOf(items, items.length, now.getTime())).toEqual([
    { kind: 'today', position: 0, count: 2 },
    { kind: 'yesterday', position: 2, count: 2 },
    { kind: 'earlier', position: 4, count: 2 },
  ]);
});

test('omits empty groups, and adds items that have not arrived to the last one', () => {
  expect(sectionsOf(items.slice(2, 4), 100, now.getTime())).toEqual([
    { kind: 'yesterday', position: 0, count: 100 },
  ]);
  expect(sectionsOf([], 0, now.getTime())).toEqual([]);
});

const geometry = new TrashGeometry(sectionsOf(items, 1000, now.getTime()), {
  count: 1000,
  rowPx: 40,
  headingPx: 32,
});

test('places rows below the headings of their groups', () => {
  expect(geometry.heightPx).toBe(1000 * 40 + 3 * 32);
  expect([0, 1, 2, 4, 999].map((position) => geometry.topOf(position))).toEqual([
    32,
    72,
    144,
    256,
    999 * 40 + 96,
  ]);
  expect(geometry.sections.map((section) => geometry.headingTopOf(section))).toEqual([0, 112, 224]);
});

test('finds the row at a height, the next one for a heading, and the last one below the end', () => {
  expect([0, 32, 71, 72, 112, 143, 144].map((px) => geometry.positionAt(px))).toEqual([0, 0, 0, 1, 2, 2, 2]);
  expect(geometry.positionAt(1_000_000)).toBe(999);
});

test('renders only the rows near the visible part', () => {
  expect(geometry.windowOf(0, 400, 6)).toEqual({ first: 0, last: 13 });
  const { first, last } = geometry.windowOf(20_000, 400, 6);
  expect(last - first).toBeLessThan(30);
});
