import { expect, test } from 'vitest';
import { stripRows } from './photo-strip.ts';

const options = { rowPx: 100, gapPx: 4, maxRows: 2 };
const widthOf = (row: readonly { widthPx: number }[]): number =>
  row.reduce((sum, { widthPx }) => sum + widthPx, (row.length - 1) * options.gapPx);

test('fills rows from edge to edge with whole pictures', () => {
  const ratios = [1.5, 0.75, 1.5, 1.33, 0.66, 1.5, 1.5, 1.5];
  const rows = stripRows(ratios, 400, options);
  expect(rows.map(widthOf)).toEqual([400, 400]);
  for (const { index, widthPx, heightPx } of rows.flat()) {
    expect(Math.abs(widthPx / heightPx / (ratios[index] ?? 1) - 1)).toBeLessThan(0.03);
  }
});

test('leaves out an incomplete second row, but not a first one', () => {
  expect(stripRows([2, 2, 2], 400, options).map((row) => row.length)).toEqual([2]);
  expect(stripRows([1], 400, options)).toEqual([[{ index: 0, widthPx: 100, heightPx: 100 }]]);
  expect(stripRows([], 400, options)).toEqual([]);
});

test('stretches an almost full first row', () => {
  const [row = []] = stripRows([1.7, 1.7], 400, options);
  expect(widthOf(row)).toBe(400);
});

test('makes no picture smaller than a touch target on a phone', () => {
  const heights: number[] = [];
  const phone = { rowPx: 128, gapPx: 4, maxRows: 2 };
  for (const ratios of [
    [1.5, 1.5, 0.65, 4],
    [0.65, 1.5, 1.5, 0.1, 1.5],
    [0.5625, 0.5625, 0.5625, 1.78, 3],
  ])
    for (const { widthPx, heightPx } of stripRows(ratios, 343, phone).flat()) {
      heights.push(heightPx);
      expect(Math.min(widthPx, heightPx), JSON.stringify(ratios)).toBeGreaterThanOrEqual(44);
    }
  expect(Math.max(...heights)).toBeLessThan(2 * phone.rowPx);
});

test('limits the proportions of very wide and very narrow pictures', () => {
  const [row = []] = stripRows([0.01, 20], 400, options);
  expect(row.map(({ heightPx }) => heightPx)).toEqual([129, 129]);
  expect(widthOf(row)).toBe(400);
});
