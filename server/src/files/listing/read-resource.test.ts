import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type ListingHeader, type ListingRow, Resource } from '@filestead/contract/files';
import { maxTextBytes } from '@filestead/contract/values/limits';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type TestApp, startApp } from '../../../test/start-app.ts';

const rowsType = 'application/x-ndjson';
const modified = new Date('2024-03-01T10:00:00.500Z');
let app: TestApp;
let admin: string;
let reader: string;
let viewer: string;

beforeAll(async () => {
  app = await startApp({
    files: {
      '/docs/sub/inner.txt': 'inner',
      '/docs/b10.txt': 'ten',
      '/docs/B9.txt': 'nine',
      '/docs/clip.mp4': 'film',
      '/docs/clip.en.vtt': 'WEBVTT',
      '/docs/.env': 'KEY=1',
      '/docs/<&>.html': '<p>',
      '/empty/': '',
      '/mixed/big.bin': 'x'.repeat(500),
      '/mixed/small.bin': 'x',
      '/mixed/folder/': '',
      '/texts/empty.txt': '',
      '/texts/hello.sh': '#!/bin/sh\necho "hällo"\n',
      '/texts/latin1.txt': Buffer.from('d\xe9j\xe0 vu', 'latin1'),
      '/texts/picture': Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'),
      '/texts/cut': `${'x'.repeat(511)}€ and more`,
      '/texts/program.ts': 'export const a = 1;',
      '/secret/deny.txt': 'canary-deny',
    },
    users: [
      { username: 'reader', perm: { modify: false } },
      { username: 'viewer', perm: { download: false } },
      { username: 'ruled', rules: [{ path: '/secret' }], hideDotfiles: true },
    ],
  });
  await writeFile(join(app.root, 'texts/limit.txt'), 'x'.repeat(maxTextBytes));
  await writeFile(join(app.root, 'texts/over.txt'), 'x'.repeat(maxTextBytes + 1));
  await utimes(join(app.root, 'docs/clip.mp4'), modified, modified);
  await utimes(join(app.root, 'mixed/big.bin'), 1000, 1000);
  await utimes(join(app.root, 'mixed/small.bin'), 3000, 3000);
  await utimes(join(app.root, 'mixed/folder'), 2000, 2000);
  await mkdir(join(app.root, 'links'));
  await symlink('../docs/B9.txt', join(app.root, 'links/good'));
  await symlink('../docs', join(app.root, 'links/folder'));
  await symlink('nowhere', join(app.root, 'links/broken'));
  await symlink('/etc/hostname', join(app.root, 'links/outside'));
  execFileSync('mkfifo', [join(app.root, 'links/pipe')]);
  admin = await app.signIn('admin');
  reader = await app.signIn('reader');
  viewer = await app.signIn('viewer');
});
afterAll(() => app.close());

async function read(path: string, token = admin): Promise<Resource> {
  const response = await app.fetch(`/api/resources${path}`, { token });
  expect(response.status, path).toBe(200);
  return z.parse(Resource, await response.json());
}
const statusOf = async (path: string, token = admin): Promise<number> =>
  (await app.fetch(`/api/resources${path}`, { token })).status;
const namesOf = (resource: Resource): string[] => (resource.items ?? []).map((item) => item.name);

async function readRows(path: string, token = admin): Promise<{ header: ListingHeader; rows: ListingRow[] }> {
  const response = await app.fetch(`/api/resources${path}`, { token, headers: { accept: rowsType } });
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const lines = (await response.text()).trimEnd().split('\n');
  const [header, ...rest] = lines.map((line) => JSON.parse(line) as unknown);
  const end = rest.pop();
  const rows = rest as ListingRow[];
  expect(end).toMatchObject({ end: true });
  expect(end).toEqual({
    end: true,
    numDirs: rows.filter((row) => row[3] === 0).length,
    numFiles: rows.filter((row) => row[3] !== 0).length,
  });
  return { header: header as ListingHeader, rows };
}

