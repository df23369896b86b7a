import { array, assert, double, property } from 'fast-check';
import { expect, test } from 'vitest';
import { squarify } from './squarify.ts';

const rect = { x: 10, y: 20, width: 600, height: 400 };

test('lays out the example of the paper', () => {
  const placed = squarify([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 });
  expect(placed.map(({ width, height }) => [width.toFixed(2), height.toFixed(2)])).toEqual([
    ['3.00', '2.00'],
    ['3.00', '2.00'],
    ['1.71', '2.33'],
    ['1.29', '2.33'],
    ['1.20', '1.67'],
    ['1.20', '1.67'],
    ['0.60', '1.67'],
  ]);
});

test('gives every size its fraction of the area, inside the rectangle and without overlaps', () => {
  assert(
    property(array(double({ min: 1, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 60 }), (input) => {
      const sizes = input.toSorted((a, b) => b - a);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const placed = squarify(sizes, rect);
      expect(placed).toHaveLength(sizes.length);
      for (const [index, { x, y, width, height }] of placed.entries()) {
        const fraction = (sizes[index] ?? 0) / total;
        expect(width * height).toBeCloseTo(fraction * rect.width * rect.height, 3);
        expect(x).toBeGreaterThanOrEqual(rect.x - 1e-6);
        expect(y).toBeGreaterThanOrEqual(rect.y - 1e-6);
        expect(x + width).toBeLessThanOrEqual(rect.x + rect.width + 1e-6);
        expect(y + height).toBeLessThanOrEqual(rect.y + rect.height + 1e-6);
      }
      for (const [index, a] of placed.entries()) {
        for (const b of placed.slice(index + 1)) {
          const overlapX = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
          const overlapY = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
          expect(Math.min(overlapX, overlapY)).toBeLessThanOrEqual(1e-6);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test('gives no size an area in an empty rectangle', () => {
  expect(squarify([3, 1], { ...rect, width: 0 })).toEqual([
    { x: 10, y: 20, width: 0, height: 0 },
    { x: 10, y: 20, width: 0, height: 0 },
  ]);
  expect(squarify([], rect)).toEqual([]);
});
