import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOnlyDisk } from '@filestead/contract/errors';
import type { UnfinishedUpload } from '@filestead/contract/uploads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { Mounts } from '../../test/fixtures/mounts.ts';

const tus = { 'tus-resumable': '1.0.0', accept: 'application/json' };
let app: TestApp;
let token: string;
const users = [
  { username: 'alice', scope: '/alice' },
  { username: 'bob', scope: '/alice' },
  { username: 'adder', scope: '/alice', perm: { modify: false } },
];
beforeEach(async () => {
  app = await startApp({ users });
  token = await app.signIn('alice');
});
afterEach(() => app.close());

const diskPath = (name: string): string => join(app.root, 'alice', name);
const read = (name: string): string | null =>
  existsSync(diskPath(name)) ? readFileSync(diskPath(name), 'utf8') : null;
/** The unfinished files of the server in the scope. */
const unfinished = (): string[] =>
  readdirSync(join(app.root, 'alice'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?:^|\/)\.filestead-/.test(name),
  );

/** Begins an upload, runs `meanwhile`, sends the whole `content`, and returns the response. */
async function upload(
  name: string,
  content: string,
  meanwhile: () => unknown = () => undefined,
  as = token,
): Promise<Response> {
  const headers = { ...tus, 'upload-length': String(content.length) };
  const created = await app.fetch(`/api/tus/${name}`, { method: 'POST', token: as, headers });
  expect(created.status).toBe(201);
  await meanwhile();
  return app.fetch(created.headers.get('location') ?? '', {
    method: 'PATCH',
    token: as,
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: content,
  });
}

const list = async (as = token): Promise<UnfinishedUpload[]> =>
  (await (await app.fetch('/api/uploads', { token: as })).json()) as UnfinishedUpload[];

/** Uploads `mine` to a.txt while `theirs` is created there, so that the upload is blocked. Returns its id. */
async function blocked(as = token): Promise<string> {
  const response = await upload('a.txt', 'mine', () => writeFileSync(diskPath('a.txt'), 'theirs'), as);
  expect([response.status, await response.json()]).toMatchObject([409, { code: 'already_exists' }]);
  const [found] = await list(as);
  return found?.id ?? '';
}

async function choose(id: string, json: object, as = token): Promise<[number, unknown]> {
  const headers = { accept: 'application/json' };
  const response = await app.fetch(`/api/uploads/${id}`, { method: 'POST', token: as, json, headers });
  return [response.status, await response.json()];
}

test('an upload whose name was created meanwhile is kept as blocked and listed with the reason', async () => {
  const before = Date.now();
  const id = await blocked();
  const [found, ...others] = await list();
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    id,
    path: '/a.txt',
    size: 4,
    stored: 4,
    state: 'blocked',
    reason: 'already_exists',
    isSending: false,
    overrides: false,
  });
  expect(found?.began).toBeGreaterThanOrEqual(before);
  expect(found?.expires).toBeGreaterThan(before + 6 * 24 * 3_600_000);
  expect(read('a.txt')).toBe('theirs');
  const head = await app.fetch(`/api/tus/a.txt?upload=${id}`, { method: 'HEAD', token, headers: tus });
  expect(head.status).toBe(409);
});

test('an upload in progress is listed with the received bytes', async () => {
  const headers = { ...tus, 'upload-length': '9', 'content-type': 'application/offset+octet-stream' };
  await app.fetch('/api/tus/part.txt', { method: 'POST', token, headers, body: 'four' });
  expect(await list()).toMatchObject([
    { path: '/part.txt', size: 9, stored: 4, state: 'receiving', reason: null },
  ]);
  const [found] = await list();
  expect(await choose(found?.id ?? '', { action: 'retry' })).toMatchObject([
    412,
    { code: 'precondition_failed' },
  ]);
});

test('keeping both gives a blocked upload the next free name', async () => {
  const id = await blocked();
  writeFileSync(diskPath('a(1).txt'), 'taken too');
  expect(await choose(id, { action: 'keep_both' })).toEqual([200, { path: '/a(2).txt' }]);
  expect([read('a.txt'), read('a(2).txt')]).toEqual(['theirs', 'mine']);
  expect([await list(), unfinished()]).toEqual([[], []]);
});

test('replacing publishes a blocked upload over the existing file', async () => {
  const id = await blocked();
  expect(await choose(id, { action: 'replace' })).toEqual([200, { path: '/a.txt' }]);
  expect([read('a.txt'), await list(), unfinished()]).toEqual(['mine', [], []]);
});

test('a blocked upload is moved to another folder, which is created, and stays blocked if the name exists there', async () => {
  const id = await blocked();
  mkdirSync(diskPath('other'));
  writeFileSync(diskPath('other/a.txt'), 'there');
  expect(await choose(id, { action: 'move', path: '/other/a.txt' })).toMatchObject([
    409,
    { code: 'already_exists' },
  ]);
  expect((await list()).map(({ path }) => path)).toEqual(['/a.txt']);
  expect(await choose(id, { action: 'move', path: '/new/deep/b.txt' })).toEqual([
    200,
    { path: '/new/deep/b.txt' },
  ]);
  expect([read('new/deep/b.txt'), read('a.txt'), read('other/a.txt')]).toEqual(['mine', 'theirs', 'there']);
  expect([await list(), unfinished()]).toEqual([[], []]);
});

test('a blocked upload is moved to a folder on another disk', async ({ skip }) => {
  mkdirSync(diskPath('other'));
  const mounts = new Mounts();
  mounts.required({ skip }).tmpfs(diskPath('other'), 'size=1m');
  try {
    const id = await blocked();
    expect(await choose(id, { action: 'move', path: '/other/b.txt' })).toEqual([
      200,
      { path: '/other/b.txt' },
    ]);
    expect(read('other/b.txt')).toBe('mine');
    expect(unfinished()).toEqual([]);
  } finally {
    mounts.release();
  }
});

