import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  buildBmp,
  cornersOf,
  quartersJpeg,
  quartersPicture,
  asStoredByCamera,
  wrongCorner,
} from '../previews-testing.ts';
import { decodePicture } from './decode-picture.ts';
import { PictureTooLargeError } from './picture-errors.ts';
import type { DecodeRequest, PictureKind } from './protocol.ts';

const make = (bytes: Buffer, kind: PictureKind, rest: Partial<DecodeRequest> = {}) =>
  decodePicture(bytes, { kind, size: 'thumb', isForBrowser: false, orientation: null, part: null, ...rest });
const both = ['thumb', 'big'] as const;
const orientations = [1, 2, 3, 4, 5, 6, 7, 8];

async function dimensions(bytes: Buffer): Promise<[number, number]> {
  const { width, height } = await sharp(bytes).metadata();
  return [width, height];
}

describe('sizes', () => {
  test.each([
    [2000, 1500, [480, 360], [1080, 810]],
    [1500, 2000, [360, 480], [810, 1080]],
    [1080, 1080, [480, 480], [1080, 1080]],
    [50, 20, [50, 20], [50, 20]],
    [1, 1, [1, 1], [1, 1]],
    [1, 5000, [1, 480], [1, 1080]],
  ])('a picture of %d × %d becomes 256 × 256, %j and %j', async (width, height, medium, big) => {
    const bytes = await quartersJpeg(width, height);
    expect(await dimensions((await make(bytes, 'jpeg')).bytes)).toEqual([256, 256]);
    expect(await dimensions((await make(bytes, 'jpeg', { size: 'medium' })).bytes)).toEqual(medium);
    expect(await dimensions((await make(bytes, 'jpeg', { size: 'big' })).bytes)).toEqual(big);
  });

  test('a thumbnail shows the center', async () => {
    const wide = await sharp({ create: { width: 1200, height: 300, channels: 3, background: '#000' } })
      .composite([{ input: await quartersPicture(300, 300).png().toBuffer(), left: 450, top: 0 }])
      .png()
      .toBuffer();
    expect(await wrongCorner((await make(wide, 'png')).bytes)).toBeNull();
  });
});

describe('orientation', () => {
  test.each(orientations)('applies the orientation %d of the picture itself', async (orientation) => {
    const bytes = await quartersJpeg(600, 400, orientation);
    for (const size of both) {
      const { bytes: preview } = await make(bytes, 'jpeg', { size });
      expect(await wrongCorner(preview), size).toBeNull();
      if (size === 'big') expect(await dimensions(preview)).toEqual([600, 400]);
    }
  });

  test.each(orientations)('applies the orientation %d of the enclosing file', async (orientation) => {
    const stored = await asStoredByCamera(quartersPicture(600, 400), orientation)
      .jpeg({ quality: 95 })
      .toBuffer();
    for (const size of both) {
      const { bytes: preview } = await make(stored, 'jpeg', { size, orientation });
      expect(await wrongCorner(preview), size).toBeNull();
      if (size === 'big') expect(await dimensions(preview)).toEqual([600, 400]);
    }
  });

  test('removes the metadata of the orientation', async () => {
    const { bytes } = await make(await quartersJpeg(600, 400, 6), 'jpeg', { size: 'big' });
    const { orientation, exif, icc } = await sharp(bytes).metadata();
    expect([orientation, exif, icc]).toEqual([undefined, undefined, undefined]);
  });

  test('does not use an embedded thumbnail with other content', async () => {
    // Editors change a picture and leave the old thumbnail in its EXIF data.
    const bytes = await sharp(await quartersJpeg(600, 400))
      .withExif({ IFD1: { Compression: '6' } })
      .jpeg()
      .toBuffer();
    expect(await wrongCorner((await make(bytes, 'jpeg')).bytes)).toBeNull();
  });
});

