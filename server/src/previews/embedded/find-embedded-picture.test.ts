import { describe, expect, test } from 'vitest';
import { buildCr3, buildRaf, buildTiff, quartersJpeg, tag } from '../previews-testing.ts';
import { boundedPart } from './bounded-reader.ts';
import { findEmbeddedPicture } from './find-embedded-picture.ts';

const [small, medium, large] = await Promise.all([
  quartersJpeg(160, 120),
  quartersJpeg(1200, 1100),
  quartersJpeg(2000, 1500),
]);
/** Sensor data: a lossless JPEG (start of frame 3), which cannot be shown. */
const sensorData = Buffer.from('ffd8ffc3000b0e10001000010111ffd9', 'hex');

const find = (file: Buffer, edgePx = 1080) => findEmbeddedPicture(boundedPart(file), edgePx);

/** The picture that was found, as bytes; null when there is none. */
async function found(file: Buffer, edgePx?: number): Promise<Buffer | null> {
  const picture = await find(file, edgePx);
  return picture === null ? null : file.subarray(picture.position, picture.position + picture.length);
}

/** As in NEF, DNG and ARW: small ones in the chain, the large ones in directories inside the first. */
const nikonLike = (isBigEndian: boolean): Buffer =>
  buildTiff(
    [
      {
        [tag.orientation]: 6,
        [tag.subDirectories]: {
          directories: [
            { [tag.jpegOffset]: { picture: 2 }, [tag.jpegLength]: { pictureLength: 2 } },
            {
              [tag.compression]: 7,
              [tag.stripOffsets]: { picture: 3 },
              [tag.stripByteCounts]: { pictureLength: 3 },
            },
          ],
        },
      },
      { [tag.jpegOffset]: { picture: 0 }, [tag.jpegLength]: { pictureLength: 0 } },
      {
        [tag.compression]: 6,
        [tag.stripOffsets]: { picture: 1 },
        [tag.stripByteCounts]: { pictureLength: 1 },
      },
    ],
    [small, medium, large, sensorData],
    { isBigEndian },
  );

describe('TIFF-based camera files', () => {
  test.each([false, true])(
    'return the smallest picture that is large enough (big endian: %s)',
    async (order) => {
      const file = nikonLike(order);
      expect(await found(file, 100)).toEqual(small);
      expect(await found(file, 1080)).toEqual(medium);
      expect(await found(file, 1500)).toEqual(large);
      expect(await found(file, 9000)).toEqual(large);
    },
  );

  test('have the orientation of the file, unless the picture has its own', async () => {
    expect((await find(nikonLike(false)))?.orientation).toBe(6);
    const own = await quartersJpeg(1200, 1100, 3);
    const file = buildTiff(
      [{ [tag.orientation]: 8, [tag.jpegOffset]: { picture: 0 }, [tag.jpegLength]: { pictureLength: 0 } }],
      [own],
    );
    expect((await find(file))?.orientation).toBe(3);
  });

  test('of Panasonic have their picture in a separate tag', async () => {
    const at = 64 * 1024;
    const file = buildTiff([{ [tag.orientation]: 3, 0x2e: [1, 2] }], [medium], { magic: 0x55 });
    // The tag contains bytes (type 7), not numbers.
    const entry = file.indexOf(Buffer.from('2e00', 'hex'), 8);
    file.writeUInt16LE(7, entry + 2);
    file.writeUInt32LE(medium.length, entry + 4);
    file.writeUInt32LE(at, entry + 8);
    expect(await found(file)).toEqual(medium);
    expect((await find(file))?.orientation).toBe(3);
  });

  test.each([
    ['without a picture', buildTiff([{ [tag.orientation]: 1 }], [])],
    [
      'with sensor data only',
      buildTiff(
        [
          {
            [tag.compression]: 6,
            [tag.stripOffsets]: { picture: 0 },
            [tag.stripByteCounts]: { pictureLength: 0 },
          },
        ],
        [sensorData],
      ),
    ],
    [
      'with a picture behind its end',
      buildTiff([{ [tag.jpegOffset]: 4_000_000_000, [tag.jpegLength]: 1000 }], []),
    ],
    ['that leads to itself', buildTiff([{ [tag.subDirectories]: [8, 8, 8, 8] }], [])],
  ])('return no picture for a file %s', async (_, file) => {
    expect(await find(file)).toBeNull();
  });
});

describe('other camera files', () => {
  test('a CR3 file has three sizes and its orientation in boxes', async () => {
    const file = buildCr3({ small, medium, large, orientation: 8 });
    expect(await found(file, 100)).toEqual(small);
    expect(await found(file, 1080)).toEqual(medium);
    expect(await found(file, 1400)).toEqual(large);
    expect((await find(file))?.orientation).toBe(8);
  });

  test('a RAF file has its picture in the header, with its own orientation', async () => {
    const own = await quartersJpeg(1200, 1100, 6);
    expect(await found(buildRaf(own))).toEqual(own);
    expect((await find(buildRaf(own)))?.orientation).toBe(6);
  });

  test.each(['', 'II', 'FUJIFILMCCD-RAW ', '\0\0\0\x18ftypcrx \0\0\0\x01', 'no camera made this file'])(
    'the bytes %j contain no picture',
    async (text) => {
      expect(await find(Buffer.from(text, 'latin1'))).toBeNull();
    },
  );
});
