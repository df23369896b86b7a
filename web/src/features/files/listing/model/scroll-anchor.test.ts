import { expect, test } from 'vitest';
import type { ListingRow } from '@filestead/contract/files';
import { WindowTracker } from '../rows/window-tracker.ts';
import { ListingGeometry, measure } from './listing-geometry.ts';
import { ListingModel } from './listing-model.ts';
import { ScrollAnchor } from './scroll-anchor.ts';

const file = (name: string): ListingRow => [name, 1, 1, 1];
const nameOf = (index: number): string => `file ${String(index).padStart(3, '0')}`;

test('the entries in the viewport stay in place when others are removed, also those at its top', () => {
  const model = new ListingModel();
  model.open({
    path: '/',
    name: '',
    modified: '2026-01-01T00:00:00Z',
    numDirs: 0,
    numFiles: 100,
    sorting: { by: 'name', asc: true },
    types: ['', 'text'],
  });
  model.append(Array.from({ length: 100 }, (_, index) => file(nameOf(index))));
  model.end();
  const measures = measure('list', 800, false);
  const geometryOf = () => new ListingGeometry(measures, 0, model.count);
  const tracker = new WindowTracker(geometryOf(), 400);
  const anchor = new ScrollAnchor();
  const scrolledPx = 36 + 40 * 40;
  tracker.moveTo(scrolledPx);
  expect(tracker.virtualPx).toBe(scrolledPx);
  anchor.record(model, geometryOf(), tracker);
  const remove = (...indexes: number[]) => {
    model.remove(indexes.map((index) => model.find(nameOf(index)) ?? -1));
    return anchor.restore(model, geometryOf(), tracker, model.orderVersion);
  };
  expect(remove(60)).toBeNull();
  expect(remove(3, 4)).toBe(scrolledPx - 80);
  // 5 is above the viewport, 40 and 41 are its first entries: the others move up into their places.
  expect(remove(5, 40, 41)).toBe(scrolledPx - 120);
});
