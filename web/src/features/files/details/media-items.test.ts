import { expect, test } from 'vitest';
import { captureItems, exposureOf, formatExposure, mediaItems, placeOf } from './media-items.ts';

test('exposure times are written as cameras do', () => {
  expect(formatExposure(1 / 640)).toBe('1/640 s');
  expect(formatExposure(2.5)).toBe('2.5 s');
});

test('the exposure is one line of the known values', () => {
  const size = { width: 1, height: 1 };
  expect(
    exposureOf({ ...size, focalLengthMm: 6.9, aperture: 1.7, exposureSeconds: 0.0015625, iso: 52 }),
  ).toBe('6.9 mm · ƒ/1.7 · 1/640 s · ISO 52');
  expect(exposureOf({ ...size, iso: 100 })).toBe('ISO 100');
  expect(mediaItems(size)).toEqual([]);
  expect(captureItems(size)).toEqual([]);
});

test('the place is the town with its country, and the position', () => {
  const size = { width: 1, height: 1 };
  const position = { latitude: 59.3262, longitude: -18.1 };
  expect(placeOf(size)).toBeUndefined();
  expect(placeOf({ ...size, position })).toBe('\u206859.32620, -18.10000\u2069');
  expect(placeOf({ ...size, position, place: { town: 'Stockholm', country: 'SE' } })).toMatch(
    /^.Stockholm., .Sweden. · .59\.32620, /u,
  );
});

test('a photo says in three lines when, where and with which camera it was taken', () => {
  const items = captureItems({
    width: 1,
    height: 1,
    taken: '2026-11-15T14:21:07',
    position: { latitude: 59.3262, longitude: -18.1 },
    camera: 'Pixel 9',
    lens: 'Main',
    iso: 52,
  });
  expect(items.map(({ kind }) => kind)).toEqual(['date', 'place', 'camera']);
  expect(items[0]?.value).toMatch(/^Sunday.*November.*2026/u);
  expect(items[2]).toMatchObject({ value: 'Pixel 9 · ISO 52', note: 'Main' });
  // The lens alone is in the line of the camera.
  expect(captureItems({ width: 1, height: 1, lens: 'Main' })).toMatchObject([
    { value: 'Main', note: undefined },
  ]);
});
