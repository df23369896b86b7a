import { describe, expect, test } from 'vitest';
import { ListingGeometry, measure } from '../model/listing-geometry.ts';
import { seededRandom } from '../probe/generate-entries.ts';
import { WindowTracker } from './window-tracker.ts';

const viewportPx = 700;

/** Simulates the scroller of a browser: whole pixels within its range. */
class Scroller {
  top = 0;
  readonly tracker: WindowTracker;
  readonly #range: number;

  constructor(tracker: WindowTracker) {
    this.tracker = tracker;
    this.#range = Math.max(0, tracker.physicalPx - viewportPx);
  }

  scrollTo(top: number): void {
    this.top = Math.max(0, Math.min(this.#range, Math.round(top)));
    this.tracker.scrolled(this.top);
  }
}

function createTracker(count: number, view: 'list' | 'mosaic' = 'list') {
  const geometry = new ListingGeometry(
    measure(view, 1200, false),
    Math.floor(count / 50),
    count - Math.floor(count / 50),
  );
  const tracker = new WindowTracker(geometry, 0);
  tracker.reshape(geometry, viewportPx);
  return { geometry, tracker };
}

/** Asserts that the rendered rows cover the viewport. */
function assertCovered({ geometry, tracker }: ReturnType<typeof createTracker>): void {
  const { firstRow, lastRow } = tracker.window;
  expect(firstRow).toBeLessThanOrEqual(geometry.rowAt(tracker.virtualPx));
  expect(lastRow).toBeGreaterThanOrEqual(geometry.rowAt(tracker.virtualPx + viewportPx));
}

describe.each([
  ['list of 100,000', () => createTracker(100_000)],
  ['mosaic of 100,000', () => createTracker(100_000, 'mosaic')],
  ['list of 1,000,000, higher than any page', () => createTracker(1_000_000)],
])('the row window of a %s', (_, make) => {
  test('covers the viewport at any scroll position with a limited number of rows', () => {
    const parts = make();
    const scroller = new Scroller(parts.tracker);
    const random = seededRandom(1);
    for (let step = 0; step < 3000; step++) {
      const kind = random();
      if (kind < 0.9) scroller.scrollTo(scroller.top + (random() - 0.45) * 900);
      else if (kind < 0.98) scroller.scrollTo(random() * parts.tracker.physicalPx);
      else {
        const position = Math.floor(random() * parts.geometry.count);
        const top = parts.tracker.revealTop(position);
        if (top !== null) scroller.scrollTo(top);
        const row = parts.geometry.rowOf(position);
        expect(row).toBeGreaterThanOrEqual(parts.tracker.window.firstRow);
        expect(row).toBeLessThanOrEqual(parts.tracker.window.lastRow);
      }
      assertCovered(parts);
      const { firstRow, lastRow } = parts.tracker.window;
      expect(lastRow - firstRow).toBeLessThan(viewportPx / 40 + 60);
    }
  });

  test('reaches both ends exactly', () => {
    const parts = make();
    const scroller = new Scroller(parts.tracker);
    scroller.scrollTo(Number.MAX_SAFE_INTEGER);
    expect(parts.tracker.virtualPx).toBeCloseTo(parts.geometry.heightPx - viewportPx, 0);
    expect(parts.tracker.window.lastRow).toBe(parts.geometry.rows - 1);
    scroller.scrollTo(0);
    expect(parts.tracker.virtualPx).toBe(0);
    expect(parts.tracker.window.firstRow).toBe(0);
  });

  test('scrolls an entry into full view, below the column headers', () => {
    const parts = make();
    const scroller = new Scroller(parts.tracker);
    const random = seededRandom(9);
    for (let round = 0; round < 200; round++) {
      const position = Math.floor(random() * parts.geometry.count);
      const target = parts.tracker.revealTop(position);
      if (target !== null) scroller.scrollTo(target);
      const top = parts.geometry.topOf(position) - parts.tracker.virtualPx;
      expect(top).toBeGreaterThanOrEqual(parts.geometry.measures.stickyPx - 1);
      expect(top + parts.geometry.itemHeightOf(position)).toBeLessThanOrEqual(viewportPx + 1);
    }
  });
});

test('limits the rendered height to what browsers support', () => {
  expect(createTracker(1_000_000).tracker.physicalPx).toBe(8_000_000);
  expect(createTracker(1000).tracker.physicalPx).toBe(createTracker(1000).geometry.heightPx);
});

test('moves a capped listing by the exact distance for small steps', () => {
  const { tracker } = createTracker(1_000_000);
  const scroller = new Scroller(tracker);
  scroller.scrollTo(4_000_000);
  const before = tracker.virtualPx;
  scroller.scrollTo(scroller.top + 300);
  expect(tracker.virtualPx - before).toBe(300);
});

/** Adds the spare rows, as the frames after a scroll do. */
function fillCompletely(tracker: WindowTracker): void {
  while (!tracker.isFull) tracker.fill();
}

test('keeps its window while spare rows remain', () => {
  const { tracker } = createTracker(10_000);
  const scroller = new Scroller(tracker);
  scroller.scrollTo(10_000);
  fillCompletely(tracker);
  const { window } = tracker;
  scroller.scrollTo(10_060);
  expect(tracker.window).toBe(window);
  scroller.scrollTo(10_600);
  expect(tracker.window).not.toBe(window);
});

test('adds few rows at once while it scrolls slowly in either direction', () => {
  const { tracker } = createTracker(10_000);
  const scroller = new Scroller(tracker);
  scroller.scrollTo(10_000);
  fillCompletely(tracker);
  for (const stepPx of [60, -60]) {
    for (let frame = 0; frame < 60; frame++) {
      const before = tracker.window;
      scroller.scrollTo(scroller.top + stepPx);
      const { firstRow, lastRow } = tracker.window;
      expect(Math.max(0, lastRow - before.lastRow) + Math.max(0, before.firstRow - firstRow)).toBeLessThan(5);
    }
  }
});

test('renders only what is visible after a jump, and the spare rows after it in steps', () => {
  const { tracker } = createTracker(10_000);
  new Scroller(tracker).scrollTo(100_000);
  const rowsOf = (): number => tracker.window.lastRow - tracker.window.firstRow + 1;
  const jumped = rowsOf();
  expect(jumped).toBeLessThanOrEqual(viewportPx / 40 + 4);
  let steps = 0;
  for (; !tracker.isFull; steps++) {
    const before = rowsOf();
    tracker.fill();
    expect(rowsOf() - before).toBeGreaterThan(0);
    expect(rowsOf() - before).toBeLessThanOrEqual(3);
  }
  expect(steps).toBeGreaterThan(2);
  expect(rowsOf() - jumped).toBe(14);
  const { window } = tracker;
  expect(tracker.fill()).toBe(window);
});
