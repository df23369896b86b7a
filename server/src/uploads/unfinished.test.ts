import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArrivedFile, FolderUpload } from '@filestead/contract/endpoints/folder-uploads';
import type { UnfinishedUpload, UserUpload } from '@filestead/contract/uploads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';

const tus = { 'tus-resumable': '1.0.0', accept: 'application/json' };
const dayMs = 24 * 60 * 60_000;
const partType = { 'content-type': 'application/offset+octet-stream' };
const metadata = (values: Record<string, string>): Record<string, string> => ({
  'upload-metadata': Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(','),
});

let folder: string;
let root: string;
let app: TestApp;
let isStarted = false;
let token: string;
async function restart(clockAheadMs = 0): Promise<void> {
  if (isStarted) await app.close();
  const users = [
    { username: 'alice', scope: '/alice' },
    { username: 'bob', scope: '/bob' },
  ];
  app = await startApp({
    config: { root, data: join(folder, 'data') },
    clockAheadMs,
    ...(isStarted ? {} : { users }),
  });
  isStarted = true;
  token = await app.signIn('alice');
}
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'filestead-unfinished-')));
  root = join(folder, 'root');
  for (const name of ['alice', 'bob']) mkdirSync(join(root, name), { recursive: true });
  await restart();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  token = await app.signIn('alice');
});
afterEach(async () => {
  for (const name of ['alice', 'bob']) {
    const owner = await app.signIn(name);
    for (const kind of ['upload-folders', 'uploads']) {
      const found = (await (await app.fetch(`/api/${kind}`, { token: owner })).json()) as { id: string }[];
      for (const { id } of found) await app.fetch(`/api/${kind}/${id}`, { method: 'DELETE', token: owner });
    }
    for (const entry of readdirSync(join(root, name))) rmSync(join(root, name, entry), { recursive: true });
  }
});

const read = (name: string): string => readFileSync(join(root, 'alice', name), 'utf8');
const list = async (as = token): Promise<UnfinishedUpload[]> =>
  (await (await app.fetch('/api/uploads', { token: as })).json()) as UnfinishedUpload[];

/** Creates an upload of `length` bytes with the first `body` bytes in the same request. */
const create = (
  name: string,
  length: number,
  body: string,
  values: Record<string, string> = {},
): Promise<Response> =>
  app.fetch(`/api/tus/${name}`, {
    method: 'POST',
    token,
    headers: { ...tus, ...partType, ...metadata(values), 'upload-length': String(length) },
    body,
  });
const append = (address: string, offset: number, body: string): Promise<Response> =>
  app.fetch(address, {
    method: 'PATCH',
    token,
    headers: { ...tus, ...partType, 'upload-offset': String(offset) },
    body,
  });
const addressOf = (response: Response): string => response.headers.get('location') ?? '';

describe('the list of unfinished uploads', () => {
  test('shows administrators the uploads of all users, which they can cancel', async () => {
    await create('mine.bin', 6, 'abc');
    const admin = await app.signIn('admin');
    const listAll = async (as: string): Promise<Response> => app.fetch('/api/user-uploads', { token: as });
    expect((await listAll(token)).status).toBe(403);
    const [upload] = (await (await listAll(admin)).json()) as UserUpload[];
    expect(upload).toMatchObject({
      username: 'alice',
      path: '/alice/mine.bin',
      size: 6,
      stored: 3,
      state: 'receiving',
      isSending: true,
    });
    // Between two parts nothing is sent for a moment.
    app.clock.advance(10_000);
    expect(await (await listAll(admin)).json()).toMatchObject([{ isSending: false }]);
    const discard = async (as: string): Promise<number> =>
      (await app.fetch(`/api/user-uploads/${upload?.id}`, { method: 'DELETE', token: as })).status;
    expect(await discard(token)).toBe(403);
    expect(await list()).toHaveLength(1);
    expect(await discard(admin)).toBe(204);
    expect(await discard(admin)).toBe(404);
    expect(await list()).toEqual([]);
    expect(readdirSync(join(root, 'alice'))).toEqual([]);
  });

  test('contains all that another device needs to continue an upload, also after a restart', async () => {
    const response = await create('film.bin', 6, 'abc', { modifiedMs: '1700000000123.5' });
    expect([response.status, response.headers.get('upload-offset')]).toEqual([201, '3']);
    expect(await list()).toMatchObject([{ isSending: true }]);
    app.clock.advance(10_000);
    const before = await list();
    expect(before).toMatchObject([
      {
        path: '/film.bin',
        size: 6,
        stored: 3,
        state: 'receiving',
        isSending: false,
        expiresSoon: false,
        modified: 1700000000123.5,
        folder: null,
      },
    ]);
    const [upload] = before;
    expect((upload?.expires ?? 0) - (upload?.lastByte ?? 0)).toBeGreaterThan(7 * dayMs - 60_000);
    await restart();
    expect(await list()).toEqual(before);
    expect((await append(addressOf(response), 3, 'def')).status).toBe(204);
    expect(await list()).toEqual([]);
    expect(read('film.bin')).toBe('abcdef');
  });

  test('announces the expiry a day ahead; each stored byte postpones it', async () => {
    const address = addressOf(await create('film.bin', 6, 'abc'));
    app.clock.advance(6 * dayMs - 60_000);
    token = await app.signIn('alice');
    expect(await list()).toMatchObject([{ expiresSoon: false }]);
    app.clock.advance(120_000);
    const [before] = await list();
    expect(before).toMatchObject({ expiresSoon: true });
    expect((await append(address, 3, 'd')).status).toBe(204);
    const [after] = await list();
    expect(after).toMatchObject({ expiresSoon: false, stored: 4 });
    expect(after?.lastByte).toBeGreaterThan(before?.lastByte ?? Infinity);
  });

  test('contains neither the uploads of others nor those of a former scope', async () => {
    await create('film.bin', 6, 'abc');
    expect(await list(await app.signIn('bob'))).toEqual([]);
  });
});

