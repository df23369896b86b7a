import { readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaInfo } from '@filestead/contract/previews';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';
import { boundedPart } from '../embedded/bounded-reader.ts';
import { cornersOf, quarterColors, quartersJpeg } from '../previews-testing.ts';
import { rotateJpeg, rotatedOrientation } from './rotate-jpeg.ts';

/** Replaces the tag of the orientation in little-endian EXIF data with one that is not read. */
function withoutOrientation(picture: Buffer): Buffer {
  const at = picture.indexOf(Buffer.from([0x12, 0x01, 0x03, 0x00]));
  picture.writeUInt16LE(0x111, at);
  return picture;
}

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    files: {
      '/plain.jpg': await quartersJpeg(60, 40),
      '/camera.jpg': await quartersJpeg(60, 40, 6),
      '/dated.jpg': withoutOrientation(
        await sharp({ create: { width: 60, height: 40, channels: 3, background: '#888' } })
          .withExif({ IFD2: { DateTimeOriginal: '2026:11:15 14:21:07' } })
          .jpeg()
          .toBuffer(),
      ),
      '/scan.jpg': await quartersJpeg(60, 40),
      '/text.jpg': 'not a picture, although it is called one',
      '/empty.jpg': '',
      '/cut.jpg': (await quartersJpeg(60, 40)).subarray(0, 300),
      '/photo.png': await sharp({ create: { width: 6, height: 4, channels: 3, background: '#888' } })
        .png()
        .toBuffer(),
      '/folder/': '',
      '/private/photo.jpg': await quartersJpeg(60, 40),
    },
    users: [
      { username: 'alice', rules: [{ path: '/private', allow: false }] },
      { username: 'reader', perm: { modify: false } },
    ],
  });
  token = await app.signIn('alice');
});
afterAll(() => app.close());

const rotate = (path: string, degrees: unknown, as = token): Promise<Response> =>
  app.fetch(`/api/rotate${path}`, { method: 'POST', json: { degrees }, token: as });
const bytesOf = (path: string): Promise<Buffer> => readFile(join(app.root, path));
/** Returns the pixels as they are stored, without regard to the orientation. */
const pixelsOf = (bytes: Buffer): Promise<Buffer> => sharp(bytes, { autoOrient: false }).raw().toBuffer();
const upright = (bytes: Buffer): Promise<Buffer> => sharp(bytes).rotate().png().toBuffer();
/** Whether the corner of a picture has a color, but for the losses of JPEG. */
const isNear = (found: number[], expected: readonly number[]): boolean =>
  found.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 40);

