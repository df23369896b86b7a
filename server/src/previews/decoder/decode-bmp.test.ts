import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type BmpForm, buildBmp, quarters, wrongCorner } from '../previews-testing.ts';
import { decodeBmp } from './decode-bmp.ts';
import { PictureTooLargeError, UnreadablePictureError } from './picture-errors.ts';

const size = 8;
const palette = [
  [20, 20, 230],
  [20, 200, 20],
  [230, 20, 20],
  [255, 255, 255],
] as const;
/** Index into the palette: red, green above, blue, white below. */
const indexAt = (x: number, y: number): number => (y < size / 2 ? 0 : 2) + (x < size / 2 ? 0 : 1);

/** Rows as BMP stores them: the lowest first, each padded to a multiple of four bytes. */
function rows(bits: number, pixelAt: (x: number, y: number) => number, isTopDown = false): Buffer {
  const rowBytes = Math.ceil((size * bits) / 32) * 4;
  const data = Buffer.alloc(rowBytes * size);
  for (let row = 0; row < size; row += 1) {
    const y = isTopDown ? row : size - 1 - row;
    for (let x = 0; x < size; x += 1) {
      const value = pixelAt(x, y);
      if (bits < 8) {
        const at = row * rowBytes + Math.floor((x * bits) / 8);
        data[at] = (data[at] ?? 0) | (value << (8 - bits - ((x * bits) % 8)));
      } else data.writeUIntLE(value, row * rowBytes + (x * bits) / 8, bits / 8);
    }
  }
  return data;
}

const upright = quarters(size, size);
const rgbAt = (x: number, y: number): [number, number, number] => {
  const at = (y * size + x) * 3;
  return [upright[at] ?? 0, upright[at + 1] ?? 0, upright[at + 2] ?? 0];
};
const rgb24 = (x: number, y: number): number => {
  const [red, green, blue] = rgbAt(x, y);
  return (red << 16) | (green << 8) | blue;
};
const rgb565 = (x: number, y: number): number => {
  const [red, green, blue] = rgbAt(x, y);
  return ((red >> 3) << 11) | ((green >> 2) << 5) | (blue >> 3);
};
const rgb555 = (x: number, y: number): number => {
  const [red, green, blue] = rgbAt(x, y);
  return ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
};
const swapped = (x: number, y: number): number => {
  const [red, green, blue] = rgbAt(x, y);
  return red + blue * 0x1_00_00 + green * 0x100;
};

/** Run lengths of 8 bits: encoded runs, literal runs, ends of lines, and the end. */
const runs8 = Buffer.concat([
  ...[2, 2, 2, 2].map((first) => Buffer.from([4, first, 4, first + 1, 0, 0])),
  ...[0, 0].map((first) => Buffer.from([0, 4, first, first, first, first, 4, first + 1, 0, 0])),
  ...[0, 0].map((first) => Buffer.from([0, 5, first, first, first, first, first + 1, 0, 3, first + 1, 0, 0])),
  Buffer.from([0, 1]),
]);
const runs4 = Buffer.concat([
  ...[2, 2, 2, 2].map((first) => Buffer.from([4, first * 17, 4, (first + 1) * 17, 0, 0])),
  ...[0, 0, 0, 0].map((first) => Buffer.from([0, 4, first * 17, first * 17, 4, (first + 1) * 17, 0, 0])),
]);

const form = (rest: Partial<BmpForm> & Pick<BmpForm, 'bits' | 'pixels'>): BmpForm => ({
  width: size,
  height: size,
  ...rest,
});

describe('BMP', () => {
  test.each<[string, BmpForm]>([
    ['4 bits', form({ bits: 4, palette, pixels: rows(4, indexAt) })],
    ['8 bits', form({ bits: 8, palette, pixels: rows(8, indexAt) })],
    ['8 bits with the oldest header', form({ bits: 8, palette, headerBytes: 12, pixels: rows(8, indexAt) })],
    ['16 bits', form({ bits: 16, pixels: rows(16, rgb555) })],
    [
      '16 bits with fields',
      form({ bits: 16, compression: 3, masks: [0xf800, 0x7e0, 0x1f], pixels: rows(16, rgb565) }),
    ],
    ['24 bits', form({ bits: 24, pixels: rows(24, rgb24) })],
    ['24 bits from the top', form({ bits: 24, isTopDown: true, pixels: rows(24, rgb24, true) })],
    ['32 bits', form({ bits: 32, pixels: rows(32, rgb24) })],
    [
      '32 bits with a new header',
      form({
        bits: 32,
        headerBytes: 124,
        compression: 3,
        masks: [0xff, 0xff00, 0xff0000],
        pixels: rows(32, swapped),
      }),
    ],
    ['run lengths of 8 bits', form({ bits: 8, compression: 1, palette, pixels: runs8 })],
    ['run lengths of 4 bits', form({ bits: 4, compression: 2, palette, pixels: runs4 })],
  ])('decodes %s', async (_, described) => {
    const { data, width, height, channels } = decodeBmp(buildBmp(described), 1000);
    expect([width, height, channels]).toEqual([size, size, 3]);
    const png = await sharp(data, { raw: { width, height, channels } }).png().toBuffer();
    expect(await wrongCorner(png, 12)).toBeNull();
  });

  test('decodes 1 bit per pixel', () => {
    const pixels = rows(1, (x) => (x < size / 2 ? 0 : 1));
    const { data } = decodeBmp(
      buildBmp(
        form({
          bits: 1,
          palette: [
            [0, 0, 0],
            [255, 255, 255],
          ],
          pixels,
        }),
      ),
      1000,
    );
    expect([...data.subarray(0, size * 3)]).toEqual([
      ...Array<number>(12).fill(0),
      ...Array<number>(12).fill(255),
    ]);
  });

  test('keeps transparency if the header declares it', () => {
    const pixels = rows(32, (x, y) => rgb24(x, y) + (x < size / 2 ? 0x80 : 0xff) * 0x1_00_00_00);
    const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
    const { data, channels } = decodeBmp(
      buildBmp(form({ bits: 32, headerBytes: 108, compression: 3, masks, pixels })),
      1000,
    );
    expect(channels).toBe(4);
    expect([data[3], data[size * 4 - 1]]).toEqual([0x80, 0xff]);
  });

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a header without pixels', buildBmp(form({ bits: 24, pixels: Buffer.alloc(0) }))],
    ['too few rows', buildBmp(form({ bits: 24, pixels: rows(24, rgb24).subarray(24) }))],
    ['an unknown compression', buildBmp(form({ bits: 24, compression: 4, pixels: rows(24, rgb24) }))],
    ['an odd depth', buildBmp(form({ bits: 13, pixels: rows(24, rgb24) }))],
    ['no width', buildBmp({ ...form({ bits: 24, pixels: Buffer.alloc(64) }), width: 0 })],
    ['a negative width', buildBmp({ ...form({ bits: 24, pixels: Buffer.alloc(64) }), width: -5 })],
  ])('rejects %s', (_, bytes) => {
    expect(() => decodeBmp(bytes, 1000)).toThrow(UnreadablePictureError);
  });

  test('rejects huge dimensions before memory is allocated', () => {
    const bomb = buildBmp({
      ...form({ bits: 24, pixels: Buffer.alloc(64) }),
      width: 2_000_000_000,
      height: 2_000_000_000,
    });
    expect(() => decodeBmp(bomb, 100_000_000)).toThrow(PictureTooLargeError);
  });
});