describe('a repeated creation with the same key', () => {
  // Finished uploads are found by their key too, so each test has its own.
  let key: string;
  beforeEach(() => {
    key = randomUUID();
  });
  test('returns the upload with the bytes that have arrived', async () => {
    const first = await create('film.bin', 6, 'abc', { uploadKey: key });
    const again = await create('film.bin', 6, '', { uploadKey: key });
    expect([again.status, addressOf(again), again.headers.get('upload-offset')]).toEqual([
      201,
      addressOf(first),
      '3',
    ]);
    expect(await list()).toHaveLength(1);
  });

  test('reports a finished upload as complete instead of as a conflict with itself', async () => {
    await create('film.bin', 3, 'abc', { uploadKey: key });
    const again = await create('film.bin', 3, '', { uploadKey: key });
    expect([again.status, again.headers.get('upload-offset')]).toEqual([201, '3']);
    expect(read('film.bin')).toBe('abc');
  });

  test.each([
    ['another key', 'film.bin', 6, 'another'],
    ['another length', 'film.bin', 7, null],
    ['another path', 'other.bin', 6, null],
  ])('begins a new upload for %s', async (_title, name, length, otherKey) => {
    const first = await create('film.bin', 6, 'abc', { uploadKey: key });
    const other = await create(name, length, '', { uploadKey: otherKey ?? key });
    expect([other.status, other.headers.get('upload-offset')]).toEqual([201, '0']);
    expect(addressOf(other)).not.toBe(addressOf(first));
  });

  test('does not lead to an upload of another user', async () => {
    await create('film.bin', 6, 'abc', { uploadKey: key });
    token = await app.signIn('bob');
    const other = await create('film.bin', 6, '', { uploadKey: key });
    expect([other.status, other.headers.get('upload-offset')]).toEqual([201, '0']);
  });
});

test.each<[string, Record<string, string>]>([
  ['an empty key', { uploadKey: '' }],
  ['a key of 65 characters', { uploadKey: 'k'.repeat(65) }],
  ['a negative modification time', { modifiedMs: '-1' }],
  ['a modification time that is not a number', { modifiedMs: 'yesterday' }],
  ['a modification time of 16 digits', { modifiedMs: '9'.repeat(16) }],
  ['a folder id of 65 characters', { folderUpload: 'f'.repeat(65), folderFile: 'a' }],
  ['a path in a folder with NUL', { folderUpload: 'f', folderFile: 'a\0b' }],
  ['a path in a folder of 8,193 characters', { folderUpload: 'f', folderFile: 'a'.repeat(8193) }],
])('refuses %s and creates nothing', async (_title, values) => {
  expect((await create('film.bin', 6, 'abc', values)).status).toBe(400);
  expect(await list()).toEqual([]);
  expect(existsSync(join(root, 'alice', 'film.bin'))).toBe(false);
});

