import { describe, expect, test } from 'vitest';
import { PhotoLayout, dayHeadPx, maxRatio, type PhotoSpace } from './photo-layout.ts';

const space: PhotoSpace = { widthPx: 1000, rowPx: 164, isPhone: false, grouping: 'day', hasNewRow: false };
const dayMs = 86_400_000;
const noon = new Date(2026, 10, 15, 12).getTime();

function layoutOf(
  ratios: readonly number[],
  {
    days = ratios.map(() => 0),
    places = ratios.map(() => 0),
    folders = 0,
    ...changes
  }: Partial<PhotoSpace> & { days?: readonly number[]; places?: readonly number[]; folders?: number } = {},
): PhotoLayout {
  return new PhotoLayout(
    {
      order: Uint32Array.from({ length: folders + ratios.length }, (_, id) => id),
      numFolders: folders,
      ratioOf: (id) => ratios[id - folders] ?? 1,
      timeOf: (id) => noon - (days[id - folders] ?? 0) * dayMs,
      placeOf: (id) => places[id - folders] ?? 0,
    },
    { ...space, ...changes },
  );
}

/** Returns the frames of the rows, each with the right edge of its last photo. */
function rowsOf(layout: PhotoLayout) {
  return Array.from({ length: layout.rows }, (_, row) => {
    const { first, last } = layout.positionsOf(row, row);
    return {
      first,
      last,
      heightPx: layout.itemHeightOf(first),
      endPx: layout.startOf(last) + layout.widthOf(last),
    };
  });
}

describe('rows of photos', () => {
  test('full rows end exactly at the edge, and photos keep their proportions', () => {
    const ratios = Array.from({ length: 60 }, (_, index) => [1.5, 0.75, 1.33, 1, 1.78, 0.56][index % 6] ?? 1);
    const layout = layoutOf(ratios);
    for (const { first, last, heightPx, endPx } of rowsOf(layout).slice(0, -1)) {
      // The scrubber takes 60 px.
      expect(endPx).toBe(1000 - 60);
      expect(heightPx).toBeGreaterThan(164 * 0.6);
      expect(heightPx).toBeLessThan(164 * 1.4);
      for (let at = first; at <= last; at++)
        expect(Math.abs(layout.widthOf(at) / heightPx - (ratios[at] ?? 0))).toBeLessThan(0.02);
    }
  });

  test('the last row is stretched only when it is three quarters full', () => {
    const [short] = rowsOf(layoutOf([1.5, 1.5]));
    expect(short?.heightPx).toBe(164);
    const [nearlyFull] = rowsOf(layoutOf([1.5, 1.5, 1.5]));
    expect(nearlyFull?.endPx).toBe(1000 - 24);
    expect(nearlyFull?.heightPx).toBeGreaterThan(164);
  });

  test('a panorama gets a row of its own, and no frame is wider than the page', () => {
    const layout = layoutOf([1.5, 30, 1.5], { widthPx: 500 });
    for (const { endPx } of rowsOf(layout)) expect(endPx).toBeLessThanOrEqual(500 - 24);
    expect(layout.widthOf(1) / layout.itemHeightOf(1)).toBeCloseTo(maxRatio, 1);
  });

  test('a panorama does not make the photos before it too small to touch', () => {
    const phone = { widthPx: 375, rowPx: 112, isPhone: true };
    for (const ratios of [
      [1.5, 0.66, 4],
      [0.66, 4, 1.5],
      [0.4, 4],
      [0.66, 1.5, 0.5, 4],
    ]) {
      const layout = layoutOf(ratios, phone);
      for (let at = 0; at < ratios.length; at++) expect(layout.widthOf(at)).toBeGreaterThanOrEqual(44);
      for (const { heightPx, endPx } of rowsOf(layout)) {
        expect(heightPx).toBeGreaterThan(112 * 0.6);
        expect(heightPx).toBeLessThan(112 * 1.7);
        expect(endPx).toBeLessThanOrEqual(375);
      }
    }
  });

  test('photos of each day begin below their heading', () => {
    const layout = layoutOf([1.5, 1.5, 1.5, 1.5], { days: [0, 0, 1, 3] });
    expect(layout.groups.map(({ position, count }) => [position, count])).toEqual([
      [0, 2],
      [2, 1],
      [3, 1],
    ]);
    for (const { position, headTopPx } of layout.groups)
      expect(layout.topOf(position)).toBe(headTopPx + dayHeadPx);
    expect(layoutOf([1, 1], { days: [0, 3], grouping: 'month' }).groups).toHaveLength(1);
    expect(layoutOf([1, 1], { days: [0, 3], grouping: null }).groups).toHaveLength(1);
  });

  test('photos of each place begin below their heading, and there is no time line', () => {
    const layout = layoutOf(
      Array.from({ length: 50 }, () => 1.5),
      {
        places: Array.from({ length: 50 }, (_, index) => [2, 2, 1][index] ?? 0),
        folders: 1,
        grouping: 'place',
      },
    );
    expect(
      layout.groups.map(({ position, count, place, timeMs }) => [position, count, place, timeMs]),
    ).toEqual([
      [1, 2, 2, null],
      [3, 1, 1, null],
      [4, 47, 0, null],
    ]);
    expect(layout.hasScrubber).toBe(false);
    expect(layoutOf([], { folders: 2, grouping: 'place' }).groups).toEqual([]);
  });

  test('positions, rows and heights agree for 100,000 photos', () => {
    const ratios = Array.from({ length: 100_000 }, (_, index) => 0.6 + ((index * 7919) % 100) / 60);
    const layout = layoutOf(ratios, { days: ratios.map((_, index) => Math.floor(index / 37)), folders: 3 });
    for (const position of [0, 2, 3, 500, 77_777, 100_002]) {
      const row = layout.rowOf(position);
      expect(layout.rowAt(layout.topOf(position))).toBe(row);
      const { first, last } = layout.positionsOf(row, row);
      expect(position >= first && position <= last).toBe(true);
    }
    expect(layout.rowAt(layout.heightPx)).toBe(layout.rows - 1);
    expect(layout.groupAt(layout.heightPx)?.position).toBe(layout.groups.at(-1)?.position);
  });
});

describe('moving in rows of photos', () => {
  test('up and down lead to the photo whose middle is nearest', () => {
    const layout = layoutOf([1.5, 1.5, 1.5, 1.5, 3, 3], { grouping: null });
    expect(layout.positionsOf(0, 0)).toEqual({ first: 0, last: 3 });
    expect(layout.neighbor(0, 1)).toBe(4);
    expect(layout.neighbor(3, 1)).toBe(5);
    expect(layout.neighbor(5, -1)).toBe(2);
    expect(layout.neighbor(0, -1)).toBeNull();
  });

  test('a rectangle selects the photos that it touches', () => {
    const layout = layoutOf([1.5, 1.5, 1.5, 1.5, 3, 3], { grouping: null });
    const y = layout.topOf(0) + 10;
    expect(
      layout.positionsIn({ x1: layout.startOf(1) + 1, x2: layout.startOf(2) + 1, y1: y, y2: y + 1 }),
    ).toEqual([{ first: 1, last: 2 }]);
    expect(layout.positionsIn({ x1: 0, x2: 1000, y1: 0, y2: 10_000 })).toEqual([
      { first: 0, last: 3 },
      { first: 4, last: 5 },
    ]);
  });
});
