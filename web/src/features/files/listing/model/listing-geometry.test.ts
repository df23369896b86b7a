import { describe, expect, test } from 'vitest';
import { fitsPockets, ListingGeometry, measure, pocketHeightPx, slimTilePx } from './listing-geometry.ts';
import { targetPosition } from '../attach-keys.ts';
import { seededRandom } from '../probe/generate-entries.ts';

const views = ['list', 'mosaic'] as const;

describe('measures', () => {
  test.each([
    [984, false, 'mosaic', 3],
    [1280, false, 'mosaic', 4],
    [200, false, 'mosaic', 1],
    [375, true, 'mosaic', 2],
    [1280, false, 'list', 1],
  ] as const)('at %i px, phone %s, gives %s %i columns', (width, isPhone, view, columns) => {
    expect(measure(view, width, isPhone).columns).toBe(columns);
  });

  test('makes rows on phones large enough for touch', () => {
    expect(measure('list', 375, true).itemHeightPx).toBeGreaterThanOrEqual(44);
    expect([measure('list', 375, true).stickyPx, measure('list', 1280, false).stickyPx]).toEqual([0, 36]);
    expect(measure('mosaic', 375, true).folderHeightPx).toBeGreaterThanOrEqual(44);
  });

  test('makes room for the content of folders, unless there are many', () => {
    const slim = measure('mosaic', 1280, false);
    const pockets = measure('mosaic', 1280, false, { hasPockets: true });
    expect(slim.folderHeightPx).toBe(slimTilePx);
    expect(pockets.folderHeightPx).toBeGreaterThan(pocketHeightPx(false));
    expect([fitsPockets(24), fitsPockets(25)]).toEqual([true, false]);
  });
});

/** Yields geometries of every view with random numbers of folders and files. */
function* geometries(): Generator<ListingGeometry> {
  const random = seededRandom(3);
  for (let round = 0; round < 60; round++) {
    for (const view of views) {
      const measures = measure(view, 200 + Math.floor(random() * 1800), random() < 0.3);
      yield new ListingGeometry(
        measures,
        random() < 0.2 ? 0 : Math.floor(random() * 40),
        random() < 0.2 ? 0 : Math.floor(random() * 60),
      );
    }
  }
}

test('assigns each position to a row, without overlaps between rows', () => {
  for (const geometry of geometries()) {
    let seen = 0;
    for (let row = 0; row < geometry.rows; row++) {
      const { first, last } = geometry.positionsOf(row, row);
      expect(first).toBe(seen);
      for (let position = first; position <= last; position++) {
        expect(geometry.rowOf(position)).toBe(row);
        expect(geometry.columnOf(position)).toBe(position - first);
        const top = geometry.topOf(position);
        expect(geometry.rowAt(top)).toBe(row);
        expect(geometry.rowAt(top + geometry.itemHeightOf(position) - 1)).toBe(row);
        expect(top + geometry.itemHeightOf(position)).toBeLessThanOrEqual(geometry.heightPx);
      }
      if (row > 0) {
        const above = geometry.positionsOf(row - 1, row - 1).last;
        expect(geometry.topOf(first)).toBeGreaterThanOrEqual(
          geometry.topOf(above) + geometry.itemHeightOf(above),
        );
      }
      seen = last + 1;
    }
    expect(seen).toBe(geometry.count);
  }
});

test('covers by a rectangle exactly the entries whose boxes it touches', () => {
  const random = seededRandom(5);
  for (const geometry of geometries()) {
    const { itemWidthPx } = geometry.measures;
    const x = [random() * 1500, random() * 1500].toSorted((a, b) => a - b);
    const y = [random() * geometry.heightPx, random() * geometry.heightPx].toSorted((a, b) => a - b);
    const rect = { x1: x[0] ?? 0, x2: x[1] ?? 0, y1: y[0] ?? 0, y2: y[1] ?? 0 };
    const expected: number[] = [];
    for (let position = 0; position < geometry.count; position++) {
      const start = geometry.startOf(position);
      const top = geometry.topOf(position);
      const touches =
        rect.x1 < start + itemWidthPx &&
        rect.x2 >= start &&
        rect.y1 < top + geometry.itemHeightOf(position) &&
        rect.y2 >= top;
      if (touches) expected.push(position);
    }
    const covered = geometry
      .positionsIn(rect)
      .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
    expect(covered).toEqual(expected);
  }
});

describe('where keys lead', () => {
  // Four columns: folders 0 to 4, files 5 to 10.
  const tiles = new ListingGeometry(measure('mosaic', 1280, false), 5, 6);
  const go = (key: string, at: number | null, isMirrored = false): number | null =>
    targetPosition(key, at, tiles, { isMirrored, heightPx: 800 });

  test.each([
    ['ArrowRight', 0, 1],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 4, 5],
    ['ArrowRight', 10, 10],
    ['ArrowDown', 0, 4],
    ['ArrowDown', 3, 4],
    ['ArrowDown', 4, 5],
    ['ArrowUp', 6, 4],
    ['ArrowUp', 5, 4],
    ['ArrowUp', 2, 2],
    ['ArrowDown', 8, 10],
    ['Home', 7, 0],
    ['End', 7, 10],
    ['PageDown', 0, 9],
  ])('moves by %s from %i to %i', (key, at, expected) => {
    expect(go(key, at)).toBe(expected);
  });

  test('swaps left and right in right-to-left layouts', () => {
    expect(go('ArrowLeft', 1, true)).toBe(2);
    expect(go('ArrowRight', 1, true)).toBe(0);
  });

  test('selects the first entry without a cursor, and ignores other keys', () => {
    expect(go('ArrowDown', null)).toBe(0);
    expect(go('Enter', 3)).toBeNull();
    const list = new ListingGeometry(measure('list', 800, false), 2, 2);
    expect(targetPosition('ArrowLeft', 1, list, { isMirrored: false, heightPx: 600 })).toBeNull();
  });
});