describe('the comparison before an upload continues', () => {
  const compare = async (
    id: string,
    offset: number | string,
    body: string,
    as = token,
  ): Promise<[number, unknown]> => {
    const response = await app.fetch(`/api/upload-comparisons/${id}?offset=${offset}`, {
      method: 'POST',
      token: as,
      headers: { accept: 'application/json' },
      body,
    });
    return [response.status, await response.json()];
  };
  let id: string;
  beforeEach(async () => {
    await create('film.bin', 9, 'abcdef');
    id = (await list())[0]?.id ?? '';
  });

  test('reports whether the bytes are equal', async () => {
    expect(await compare(id, 6, 'def')).toEqual([200, { isSame: true }]);
    expect(await compare(id, 6, 'abcdef')).toEqual([200, { isSame: true }]);
    expect(await compare(id, 6, 'deX')).toEqual([200, { isSame: false }]);
    expect(await compare(id, 6, '')).toEqual([200, { isSame: true }]);
  });

  test.each([
    ['an offset at which the upload does not end', 5, 'def', 409],
    ['more bytes than are stored', 6, 'xabcdef', 400],
    ['more than 64 KiB', 6, 'x'.repeat(64 * 1024 + 1), 413],
    ['an offset that is not a number', '-6', 'def', 400],
    ['a missing offset', '', 'def', 400],
  ])('refuses %s', async (_title, offset, body, status) => {
    expect((await compare(id, offset, body))[0]).toBe(status);
  });

  test('is not possible for uploads of others, unknown ones and finished ones', async () => {
    expect((await compare(id, 6, 'def', await app.signIn('bob')))[0]).toBe(404);
    expect((await compare('unknown', 6, 'def'))[0]).toBe(404);
    await create('small.bin', 3, 'abc', { uploadKey: 'k' });
    expect((await compare('k', 3, 'abc'))[0]).toBe(404);
  });
});