test('an upload that the disk blocks is listed with that detail until its user can finish it', async ({
  skip,
}) => {
  const disk = diskPath('disk');
  mkdirSync(disk);
  const mounts = new Mounts();
  mounts.required({ skip }).tmpfs(disk);
  try {
    await upload('disk/a.txt', 'mine', () => writeFileSync(join(disk, 'a.txt'), 'theirs'));
    const [{ id = '', detail = '' } = {}] = await list();
    expect(detail).toBeNull();
    mounts.remountReadOnly(disk);
    const refusal = { code: 'forbidden', detail: readOnlyDisk };
    expect(await choose(id, { action: 'replace' })).toMatchObject([403, refusal]);
    const blockedUpload = { state: 'blocked', reason: 'forbidden', detail: readOnlyDisk };
    expect(await list()).toMatchObject([blockedUpload]);
    const administrator = await app.signIn('admin');
    const ofAll = await app.fetch('/api/user-uploads', { token: administrator });
    expect(await ofAll.json()).toMatchObject([blockedUpload]);
    mounts.remountWritable(disk);
    expect(await choose(id, { action: 'replace' })).toEqual([200, { path: '/disk/a.txt' }]);
    expect(read('disk/a.txt')).toBe('mine');
  } finally {
    mounts.release();
  }
});

test('a retry finishes a blocked upload once its name is free', async () => {
  const id = await blocked();
  expect(await choose(id, { action: 'retry' })).toMatchObject([409, { code: 'already_exists' }]);
  rmSync(diskPath('a.txt'));
  expect(await choose(id, { action: 'retry' })).toEqual([200, { path: '/a.txt' }]);
  expect(read('a.txt')).toBe('mine');
});

test('a blocked upload that is discarded leaves nothing behind', async () => {
  const id = await blocked();
  expect(unfinished()).toHaveLength(1);
  expect((await app.fetch(`/api/uploads/${id}`, { method: 'DELETE', token })).status).toBe(204);
  expect([await list(), unfinished(), read('a.txt')]).toEqual([[], [], 'theirs']);
  expect((await app.fetch(`/api/uploads/${id}`, { method: 'DELETE', token })).status).toBe(404);
});

test('permissions and rules are checked again when a blocked upload is finished, and malformed requests are rejected', async () => {
  const adder = await app.signIn('adder');
  const id = await blocked(adder);
  expect(await choose(id, { action: 'replace' }, adder)).toMatchObject([403, { code: 'forbidden' }]);
  expect(await choose(id, { action: 'burn' }, adder)).toMatchObject([400, { code: 'bad_request' }]);
  expect(await choose(id, { action: 'move' }, adder)).toMatchObject([400, { code: 'bad_request' }]);
  expect(await choose(id, { action: 'move', path: 'b' }, adder)).toMatchObject([
    400,
    { code: 'bad_request' },
  ]);
  expect(await choose(id, { action: 'move', path: '/../b' }, adder)).toMatchObject([
    400,
    { code: 'invalid_path' },
  ]);
  const admin = await app.signIn('admin');
  const allUsers = (await (await app.fetch('/api/users', { token: admin })).json()) as {
    id: number;
    username: string;
  }[];
  const user = allUsers.find(({ username }) => username === 'adder');
  const rules = [{ regex: false, allow: false, path: '/denied' }];
  const changed = await app.fetch(`/api/users/${user?.id}`, {
    method: 'PUT',
    token: admin,
    json: { what: 'user', which: ['rules'], data: { ...user, rules } },
  });
  expect(changed.status).toBe(200);
  expect(await choose(id, { action: 'move', path: '/denied/b.txt' }, adder)).toMatchObject([
    403,
    { code: 'forbidden' },
  ]);
  expect(existsSync(diskPath('denied'))).toBe(false);
  expect(await choose(id, { action: 'keep_both' }, adder)).toEqual([200, { path: '/a(1).txt' }]);
});

test('uploads of other users can be neither listed nor finished nor discarded', async () => {
  const id = await blocked();
  const bob = await app.signIn('bob');
  expect(await list(bob)).toEqual([]);
  expect(await choose(id, { action: 'replace' }, bob)).toMatchObject([404, { code: 'not_found' }]);
  const headers = { accept: 'application/json' };
  const discarded = await app.fetch(`/api/uploads/${id}`, { method: 'DELETE', token: bob, headers });
  expect([discarded.status, await discarded.json()]).toMatchObject([404, { code: 'not_found' }]);
  expect((await app.fetch('/api/uploads')).status).toBe(401);
  expect((await list()).map((found) => found.id)).toEqual([id]);
});

test('a blocked upload by path does not prevent its client from sending it again', async () => {
  const length = { 'upload-length': '4' };
  const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    app.fetch(path, { method, token, headers, ...(body === undefined ? {} : { body }) });
  expect((await send('POST', '/api/tus/p.txt', length)).status).toBe(201);
  writeFileSync(diskPath('p.txt'), 'theirs');
  expect((await send('PATCH', '/api/tus/p.txt', part, 'mine')).status).toBe(409);
  expect((await send('HEAD', '/api/tus/p.txt', {})).status).toBe(404);
  expect(await list()).toMatchObject([{ path: '/p.txt', state: 'blocked' }]);
  expect((await send('POST', '/api/tus/p.txt?override=true', length)).status).toBe(201);
  expect((await send('PATCH', '/api/tus/p.txt', part, 'mine')).status).toBe(204);
  expect([read('p.txt'), await list(), unfinished()]).toEqual(['mine', [], []]);
});
