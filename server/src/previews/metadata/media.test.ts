import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaInfo, MediaSize } from '@filestead/contract/previews';
import { maxMediaNames } from '@filestead/contract/values/limits';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';
import { buildBmp, buildRaf, quartersJpeg } from '../previews-testing.ts';

const plain = sharp({ create: { width: 60, height: 40, channels: 3, background: '#888' } });
const exif = {
  IFD0: { Make: 'Pear', Model: 'Pear One', Orientation: '6' },
  IFD2: {
    DateTimeOriginal: '2026:11:15 14:21:07',
    ExposureTime: '1/640',
    FNumber: '17/10',
    ISOSpeedRatings: '52',
    FocalLength: '69/10',
    LensModel: 'Pear 6.9mm',
  },
};
const photo = await plain.clone().withMetadata({ orientation: 6 }).withExifMerge(exif).jpeg().toBuffer();

/** A frame of an ID3v2.3 tag. */
function frame(id: string, content: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.write(id, 'latin1');
  head.writeUInt32BE(content.length, 4);
  return Buffer.concat([head, content]);
}

/** A tag of ID3v2.3 with `frames`. */
function id3(...frames: Buffer[]): Buffer {
  const content = Buffer.concat(frames);
  const { length } = content;
  const size = [(length >> 21) & 127, (length >> 14) & 127, (length >> 7) & 127, length & 127];
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, ...size]), content, Buffer.alloc(100)]);
}

function comments(...texts: string[]): Buffer {
  const withLength = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const count = Buffer.alloc(4);
  count.writeUInt32LE(texts.length);
  const content = Buffer.concat([withLength('maker'), count, ...texts.map(withLength)]);
  const head = Buffer.from([0x84, 0, content.length >> 8, content.length & 255]);
  return Buffer.concat([Buffer.from('fLaC'), head, content]);
}

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    files: {
      '/album/photo.jpg': photo,
      '/album/turned.jpg': await quartersJpeg(300, 200, 6),
      '/album/photo.png': await plain
        .clone()
        .withMetadata({ orientation: 6 })
        .withExifMerge(exif)
        .png()
        .toBuffer(),
      '/album/photo.webp': await plain
        .clone()
        .withMetadata({ orientation: 6 })
        .withExifMerge(exif)
        .webp()
        .toBuffer(),
      '/album/plain.webp': await plain.clone().webp().toBuffer(),
      '/album/lossless.webp': await plain.clone().webp({ lossless: true }).toBuffer(),
      '/album/photo.avif': await plain.clone().avif({ effort: 0 }).toBuffer(),
      '/album/photo.gif': await plain.clone().gif().toBuffer(),
      '/album/photo.tif': await plain.clone().tiff().toBuffer(),
      '/album/photo.bmp': buildBmp({ width: 60, height: 40, bits: 24, pixels: Buffer.alloc(7200) }),
      '/album/photo.raf': buildRaf(await quartersJpeg(600, 400, 8)),
      '/album/drawing.svg': '<?xml version="1.0"?><svg xmlns="x" width="30mm" height="15mm"/>',
      '/album/box.svg': '<svg viewBox="0 0 320 200"><rect width="1" height="1"/></svg>',
      '/album/inner/deep.jpg': photo,
      '/album/broken.jpg': 'not a picture, although it is called one',
      '/album/empty.jpg': '',
      '/album/text.txt': 'text',
      '/song.mp3': id3(
        frame('TIT2', Buffer.from('\x03Réveil\0', 'utf8')),
        frame('TPE1', Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from('Böhm', 'utf16le')])),
        frame('TALB', Buffer.from('\0First\n\u0007', 'latin1')),
      ),
      '/song.flac': comments('TITLE=Morning', 'artist=Grieg', 'ALBUM=Peer Gynt'),
      '/private/photo.jpg': photo,
    },
    users: [
      { username: 'visitor', rules: [{ path: '/private', allow: false }] },
      { username: 'reader', perm: { download: false } },
    ],
  });
  token = await app.signIn('visitor');
});
afterAll(() => app.close());

