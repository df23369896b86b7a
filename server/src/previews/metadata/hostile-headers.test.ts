import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { countedFile, damaged } from '../hostile-testing.ts';
import { box, buildBmp, buildCr3, buildRaf, buildTiff, quartersJpeg, tag } from '../previews-testing.ts';
import { headerLimits } from './part-reader.ts';
import { readMedia } from './read-media.ts';

const plain = sharp({ create: { width: 60, height: 40, channels: 3, background: '#888' } });
const exif = {
  IFD0: { Make: 'Pear', Model: 'One', Orientation: '6' },
  IFD2: { DateTimeOriginal: '2026:11:15 14:21:07', FNumber: '17/10', LensModel: 'A lens' },
};
const jpeg = await quartersJpeg(300, 200, 6);
const movieHeader = Buffer.alloc(100);
movieHeader.writeUInt32BE(1000, 12);
movieHeader.writeUInt32BE(5000, 16);
const seeds: Readonly<Record<string, Buffer>> = {
  'a.jpg': await plain.clone().withExif(exif).jpeg().toBuffer(),
  'a.png': await plain.clone().withExif(exif).png().toBuffer(),
  'a.webp': await plain.clone().withExif(exif).webp().toBuffer(),
  'a.avif': await plain.clone().withExif(exif).avif({ effort: 0 }).toBuffer(),
  'a.bmp': buildBmp({ width: 60, height: 40, bits: 24, pixels: Buffer.alloc(7200) }),
  'a.svg': Buffer.from('<svg xmlns="x" width="30mm" height="15mm" viewBox="0 0 20 10"/>'),
  'a.tif': buildTiff([{ [tag.orientation]: 6, 0x8769: 8, [tag.subDirectories]: [8, 8] }], [jpeg]),
  'a.cr3': buildCr3({ small: jpeg, medium: jpeg, large: jpeg, orientation: 3 }),
  'a.raf': buildRaf(jpeg),
  'a.mp4': Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0', 'latin1')),
    box('moov', box('mvhd', movieHeader), box('trak', box('tkhd', Buffer.alloc(92, 1)))),
  ]),
  'a.mkv': Buffer.from(
    '1a45dfa3' +
      '80' +
      '18538067' +
      'ff' +
      '1549a966' +
      '8a' +
      '448984' +
      '45bb8000' +
      '7ba981' +
      '61' +
      '1654ae6b' +
      '8c' +
      'ae8a' +
      'e088' +
      'b08140' +
      'ba8130' +
      '0000',
    'hex',
  ),
  'a.mp3': Buffer.from('ID3\x03\0\0\0\0\x20\0TIT2\0\0\0\x05\0\0\0Song', 'latin1'),
  'a.flac': Buffer.from('fLaC\x84\0\0\x14\0\0\0\0\x01\0\0\0\x08\0\0\0TITLE=ab', 'latin1'),
};

describe('a file with a damaged header', () => {
  test.each(Object.entries(seeds))(
    '%s is read within the limits, and the result is possible',
    async (name, seed) => {
      await fc.assert(
        fc.asyncProperty(damaged(seed), async (bytes) => {
          const { file, counted } = countedFile(bytes);
          const info = await readMedia(name, file);
          expect(counted.bytes).toBeLessThanOrEqual(headerLimits.bytes);
          expect(counted.reads).toBeLessThanOrEqual(headerLimits.reads + 1);
          if (info === null) return;
          for (const side of [info.width, info.height]) {
            expect(Number.isInteger(side) && side >= 0 && side <= 1_000_000).toBe(true);
          }
          expect(info.seconds ?? 1).toBeGreaterThan(0);
          expect(info.taken ?? '2000-01-01T00:00:00').toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?$/);
          for (const text of [info.camera, info.lens, info.title])
            expect((text ?? '').length).toBeLessThanOrEqual(200);
        }),
        { numRuns: 200 },
      );
    },
  );
});

describe('a file made to waste time', () => {
  test('a JPEG of endless fill bytes ends at the read limit', async () => {
    const { file, counted } = countedFile(
      Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(200_000, 0xff)]),
    );
    expect(await readMedia('a.jpg', file)).toBeNull();
    expect(counted.reads).toBeLessThanOrEqual(headerLimits.reads + 1);
  });

  test('a JPEG of thousands of empty segments ends at the read limit', async () => {
    const segments = Buffer.from('ffe10002'.repeat(50_000), 'hex');
    const { file, counted } = countedFile(Buffer.concat([Buffer.from([0xff, 0xd8]), segments]));
    expect(await readMedia('a.jpg', file)).toBeNull();
    expect(counted.reads).toBeLessThanOrEqual(headerLimits.reads + 1);
  });

  test('EXIF directories that refer to each other are read once', async () => {
    const loop = Buffer.alloc(64);
    loop.write('II*\0', 0, 'latin1');
    loop.writeUInt32LE(8, 4);
    loop.writeUInt16LE(2, 8);
    // Both entries refer to the directory itself: the inner directory, and a list of directories.
    for (const [index, entryTag] of [0x8769, 0x14a].entries()) {
      const at = 10 + 12 * index;
      loop.writeUInt16LE(entryTag, at);
      loop.writeUInt16LE(4, at + 2);
      loop.writeUInt32LE(1, at + 4);
      loop.writeUInt32LE(8, at + 8);
    }
    loop.writeUInt32LE(8, 34);
    const { file, counted } = countedFile(loop);
    expect(await readMedia('a.tif', file)).toBeNull();
    expect(counted.reads).toBe(1);
  });

  test('a directory of 65,535 entries is not read', async () => {
    const many = Buffer.alloc(1024);
    many.write('II*\0', 0, 'latin1');
    many.writeUInt32LE(8, 4);
    many.writeUInt16LE(0xffff, 8);
    const { file, counted } = countedFile(many, 10 ** 9);
    expect(await readMedia('a.tif', file)).toBeNull();
    expect(counted.bytes).toBeLessThanOrEqual(2048);
  });

  test('pictures of billions of pixels have no size', async () => {
    const png = Buffer.from(seeds['a.png'] ?? '');
    png.writeUInt32BE(0xffff_ffff, 16);
    expect(await readMedia('a.png', countedFile(png).file)).toBeNull();
  });

  test('a video whose boxes have no end or no length is skipped', async () => {
    const endless = Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0')), Buffer.alloc(100_000)]);
    expect(await readMedia('a.mp4', countedFile(endless, 10 ** 12).file)).toBeNull();
  });

  test('titles lose characters that would change the direction of the text', async () => {
    const bytes = Buffer.from('\x03\u202egpj.evil\u0000rest', 'utf8');
    const head = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 1, 0]);
    const frameHead = Buffer.from(`TIT2\0\0\0${String.fromCharCode(bytes.length)}\0\0`, 'latin1');
    const song = Buffer.concat([head, frameHead, bytes, Buffer.alloc(200)]);
    expect(await readMedia('a.mp3', countedFile(song).file)).toMatchObject({ title: 'gpj.evil' });
  });
});