describe('a rotation', () => {
  test('adds EXIF data after the segment of JFIF, which has to be the first one', async () => {
    const jfif = Buffer.from('ffe000104a46494600010100000100010000', 'hex');
    const picture = await quartersJpeg(60, 40);
    const { edits } = await rotateJpeg(
      boundedPart(Buffer.concat([picture.subarray(0, 2), jfif, picture.subarray(2)])),
      90,
      0,
    );
    expect(edits.map(({ position }) => position)).toEqual([2 + jfif.length]);
  });

  test.each([
    ['without EXIF data', 'plain.jpg', 1],
    ['of a camera that was held upright', 'camera.jpg', 6],
  ])('turns a picture %s around in four steps, and changes no pixel', async (_, name, orientation) => {
    const pixels = await pixelsOf(await bytesOf(name));
    // The corner in which the red quarter of the picture is after each step.
    const corners = ['topRight', 'bottomRight', 'bottomLeft', 'topLeft'] as const;
    for (const [step, corner] of corners.entries()) {
      const response = await rotate(`/${name}`, 90);
      expect(response.status).toBe(200);
      const expected = [1, 6, 3, 8];
      const at = (expected.indexOf(orientation) + step + 1) % 4;
      const bytes = await bytesOf(name);
      expect(await response.json()).toMatchObject({ orientation: expected[at], size: bytes.length });
      expect((await pixelsOf(bytes)).equals(pixels)).toBe(true);
      const found = await cornersOf(await upright(bytes));
      expect([corner, isNear(found[corner], quarterColors.topLeft)]).toEqual([corner, true]);
    }
  });

  test('is reported by the properties of the file, kept as a version, and undone', async () => {
    const former = await bytesOf('plain.jpg');
    const response = await rotate('/plain.jpg', 270);
    expect(response.headers.get('etag')).toMatch(/^"/);
    const info = (await (await app.fetch('/api/media/plain.jpg', { token })).json()) as MediaInfo;
    expect([info.width, info.height]).toEqual([40, 60]);
    const undo = await app.fetch(`/api/operations/${response.headers.get('x-operation')}/undo`, {
      method: 'POST',
      token,
    });
    expect(undo.status).toBe(200);
    expect((await bytesOf('plain.jpg')).equals(former)).toBe(true);
  });

  test('keeps the other EXIF data where the orientation is added to them', async () => {
    expect((await sharp(await bytesOf('dated.jpg')).metadata()).orientation).toBeUndefined();
    await rotate('/dated.jpg', 180);
    const info = (await (await app.fetch('/api/media/dated.jpg', { token })).json()) as MediaInfo;
    expect([info.width, info.height, info.taken]).toEqual([60, 40, '2026-11-15T14:21:07']);
    expect((await sharp(await bytesOf('dated.jpg')).metadata()).orientation).toBe(3);
  });

  test('keeps the day of a picture without a date', async () => {
    const time = new Date(2019, 4, 3, 12, 30, 5);
    await utimes(join(app.root, 'scan.jpg'), time, time);
    await rotate('/scan.jpg', 90);
    const info = (await (await app.fetch('/api/media/scan.jpg', { token })).json()) as MediaInfo;
    expect(info.taken).toBe('2019-05-03T12:30:05');
    expect((await stat(join(app.root, 'scan.jpg'))).mtimeMs).toBeGreaterThan(time.getTime());
  });

  test.each([
    ['/text.jpg', 90, 422],
    ['/empty.jpg', 90, 422],
    ['/photo.png', 90, 422],
    ['/plain.jpg', 45, 400],
    ['/plain.jpg', '90', 400],
    ['/plain.jpg', undefined, 400],
    ['/nothing.jpg', 90, 404],
    ['/private/photo.jpg', 90, 403],
    ['/folder/', 90, 405],
  ])('of %s by %s is refused, and the file stays as it is', async (path, degrees, status) => {
    const former = path.endsWith('/') || path.includes('nothing') ? null : await bytesOf(path);
    expect((await rotate(path, degrees)).status).toBe(status);
    if (former !== null) expect((await bytesOf(path)).equals(former)).toBe(true);
  });

  test('needs the permission to modify', async () => {
    expect((await rotate('/camera.jpg', 90, await app.signIn('reader'))).status).toBe(403);
  });
});

test.each([
  [1, 90, 6],
  [6, 90, 3],
  [1, 180, 3],
  [1, 270, 8],
  [2, 90, 7],
  [7, 180, 5],
  [5, 90, 2],
  [0, 90, 6],
  [9, 270, 8],
] as const)('orientation %i rotated by %i degrees is %i', (before, degrees, after) => {
  expect(rotatedOrientation(before, degrees)).toBe(after);
});

test('a picture that ends at any byte of its header is refused or rotated, and nothing else fails', async () => {
  const picture = await quartersJpeg(60, 40, 6);
  const failures: unknown[] = [];
  for (let end = 0; end < Math.min(picture.length, 1200); end++) {
    try {
      await rotateJpeg(boundedPart(Buffer.from(picture.subarray(0, end))), 90, 0);
    } catch (error) {
      const { name } = error as Error;
      if (name !== 'UnusableFileError') failures.push([end, error]);
    }
  }
  expect(failures).toEqual([]);
});

test('EXIF data in which any byte is changed are refused or edited within the file', async () => {
  const picture = await quartersJpeg(60, 40, 6);
  const failures: unknown[] = [];
  for (let at = 2; at < 250; at++) {
    for (const value of [0x00, 0x2a, 0xff]) {
      const bytes = Buffer.from(picture);
      bytes[at] = value;
      try {
        const { edits } = await rotateJpeg(boundedPart(bytes), 90, 0);
        const isInside = edits.every(({ position, removed }) => position + removed <= bytes.length);
        if (!isInside) failures.push([at, value, edits]);
      } catch (error) {
        const { name } = error as Error;
        if (name !== 'UnusableFileError' && name !== 'RangeError') failures.push([at, value, error]);
      }
    }
  }
  expect(failures).toEqual([]);
});