describe('a folder', () => {
  test('has the keys of File Browser’s API in their order, and items in natural order with folders first', async () => {
    const response = await app.fetch('/api/resources/docs/', { token: admin });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const folder = JSON.parse(await response.text()) as Record<string, unknown>;
    expect(Object.keys(folder)).toEqual([
      'items',
      'numDirs',
      'numFiles',
      'sorting',
      'path',
      'name',
      'size',
      'extension',
      'modified',
      'mode',
      'isDir',
      'isSymlink',
      'type',
    ]);
    expect(folder).toMatchObject({
      numDirs: 1,
      numFiles: 6,
      sorting: { by: 'name', asc: false },
      path: '/docs/',
      name: 'docs',
      extension: '',
      isDir: true,
      isSymlink: false,
      type: '',
    });
    const items = folder['items'] as Record<string, unknown>[];
    expect(items.map((item) => item['name'])).toEqual([
      'sub',
      '.env',
      '<&>.html',
      'B9.txt',
      'b10.txt',
      'clip.en.vtt',
      'clip.mp4',
    ]);
    expect(Object.keys(items[6] ?? {})).toEqual([
      'path',
      'name',
      'size',
      'extension',
      'modified',
      'mode',
      'isDir',
      'isSymlink',
      'type',
      'subtitles',
    ]);
    expect(items[6]).toEqual({
      path: '/docs/clip.mp4',
      name: 'clip.mp4',
      size: 4,
      extension: '.mp4',
      modified: '2024-03-01T10:00:00.5Z',
      mode: 0o644,
      isDir: false,
      isSymlink: false,
      type: 'video',
      subtitles: ['/docs/clip.en.vtt'],
    });
    expect(items[1]).toMatchObject({ name: '.env', extension: '.env', type: 'text' });
    expect(items[0]).toMatchObject({ isDir: true, type: '', path: '/docs/sub', mode: 2 ** 31 + 0o755 });
  });

  test('returns its path in the requested form', async () => {
    for (const [requested, echoed] of [
      ['/docs', '/docs'],
      ['/docs/', '/docs/'],
      ['//docs//', '/docs/'],
      ['/docs%2Fsub', '/docs/sub'],
      ['/', '/'],
      ['', '/'],
    ] as const) {
      expect((await read(requested)).path).toBe(echoed);
    }
  });

  test('has an empty list when it is empty, and an empty name when it is the root', async () => {
    expect(await read('/empty/')).toMatchObject({ items: [], numDirs: 0, numFiles: 0 });
    expect(await read('/')).toMatchObject({ name: '', path: '/', type: '' });
    expect((await read('/')).items?.find((item) => item.name === 'docs')?.path).toBe('/docs');
  });

  test('is sorted by the saved sorting of the user, while rows keep the natural order', async () => {
    const { id } = await app.createUser({ username: 'sorter' });
    const token = await app.signIn('sorter');
    const orders: [string, boolean, string[]][] = [
      ['name', false, ['folder', 'big.bin', 'small.bin']],
      ['name', true, ['folder', 'small.bin', 'big.bin']],
      ['size', false, ['big.bin', 'small.bin', 'folder']],
      ['size', true, ['folder', 'small.bin', 'big.bin']],
      ['modified', false, ['small.bin', 'folder', 'big.bin']],
      ['modified', true, ['big.bin', 'folder', 'small.bin']],
    ];
    for (const [by, asc, names] of orders) {
      const saved = await app.fetch(`/api/users/${id}`, {
        method: 'PUT',
        token,
        json: { what: 'user', which: ['sorting'], data: { id, sorting: { by, asc } } },
      });
      expect(saved.status).toBe(200);
      const folder = await read('/mixed', token);
      expect(folder.sorting).toEqual({ by, asc });
      expect(namesOf(folder), `${by} ${asc}`).toEqual(names);
      const { header, rows } = await readRows('/mixed', token);
      expect(header.sorting).toEqual({ by, asc });
      expect(rows.map((row) => row[0])).toEqual(['folder', 'big.bin', 'small.bin']);
    }
  });

  test('excludes and does not count entries that the user may not see', async () => {
    const token = await app.signIn('ruled');
    expect(namesOf(await read('/', token))).not.toContain('secret');
    const docs = await read('/docs', token);
    expect(namesOf(docs)).not.toContain('.env');
    expect(docs.numFiles).toBe(5);
    expect((await readRows('/docs', token)).header.numFiles).toBe(5);
    expect(await statusOf('/secret', token)).toBe(403);
    expect(await statusOf('/secret/deny.txt', token)).toBe(403);
    expect(await statusOf('/secret/missing', token)).toBe(403);
    expect(await statusOf('/docs/.env', token)).toBe(403);
    expect(await statusOf('/secret/deny.txt')).toBe(200);
  });

  test('shows links as their targets, and those that may not be followed as broken', async () => {
    const items = new Map((await read('/links')).items?.map((item) => [item.name, item]));
    expect(items.get('good')).toMatchObject({ isSymlink: true, isDir: false, size: 4, mode: 0o644 });
    expect(items.get('folder')).toMatchObject({ isSymlink: true, isDir: true, type: '' });
    expect(items.get('broken')).toMatchObject({ isSymlink: true, isDir: false, type: 'invalid_link' });
    expect(items.get('outside')).toMatchObject({ isSymlink: true, type: 'invalid_link' });
    expect(items.get('pipe')).toMatchObject({ type: 'blob', isDir: false });
    const { rows } = await readRows('/links');
    expect(rows.find((row) => row[0] === 'good')?.[4]).toBe(1);
    expect(rows.find((row) => row[0] === 'pipe')).toHaveLength(4);
    expect(await statusOf('/links/broken')).toBe(404);
    expect(await statusOf('/links/outside')).toBe(403);
    expect(await read('/links/pipe')).toMatchObject({ type: 'blob' });
    expect(await statusOf('/links/pipe?checksum=md5')).toBe(403);
    expect((await read('/links/folder')).numFiles).toBe(6);
  });
});

