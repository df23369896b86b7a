import { execFileSync } from 'node:child_process';
import { readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';
import {
  buildBmp,
  buildCr3,
  buildRaf,
  buildTiff,
  quartersJpeg,
  quartersPicture,
  asStoredByCamera,
  tag,
  wrongCorner,
} from './previews-testing.ts';

const photo = await quartersJpeg(1600, 1200, 6);
const upright = await asStoredByCamera(quartersPicture(1600, 1200), 8).jpeg({ quality: 95 }).toBuffer();
const script = '<script>C()</script>';
const svg = `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`;
const frames = await Promise.all(
  ['#f00', '#00f'].map((background) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer(),
  ),
);
const animatedGif = await sharp(frames, { join: { animated: true } })
  .gif()
  .toBuffer();
const animatedWebp = await sharp(frames, { join: { animated: true } })
  .webp({ loop: 0 })
  .toBuffer();
/** Noise is incompressible, so this is an animation of more than a mebibyte. Gray noise needs no search for a palette. */
const largeGif = await sharp(
  Buffer.from(Uint32Array.from({ length: 1300 * 325 }, (_, index) => index * 2_654_435_761).buffer),
  { raw: { width: 1300, height: 1300, channels: 1 } },
)
  .gif({ effort: 1, dither: 0 })
  .toBuffer();
const dng = buildTiff(
  [{ [tag.orientation]: 8, [tag.jpegOffset]: { picture: 0 }, [tag.jpegLength]: { pictureLength: 0 } }],
  [upright],
);
const mp3 = (cover: Buffer): Buffer => {
  const frame = Buffer.concat([Buffer.from('\0image/jpeg\0\x03\0', 'latin1'), cover]);
  const head = Buffer.from('APIC\0\0\0\0\0\0', 'latin1');
  head.writeUInt32BE(frame.length, 4);
  const size = frame.length + head.length;
  const start = Buffer.from([
    0x49,
    0x44,
    0x33,
    3,
    0,
    0,
    (size >> 21) & 127,
    (size >> 14) & 127,
    (size >> 7) & 127,
    size & 127,
  ]);
  return Buffer.concat([start, head, frame, Buffer.alloc(400)]);
};

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startApp({
    files: {
      '/photo.jpg': photo,
      '/photo.tif': await quartersPicture(1600, 1200).tiff().toBuffer(),
      '/photo.webp': await quartersPicture(1600, 1200).webp({ quality: 95 }).toBuffer(),
      '/photo.avif': await quartersPicture(300, 200).avif({ effort: 0 }).toBuffer(),
      '/photo.bmp': buildBmp({ width: 4, height: 4, bits: 24, pixels: Buffer.alloc(48, 0x80) }),
      '/logo.png': await sharp({ create: { width: 40, height: 40, channels: 4, background: '#ff000080' } })
        .png()
        .toBuffer(),
      '/wrong-name.jpg': await quartersPicture(300, 200).png().toBuffer(),
      '/no-ending': await quartersPicture(300, 200).png().toBuffer(),
      '/camera.dng': dng,
      '/camera.nef': dng,
      '/camera.cr3': buildCr3({ small: upright, medium: upright, orientation: 8 }),
      '/camera.raf': buildRaf(photo),
      '/empty.cr2': buildTiff([{ [tag.orientation]: 1 }], []),
      '/song.mp3': mp3(await quartersJpeg(300, 300)),
      '/silent.mp3': Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1'),
      '/moving.gif': animatedGif,
      '/moving.webp': animatedWebp,
      '/large.gif': largeGif,
      '/x.svg': svg,
      '/broken.png': script,
      '/cut.jpg': photo.subarray(0, 3000),
      '/empty.jpg': '',
      '/data.json': '{}',
      '/paper.psd': '8BPS',
      '/folder/inner.txt': 'inner',
      '/secret/deny.jpg': photo,
    },
    users: [
      { username: 'alice' },
      { username: 'viewer', perm: { download: false } },
      { username: 'ruled', rules: [{ path: '/secret' }] },
      { username: 'scoped', scope: '/folder' },
    ],
  });
  execFileSync('mkfifo', [join(app.root, 'pipe.jpg')]);
  await symlink('/etc/hostname', join(app.root, 'outside.jpg'));
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const preview = (path: string, headers: Record<string, string> = {}, token = admin): Promise<Response> =>
  app.fetch(`/api/preview/${path}`, { token, headers });
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
/** The `Accept` header of browsers for a picture in a page. */
const inPage = { accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' };

describe('a preview', () => {
  test('fills 256 × 256, or fits 480 × 480 or 1080 × 1080, upright, with passive headers', async () => {
    const thumb = await preview('thumb/photo.jpg?inline=true&key=1709287200000');
    expect(thumb.status).toBe(200);
    expect(Object.fromEntries(thumb.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `inline; filename*=utf-8''photo.jpg; filename="photo.jpg"`,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(thumb.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    const small = await bytesOf(thumb);
    expect([(await sharp(small).metadata()).width, await wrongCorner(small)]).toEqual([256, null]);
    const medium = await sharp(await bytesOf(await preview('medium/photo.jpg'))).metadata();
    expect([medium.width, medium.height]).toEqual([480, 360]);
    const big = await preview('big/photo.jpg');
    expect(big.headers.get('content-disposition')).toMatch(/^attachment/);
    const { width, height } = await sharp(await bytesOf(big)).metadata();
    expect([width, height]).toEqual([1080, 810]);
  });

  test.each([
    ['photo.tif', 'image/tiff', 'image/jpeg'],
    ['photo.webp', 'image/webp', 'image/webp'],
    ['photo.avif', 'image/jpeg', 'image/jpeg'],
    ['wrong-name.jpg', 'image/png', 'image/png'],
    ['no-ending', 'image/png', 'image/png'],
    ['camera.dng', 'image/jpeg', 'image/jpeg'],
    ['camera.nef', 'image/jpeg', 'image/jpeg'],
    ['camera.cr3', 'image/jpeg', 'image/jpeg'],
    ['camera.raf', 'image/jpeg', 'image/jpeg'],
    ['song.mp3', 'image/jpeg', 'image/jpeg'],
  ])('is created for %s', async (name, mediaType, mediaTypeInPage) => {
    const thumb = await preview(`thumb/${name}`);
    expect([thumb.status, thumb.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(await wrongCorner(await bytesOf(thumb), 40)).toBeNull();
    const big = await preview(`big/${name}`);
    expect([big.status, big.headers.get('content-type')]).toEqual([200, mediaType]);
    expect(await wrongCorner(await bytesOf(big), 40)).toBeNull();
    const shown = await preview(`big/${name}`, inPage);
    expect([shown.headers.get('content-type'), shown.headers.get('vary')]).toEqual([
      mediaTypeInPage,
      'Accept, Sec-Fetch-Dest',
    ]);
    expect(await wrongCorner(await bytesOf(shown), 40)).toBeNull();
  });

  test('keeps transparency for clients that support it', async () => {
    expect((await preview('thumb/logo.png')).headers.get('content-type')).toBe('image/jpeg');
    expect((await preview('thumb/logo.png', inPage)).headers.get('content-type')).toBe('image/webp');
    expect((await preview('medium/logo.png')).headers.get('content-type')).toBe('image/jpeg');
    expect((await preview('medium/logo.png', inPage)).headers.get('content-type')).toBe('image/webp');
    expect((await preview('big/logo.png')).headers.get('content-type')).toBe('image/png');
    expect((await preview('big/photo.bmp')).headers.get('content-type')).toBe('image/png');
  });

  test('has a file name with the extension of its format', async () => {
    const response = await preview('big/camera.dng');
    expect(response.headers.get('content-disposition')).toContain('filename="camera.jpg"');
  });

  test('is the original file for animations and SVG', async () => {
    for (const size of ['thumb', 'medium', 'big']) {
      expect(await bytesOf(await preview(`${size}/moving.gif`))).toEqual(animatedGif);
      expect(await bytesOf(await preview(`${size}/moving.webp`))).toEqual(animatedWebp);
      const graphic = await preview(`${size}/x.svg?inline=true`);
      expect([graphic.headers.get('content-type'), await graphic.text()]).toEqual(['image/svg+xml', svg]);
      expect(graphic.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    }
    expect(largeGif.length).toBeGreaterThan(1024 * 1024);
    expect((await preview('thumb/large.gif')).headers.get('content-type')).toBe('image/jpeg');
    expect((await preview('medium/large.gif')).headers.get('content-type')).toBe('image/jpeg');
    expect(await bytesOf(await preview('big/large.gif'))).toEqual(largeGif);
  });

  test('is the original file for pages that decode RAW files themselves', async () => {
    const asScript = { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' };
    expect(await bytesOf(await preview('big/camera.nef', asScript))).toEqual(dng);
    expect((await preview('thumb/camera.nef', asScript)).headers.get('content-type')).toBe('image/jpeg');
    expect((await preview('big/camera.cr3', asScript)).headers.get('content-type')).toBe('image/jpeg');
  });
});

describe('preview requests', () => {
  test.each([
    ['99999/photo.jpg', 400],
    ['0/photo.jpg', 400],
    ['__proto__/photo.jpg', 400],
    ['thumb%2f..%2fbig/photo.jpg', 400],
    ['thumb/folder%2f..%2fphoto.jpg', 400],
    ['thumb/photo.jpg%00', 400],
    ['thumb/nothing.jpg', 404],
    ['thumb/outside.jpg', 403],
    ['thumb/pipe.jpg', 403],
    ['thumb/', 501],
    ['thumb/folder', 501],
    ['big/folder/', 501],
    ['thumb/data.json', 501],
    ['thumb/paper.psd', 501],
    ['thumb/empty.cr2', 501],
    ['thumb/silent.mp3', 501],
    ['thumb/broken.png', 422],
    ['big/cut.jpg', 422],
    ['thumb/empty.jpg', 422],
  ])('for %s return the status %d', async (path, status) => {
    for (const turn of ['first', 'second']) expect((await preview(path)).status, turn).toBe(status);
  });

  test('return errors with a code', async () => {
    const codeOf = async (path: string): Promise<string> =>
      ((await (await preview(path, { accept: 'application/json' })).json()) as { code: string }).code;
    expect(await codeOf('thumb/folder')).toBe('no_preview');
    expect(await codeOf('thumb/cut.jpg')).toBe('broken_image');
  });

  test('let browsers remember that a file in its current state has no preview', async () => {
    const cacheControlOf = async (path: string) => (await preview(path)).headers.get('cache-control');
    for (const path of ['thumb/data.json', 'thumb/cut.jpg']) {
      expect(await cacheControlOf(`${path}?key=1`), path).toBe('private, max-age=86400');
      expect(await cacheControlOf(path), path).toBe('no-store');
    }
    expect(await cacheControlOf('thumb/nothing.jpg?key=1')).toBe('no-store');
  });

  test('need the permission to download, and respect rules and scopes', async () => {
    const tokens = { alice: '', viewer: '', ruled: '', scoped: '' };
    for (const name of ['alice', 'viewer', 'ruled', 'scoped'] as const) tokens[name] = await app.signIn(name);
    expect((await preview('thumb/photo.jpg', {}, tokens.alice)).status).toBe(200);
    expect((await preview('thumb/photo.jpg', {}, tokens.viewer)).status).toBe(403);
    expect((await preview('thumb/nothing.jpg', {}, tokens.viewer)).status).toBe(403);
    expect((await preview('thumb/secret/deny.jpg', {}, tokens.alice)).status).toBe(200);
    // It is cached now, but still denied to users whom a rule excludes.
    expect((await preview('thumb/secret/deny.jpg', {}, tokens.ruled)).status).toBe(403);
    expect((await preview('thumb/photo.jpg', {}, tokens.ruled)).status).toBe(200);
    expect((await preview('thumb/photo.jpg', {}, tokens.scoped)).status).toBe(404);
    expect((await app.fetch('/api/preview/thumb/photo.jpg')).status).toBe(401);
  });

  test('return 304 and 206 like files, and no body for HEAD', async () => {
    const whole = await preview('thumb/photo.jpg');
    const etag = whole.headers.get('etag') ?? '';
    const bytes = await bytesOf(whole);
    expect((await preview('thumb/photo.jpg', { 'if-none-match': etag })).status).toBe(304);
    const modified = whole.headers.get('last-modified') ?? '';
    expect((await preview('thumb/photo.jpg', { 'if-modified-since': modified })).status).toBe(304);
    expect((await preview('big/photo.jpg', { 'if-none-match': etag })).status).toBe(200);
    expect((await preview('thumb/photo.jpg', { 'if-match': '"other"' })).status).toBe(412);
    const part = await preview('thumb/photo.jpg', { range: 'bytes=2-5' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-5/${bytes.length}`]);
    expect(await bytesOf(part)).toEqual(bytes.subarray(2, 6));
    expect((await preview('thumb/photo.jpg', { range: 'bytes=99999999-' })).status).toBe(416);
    const head = await app.fetch('/api/preview/thumb/photo.jpg', { method: 'HEAD', token: admin });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  test('return a new preview for a file that is replaced within the same second with an older time', async () => {
    const time = new Date('2024-03-01T10:00:00Z');
    const colors: number[][] = [];
    const tags = new Set<string | null>();
    for (const background of ['#ff0000', '#0000ff']) {
      // Without compression both files have the same size.
      const png = await sharp({ create: { width: 32, height: 32, channels: 3, background } })
        .png({ compressionLevel: 0 })
        .toBuffer();
      await writeFile(join(app.root, 'replaced.png'), png);
      await utimes(join(app.root, 'replaced.png'), time, time);
      const response = await preview('thumb/replaced.png');
      tags.add(response.headers.get('etag'));
      const { dominant } = await sharp(await bytesOf(response)).stats();
      colors.push([dominant.r > 128 ? 1 : 0, dominant.b > 128 ? 1 : 0]);
    }
    expect(colors).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(tags.size).toBe(2);
  });

  test('are rejected for pages of other sites and for active uses', async () => {
    expect((await preview('thumb/photo.jpg', { 'sec-fetch-dest': 'script' })).status).toBe(403);
    expect(
      (await preview('thumb/photo.jpg', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }))
        .status,
    ).toBe(403);
    expect(
      (await preview('thumb/photo.jpg', { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin' }))
        .status,
    ).toBe(200);
  });

  test('store previews in the data folder, readable by the server only', async () => {
    await preview('thumb/photo.jpg');
    const folder = join(app.data, 'cache', 'previews');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await readdir(folder)).length).toBeGreaterThan(0);
  });

  test('leave the server responsive when many arrive and some are cancelled', async () => {
    const names = Array.from({ length: 24 }, (_, index) => `many-${index}.jpg`);
    for (const name of names) await writeFile(join(app.root, name), photo);
    const results = await Promise.all(
      names.map(async (name, index) => {
        const isImpatient = index % 2 === 0;
        const signal = isImpatient ? AbortSignal.timeout(5 + index) : null;
        const result = app
          .fetch(`/api/preview/big/${name}`, { token: admin, signal })
          .then(
            async (response) => [response.status, (await response.arrayBuffer()).byteLength > 0] as const,
          );
        // Only those who leave may get no response.
        return isImpatient ? result.catch(() => [200, true]) : result;
      }),
    );
    expect(results).toEqual(names.map(() => [200, true]));
    expect((await preview('thumb/many-0.jpg')).status).toBe(200);
    expect(app.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([]);
  });
});

describe('disabled previews', () => {
  test('send images unchanged, and return 501 for other files', async () => {
    const plain = await startApp({
      files: {
        '/photo.jpg': photo,
        '/camera.dng': dng,
        '/data.json': '{}',
        '/song.mp3': mp3(photo),
        '/folder/x.txt': '',
      },
      config: { disableThumbnails: 'on', disablePreviewResize: 'on' },
    });
    try {
      const token = await plain.signIn('admin');
      for (const size of ['thumb', 'medium', 'big']) {
        const get = (path: string): Promise<Response> =>
          plain.fetch(`/api/preview/${size}/${path}`, { token });
        expect(await bytesOf(await get('photo.jpg'))).toEqual(photo);
        expect(await bytesOf(await get('camera.dng'))).toEqual(dng);
        expect((await get('data.json')).status).toBe(501);
        expect((await get('song.mp3')).status).toBe(501);
        expect((await get('folder')).status).toBe(501);
      }
    } finally {
      await plain.close();
    }
  });

  test('do not serve a cache folder inside the served folder', async () => {
    const inside = await startApp({
      files: { '/photo.jpg': photo, '/mine/': '' },
      config: { cacheDir: 'root/mine' },
    });
    try {
      const token = await inside.signIn('admin');
      expect((await inside.fetch('/api/preview/thumb/photo.jpg', { token })).status).toBe(200);
      expect((await readdir(join(inside.root, 'mine', 'previews'))).length).toBe(1);
      expect((await inside.fetch('/api/resources/mine/previews', { token })).status).toBe(404);
      const listing = (await (await inside.fetch('/api/resources/mine', { token })).json()) as {
        items: unknown[];
      };
      expect(listing.items).toEqual([]);
    } finally {
      await inside.close();
    }
  });
});
