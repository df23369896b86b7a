import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { quartersPicture } from '../../src/previews/previews-testing.ts';
import { hasTool, pipeThrough, unpack } from '../fixtures/archive-reading.ts';
import { decodeSnappyFrames } from '../fixtures/snappy-frames.ts';
import { formerPassword, formerUser, writeFormerDatabase } from '../fixtures/filebrowser-data.ts';
import { type Runs, openRuns } from '../run-main.ts';

const password = 'a password for tests';
let runs: Runs;
let url: string;
let token: string;

async function signIn(at: string, username: string, itsPassword: string): Promise<Response> {
  return fetch(`${at}api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: itsPassword }),
  });
}

/** Returns the body of a response of the running server. Fails unless its status is 200. */
async function get(path: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await fetch(`${url}${path}`, { headers: { 'x-auth': token, ...headers } });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect({ path, status: response.status, text: response.ok ? '' : bytes.toString() }).toEqual({
    path,
    status: 200,
    text: '',
  });
  return bytes;
}
const getJson = async <T>(path: string): Promise<T> => JSON.parse((await get(path)).toString()) as T;

beforeAll(async () => {
  runs = await openRuns();
  await mkdir(join(runs.root, 'docs'));
  await writeFile(join(runs.root, 'docs', 'report.txt'), 'all work and no play\n'.repeat(20_000));
  const picture = quartersPicture(640, 480);
  await writeFile(join(runs.root, 'photo.jpg'), await picture.clone().jpeg().toBuffer());
  await writeFile(join(runs.root, 'photo.png'), await picture.clone().png().toBuffer());
  await writeFile(join(runs.root, 'photo.tiff'), await picture.clone().tiff().toBuffer());
  const server = runs.run(
    '--port',
    '0',
    '--password',
    password,
    '--enableExec',
    'on',
    '--execUnsandboxed',
    '--contentSearch',
    'on',
  );
  [, url = ''] = await server.waitFor(/at (http:\S+)/);
  const response = await signIn(url, 'admin', password);
  expect(response.status).toBe(200);
  token = await response.text();
});
afterAll(() => runs.remove());

describe('the installed product serves', () => {
  test('the page with compressed assets, and the licenses of its packages', async () => {
    const page = (await get('login')).toString();
    const [, script = ''] = /src="\.?\/?([^"]+\.js)"/.exec(page) ?? [];
    const response = await fetch(`${url}${script}`, { headers: { 'accept-encoding': 'br' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-encoding')).toBe('br');
    expect((await response.text()).length).toBeGreaterThan(1_000);
    expect((await get('static/third-party-notices.txt')).toString()).toContain('react-aria-components');
  });

  test('liveness and readiness', async () => {
    expect(await getJson('health/live')).toEqual({ status: 'OK' });
    expect(await getJson('health/ready')).toEqual({ status: 'ready', reasons: [], notes: [] });
  });

  test('listings, files, searches and checksums', async () => {
    const listing = await getJson<{ items: { name: string }[] }>('api/resources/');
    expect(listing.items.map(({ name }) => name).sort()).toEqual([
      'docs',
      'photo.jpg',
      'photo.png',
      'photo.tiff',
    ]);
    const report = await get('api/raw/docs/report.txt');
    expect(report).toEqual(await readFile(join(runs.root, 'docs', 'report.txt')));
    expect(await getJson('api/search/?query=report')).toMatchObject([{ path: 'docs/report.txt' }]);
    for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
      const found = await getJson<{ checksums: Record<string, string> }>(
        `api/resources/docs/report.txt?checksum=${algorithm}`,
      );
      expect(found.checksums[algorithm]).toBe(createHash(algorithm).update(report).digest('hex'));
    }
  });

  test('ranked searches and sizes of folders from the catalogue', async () => {
    await expect
      .poll(async () => (await getJson<{ coverage: string }>('api/find/?query=report')).coverage)
      .toBe('all');
    const { rows } = await getJson<{ rows: { path: string; size: number }[] }>('api/find/?query=reprot');
    expect(rows).toMatchObject([{ path: 'docs/report.txt', similar: true }]);
    const { size } = await stat(join(runs.root, 'docs', 'report.txt'));
    expect(await getJson('api/totals/docs')).toMatchObject({ self: { bytes: size, files: 1 } });
    expect(await getJson('api/map/docs')).toMatchObject({ rows: [{ path: 'report.txt', bytes: size }] });
  });

  test('searches in the text of documents, for which both worker threads are needed', async () => {
    await expect
      .poll(async () => (await getJson<{ percent: number }>('api/contents/?query=play')).percent, {
        timeout: 20_000,
      })
      .toBe(100);
    const { rows } = await getJson<{ rows: { path: string; snippet: { matches: number[][] } }[] }>(
      'api/contents/?query=%22all%20work%22',
    );
    expect(rows.map(({ path }) => path)).toEqual(['docs/report.txt']);
    expect(rows[0]?.snippet.matches[0]).toEqual([0, 8]);
  });

  test('uploads in one request and resumable ones', async () => {
    const whole = await fetch(`${url}api/resources/new/whole.txt`, {
      method: 'POST',
      headers: { 'x-auth': token },
      body: 'whole',
    });
    expect(whole.status).toBe(200);
    const tus = { 'x-auth': token, 'tus-resumable': '1.0.0' };
    const created = await fetch(`${url}api/tus/new/parts.txt`, {
      method: 'POST',
      headers: { ...tus, 'upload-length': '10' },
    });
    expect(created.status).toBe(201);
    for (const [offset, body] of [
      ['0', 'first'],
      ['5', ' part'],
    ] as const) {
      const part = await fetch(new URL(created.headers.get('location') ?? '', url), {
        method: 'PATCH',
        headers: { ...tus, 'upload-offset': offset, 'content-type': 'application/offset+octet-stream' },
        body,
      });
      expect(part.status).toBe(204);
    }
    expect((await get('api/raw/new/parts.txt')).toString()).toBe('first part');
    expect((await get('api/raw/new/whole.txt')).toString()).toBe('whole');
  });

  test.each(['photo.jpg', 'photo.png', 'photo.tiff'])('thumbnails and big pictures of %s', async (name) => {
    for (const size of ['thumb', 'big']) {
      expect((await get(`api/preview/${size}/${name}`)).length).toBeGreaterThan(200);
    }
    expect((await get(`api/preview/thumb/${name}`)).subarray(0, 2).toString('hex')).toBe('ffd8');
  });

  const same = (bytes: Buffer): Buffer => bytes;
  test.for<[string, string | undefined, (bytes: Buffer) => Buffer]>([
    ['tar', undefined, same],
    ['targz', undefined, (bytes) => gunzipSync(bytes)],
    ['tarbz2', 'bzip2', (bytes) => pipeThrough('bzip2', ['-dc'], bytes)],
    ['tarxz', 'xz', (bytes) => pipeThrough('xz', ['-dc'], bytes)],
    ['tarlz4', 'lz4', (bytes) => pipeThrough('lz4', ['-dc'], bytes)],
    ['tarsz', undefined, decodeSnappyFrames],
    ['tarzst', 'zstd', (bytes) => pipeThrough('zstd', ['-dcq'], bytes)],
    ['tarbr', undefined, (bytes) => brotliDecompressSync(bytes)],
    ['zip', 'unzip', same],
  ])('archives in the format %s', async ([format, tool, open], { skip }) => {
    skip(tool !== undefined && !hasTool(tool), `${tool ?? ''} is not installed`);
    const tree = unpack(open(await get(`api/raw/docs?algo=${format}`)), format === 'zip' ? 'zip' : 'tar');
    expect(tree.get('report.txt')?.content).toBe('all work and no play\n'.repeat(20_000));
  });

  test('protected shares to visitors', async () => {
    const created = await fetch(`${url}api/share/docs/report.txt`, {
      method: 'POST',
      headers: { 'x-auth': token, 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'let me in', expires: '1', unit: 'hours' }),
    });
    expect(created.status).toBe(200);
    const { hash } = (await created.json()) as { hash: string };
    expect((await fetch(`${url}api/public/dl/${hash}`)).status).toBe(401);
    const opened = await fetch(`${url}api/public/share/${hash}`, {
      headers: { 'x-share-password': encodeURIComponent('let me in') },
    });
    expect(opened.status).toBe(200);
    const { token: shareToken } = (await opened.json()) as { token: string };
    const file = await fetch(`${url}api/public/dl/${hash}?token=${shareToken}`);
    expect(file.status).toBe(200);
    expect(await file.text()).toContain('all work');
  });

  test('the OpenAPI document', async () => {
    expect(await getJson('api/openapi.json')).toMatchObject({
      openapi: expect.stringMatching(/^3\./) as string,
    });
    expect((await get('api/docs')).toString()).toContain('<html');
  });

  test('commands of users over the socket', async () => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}api/command/docs`, {
      headers: { 'x-auth': token },
    });
    const lines: string[] = [];
    socket.on('message', (data: Buffer) => lines.push(data.toString('utf8')));
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    socket.send('ls');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(lines.join('\n')).toContain('Command not allowed');

    const allowed = await fetch(`${url}api/users/1`, {
      method: 'PUT',
      headers: { 'x-auth': token, 'content-type': 'application/json' },
      body: JSON.stringify({ what: 'user', which: ['commands'], data: { id: 1, commands: ['ls'] } }),
    });
    expect(allowed.status).toBe(200);
    const again = new WebSocket(`${url.replace(/^http/, 'ws')}api/command/docs`, {
      headers: { 'x-auth': token },
    });
    const listed: string[] = [];
    again.on('message', (data: Buffer) => listed.push(data.toString('utf8')));
    again.once('open', () => again.send('ls'));
    await new Promise((resolve) => again.once('close', resolve));
    expect(listed.join('\n')).toContain('report.txt');
  });
});