describe('formats and colors', () => {
  const encoded: [string, PictureKind, (picture: Sharp) => Sharp, string, string][] = [
    ['JPEG', 'jpeg', (picture) => picture.jpeg({ quality: 95 }), 'image/jpeg', 'image/jpeg'],
    [
      'progressive JPEG',
      'jpeg',
      (picture) => picture.jpeg({ progressive: true }),
      'image/jpeg',
      'image/jpeg',
    ],
    [
      'wide-gamut JPEG',
      'jpeg',
      (picture) => picture.withIccProfile('p3').jpeg({ quality: 95 }),
      'image/jpeg',
      'image/jpeg',
    ],
    ['PNG', 'png', (picture) => picture.png(), 'image/png', 'image/png'],
    ['PNG of 16 bits', 'png', (picture) => picture.toColourspace('rgb16').png(), 'image/png', 'image/png'],
    ['PNG with a palette', 'png', (picture) => picture.png({ palette: true }), 'image/png', 'image/png'],
    ['WebP', 'webp', (picture) => picture.webp({ quality: 95 }), 'image/webp', 'image/webp'],
    ['AVIF', 'avif', (picture) => picture.avif({ effort: 1 }), 'image/jpeg', 'image/jpeg'],
    ['TIFF', 'tiff', (picture) => picture.tiff({ compression: 'lzw' }), 'image/tiff', 'image/jpeg'],
    ['GIF', 'gif', (picture) => picture.gif(), 'image/png', 'image/png'],
  ];

  test.each(encoded)(
    'decodes %s and returns the expected media types',
    async (_, kind, encode, bigType, bigTypeInBrowsers) => {
      const bytes = await encode(quartersPicture(700, 500)).toBuffer();
      const thumb = await make(bytes, kind);
      expect([thumb.mediaType, await wrongCorner(thumb.bytes, 40)]).toEqual(['image/jpeg', null]);
      const big = await make(bytes, kind, { size: 'big' });
      expect([big.mediaType, await wrongCorner(big.bytes, 40)]).toEqual([bigType, null]);
      const shown = await make(bytes, kind, { size: 'big', isForBrowser: true });
      expect([shown.mediaType, await wrongCorner(shown.bytes, 40)]).toEqual([bigTypeInBrowsers, null]);
    },
  );

  test('applies a color profile', async () => {
    const orange = sharp({ create: { width: 400, height: 400, channels: 3, background: '#e06020' } });
    const bytes = await orange.withIccProfile('p3').png().toBuffer();
    const stored = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer();
    expect(Math.abs((stored[0] ?? 0) - 0xe0)).toBeGreaterThan(8);
    const { topLeft } = await cornersOf((await make(bytes, 'png', { size: 'big' })).bytes);
    for (const [index, value] of [0xe0, 0x60, 0x20].entries())
      expect(Math.abs((topLeft[index] ?? 0) - value)).toBeLessThan(4);
  });

  test.each(['jpeg', 'tiff'] as const)('converts CMYK pictures (%s)', async (kind) => {
    // Colors that paper can show as well; bright green is not among them.
    const color = [160, 96, 80];
    const brick = sharp({ create: { width: 400, height: 400, channels: 3, background: '#a06050' } });
    const bytes = await brick.toColourspace('cmyk')[kind]().toBuffer();
    expect((await sharp(bytes).metadata()).space).toBe('cmyk');
    const { topLeft } = await cornersOf((await make(bytes, kind)).bytes);
    for (const [index, value] of color.entries())
      expect(Math.abs((topLeft[index] ?? 0) - value)).toBeLessThan(12);
  });

  test('converts BMP to PNG', async () => {
    const bytes = buildBmp({ width: 4, height: 4, bits: 24, pixels: Buffer.alloc(48, 0x80) });
    const big = await make(bytes, 'bmp', { size: 'big' });
    expect([big.mediaType, await dimensions(big.bytes)]).toEqual(['image/png', [4, 4]]);
    expect((await make(bytes, 'bmp')).mediaType).toBe('image/jpeg');
  });

  test('fills transparency with white in a JPEG and keeps it for clients that support it', async () => {
    const clear = await sharp({ create: { width: 300, height: 300, channels: 4, background: '#ff000000' } })
      .png({ palette: true })
      .toBuffer();
    const jpeg = await make(clear, 'png');
    expect((await cornersOf(jpeg.bytes)).topLeft).toEqual([255, 255, 255]);
    const webp = await make(clear, 'png', { isForBrowser: true });
    expect(webp.mediaType).toBe('image/webp');
    expect((await sharp(webp.bytes).metadata()).hasAlpha).toBe(true);
    expect((await sharp((await make(clear, 'png', { size: 'big' })).bytes).metadata()).hasAlpha).toBe(true);
  });

  test('uses the first frame of an animation', async () => {
    const frames = await Promise.all(
      [
        quartersPicture(64, 64),
        sharp({ create: { width: 64, height: 64, channels: 3, background: '#000' } }),
      ].map((picture) => picture.png().toBuffer()),
    );
    for (const kind of ['gif', 'webp'] as const) {
      const animation = sharp(frames, { join: { animated: true } });
      const bytes = await (kind === 'gif' ? animation.gif() : animation.webp()).toBuffer();
      expect((await sharp(bytes).metadata()).pages).toBe(2);
      expect(await wrongCorner((await make(bytes, kind)).bytes, 40)).toBeNull();
    }
  });
});

