import { writeFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { hasTool, pipeThrough, unpack } from '../../test/fixtures/archive-reading.ts';
import { noise } from '../../test/fixtures/archived-docs.ts';
import { decodeSnappyFrames } from '../../test/fixtures/snappy-frames.ts';

/** More than a block of the formats that are compressed in parallel blocks, except xz. */
const text = Array.from({ length: 60_000 }, (_, line) => `${line >> 4} all work and no play\n`).join('');
let app: TestApp;
let admin: string;

beforeAll(async () => {
  app = await startApp({
    files: {
      '/docs/noise.bin': noise,
      '/docs/text.txt': text,
      '/docs/empty.txt': '',
      '/docs/sub/deep/small.txt': 'small',
      '/docs/hollow/': '',
      '/one.txt': 'one',
    },
  });
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const download = async (path: string): Promise<{ response: Response; bytes: Buffer }> => {
  const response = await app.fetch(`/api/raw${path}`, { token: admin });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

const expectTree = (bytes: Uint8Array, kind: 'tar' | 'zip'): void => {
  const tree = unpack(bytes, kind);
  expect([...tree.keys()].sort()).toEqual(
    ['empty.txt', 'hollow', 'noise.bin', 'sub', 'sub/deep', 'sub/deep/small.txt', 'text.txt'].sort(),
  );
  expect(tree.get('noise.bin')?.content).toBe(noise.toString('latin1'));
  expect(tree.get('text.txt')?.content).toBe(text);
  expect(tree.get('empty.txt')?.content).toBe('');
  expect(tree.get('hollow')?.content).toBeNull();
};

interface Case {
  readonly algo: string;
  readonly extension: string;
  readonly mediaType: string;
  /** The program that decompresses it; Node if omitted. */
  readonly tool?: string;
  readonly open: (bytes: Buffer) => Buffer;
}
const same = (bytes: Buffer): Buffer => bytes;
const binary = 'application/octet-stream';
const cases: Case[] = [
  { algo: 'tar', extension: 'tar', mediaType: binary, open: same },
  { algo: 'targz', extension: 'tar.gz', mediaType: 'application/x-gzip', open: (bytes) => gunzipSync(bytes) },
  {
    algo: 'tar.gz',
    extension: 'tar.gz',
    mediaType: 'application/x-gzip',
    open: (bytes) => gunzipSync(bytes),
  },
  {
    algo: 'tarbz2',
    extension: 'tar.bz2',
    mediaType: binary,
    tool: 'bzip2',
    open: (bytes) => pipeThrough('bzip2', ['-dc'], bytes),
  },
  {
    algo: 'tarxz',
    extension: 'tar.xz',
    mediaType: binary,
    tool: 'xz',
    open: (bytes) => pipeThrough('xz', ['-dc'], bytes),
  },
  {
    algo: 'tarlz4',
    extension: 'tar.lz4',
    mediaType: binary,
    tool: 'lz4',
    open: (bytes) => pipeThrough('lz4', ['-dc'], bytes),
  },
  { algo: 'tarsz', extension: 'tar.sz', mediaType: binary, open: decodeSnappyFrames },
  {
    algo: 'tarzst',
    extension: 'tar.zst',
    mediaType: binary,
    tool: 'zstd',
    open: (bytes) => pipeThrough('zstd', ['-dcq'], bytes),
  },
  { algo: 'tarbr', extension: 'tar.br', mediaType: binary, open: (bytes) => brotliDecompressSync(bytes) },
];

describe.each(cases)('the format $algo', ({ algo, extension, mediaType, tool, open }) => {
  test.skipIf(tool !== undefined && !hasTool(tool))(`is read by the system's ${tool ?? 'tar'}`, async () => {
    const { response, bytes } = await download(`/docs?algo=${algo}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(response.headers.get('content-disposition')).toContain(`filename*=utf-8''docs.${extension};`);
    expect(response.headers.get('content-length')).toBeNull();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expectTree(open(bytes), 'tar');
    // The text consists of lines that are repeated.
    if (algo !== 'tar') expect(bytes.length).toBeLessThan(noise.length + text.length / 4);
  });
});

describe.skipIf(!hasTool('unzip'))('zip', () => {
  test.each(['', '?algo=zip', '?algo=true', '?algo=', '?algo=ZIP'])(
    'is sent for a folder with the query “%s”',
    async (query) => {
      const { response, bytes } = await download(`/docs${query}`);
      expect(response.headers.get('content-type')).toBe('application/zip');
      expect(response.headers.get('content-disposition')).toContain("filename*=utf-8''docs.zip;");
      expectTree(bytes, 'zip');
    },
  );

  test('marks names as UTF-8', async () => {
    const { bytes } = await download('/?files=one.txt');
    expect(bytes.readUInt32LE(0)).toBe(0x04034b50);
    expect(bytes.readUInt16LE(6) & 0x0800).toBe(0x0800);
  });
});

test.skipIf(!hasTool('xz'))(
  'a tar.xz that is compressed in several blocks is one archive for xz',
  async () => {
    const big = Buffer.concat([noise, Buffer.alloc(8 * 1024 * 1024, text)]);
    writeFileSync(`${app.root}/big.bin`, big);
    const { bytes } = await download('/?files=big.bin,one.txt&algo=tarxz');
    const magic = Buffer.from('fd377a585a00', 'hex');
    let streams = 0;
    for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 1)) streams += 1;
    expect(streams).toBe(Math.ceil(big.length / (4 * 1024 * 1024)));
    const tree = unpack(pipeThrough('xz', ['-dc'], bytes), 'tar');
    expect(tree.get('big.bin')?.content).toBe(big.toString('latin1'));
    expect(tree.get('one.txt')?.content).toBe('one');
  },
);

test('an unknown format is refused for folders and ignored for a single file', async () => {
  const refused = await app.fetch('/api/raw/docs?algo=rar', {
    token: admin,
    headers: { accept: 'application/json' },
  });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code: 'unsupported_archive_format' });
  expect((await download('/one.txt?algo=rar')).bytes.toString()).toBe('one');
});

test('a HEAD request gets the headers of GET and no body', async () => {
  for (const algo of ['zip', 'tar', 'tarzst', 'tarbz2']) {
    const response = await app.fetch(`/api/raw/docs?algo=${algo}`, { token: admin, method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename\*=utf-8''docs\./);
    expect(await response.text()).toBe('');
  }
  expect((await app.fetch('/api/raw/missing/', { token: admin, method: 'HEAD' })).status).toBe(404);
});

test('archives ignore ranges', async () => {
  const response = await app.fetch('/api/raw/docs?algo=tar', {
    token: admin,
    headers: { range: 'bytes=0-9' },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('accept-ranges')).toBe('none');
  expectTree(Buffer.from(await response.arrayBuffer()), 'tar');
});
