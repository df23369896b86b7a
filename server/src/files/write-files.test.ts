import { chmod, lstat, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { breakOffUpload } from '../../test/break-off.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

const mebibyte = 1024 * 1024;
type Body = NonNullable<RequestInit['body']> | null;
let app: TestApp;
let alice: string;
const tokens = new Map<string, string>();

beforeAll(async () => {
  app = await startApp({
    users: [
      { username: 'alice', scope: '/alice' },
      { username: 'creator', scope: '/alice', perm: { modify: false, rename: false, delete: false } },
      { username: 'modifier', scope: '/alice', perm: { create: false } },
      { username: 'nobody', scope: '/alice', perm: { create: false, modify: false } },
      { username: 'ruled', scope: '/alice', rules: [{ path: '/docs/secret' }], hideDotfiles: true },
    ],
    config: { maxUploadSize: String(10 * mebibyte) },
  });
  for (const name of ['alice', 'creator', 'modifier', 'nobody', 'ruled']) {
    tokens.set(name, await app.signIn(name));
  }
  alice = tokenOf('alice');
});
afterAll(() => app.close());

const tokenOf = (name: string): string => tokens.get(name) ?? '';
const onDisk = (path: string): string => join(app.root, 'alice', path);
const textOf = (path: string): Promise<string> => readFile(onDisk(path), 'utf8');

beforeEach(async () => {
  for (const name of await readdir(onDisk('/'))) await rm(onDisk(name), { recursive: true });
  await mkdir(onDisk('/docs/secret'), { recursive: true });
  await writeFile(onDisk('/a.txt'), 'old');
  await writeFile(onDisk('/docs/ok.txt'), 'ok');
  await writeFile(onDisk('/docs/secret/deny.txt'), 'canary');
});

const post = (path: string, body: Body = 'new', token = alice): Promise<Response> =>
  app.fetch(`/api/resources${path}`, { method: 'POST', token, body });
const put = (
  path: string,
  body: Body = 'new',
  headers: Record<string, string> = {},
  token = alice,
): Promise<Response> => app.fetch(`/api/resources${path}`, { method: 'PUT', token, body, headers });

describe('an upload', () => {
  test('creates a file and gets the response of File Browser’s API', async () => {
    const response = await post('/new.txt', 'content');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('200 OK\n');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await textOf('/new.txt')).toBe('content');
    const { mtimeNs, size } = await stat(onDisk('/new.txt'), { bigint: true });
    expect(response.headers.get('etag')).toBe(`"${mtimeNs.toString(16)}${size.toString(16)}"`);
  });

  test('creates missing parents, and may be empty', async () => {
    expect((await post('/x/y/z.txt', null)).status).toBe(200);
    expect(await textOf('/x/y/z.txt')).toBe('');
    const { mode } = await stat(onDisk('/x/y'));
    expect(mode & 0o111).not.toBe(0);
  });

  test('of an existing name is a conflict unless the parameter to overwrite is exactly true', async () => {
    for (const query of ['', '?override=', '?override=TRUE', '?override=1', '?override=false']) {
      expect((await post(`/a.txt${query}`)).status, query).toBe(409);
    }
    expect(await textOf('/a.txt')).toBe('old');
    expect((await post('/a.txt?override=true')).status).toBe(200);
    expect(await textOf('/a.txt')).toBe('new');
  });

  test('requires the permission to create, and to modify when it overwrites', async () => {
    expect((await post('/new.txt', 'x', tokenOf('modifier'))).status).toBe(403);
    expect((await post('/new/', null, tokenOf('modifier'))).status).toBe(403);
    expect((await post('/new.txt', 'x', tokenOf('nobody'))).status).toBe(403);
    const before = await stat(onDisk('/a.txt'));
    expect((await post('/a.txt?override=true', 'x', tokenOf('creator'))).status).toBe(403);
    const after = await stat(onDisk('/a.txt'));
    expect([after.mtimeMs, after.mode, after.ino]).toEqual([before.mtimeMs, before.mode, before.ino]);
    expect((await post('/b.txt?override=true', 'x', tokenOf('creator'))).status).toBe(200);
    expect(await readdir(onDisk('/'))).toEqual(['a.txt', 'b.txt', 'docs']);
  });

  test('obeys rules and the hiding of dotfiles at every level that it creates', async () => {
    const token = tokenOf('ruled');
    for (const path of ['/docs/secret/n.txt', '/docs/secret/x/', '//docs//secret//n.txt', '/.hidden']) {
      expect((await post(path, 'x', token)).status, path).toBe(403);
    }
    expect((await post('/docs/fine.txt', 'x', token)).status).toBe(200);
    expect(await readdir(onDisk('/docs/secret'))).toEqual(['deny.txt']);
  });

  test('never replaces a folder', async () => {
    expect((await post('/docs')).status).toBe(409);
    expect((await post('/docs?override=true')).status).toBe(405);
    expect(await textOf('/docs/ok.txt')).toBe('ok');
    expect((await post('/a.txt/below.txt')).status).toBe(409);
    expect(await textOf('/a.txt')).toBe('old');
  });

  test('keeps the permission bits of the overwritten file, and writes through links', async () => {
    await chmod(onDisk('/a.txt'), 0o640);
    await symlink('a.txt', onDisk('/link'));
    expect((await post('/link?override=true', 'through')).status).toBe(200);
    expect(await textOf('/a.txt')).toBe('through');
    expect((await stat(onDisk('/a.txt'))).mode & 0o777).toBe(0o640);
  });

  test.each([
    ['/a%00.txt', 400],
    ['/%', 400],
    ['/%E0%A4%A', 400],
    ['/%c0%ae%c0%ae/x', 400],
    ['/a%0Ab.txt', 400],
    ['/a%0Db.txt', 400],
    ['/a%1Bb.txt', 400],
    ['/a%7Fb.txt', 400],
    ['/a%0Ab/', 400],
    ['/a%0Ab/c.txt', 400],
    [`/${'n'.repeat(256)}`, 400],
    [`/${encodeURIComponent('😀'.repeat(64))}`, 400],
    [`/${'d/'.repeat(300)}f`, 400],
    [`/${'long/'.repeat(1000)}f`, 400],
    [`/${'n'.repeat(255)}`, 200],
    [`/${encodeURIComponent('日'.repeat(85))}`, 200],
    ['/%u002e%u002e/x', 400],
  ])('of the name %j ends with status %d and leaves no partial file', async (path, status) => {
    expect((await post(path)).status).toBe(status);
    if (status !== 200) expect(await readdir(onDisk('/'))).toEqual(['a.txt', 'docs']);
  });

  test('stores a body unchanged for every media type', async () => {
    const body = '--x\r\nContent-Disposition: form-data; name="f"; filename="../../y"\r\n\r\nhi\r\n--x--';
    for (const headers of [
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-encoding': 'gzip' },
      { 'content-type': 'application/json' },
    ]) {
      const response = await app.fetch('/api/resources/raw.bin?override=true', {
        method: 'POST',
        token: alice,
        body,
        headers: headers as Record<string, string>,
      });
      expect(response.status).toBe(200);
      expect(await textOf('/raw.bin')).toBe(body);
    }
  });

  test('larger than the limit or the free space is refused', async () => {
    expect((await post('/big.bin', Buffer.alloc(11 * mebibyte))).status).toBe(413);
    const declared = (bytes: string): Promise<string> =>
      app.rawRequest(
        `POST /api/resources/big.bin HTTP/1.1\r\nHost: x\r\nX-Auth: ${alice}\r\nContent-Length: ${bytes}\r\n\r\n`,
      );
    expect(await declared('1000000000000000')).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = `${mebibyte.toString(16)}\r\n${'x'.repeat(mebibyte)}\r\n`;
    const streamed = await app.rawRequest(
      `POST /api/resources/big.bin HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Auth: ${alice}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(11)}0\r\n\r\n`,
      { timeoutMs: 10_000 },
    );
    expect(streamed).toMatch(/^HTTP\/1\.1 413 /);
    expect(await readdir(onDisk('/'))).toEqual(['a.txt', 'docs']);
  });

  test('that is refused gets no “100 Continue”', async () => {
    const response = await app.rawRequest(
      `POST /api/resources/a.txt HTTP/1.1\r\nHost: x\r\nX-Auth: ${alice}\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 409 /);
    const welcome = await app.rawRequest(
      `POST /api/resources/fresh.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Auth: ${alice}\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc`,
    );
    expect(welcome).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    expect(await textOf('/fresh.txt')).toBe('abc');
  });

  test.each([
    'POST /api/resources/part.bin',
    'POST /api/resources/a.txt?override=true',
    'PUT /api/resources/a.txt',
  ])('%s that is aborted leaves existing files unchanged', async (start) => {
    const head = `${start} HTTP/1.1\r\nHost: x\r\nX-Auth: ${alice}\r\nContent-Length: 9000000\r\n\r\n`;
    const beginning = Buffer.concat([Buffer.from(head), Buffer.alloc(3 * mebibyte)]);
    await breakOffUpload(Number(new URL(app.url).port), beginning, onDisk('/'), async () => {
      expect((await app.fetch('/api/resources/', { token: alice })).status).toBe(200);
    });
    expect(await readdir(onDisk('/'))).toEqual(['a.txt', 'docs']);
    expect(await textOf('/a.txt')).toBe('old');
    expect(app.log.join('')).not.toContain('unexpected error');
  });

  test('concurrent with others leaves the whole content of one', async () => {
    const bodies = Array.from({ length: 8 }, (_, index) => String(index).repeat(300_000));
    const statuses = await Promise.all(
      bodies.map(async (body) => (await post('/a.txt?override=true', body)).status),
    );
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 200));
    expect(bodies).toContain(await textOf('/a.txt'));
    const created = await Promise.all(bodies.map(async (body) => (await post('/once.txt', body)).status));
    expect(created.filter((status) => status === 200)).toHaveLength(1);
    expect(created.filter((status) => status === 409)).toHaveLength(7);
  });
});

describe('a folder', () => {
  test('is created with its parents, and again without an error', async () => {
    expect((await post('/new/deep/', null)).status).toBe(200);
    expect((await post('/new/deep/', null)).status).toBe(200);
    expect((await stat(onDisk('/new/deep'))).isDirectory()).toBe(true);
    expect((await post('/docs/', 'ignored')).status).toBe(200);
    expect(await textOf('/docs/ok.txt')).toBe('ok');
    expect((await post('/', null)).status).toBe(200);
    expect((await post('', null)).status).toBe(200);
  });

  test('does not replace a file', async () => {
    expect((await post('/a.txt/', null)).status).toBe(409);
    expect((await post('/a.txt/?override=true', null)).status).toBe(409);
    expect(await textOf('/a.txt')).toBe('old');
  });
});

describe('a save', () => {
  test('replaces the content of an existing file', async () => {
    const response = await put('/a.txt', 'saved');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('200 OK\n');
    expect(await textOf('/a.txt')).toBe('saved');
    const { mtimeNs, size } = await stat(onDisk('/a.txt'), { bigint: true });
    expect(response.headers.get('etag')).toBe(`"${mtimeNs.toString(16)}${size.toString(16)}"`);
  });

  test('without a body empties the file', async () => {
    expect((await put('/a.txt', null)).status).toBe(200);
    expect(await textOf('/a.txt')).toBe('');
  });

  test('requires the permission to modify, and no other', async () => {
    expect((await put('/a.txt', 'x', {}, tokenOf('creator'))).status).toBe(403);
    expect((await put('/a.txt', 'x', {}, tokenOf('nobody'))).status).toBe(403);
    expect(await textOf('/a.txt')).toBe('old');
    expect((await put('/a.txt', 'x', {}, tokenOf('modifier'))).status).toBe(200);
    expect((await put('/docs/secret/deny.txt', 'x', {}, tokenOf('ruled'))).status).toBe(403);
    expect(await textOf('/docs/secret/deny.txt')).toBe('canary');
  });

  test('creates no file and changes no folder', async () => {
    expect((await put('/missing.txt')).status).toBe(404);
    expect((await put('/docs')).status).toBe(405);
    expect((await put('/docs/')).status).toBe(405);
    expect((await put('/a.txt/')).status).toBe(405);
    expect((await put('/missing/')).status).toBe(405);
    expect((await put('/')).status).toBe(405);
    expect(await readdir(onDisk('/'))).toEqual(['a.txt', 'docs']);
    expect(await textOf('/a.txt')).toBe('old');
  });

  test('keeps permission bits, and writes through links', async () => {
    await chmod(onDisk('/a.txt'), 0o600);
    await symlink('a.txt', onDisk('/link'));
    expect((await put('/link', 'through')).status).toBe(200);
    expect(await textOf('/a.txt')).toBe('through');
    expect((await stat(onDisk('/a.txt'))).mode & 0o777).toBe(0o600);
    expect((await lstat(onDisk('/link'))).isSymbolicLink()).toBe(true);
  });

  test('with If-Match replaces only the state that was read', async () => {
    const read = await app.fetch('/api/resources/a.txt', { token: alice });
    const tag = read.headers.get('etag') ?? '';
    const saved = await put('/a.txt', 'first', { 'if-match': tag });
    expect(saved.status).toBe(200);
    expect((await put('/a.txt', 'second', { 'if-match': tag })).status).toBe(412);
    expect((await put('/a.txt', 'second', { 'if-match': 'W/"x"' })).status).toBe(412);
    expect(await textOf('/a.txt')).toBe('first');
    const newTag = saved.headers.get('etag') ?? '';
    expect((await put('/a.txt', 'third', { 'if-match': `"x", ${newTag}` })).status).toBe(200);
    expect((await put('/a.txt', 'fourth', { 'if-match': '*' })).status).toBe(200);
    expect((await put('/missing', 'x', { 'if-match': '*' })).status).toBe(404);
  });

  test('of the same state succeeds for one of many concurrent requests', async () => {
    const tag = (await app.fetch('/api/resources/a.txt', { token: alice })).headers.get('etag') ?? '';
    const statuses = await Promise.all(
      Array.from(
        { length: 8 },
        async (_, index) => (await put('/a.txt', `version ${index}`, { 'if-match': tag })).status,
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(7);
  });
});