describe('a folder upload', () => {
  const announce = async (body: object, as = token): Promise<Response> =>
    app.fetch('/api/upload-folders', { method: 'POST', token: as, json: body });
  const begin = async (files: number): Promise<string> => {
    const response = await announce({ path: '/Photos', name: 'Photos', files, bytes: 6 });
    expect(response.status).toBe(200);
    return ((await response.json()) as FolderUpload).id;
  };
  const folders = async (as = token): Promise<FolderUpload[]> =>
    (await (await app.fetch('/api/upload-folders', { token: as })).json()) as FolderUpload[];
  const arrivedFiles = async (id: string, after = ''): Promise<ArrivedFile[]> =>
    (await (
      await app.fetch(`/api/upload-folders/${id}/files?after=${encodeURIComponent(after)}`, { token })
    ).json()) as ArrivedFile[];
  interface Sent {
    readonly path: string;
    readonly folderFile?: string;
    readonly modified?: number;
  }
  /** Sends files of three bytes in one request. */
  const send = async (folderId: string, files: readonly Sent[]): Promise<Response> => {
    const head = { folder: folderId, files: files.map((file) => ({ size: 3, ...file })) };
    return app.fetch('/api/uploads', {
      method: 'POST',
      token,
      body: `${JSON.stringify(head)}\n${'abc'.repeat(files.length)}`,
    });
  };

  test('lists the files that have arrived, in small requests and as resumable uploads', async () => {
    const id = await begin(4);
    const response = await send(id, [
      { path: '/Photos/a.txt', folderFile: 'a.txt', modified: 1.5 },
      { path: '/Photos/b(1).txt', folderFile: 'b.txt', modified: 2 },
    ]);
    expect(await response.text()).toContain('etag');
    await create('Photos/in/film.bin', 3, 'abc', {
      modifiedMs: '3',
      folderUpload: id,
      folderFile: 'in/film.bin',
    });
    const state = {
      id,
      path: '/Photos',
      name: 'Photos',
      files: 4,
      bytes: 6,
      arrivedFiles: 3,
      arrivedBytes: 9,
    };
    expect(await folders()).toMatchObject([state]);
    const files = [
      { file: 'a.txt', size: 3, modified: 1.5 },
      { file: 'b.txt', size: 3, modified: 2 },
      { file: 'in/film.bin', size: 3, modified: 3 },
    ];
    expect(await arrivedFiles(id)).toEqual(files);
    expect(await arrivedFiles(id, 'a.txt')).toEqual(files.slice(1));
    await restart();
    expect(await folders()).toMatchObject([state]);
    expect(await arrivedFiles(id)).toEqual(files);
    // The upload ends with its last file.
    await send(id, [{ path: '/Photos/z.txt', folderFile: 'z.txt', modified: 1 }]);
    expect(await folders()).toEqual([]);
  });

  test('does not count a file that was refused or has no description', async () => {
    const id = await begin(3);
    await send(id, [{ path: '/Photos/a.txt', folderFile: 'a.txt', modified: 1 }]);
    const response = await send(id, [
      { path: '/Photos/a.txt', folderFile: 'again.txt', modified: 1 },
      { path: '/Photos/none.txt' },
      { path: '/elsewhere.txt', folderFile: 'elsewhere.txt', modified: 1 },
    ]);
    expect(await response.text()).toContain('already_exists');
    expect(read('elsewhere.txt')).toBe('abc');
    expect(await arrivedFiles(id)).toEqual([{ file: 'a.txt', size: 3, modified: 1 }]);
  });

  test('follows the folder when it is renamed', async () => {
    const id = await begin(2);
    await send(id, [{ path: '/Photos/a.txt', folderFile: 'a.txt', modified: 1 }]);
    const moved = await app.fetch('/api/resources/Photos?action=rename&destination=%2FPictures', {
      method: 'PATCH',
      token,
    });
    expect(moved.status).toBe(200);
    expect(await folders()).toMatchObject([{ id, path: '/Pictures', name: 'Photos' }]);
  });

  test('is discarded with its unfinished files, and stored files stay', async () => {
    const id = await begin(3);
    await send(id, [{ path: '/Photos/a.txt', folderFile: 'a.txt', modified: 1 }]);
    await create('Photos/film.bin', 6, 'abc', { folderUpload: id, folderFile: 'film.bin' });
    await create('Photos/other.bin', 6, 'abc');
    const discard = (as: string): Promise<Response> =>
      app.fetch(`/api/upload-folders/${id}`, { method: 'DELETE', token: as });
    expect((await discard(await app.signIn('bob'))).status).toBe(404);
    expect((await discard(token)).status).toBe(204);
    expect((await discard(token)).status).toBe(404);
    expect(await folders()).toEqual([]);
    expect((await list()).map(({ path }) => path)).toEqual(['/Photos/other.bin']);
    expect(readdirSync(join(root, 'alice', 'Photos')).filter((name) => !name.startsWith('.'))).toEqual([
      'a.txt',
    ]);
  });

  test('is forgotten when nothing is uploaded for a week', async () => {
    const id = await begin(2);
    await send(id, [{ path: '/Photos/a.txt', folderFile: 'a.txt', modified: 1 }]);
    app.clock.advance(6 * dayMs + 60_000);
    token = await app.signIn('alice');
    expect(await folders()).toMatchObject([{ id, expiresSoon: true }]);
    app.clock.advance(dayMs);
    token = await app.signIn('alice');
    expect(await folders()).toEqual([]);
    expect(read('Photos/a.txt')).toBe('abc');
  });

  test('is invisible to other users, whose files are stored, but do not count for it', async () => {
    const id = await begin(2);
    token = await app.signIn('bob');
    expect(await folders()).toEqual([]);
    expect((await app.fetch(`/api/upload-folders/${id}/files`, { token })).status).toBe(404);
    expect((await send(id, [{ path: '/Photos/a.txt', folderFile: 'a.txt', modified: 1 }])).status).toBe(200);
    expect(readFileSync(join(root, 'bob', 'Photos', 'a.txt'), 'utf8')).toBe('abc');
    token = await app.signIn('alice');
    expect(await folders()).toMatchObject([{ id, arrivedFiles: 0 }]);
  });

  test.each([
    [{ path: 'Photos', name: 'Photos', files: 1, bytes: 0 }],
    [{ path: '/../x', name: 'x', files: 1, bytes: 0 }],
    [{ path: '/x', name: '', files: 1, bytes: 0 }],
    [{ path: '/x', name: 'x', files: 0, bytes: 0 }],
    [{ path: '/x', name: 'x', files: 1.5, bytes: 0 }],
    [{ path: '/x', name: 'x', files: 1_000_001, bytes: 0 }],
    [{ path: '/x', name: 'x', files: 1, bytes: -1 }],
    [{ path: '/x', name: 'x', bytes: 0 }],
    [{ path: '/x', name: 'x\0', files: 1, bytes: 0 }],
  ])('is refused with the body %j', async (body) => {
    expect((await announce(body)).status).toBe(400);
    expect(await folders()).toEqual([]);
  });

  test('is refused above the limit of a user', async () => {
    for (let count = 0; count < 100; count++) await begin(1);
    expect((await announce({ path: '/x', name: 'x', files: 1, bytes: 0 })).status).toBe(429);
  });
});