const list = async (
  names: readonly string[],
  { folder = '/album', by = token }: { folder?: string; by?: string } = {},
): Promise<(MediaSize | null)[]> => {
  const response = await app.fetch(`/api/media${folder}`, { method: 'POST', json: { names }, token: by });
  expect(response.status).toBe(200);
  return ((await response.json()) as { rows: (MediaSize | null)[] }).rows;
};
const info = async (path: string): Promise<MediaInfo> => {
  const response = await app.fetch(`/api/media${path}`, { token });
  expect(response.status).toBe(200);
  return (await response.json()) as MediaInfo;
};

describe('sizes and dates of pictures', () => {
  test.each([
    ['photo.jpg', 40, 60, '2026-11-15T14:21:07'],
    ['turned.jpg', 300, 200, undefined],
    ['photo.png', 40, 60, '2026-11-15T14:21:07'],
    ['photo.webp', 40, 60, '2026-11-15T14:21:07'],
    ['plain.webp', 60, 40, undefined],
    ['lossless.webp', 60, 40, undefined],
    ['photo.avif', 60, 40, undefined],
    ['photo.gif', 60, 40, undefined],
    ['photo.tif', 60, 40, undefined],
    ['photo.bmp', 60, 40, undefined],
    ['photo.raf', 600, 400, undefined],
    ['drawing.svg', 113, 57, undefined],
    ['box.svg', 320, 200, undefined],
    ['inner/deep.jpg', 40, 60, '2026-11-15T14:21:07'],
  ])('%s is %i × %i', async (name, width, height, taken) => {
    expect(await list([name])).toEqual([{ width, height, ...(taken !== undefined && { taken }) }]);
  });

  test('rows are in the order of the names, null for files without a size', async () => {
    const rows = await list([
      'text.txt',
      'photo.gif',
      'broken.jpg',
      'empty.jpg',
      'missing.jpg',
      'inner',
      'photo.jpg',
    ]);
    expect(rows.map((row) => row?.width ?? null)).toEqual([null, 60, null, null, null, null, 40]);
  });

  test('a changed file is read again', async () => {
    const path = join(app.root, 'album', 'changing.gif');
    await writeFile(path, await plain.clone().gif().toBuffer());
    expect((await list(['changing.gif']))[0]?.width).toBe(60);
    await writeFile(path, await plain.clone().resize(10, 20, { fit: 'fill' }).gif().toBuffer());
    expect(await list(['changing.gif'])).toEqual([{ width: 10, height: 20 }]);
  });

  test('a video has a size, a duration and the time of its header', async () => {
    for (const name of ['video.mp4', 'video.webm']) {
      const path = join(app.root, 'album', name);
      const codec = name.endsWith('webm') ? ['-c:v', 'libvpx'] : ['-c:v', 'mpeg4'];
      const time = ['-metadata', 'creation_time=2024-05-06T07:08:09Z'];
      const source = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=2'];
      execFileSync('ffmpeg', ['-v', 'error', ...source, ...codec, ...time, '-y', path]);
      const [row] = await list([name]);
      expect(row).toMatchObject({ width: 64, height: 48, seconds: 2 });
      expect(row?.taken).toBe('2024-05-06T07:08:09Z');
      await rm(path);
    }
  });

  test('a folder that does not exist is refused, and so are too many names', async () => {
    const post = (path: string, names: unknown) =>
      app.fetch(`/api/media${path}`, { method: 'POST', json: { names }, token });
    expect((await post('/nowhere', ['a.jpg'])).status).toBe(404);
    expect((await post('/song.mp3', ['a.jpg'])).status).toBe(409);
    expect((await post('/album', [])).status).toBe(400);
    expect(
      (
        await post(
          '/album',
          Array.from({ length: maxMediaNames + 1 }, () => 'a.jpg'),
        )
      ).status,
    ).toBe(400);
  });
});

