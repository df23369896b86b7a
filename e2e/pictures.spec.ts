// The comparison of reference pictures, without a browser.
import { expect, test } from '@playwright/test';
import { compare, isAlike, reduceColors, shrink } from './support/pictures/compare.ts';
import { decodePng, encodePng, type Picture } from './support/pictures/png.ts';
import { pngOf } from './support/sample-files.ts';

/** A picture whose color is a function of the position. */
function pictureOf(
  width: number,
  height: number,
  color: (x: number, y: number) => readonly [number, number, number],
): Picture {
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(color(x, y), (y * width + x) * 3);
  }
  return { width, height, pixels };
}

const white = [255, 255, 255] as const;
const blue = [29, 95, 209] as const;

/** A white picture with a blue box whose left edge is at `left`. */
const boxAt = (left: number, size = 40): Picture =>
  pictureOf(640, 400, (x, y) => (x >= left && x < left + size && y >= 80 && y < 80 + size ? blue : white));

test('a picture of few colors is stored with a palette, one of many as RGB, both without loss', () => {
  const few = boxAt(100);
  const many = pictureOf(64, 64, (x, y) => [x * 4, y * 4, 128]);
  for (const picture of [few, many]) {
    const { width, height, pixels } = decodePng(encodePng(picture));
    expect([width, height, Buffer.compare(pixels, picture.pixels)]).toEqual([
      picture.width,
      picture.height,
      0,
    ]);
  }
  expect(encodePng(few).length).toBeLessThan(1000);
  expect(encodePng(few)[25]).toBe(3);
  expect(encodePng(many)[25]).toBe(2);
});

test('a PNG of another writer is read', () => {
  const { width, height, pixels } = decodePng(pngOf(8, 4));
  expect([width, height]).toEqual([8, 4]);
  expect([...pixels.subarray(0, 6)]).toEqual([0, 0, 160, 32, 0, 160]);
});

test('a shrunken picture has half the size and the mean colors', () => {
  const lines = pictureOf(8, 4, (x) => (x % 2 === 0 ? white : [0, 0, 0]));
  const half = shrink(lines);
  expect([half.width, half.height]).toEqual([4, 2]);
  expect(new Set(half.pixels)).toEqual(new Set([123]));
  expect(new Set(shrink(boxAt(700)).pixels)).toEqual(new Set([255]));
});

test('a picture of many colors is reduced to the most frequent ones and their neighbors', () => {
  const many = pictureOf(640, 400, (x, y) => (y < 20 ? [(x * 7) % 256, y * 12, 128] : white));
  const reduced = reduceColors(many);
  expect(encodePng(reduced)[25]).toBe(3);
  expect([...reduced.pixels.subarray(-3)]).toEqual([...white]);
  expect(compare(many, reduced)?.fraction).toBeLessThan(0.05);
});

test('slight changes of color and changes of single pixels are tolerated', () => {
  const slight = pictureOf(640, 400, () => [240, 240, 240]);
  expect(compare(boxAt(700), slight)).toMatchObject({ fraction: 0 });
  const dots = pictureOf(640, 400, (x, y) => (x % 40 === 0 && y % 10 === 0 ? blue : white));
  const difference = compare(boxAt(700), dots);
  expect(difference?.fraction).toBeCloseTo(0.0025);
  expect(difference && isAlike(difference)).toBe(true);
});

test('a small part that has changed is found, with its place', () => {
  const difference = compare(boxAt(96, 16), boxAt(700));
  expect(difference?.fraction).toBeCloseTo(0.001);
  expect(difference?.worst).toEqual({ fraction: 1, x: 96, y: 80 });
  expect(difference && isAlike(difference)).toBe(false);
});

test('many small changes are found', () => {
  const rows = (offset: number): Picture =>
    pictureOf(640, 400, (x, y) => ((y + offset) % 16 === 0 && x % 5 === 0 ? blue : white));
  const difference = compare(rows(0), rows(1));
  expect(difference?.worst.fraction).toBeLessThan(0.3);
  expect(difference && isAlike(difference)).toBe(false);
});

test('a picture of another size is not compared', () => {
  expect(
    compare(
      boxAt(0),
      pictureOf(320, 400, () => white),
    ),
  ).toBeNull();
});
