import type { ListingRow } from '@filestead/contract/files';
import type { MediaSize } from '@filestead/contract/previews';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ListingModel } from '../model/listing-model.ts';
import { PhotoView, type LoadMedia } from './photo-view.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const noon = new Date(2026, 10, 15, 12).getTime();

function modelOf(count: number): ListingModel {
  const model = new ListingModel();
  model.sort({ by: 'modified', asc: false });
  model.open({
    path: '/',
    name: '',
    numDirs: 0,
    numFiles: count,
    types: ['image', 'text'],
  } as unknown as Parameters<ListingModel['open']>[0]);
  const rows = Array.from({ length: count }, (_, index): ListingRow => [
    `${String(index).padStart(6, '0')}.jpg`,
    10,
    noon - index * 1000,
    0,
  ]);
  model.append(rows);
  model.end();
  return model;
}

const frame = {
  widthPx: 1000,
  isPhone: false,
  hasNewRow: false,
  tileWidthPx: undefined,
  grouping: 'day',
} as const;

test('requests the sizes of the photos on screen first, then of the others, each once', async () => {
  const batchSizes: number[] = [];
  const names = new Set<string>();
  const load: LoadMedia = async (batch) => {
    batchSizes.push(batch.length);
    for (const name of batch) names.add(name);
    return batch.map(() => ({ width: 300, height: 200 }));
  };
  const view = new PhotoView(modelOf(500), load);
  const stop = view.start();
  view.show({ first: 400, last: 420 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(batchSizes[0]).toBe(21);
  expect(batchSizes.reduce((sum, count) => sum + count)).toBe(500);
  expect(names.size).toBe(500);
  stop();
});

test('lays photos out with their sizes and dates once they are known', async () => {
  const model = modelOf(3);
  const taken: Record<string, MediaSize | null> = {
    '000000.jpg': { width: 100, height: 200 },
    '000001.jpg': { width: 300, height: 100, taken: '2026-11-20T10:00:00' },
    '000002.jpg': null,
  };
  const view = new PhotoView(model, async (names) => names.map((name) => taken[name] ?? null));
  const stop = view.start();
  expect(view.layout(frame, model.orderVersion).groups).toHaveLength(1);
  view.show({ first: 0, last: 2 });
  await vi.advanceTimersByTimeAsync(1_000);
  const layout = view.layout(frame, model.orderVersion);
  // The photo of the 20th comes first, although its file is older.
  expect(model.name(model.idAt(0) ?? -1)).toBe('000001.jpg');
  expect(layout.groups.map(({ count }) => count)).toEqual([1, 2]);
  expect(layout.widthOf(0) / layout.itemHeightOf(0)).toBeCloseTo(3, 1);
  expect(layout.widthOf(1) / layout.itemHeightOf(1)).toBeCloseTo(0.5, 1);
  expect(layout.widthOf(2) / layout.itemHeightOf(2)).toBeCloseTo(1.5, 1);
  stop();
  expect(model.name(model.idAt(0) ?? -1)).toBe('000000.jpg');
});

test('groups photos by place, that of the latest photo first, and those without one at the end', async () => {
  const model = modelOf(6);
  const lisbon = { place: { town: 'Lisbon', country: 'PT' } };
  const oslo = { place: { town: 'Oslo', country: 'NO' } };
  const size = { width: 300, height: 200 };
  const rows: Record<string, MediaSize | null> = {
    '000000.jpg': size,
    '000001.jpg': { ...size, ...lisbon },
    '000002.jpg': { ...size, ...oslo, taken: '2026-11-10T10:00:00' },
    '000003.jpg': null,
    '000004.jpg': { ...size, ...lisbon },
    '000005.jpg': { ...size, ...oslo, taken: '2026-11-20T10:00:00' },
  };
  const view = new PhotoView(model, async (names) => names.map((name) => rows[name] ?? null));
  view.groupBy('place');
  const stop = view.start();
  view.show({ first: 0, last: 5 });
  const names = (): string[] =>
    Array.from(model.order, (id) => model.name(id).replace(/^0+|\.jpg$/gu, '') || '0');
  const byPlace = () => view.layout({ ...frame, grouping: 'place' }, model.orderVersion).groups;
  expect(byPlace()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names()).toEqual(['5', '2', '1', '4', '0', '3']);
  expect(byPlace().map(({ place, count }) => [view.sizes.placeAt(place ?? -1)?.town, count])).toEqual([
    ['Oslo', 2],
    ['Lisbon', 2],
    [undefined, 2],
  ]);
  // A new file has no place yet.
  model.insert({
    name: 'new.jpg',
    isFolder: false,
    isSymlink: false,
    type: 'image',
    size: 1,
    modifiedMs: noon + 1000,
  });
  expect(names().slice(4)).toEqual(['new', '0', '3']);
  view.groupBy('day');
  expect(names()).toEqual(['5', 'new', '0', '1', '3', '4', '2']);
  expect(view.layout(frame, model.orderVersion).groups.map(({ count }) => count)).toEqual([1, 5, 1]);
  stop();
});

test('moves nothing while the listing is being scrolled', async () => {
  const model = modelOf(300);
  const view = new PhotoView(model, async (names) => names.map(() => ({ width: 100, height: 200 })));
  const stop = view.start();
  view.show({ first: 0, last: 9 });
  await vi.advanceTimersByTimeAsync(0);
  const settled = view.version;
  for (let step = 0; step < 30; step += 1) {
    view.onScroll();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(view.version).toBe(settled);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(view.version).toBeGreaterThan(settled);
  stop();
});

test('requests the sizes of photos outside the window only while nobody is scrolling', async () => {
  const batchSizes: number[] = [];
  const view = new PhotoView(modelOf(500), async (names) => {
    batchSizes.push(names.length);
    return names.map(() => ({ width: 300, height: 200 }));
  });
  const stop = view.start();
  view.onScroll();
  view.show({ first: 0, last: 9 });
  for (let step = 0; step < 10; step += 1) {
    await vi.advanceTimersByTimeAsync(100);
    view.onScroll();
  }
  expect(batchSizes).toEqual([10]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(batchSizes.reduce((sum, count) => sum + count)).toBe(500);
  stop();
});

test('shows the photos when the server does not respond, and repeats the request later', async () => {
  let calls = 0;
  const view = new PhotoView(modelOf(3), () => {
    calls += 1;
    return Promise.reject(new Error('no connection'));
  });
  const stop = view.start();
  view.show({ first: 0, last: 2 });
  await vi.advanceTimersByTimeAsync(400);
  expect(view.isSettled).toBe(true);
  expect(calls).toBe(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(calls).toBe(2);
  stop();
});