describe('all properties of a file', () => {
  test('camera, lens and exposure of a photo are returned', async () => {
    expect(await info('/album/photo.jpg')).toEqual({
      width: 40,
      height: 60,
      taken: '2026-11-15T14:21:07',
      camera: 'Pear One',
      lens: 'Pear 6.9mm',
      focalLengthMm: 6.9,
      aperture: 1.7,
      exposureSeconds: 0.0015625,
      iso: 52,
    });
  });

  test('title, artist and album of music are returned without control characters', async () => {
    expect(await info('/song.mp3')).toEqual({
      width: 0,
      height: 0,
      title: 'Réveil',
      artist: 'Böhm',
      album: 'First',
    });
    expect(await info('/song.flac')).toMatchObject({ title: 'Morning', artist: 'Grieg', album: 'Peer Gynt' });
  });

  test('the position of a photo is returned with the nearest town, and both are left out if it is incomplete', async () => {
    const write = async (name: string, gps: Record<string, string>): Promise<void> => {
      const bytes = await plain
        .clone()
        .withExif({ ...exif, IFD3: gps })
        .jpeg()
        .toBuffer();
      await writeFile(join(app.root, 'album', name), bytes);
    };
    const stockholm = { GPSLatitude: '59/1 19/1 3432/100', GPSLatitudeRef: 'N' };
    await write('place.jpg', { ...stockholm, GPSLongitude: '18/1 6/1 126/10', GPSLongitudeRef: 'E' });
    const place = { town: 'Stockholm', country: 'SE' };
    expect(await info('/album/place.jpg')).toMatchObject({
      camera: 'Pear One',
      position: { latitude: 59.3262, longitude: 18.1035 },
      place,
    });
    expect((await list(['place.jpg']))[0]).toMatchObject({ width: 60, place });
    await write('south.jpg', {
      GPSLatitude: '34/1 3427/100 0/0',
      GPSLatitudeRef: 'S',
      GPSLongitude: '58/1 25/1 24/1',
      GPSLongitudeRef: 'W',
    });
    expect(await info('/album/south.jpg')).toMatchObject({
      position: { latitude: -34.57117, longitude: -58.42333 },
      place: { country: 'AR' },
    });
    await write('half.jpg', stockholm);
    await write('beyond.jpg', { ...stockholm, GPSLongitude: '181/1 0/1 0/1', GPSLongitudeRef: 'E' });
    for (const name of ['half.jpg', 'beyond.jpg']) {
      const incomplete = await info(`/album/${name}`);
      expect(incomplete).toMatchObject({ camera: 'Pear One' });
      expect(incomplete).not.toHaveProperty('position');
      expect(incomplete).not.toHaveProperty('place');
    }
  });
});

describe('attacks', () => {
  test('names cannot leave the folder, and denied files look like missing ones', async () => {
    const escape = await app.fetch('/api/media/album', {
      method: 'POST',
      json: { names: ['../private/photo.jpg'] },
      token,
    });
    expect(escape.status).toBe(400);
    expect(await list(['private/photo.jpg', 'private/none.jpg'], { folder: '/' })).toEqual([null, null]);
    expect((await app.fetch('/api/media/private/photo.jpg', { token })).status).toBe(403);
    // The administrator's request has put the file into the memory of sizes.
    const admin = await app.signIn('admin');
    expect((await list(['photo.jpg'], { folder: '/private', by: admin }))[0]?.width).toBe(40);
    expect(await list(['private/photo.jpg'], { folder: '/' })).toEqual([null]);
  });

  test('a link to a file outside the root is not read', async () => {
    const outside = join(app.data, 'outside.jpg');
    await mkdir(app.data, { recursive: true });
    await writeFile(outside, photo);
    await symlink(outside, join(app.root, 'album', 'link.jpg'));
    expect(await list(['link.jpg'])).toEqual([null]);
  });

  test('without the permission to download nothing is read', async () => {
    const reader = await app.signIn('reader');
    const json = { names: ['photo.jpg'] };
    expect((await app.fetch('/api/media/album', { method: 'POST', json, token: reader })).status).toBe(403);
    expect((await app.fetch('/api/media/album/photo.jpg', { token: reader })).status).toBe(403);
  });

  test('a huge file whose header promises more than it has is answered at once', async () => {
    const path = join(app.root, 'album', 'huge.jpg');
    await writeFile(path, await readFile(join(app.root, 'album', 'broken.jpg')));
    await truncate(path, 20 * 1024 ** 3);
    expect(await list(['huge.jpg'])).toEqual([null]);
    await rm(path);
  });
});