describe('SVG files', () => {
  const svg = (inner: string, head = 'width="400" height="400"'): Buffer =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${head}>${inner}</svg>`,
    );

  test('open neither files nor URLs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'filestead-svg-'));
    let calls = 0;
    const server = createServer((_request, response) => {
      calls += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const red = join(folder, 'red.png');
      await writeFile(
        red,
        await sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } })
          .png()
          .toBuffer(),
      );
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.png`;
      const images = [red, `file://${red}`, address].map(
        (href) => `<image href="${href}" xlink:href="${href}" width="400" height="400"/>`,
      );
      const graphic = svg(
        `<style>@import url(${address});</style><script>fetch("${address}")</script>${images.join('')}`,
      );
      const { bytes } = await make(graphic, 'svg');
      expect((await cornersOf(bytes)).topLeft).toEqual([255, 255, 255]);
      expect(calls).toBe(0);
    } finally {
      server.close();
      await rm(folder, { recursive: true });
    }
  });

  test('read no entities from files', async () => {
    const graphic = Buffer.concat([
      Buffer.from('<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/hostname">]>'),
      svg('<text x="0" y="200" font-size="200">&x;&x;&x;</text>'),
    ]);
    await expect(make(graphic, 'svg')).rejects.toThrow("Entity 'x' not defined");
  });

  test('are rejected if they have huge dimensions or expand', async () => {
    await expect(make(svg('', 'width="900000" height="900000"'), 'svg')).rejects.toThrow(
      'exceeds pixel limit',
    );
    const uses = Array.from(
      { length: 40 },
      (_, level) => `<g id="g${level + 1}"><use href="#g${level}"/><use href="#g${level}"/></g>`,
    );
    const bomb = svg(`<defs><rect id="g0" width="1" height="1"/>${uses.join('')}</defs><use href="#g40"/>`);
    // The renderer counts the elements that it draws. Without that limit this would take years.
    await expect(make(bomb, 'svg')).rejects.toThrow('SVG rendering failed');
  });
});

describe('hostile pictures', () => {
  const start = async (kind: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff'): Promise<Buffer> =>
    quartersPicture(600, 400)[kind]().toBuffer();

  test.each(['jpeg', 'png', 'webp', 'gif', 'tiff'] as const)(
    'a truncated or empty %s is rejected',
    async (kind) => {
      const whole = await start(kind);
      await expect(make(whole.subarray(0, Math.floor(whole.length * 0.6)), kind)).rejects.toThrow();
      await expect(make(whole.subarray(0, 20), kind)).rejects.toThrow();
      await expect(make(Buffer.alloc(0), kind)).rejects.toThrow();
    },
  );

  test('a picture of another format than detected is rejected', async () => {
    await expect(make(await start('png'), 'jpeg')).rejects.toThrow('of another format');
    await expect(make(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'png')).rejects.toThrow();
  });

  test('a PNG of 50,000 × 50,000 pixels in a few bytes is rejected', async () => {
    const bomb = Buffer.from(await start('png'));
    bomb.writeUInt32BE(50_000, 16);
    bomb.writeUInt32BE(50_000, 20);
    const { crc32 } = await import('node:zlib');
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    await expect(make(bomb, 'png')).rejects.toThrow(/pixel limit/);
  });

  test('a JPEG of 65,000 × 65,000 pixels is rejected', async () => {
    const bomb = Buffer.from(await start('jpeg'));
    const frame = bomb.indexOf(Buffer.from('ffc0', 'hex'));
    bomb.writeUInt16BE(65_000, frame + 5);
    bomb.writeUInt16BE(65_000, frame + 7);
    await expect(make(bomb, 'jpeg')).rejects.toThrow(/pixel limit/);
  });

  test('a progressive JPEG that needs too much memory is rejected', async () => {
    const bomb = Buffer.from(await quartersPicture(600, 400).jpeg({ progressive: true }).toBuffer());
    const frame = bomb.indexOf(Buffer.from('ffc2', 'hex'));
    bomb.writeUInt16BE(14_000, frame + 5);
    bomb.writeUInt16BE(14_000, frame + 7);
    await expect(make(bomb, 'jpeg')).rejects.toThrow(PictureTooLargeError);
  });
});