describe('5,000 entries', () => {
  const count = 5_000;
  const folder = '/many';
  beforeAll(async () => {
    await mkdir(join(app.root, folder));
    const extensions = ['txt', 'mp4', 'jpg', 'zip', 'vtt'];
    for (let index = 0; index < count; index++) {
      const name = join(app.root, folder, `Entry ${index}`);
      if (index % 50 === 0) await mkdir(name);
      else await writeFile(`${name}.${extensions[index % 5]}`, 'x'.repeat(index % 40));
    }
  });

  test('are sent to HEAD requests without a body', async () => {
    const response = await app.fetch(`/api/resources${folder}`, { token: admin, method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('are the same in both formats', async () => {
    const resource = await read(folder);
    const { header, rows } = await readRows(folder);
    expect(resource).toMatchObject({ numDirs: 100, numFiles: 4_900 });
    expect(header).toMatchObject({ numDirs: 100, numFiles: 4_900, path: folder, name: 'many' });
    expect(header.modified).toBe(resource.modified);
    const rebuilt = rows.map(([name, size, modifiedMs, type]) => ({
      name,
      size,
      modifiedMs,
      type: header.types[type],
    }));
    expect(rebuilt).toEqual(
      (resource.items ?? []).map((item) => ({
        name: item.name,
        size: item.size,
        modifiedMs: Date.parse(item.modified),
        type: item.type,
      })),
    );
    expect(rows[0]?.[0]).toBe('Entry 0');
    expect(rows[2]?.[0]).toBe('Entry 100');
    expect(rows[100]?.[0]).toBe('Entry 1.mp4');
  });

  test('are compressed for clients that accept gzip', async () => {
    const plain = await (await app.fetch(`/api/resources${folder}`, { token: admin })).text();
    const raw = await app.rawRequest(
      `GET /api/resources${folder} HTTP/1.0\r\nHost: x\r\nX-Auth: ${admin}\r\nAccept-Encoding: br, gzip;q=0.5\r\n\r\n`,
    );
    expect(raw).toMatch(/^content-encoding: gzip\r$/im);
    const body = Buffer.from(raw.slice(raw.indexOf('\r\n\r\n') + 4), 'latin1');
    expect(gunzipSync(body).toString()).toBe(plain);
    expect(body.length).toBeLessThan(plain.length / 3);
    const refused = await app.rawRequest(
      `GET /api/resources${folder} HTTP/1.0\r\nHost: x\r\nX-Auth: ${admin}\r\nAccept-Encoding: gzip;q=0\r\n\r\n`,
    );
    expect(refused).not.toMatch(/^content-encoding/im);
  });

  test('are no longer read when the client disconnects', async () => {
    const leaving = new AbortController();
    const response = await app.fetch(`/api/resources${folder}`, {
      token: admin,
      signal: leaving.signal,
      headers: { accept: rowsType },
    });
    await response.body?.getReader().read();
    leaving.abort();
    expect(await statusOf('/empty')).toBe(200);
    expect(app.log.join('')).not.toContain('unexpected error');
  });
});

describe('a file', () => {
  test('has its details and, when it is text, its content', async () => {
    const file = await read('/texts/hello.sh');
    expect(file).toMatchObject({
      path: '/texts/hello.sh',
      name: 'hello.sh',
      extension: '.sh',
      isDir: false,
      type: 'text',
      content: '#!/bin/sh\necho "hällo"\n',
    });
    expect(file.items).toBeUndefined();
    expect(await read('/texts/program.ts')).toMatchObject({ type: 'text' });
    expect(await read('/texts/cut')).toMatchObject({ type: 'text' });
  });

  test('that is empty text has no content key', async () => {
    expect(await read('/texts/empty.txt')).not.toHaveProperty('content');
  });

  test('is text up to 10 MiB, including the limit', async () => {
    expect((await read('/texts/limit.txt')).content).toHaveLength(maxTextBytes);
    const over = await read('/texts/over.txt');
    expect(over.type).toBe('blob');
    expect(over).not.toHaveProperty('content');
  });

  test('has the type of its content when it has no extension', async () => {
    expect(await read('/texts/picture')).toMatchObject({ type: 'image' });
  });

  test('is textImmutable without the permission to modify, and where saving would change its bytes', async () => {
    expect(await read('/texts/hello.sh', reader)).toMatchObject({ type: 'textImmutable' });
    expect((await read('/texts', reader)).items?.find((item) => item.name === 'hello.sh')?.type).toBe('text');
    const latin1 = await read('/texts/latin1.txt');
    expect(latin1).toMatchObject({ type: 'textImmutable', content: 'déjà vu', encoding: 'windows-1252' });
  });

  test('shows its content only with the permission to download', async () => {
    const file = await read('/texts/hello.sh', viewer);
    expect(file).not.toHaveProperty('content');
    expect(file.size).toBe(24);
  });

  test('has an entity tag, on which a save can be made conditional', async () => {
    const response = await app.fetch('/api/resources/texts/hello.sh', { token: admin });
    expect(response.headers.get('etag')).toMatch(/^"[0-9a-f]+"$/);
  });

  test('lists its subtitles when it is a video', async () => {
    expect((await read('/docs/clip.mp4')).subtitles).toEqual(['/docs/clip.en.vtt']);
  });

  test('is sent as JSON although rows are accepted', async () => {
    const response = await app.fetch('/api/resources/texts/hello.sh', {
      token: admin,
      headers: { accept: rowsType },
    });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({ name: 'hello.sh' });
  });

  test.each(['md5', 'sha1', 'sha256', 'sha512'])(
    'has a %s checksum, instead of content',
    async (algorithm) => {
      const file = await read(`/texts/hello.sh?checksum=${algorithm}`);
      const digest = createHash(algorithm).update('#!/bin/sh\necho "hällo"\n').digest('hex');
      expect(file.checksums).toEqual({ [algorithm]: digest });
      expect(file).not.toHaveProperty('content');
      expect(await statusOf(`/texts/hello.sh?checksum=${algorithm}`, viewer)).toBe(403);
    },
  );

  test('has no checksums of unknown algorithms; folders have none', async () => {
    for (const name of ['crc32', 'MD5', '__proto__', 'constructor']) {
      expect(await statusOf(`/texts/hello.sh?checksum=${name}`)).toBe(400);
    }
    expect(await read('/texts?checksum=md5')).not.toHaveProperty('checksums');
  });

  test('is 404 when missing, and served with a trailing slash', async () => {
    expect(await statusOf('/missing')).toBe(404);
    expect(await statusOf('/docs/missing/deep')).toBe(404);
    expect(await statusOf('/texts/hello.sh/')).toBe(200);
    expect(await statusOf('/texts/hello.sh/x')).toBe(404);
  });

  test('is sent to HEAD requests with the headers of GET and without a body', async () => {
    for (const path of ['/docs', '/texts', '/texts/hello.sh', '/texts/limit.txt']) {
      const response = await app.fetch(`/api/resources${path}`, { token: admin, method: 'HEAD' });
      expect(response.status, path).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await response.text()).toBe('');
    }
  });
});

test('nothing can be read without a session', async () => {
  expect((await app.fetch('/api/resources/')).status).toBe(401);
});
