import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxAt } from '../embedded/boxes.ts';
import { box, cornersOf, quartersPicture, wrongCorner } from '../previews-testing.ts';
import { decodeHeic } from './decode-heic.ts';
import { decodePicture } from './decode-picture.ts';
import { PictureTooLargeError, UnreadablePictureError } from './picture-errors.ts';

const canEncode = spawnSync('ffmpeg', ['-hide_banner', '-encoders']).stdout?.includes('libx265') ?? false;
if (!canEncode) process.stderr.write('ffmpeg with libx265 is not installed: HEIC is not tested\n');

const width = 320;
const height = 240;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-heic-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const u16 = (value: number): Buffer => hex(value.toString(16).padStart(4, '0'));
const u32 = (value: number): Buffer => hex(value.toString(16).padStart(8, '0'));

/** A HEIC file of an upright picture (ISO/IEC 23008-12), with further properties for its one item. */
async function heicOf(png: Buffer, properties: readonly Buffer[] = []): Promise<Buffer> {
  const [picture, video] = [join(folder, 'in.png'), join(folder, 'out.mp4')];
  await writeFile(picture, png);
  // The matrix that decoders use when the file does not specify one.
  const command =
    '-v error -y -i in.png -frames:v 1 -pix_fmt yuvj444p -vf scale=out_color_matrix=smpte170m:out_range=pc ' +
    '-c:v libx265 -x265-params log-level=none:crf=8:colormatrix=smpte170m:range=full -tag:v hvc1 out.mp4';
  execFileSync('ffmpeg', command.split(' '), { cwd: folder });
  const mp4 = await readFile(video);
  const table = boxAt(mp4, ['moov', 'trak', 'mdia', 'minf', 'stbl']) ?? Buffer.alloc(0);
  // After the version and the count of `stsd`, and after the 78 bytes with which every sample entry begins.
  const configuration = boxAt(table, ['stsd', 'hvc1', 'hvcC'], { stsd: 8, hvc1: 78 }) ?? Buffer.alloc(0);
  const sample = boxAt(mp4, ['mdat']) ?? Buffer.alloc(0);

  const all = [box('hvcC', configuration), box('ispe', u32(0), u32(width), u32(height)), ...properties];
  const associations = all.map((_, index) => (index === 0 ? 0x81 : index + 1));
  const begin = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));
  const metaOf = (offset: number): Buffer =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0), u32(0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)),
      box('pitm', u32(0), u16(1)),
      box('iinf', u32(0), u16(1), box('infe', hex('02000000 0001 0000'), Buffer.from('hvc1\0', 'latin1'))),
      box('iloc', u32(0), hex('4400'), u16(1), hex('0001 0000 0001'), u32(offset), u32(sample.length)),
      box(
        'iprp',
        box('ipco', ...all),
        box('ipma', u32(0), u32(1), u16(1), Buffer.from([associations.length, ...associations])),
      ),
    );
  const offset = begin.length + metaOf(0).length + 8;
  return Buffer.concat([begin, metaOf(offset), box('mdat', sample)]);
}

const make = (bytes: Buffer) =>
  decodePicture(bytes, { kind: 'heic', size: 'big', isForBrowser: false, orientation: null, part: null });

describe.skipIf(!canEncode)('HEIC', () => {
  test('is converted to JPEG', async () => {
    const result = await make(await heicOf(await quartersPicture(width, height).png().toBuffer()));
    expect([result.mediaType, await wrongCorner(result.bytes, 40)]).toEqual(['image/jpeg', null]);
    expect(await sharp(result.bytes).metadata()).toMatchObject({ width, height });
  });

  test('is rotated as its container specifies', async () => {
    // A quarter turn counterclockwise; the stored picture is rotated clockwise.
    const stored = await quartersPicture(height, width).rotate(90).png().toBuffer();
    const result = await make(await heicOf(stored, [box('irot', Buffer.from([1]))]));
    expect(await wrongCorner(result.bytes, 40)).toBeNull();
    expect(await sharp(result.bytes).metadata()).toMatchObject({ width: height, height: width });
  });

  test('is converted with its color profile', async () => {
    const orange = sharp({ create: { width, height, channels: 3, background: '#e06020' } });
    const wide = await orange.withIccProfile('p3').png().toBuffer();
    const { icc } = await sharp(wide).metadata();
    const bare = await sharp(wide, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true });
    const untagged = await sharp(bare.data, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
    const profile = box('colr', Buffer.from('prof', 'latin1'), icc ?? Buffer.alloc(0));
    const { topLeft } = await cornersOf((await make(await heicOf(untagged, [profile]))).bytes);
    const { topLeft: ignored } = await cornersOf((await make(await heicOf(untagged))).bytes);
    const distance = (color: number[]): number =>
      [0xe0, 0x60, 0x20].reduce((sum, value, index) => sum + Math.abs(value - (color[index] ?? 0)), 0);
    expect(distance(topLeft)).toBeLessThan(20);
    expect(distance(ignored)).toBeGreaterThan(20);
  });

  test('is rejected if it is too large or truncated', async () => {
    const file = await heicOf(await quartersPicture(width, height).png().toBuffer());
    await expect(decodeHeic(file, width * height - 1)).rejects.toThrow(PictureTooLargeError);
    await expect(decodeHeic(file.subarray(0, file.length - 200), 1e6)).rejects.toThrow(
      UnreadablePictureError,
    );
  });
});

test('rejects a file that is not HEIC', async () => {
  await expect(decodeHeic(Buffer.from('no HEIC at all'), 1e6)).rejects.toThrow(UnreadablePictureError);
  await expect(decodeHeic(Buffer.alloc(0), 1e6)).rejects.toThrow(UnreadablePictureError);
});
