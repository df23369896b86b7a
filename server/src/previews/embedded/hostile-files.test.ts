import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBmp } from '../decoder/decode-bmp.ts';
import { profileOf } from '../decoder/decode-heic.ts';
import { PictureTooLargeError, UnreadablePictureError } from '../decoder/picture-errors.ts';
import { countedFile, damaged } from '../hostile-testing.ts';
import { box, buildBmp, buildCr3, buildRaf, buildTiff, quartersJpeg, tag } from '../previews-testing.ts';
import { pictureKindOf, recognize } from '../recognize.ts';
import { UnusableFileError, boundedReader, searchLimits } from './bounded-reader.ts';
import { boxesIn } from './boxes.ts';
import { findCover } from './find-cover.ts';
import { findEmbeddedPicture } from './find-embedded-picture.ts';

const jpeg = await quartersJpeg(300, 200, 6);
const seeds = {
  tiff: buildTiff(
    [
      {
        [tag.orientation]: 6,
        [tag.subDirectories]: {
          directories: [{ [tag.jpegOffset]: { picture: 0 }, [tag.jpegLength]: { pictureLength: 0 } }],
        },
      },
      {
        [tag.compression]: 6,
        [tag.stripOffsets]: { picture: 0 },
        [tag.stripByteCounts]: { pictureLength: 0 },
      },
    ],
    [jpeg],
  ),
  cr3: buildCr3({ small: jpeg, medium: jpeg, large: jpeg, orientation: 3 }),
  raf: buildRaf(jpeg),
  mp3: Buffer.concat([
    Buffer.from('ID3\x03\0\0\0\0\x20\0APIC\0\0\x10\0\0\0\0image/jpeg\0\x03\0', 'latin1'),
    jpeg,
  ]),
  flac: Buffer.concat([Buffer.from('fLaC\x06\0\x20\0', 'latin1'), Buffer.alloc(32), jpeg]),
  m4a: Buffer.concat([
    box('ftyp', Buffer.from('M4A \0\0\0\0', 'latin1')),
    box(
      'moov',
      box('udta', box('meta', '00000000', box('ilst', box('covr', box('data', '0000000d00000000', jpeg))))),
    ),
  ]),
};

const anything = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes));
const hostile = fc.oneof(anything, ...Object.values(seeds).map(damaged));
const runs = { numRuns: 1500 };

describe('a file with arbitrary content', () => {
  test('the search for a picture ends, stays inside the file, and obeys its read limit', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (bytes) => {
        const { file, counted } = countedFile(bytes);
        const picture = await findEmbeddedPicture(boundedReader(file), 256);
        if (picture !== null) {
          expect(picture.position + picture.length).toBeLessThanOrEqual(bytes.length);
          expect(picture.orientation).toBeGreaterThanOrEqual(1);
          expect(picture.orientation).toBeLessThanOrEqual(8);
        }
        expect(counted.bytes).toBeLessThanOrEqual(searchLimits.bytes);
      }),
      runs,
    );
  });

  test('the search for a cover ends, stays inside the file, and obeys its read limit', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (bytes) => {
        const { file, counted } = countedFile(bytes);
        const cover = await findCover(boundedReader(file));
        if (cover !== null) {
          expect(cover.position).toBeGreaterThanOrEqual(0);
          expect(cover.position + cover.length).toBeLessThanOrEqual(bytes.length);
        }
        expect(counted.bytes).toBeLessThanOrEqual(searchLimits.bytes);
      }),
      runs,
    );
  });

  test('boxes never extend beyond their parent', () => {
    fc.assert(
      fc.property(hostile, (bytes) => {
        for (const { start, end } of boxesIn(bytes)) expect(start <= end && end <= bytes.length).toBe(true);
        profileOf(bytes);
      }),
      runs,
    );
  });

  test('the format is detected or not, without an error', () => {
    const names = fc.constantFrom('a.jpg', 'a.cr2', 'a.svg', 'a', 'a.heic', 'a.mp4', '.gif', 'a.');
    fc.assert(
      fc.property(names, hostile, (name, bytes) => {
        expect(recognize(name, bytes.subarray(0, 512)).way).toBeTypeOf('string');
        pictureKindOf(bytes.subarray(0, 512));
      }),
      runs,
    );
  });

  test('a BMP has the declared number of pixels, or causes a known error', () => {
    const forms = [1, 4, 8, 16, 24, 32].map((bits) =>
      buildBmp({
        width: 9,
        height: 7,
        bits,
        palette:
          bits <= 8
            ? [
                [1, 2, 3],
                [4, 5, 6],
              ]
            : [],
        pixels: Buffer.alloc(36 * 7, 0x5a),
      }),
    );
    const runLengths = [1, 2].map((compression) =>
      buildBmp({
        width: 9,
        height: 7,
        bits: compression === 1 ? 8 : 4,
        compression,
        palette: [[1, 2, 3]],
        pixels: Buffer.from('0401000503010203040500020304090100000001', 'hex'),
      }),
    );
    fc.assert(
      fc.property(fc.oneof(anything, ...[...forms, ...runLengths].map(damaged)), (bytes) => {
        try {
          const { data, width, height, channels } = decodeBmp(bytes, 100_000);
          expect(data.length).toBe(width * height * channels);
        } catch (error) {
          expect(error instanceof UnreadablePictureError || error instanceof PictureTooLargeError).toBe(true);
        }
      }),
      { numRuns: 4000 },
    );
  });

  test('a BMP that ends before its masks is rejected', () => {
    const whole = buildBmp({
      width: 9,
      height: 7,
      bits: 4,
      compression: 3,
      palette: [],
      pixels: Buffer.alloc(0),
    });
    for (const length of [54, 57, 65]) {
      const file = Buffer.alloc(length);
      whole.copy(file, 0, 0, 54);
      expect(() => decodeBmp(file, 100_000)).toThrow(UnreadablePictureError);
    }
  });
});

test('a file with a wrong size is rejected', async () => {
  const file = {
    entry: { name: 'x', kind: 'file', size: 1e12, modifiedNs: 0n, mode: 0, isSymlink: false } as const,
    read: async () => 0,
  };
  await expect(boundedReader(file).read(5, 10)).rejects.toThrow(UnusableFileError);
  const greedy = boundedReader(
    { ...file, read: async (buffer: Uint8Array) => buffer.length },
    { bytes: 100, reads: 3 },
  );
  await greedy.read(0, 60);
  await expect(greedy.read(0, 60)).rejects.toThrow('exceeds the read limit');
});