describe('the installed product', () => {
  test.each([
    ['.filestead.yaml', 'port: 0\nbaseURL: /files\n', []],
    ['.filebrowser.yaml', 'port: 0\nbaseurl: /files\n', []],
    ['.filebrowser.json', '{"port":0,"baseURL":"/files"}', []],
    ['own.yaml', 'port: 0\nbaseURL: /files\n', ['--config', 'own.yaml']],
    ['own.json', '{"port":"0","baseURL":"/files"}', ['--config', 'own.json']],
  ])('reads its configuration from %s', async (name, content, args) => {
    const own = await openRuns();
    try {
      await writeFile(join(own.root, name), content);
      const [, at = ''] = await own.run(...args).waitFor(/at (http:\S+)/);
      expect(at).toMatch(/\/files\/$/);
      expect((await fetch(`${at}health`)).status).toBe(200);
    } finally {
      await own.remove();
    }
  });
});

describe('the installed product imports File Browser data', () => {
  test.each(['db', 'json', 'yaml'])(
    'from a %s file, and its users sign in with their passwords',
    async (ending) => {
      const own = await openRuns();
      try {
        const user = formerUser({ perm: { admin: true } });
        const file = join(own.folder, `users.${ending}`);
        const yaml = `- id: 1\n  username: admin\n  password: ${String(user.password)}\n  scope: .\n  perm: {admin: true}\n`;
        const content = { db: writeFormerDatabase({ users: [user] }), json: JSON.stringify([user]), yaml }[
          ending
        ];
        await writeFile(file, content ?? '');
        const imported = own.run('import-filebrowser', file);
        expect({ status: await imported.ended, said: imported.output() }).toMatchObject({
          status: 0,
          said: expect.stringContaining('1 user') as string,
        });
        const [, at = ''] = await own.run('--port', '0').waitFor(/at (http:\S+)/);
        expect((await signIn(at, 'admin', formerPassword)).status).toBe(200);
      } finally {
        await own.remove();
      }
    },
  );
});
