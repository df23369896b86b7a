import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';

const partType = 'application/offset+octet-stream';
const tus = { 'tus-resumable': '1.0.0' };
let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    files: { 'docs/': '' },
    users: [{ username: 'ruled', rules: [{ path: '/secret' }] }],
  });
  token = await app.signIn('admin');
});
afterAll(() => app.close());

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const metadata = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(',');
const sum = (algorithm: string, text: string): string =>
  `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`;
const onDisk = (name: string): string | null => {
  const file = join(app.root, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};
const unfinished = (): string[] => readdirSync(app.root).filter((name) => name.startsWith('.filestead-'));
interface CallOptions {
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly as?: string;
}
const call = (
  method: string,
  path: string,
  { headers = {}, body, as = token }: CallOptions = {},
): Promise<Response> =>
  app.fetch(path, {
    method,
    token: as,
    headers: { ...tus, ...headers },
    ...(body === undefined ? {} : { body }),
  });
const begin = async (path: string, length: number): Promise<string> => {
  const response = await call('POST', path, { headers: { 'upload-length': String(length) } });
  expect(response.status).toBe(201);
  return response.headers.get('location') ?? '';
};
const patch = (location: string, offset: number, body: string, headers: Record<string, string> = {}) =>
  call('PATCH', location, {
    body,
    headers: { 'content-type': partType, 'upload-offset': String(offset), ...headers },
  });
const offsetOf = async (location: string): Promise<string | null> =>
  (await call('HEAD', location)).headers.get('upload-offset');
const run = (content: Buffer, options: Partial<UploadOptions>): Promise<Upload> =>
  new Promise((resolve, reject) => {
    const upload = new Upload(content, {
      endpoint: `${app.url}/api/tus`,
      headers: { 'X-Auth': token },
      retryDelays: [0, 0],
      onSuccess: () => resolve(upload),
      onError: reject,
      ...options,
    });
    upload.start();
  });

describe('unsupported extensions', () => {
  test('parallelUploads of tus-js-client is refused before anything is created', async () => {
    const uploading = run(Buffer.alloc(4_000_000, 'x'), {
      endpoint: `${app.url}/api/tus/parallel.bin`,
      parallelUploads: 4,
      metadataForPartialUploads: {},
    });
    await expect(uploading).rejects.toThrow(/400.*upload-concat/);
    expect([onDisk('parallel.bin'), unfinished()]).toEqual([null, []]);
  });

  test.each([
    ['a partial upload', { 'upload-concat': 'partial', 'upload-length': '3' }],
    ['a final upload', { 'upload-concat': 'final;/api/tus/a /api/tus/b' }],
    ['a deferred length', { 'upload-defer-length': '1' }],
    ['a deferred length beside a length', { 'upload-defer-length': '1', 'upload-length': '3' }],
    ['a length that is sent twice', { 'upload-length': '3, 4' }],
    [
      'the IETF draft',
      { 'upload-draft-interop-version': '6', 'upload-complete': '?1', 'upload-length': '3' },
    ],
    ['an unknown checksum algorithm', { 'upload-checksum': 'crc64 AAAAAAAAAAA=', 'upload-length': '3' }],
    ['a checksum of the wrong length', { 'upload-checksum': 'sha1 AAAA', 'upload-length': '3' }],
  ])('%s is refused before anything is created', async (_name, headers) => {
    for (const body of [undefined, 'abc']) {
      const response = await call('POST', '/api/tus/refused.txt', {
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': partType }) },
        ...(body === undefined ? {} : { body }),
      });
      expect([response.status, response.headers.get('tus-resumable')]).toEqual([400, '1.0.0']);
    }
    expect([onDisk('refused.txt'), unfinished()]).toEqual([null, []]);
  });

  test('Upload-Concat is rejected without Tus-Resumable, and on a part, without changing the upload', async () => {
    const dialect = await app.fetch('/api/tus/dialect.txt', {
      method: 'POST',
      token,
      headers: { 'upload-length': '3', 'upload-concat': 'partial' },
    });
    expect(dialect.status).toBe(400);
    const location = await begin('/api/tus/part.txt', 3);
    expect((await patch(location, 0, 'abc', { 'upload-concat': 'partial' })).status).toBe(400);
    expect([await offsetOf(location), onDisk('part.txt')]).toEqual(['0', null]);
    expect((await call('DELETE', location)).status).toBe(204);
  });

  test('a part with another Upload-Length than the upload is refused', async () => {
    const location = await begin('/api/tus/length.txt', 3);
    expect((await patch(location, 0, 'abc', { 'upload-length': '4' })).status).toBe(400);
    expect((await patch(location, 0, 'abc', { 'upload-length': '3' })).status).toBe(204);
    expect(onDisk('length.txt')).toBe('abc');
  });

  test('a first part that is longer than its upload creates nothing', async () => {
    const response = await call('POST', '/api/tus/longer.txt', {
      headers: { 'upload-length': '2', 'content-type': partType },
      body: 'abc',
    });
    expect(response.status).toBe(413);
    const empty = await call('POST', '/api/tus/longer.txt', {
      headers: { 'upload-length': '0', 'content-type': partType },
      body: 'abc',
    });
    expect(empty.status).toBe(413);
    const chunked = await app.rawRequest(
      `POST /api/tus/longer.txt HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nTus-Resumable: 1.0.0\r\nUpload-Length: 2\r\n` +
        `Content-Type: ${partType}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    expect([onDisk('longer.txt'), unfinished()]).toEqual([null, []]);
  });
});

describe('checksums', () => {
  test('OPTIONS announces the algorithms', async () => {
    const response = await app.fetch('/api/tus', { method: 'OPTIONS' });
    expect(response.headers.get('tus-extension')?.split(',')).toContain('checksum');
    expect(response.headers.get('tus-checksum-algorithm')).toBe('sha1,md5,sha256,sha512');
  });

  test.each(['sha1', 'md5', 'sha256', 'sha512'])(
    'a part with the wrong %s is refused with 460 and discarded',
    async (algorithm) => {
      const name = `sum-${algorithm}.txt`;
      const location = await begin(`/api/tus/${name}`, 6);
      expect((await patch(location, 0, 'abc', { 'upload-checksum': sum(algorithm, 'abc') })).status).toBe(
        204,
      );
      const wrong = await patch(location, 3, 'dxf', { 'upload-checksum': sum(algorithm, 'def') });
      expect([wrong.status, wrong.statusText, await wrong.text()]).toEqual([
        460,
        'Checksum Mismatch',
        '460 Checksum Mismatch\n',
      ]);
      expect([await offsetOf(location), onDisk(name)]).toEqual(['3', null]);
      expect((await patch(location, 3, 'def', { 'upload-checksum': sum(algorithm, 'def') })).status).toBe(
        204,
      );
      expect(onDisk(name)).toBe('abcdef');
    },
  );

  test('a first part with a wrong checksum creates nothing', async () => {
    const send = (body: string): Promise<Response> =>
      call('POST', '/api/tus/first.txt', {
        headers: { 'upload-length': '3', 'content-type': partType, 'upload-checksum': sum('sha1', 'abc') },
        body,
      });
    const wrong = await send('abd');
    expect([wrong.status, wrong.headers.get('location'), unfinished()]).toEqual([460, null, []]);
    expect([(await send('abc')).status, onDisk('first.txt')]).toEqual([201, 'abc']);
  });

  test('nothing is kept of a part with a checksum whose connection breaks', async () => {
    const location = await begin('/api/tus/broken.txt', 6);
    await app.rawRequest(
      `PATCH ${location} HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n` +
        `Upload-Checksum: ${sum('sha1', 'abcdef')}\r\nContent-Type: ${partType}\r\nContent-Length: 6\r\n\r\nabc`,
      { timeoutMs: 200 },
    );
    expect(await offsetOf(location)).toBe('0');
    expect((await patch(location, 0, 'abcdef', { 'upload-checksum': sum('sha1', 'abcdef') })).status).toBe(
      204,
    );
    expect(onDisk('broken.txt')).toBe('abcdef');
  });
});

describe('one address for all uploads', () => {
  test('tus-js-client uploads to /api/tus with the name in the metadata', async () => {
    for (const [endpoint, name] of [
      ['/api/tus', 'fixed one.bin'],
      ['/api/tus/', 'fixed two.bin'],
      ['/api/tus/docs/', 'für alle.bin'],
    ] as const) {
      const upload = await run(Buffer.alloc(300_000, 'y'), {
        endpoint: `${app.url}${endpoint}`,
        chunkSize: 100_000,
        metadata: { filename: name, filetype: 'application/octet-stream' },
      });
      expect(upload.url).toContain(`${encodeURIComponent(name)}?upload=`);
      expect(onDisk(`${endpoint.slice('/api/tus'.length)}/${name}`)?.length).toBe(300_000);
    }
  });

  // As @uppy/tus sends them: `name` and `type` repeated as `filename` and `filetype`, and "null" for no folder.
  test.each([
    [
      { relativePath: 'null', name: 'a.txt', type: 'text/plain', filename: 'a.txt', filetype: 'text/plain' },
      'a.txt',
    ],
    [{ relativePath: 'photos/2026/b.jpg', name: 'b.jpg', filename: 'b.jpg' }, 'photos/2026/b.jpg'],
    [{ relativePath: 'photos/c.jpg', name: 'renamed.jpg', filename: 'renamed.jpg' }, 'photos/renamed.jpg'],
    [{ name: 'only name.txt' }, 'only name.txt'],
    [{ filename: 'below/it.txt' }, 'below/it.txt'],
    [{ relativePath: 'folder/alone.txt' }, 'folder/alone.txt'],
  ])('Uppy’s metadata %j creates the file %s', async (values, path) => {
    const response = await call('POST', '/api/tus', {
      headers: { 'upload-length': '3', 'upload-metadata': metadata(values) },
    });
    expect(response.status).toBe(201);
    expect((await patch(response.headers.get('location') ?? '', 0, 'abc')).status).toBe(204);
    expect(onDisk(path)).toBe('abc');
    const again = await call('POST', '/api/tus', {
      headers: { 'upload-length': '3', 'upload-metadata': metadata(values) },
    });
    expect(again.status).toBe(409);
  });

  test.each([
    ['no metadata', ''],
    ['no name', metadata({ filetype: 'text/plain' })],
    ['an empty name', 'filename'],
    ['a name that is a folder', metadata({ filename: 'folder/' })],
    ['a name with ..', metadata({ filename: '../out.txt' })],
    ['a folder with ..', metadata({ relativePath: '../x/out.txt', filename: 'out.txt' })],
    ['a name with NUL', metadata({ filename: 'out\0.txt' })],
    ['a name with a line break', metadata({ filename: 'out\n.txt' })],
    ['metadata that is not Base64', 'filename out.txt'],
    ['a name that is not UTF-8', `filename ${Buffer.from([0xff, 0xfe]).toString('base64')}`],
  ])('%s is refused with 400 and creates nothing', async (_name, header) => {
    const before = readdirSync(app.root);
    const response = await call('POST', '/api/tus', {
      headers: { 'upload-length': '3', ...(header === '' ? {} : { 'upload-metadata': header }) },
    });
    expect(response.status).toBe(400);
    expect(readdirSync(app.root)).toEqual(before);
  });

  test('a name in the metadata obeys the rules of its user', async () => {
    const as = await app.signIn('ruled');
    const response = await call('POST', '/api/tus', {
      as,
      headers: { 'upload-length': '3', 'upload-metadata': metadata({ filename: 'secret/a.txt' }) },
    });
    expect(response.status).toBe(403);
  });

  test('without Tus-Resumable a folder is rejected as target', async () => {
    const response = await app.fetch('/api/tus/', {
      method: 'POST',
      token,
      headers: { 'upload-length': '3', 'upload-metadata': metadata({ filename: 'a.txt' }) },
    });
    expect(response.status).toBe(400);
  });
});

test.each([
  ['POST', '/api/tus', 401],
  ['PATCH', '/api/tus/x', 401],
  ['HEAD', '/api/tus/x', 401],
  ['DELETE', '/api/tus/x?upload=y', 401],
  ['PUT', '/api/tus/x', 405],
  ['HEAD', '/api/tus/..%2Fx', 400],
])('%s %s is refused with %i and Tus-Resumable', async (method, path, status) => {
  const signed = status === 401 ? {} : { token };
  const response = await app.fetch(path, { method, headers: tus, ...signed });
  expect([response.status, response.headers.get('tus-resumable')]).toEqual([status, '1.0.0']);
  const dialect = await app.fetch(path, { method, ...signed });
  expect([dialect.status, dialect.headers.get('tus-resumable')]).toEqual([status, null]);
});
