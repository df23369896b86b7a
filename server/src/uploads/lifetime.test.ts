import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { maxFinishedPerUser } from './upload-registry.ts';

const tus = { 'tus-resumable': '1.0.0' };
const partHeaders = (offset: number): Record<string, string> => ({
  ...tus,
  'content-type': 'application/offset+octet-stream',
  'upload-offset': String(offset),
});

let folder: string;
let root: string;
let app: TestApp | null = null;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'filestead-uploads-')));
  root = join(folder, 'root');
  mkdirSync(root);
});
afterEach(async () => {
  await app?.close();
  app = null;
  rmSync(folder, { recursive: true, force: true });
});
async function restart(config: Record<string, string> = {}, clockAheadMs = 0): Promise<TestApp> {
  await app?.close();
  app = await startApp({ config: { root, data: join(folder, 'data'), ...config }, clockAheadMs });
  return app;
}
async function createUpload(server: TestApp, token: string, path: string, length: number): Promise<string> {
  const response = await server.fetch(path, {
    method: 'POST',
    token,
    headers: { ...tus, 'upload-length': String(length) },
  });
  expect(response.status).toBe(201);
  return response.headers.get('location') ?? '';
}
/** The lifetime of an upload in these tests (`uploadExpiration`). */
const lifetimeMs = 10 * 60_000;
/** Resolves when the folder at `path` is empty. */
const emptied = (path: string): Promise<void> => expect.poll(() => readdirSync(path)).toEqual([]);

test('an upload can be continued after a restart', async () => {
  let server = await restart();
  const token = await server.signIn('admin');
  const location = await createUpload(server, token, '/api/tus/docs/a.txt', 6);
  await server.fetch(location, { method: 'PATCH', token, headers: partHeaders(0), body: 'abc' });
  const [part] = readdirSync(join(root, 'docs'));
  server = await restart();
  expect(readdirSync(join(root, 'docs'))).toEqual([part]);
  const head = await server.fetch(location, { method: 'HEAD', token, headers: tus });
  expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '3']);
  const last = await server.fetch(location, { method: 'PATCH', token, headers: partHeaders(3), body: 'def' });
  expect(last.status).toBe(204);
  expect(readFileSync(join(root, 'docs/a.txt'), 'utf8')).toBe('abcdef');
  server = await restart();
  const finished = await server.fetch(location, { method: 'HEAD', token, headers: tus });
  expect([finished.status, finished.headers.get('upload-offset')]).toEqual([200, '6']);
  expect(readdirSync(join(root, 'docs'))).toEqual(['a.txt']);
});

test('the oldest finished uploads of a user are forgotten first, those of other users and unfinished ones are kept', async () => {
  const server = await restart();
  mkdirSync(join(root, 'other'));
  await server.createUser({ username: 'other', scope: '/other' });
  const [token, other] = [await server.signIn('admin'), await server.signIn('other')];
  const finish = async (by: string, path: string): Promise<string> => {
    const location = await createUpload(server, by, `/api/tus/${path}`, 1);
    const response = await server.fetch(location, {
      method: 'PATCH',
      token: by,
      headers: partHeaders(0),
      body: 'x',
    });
    expect(response.status).toBe(204);
    server.clock.advance(1);
    return location;
  };
  const statusOf = async (by: string, location: string): Promise<number> =>
    (await server.fetch(location, { method: 'HEAD', token: by, headers: tus })).status;
  const unfinished = await createUpload(server, token, '/api/tus/unfinished.txt', 1);
  const others = await finish(other, 'theirs.txt');
  const finished: string[] = [];
  for (let count = 0; count < maxFinishedPerUser + 3; count++)
    finished.push(await finish(token, `${count}.txt`));
  // The last upload is counted when the next one ends.
  const statuses = await Promise.all(finished.map((location) => statusOf(token, location)));
  expect(statuses).toEqual([404, 404, ...Array<number>(maxFinishedPerUser + 1).fill(200)]);
  expect(await statusOf(token, unfinished)).toBe(200);
  expect(await statusOf(other, others)).toBe(200);
});

test('an upload that a hook refuses is kept as blocked, also after a restart', async () => {
  let server = await restart({ enableExec: 'on' });
  const token = await server.signIn('admin');
  const settings = (await (await server.fetch('/api/settings', { token })).json()) as { commands: object };
  const refusing = { ...settings, commands: { ...settings.commands, before_upload: ['false'] } };
  const stored = await server.fetch('/api/settings', { method: 'PUT', token, json: refusing });
  expect(stored.status).toBe(200);
  const location = await createUpload(server, token, '/api/tus/a.txt', 3);
  const last = await server.fetch(location, { method: 'PATCH', token, headers: partHeaders(0), body: 'abc' });
  expect(last.status).toBe(500);
  const list = async () => (await (await server.fetch('/api/uploads', { token })).json()) as { id: string }[];
  const before = await list();
  expect(before).toMatchObject([
    {
      path: '/a.txt',
      stored: 3,
      state: 'blocked',
      reason: 'hook_failed',
      detail: expect.any(String) as string,
    },
  ]);
  server = await restart();
  const listed = await list();
  expect(listed).toMatchObject(before);
  const finished = await server.fetch(`/api/uploads/${listed[0]?.id}`, {
    method: 'POST',
    token,
    json: { action: 'retry' },
  });
  expect(finished.status).toBe(200);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('abc');
});

test('an upload whose partial file is missing is not found', async () => {
  let server = await restart();
  const token = await server.signIn('admin');
  const location = await createUpload(server, token, '/api/tus/a.txt', 6);
  await server.fetch(location, { method: 'PATCH', token, headers: partHeaders(0), body: 'abc' });
  for (const name of readdirSync(root)) rmSync(join(root, name));
  server = await restart();
  expect((await server.fetch(location, { method: 'HEAD', token, headers: tus })).status).toBe(404);
  const late = await server.fetch(location, { method: 'PATCH', token, headers: partHeaders(3), body: 'def' });
  expect(late.status).toBe(404);
  expect(readdirSync(root)).toEqual([]);
});

test('an upload that is not continued expires and is removed', async () => {
  const server = await restart({ uploadExpiration: '10m' });
  const token = await server.signIn('admin');
  const location = await createUpload(server, token, '/api/tus/a.txt', 6);
  await server.fetch(location, { method: 'PATCH', token, headers: partHeaders(0), body: 'abc' });
  expect(readdirSync(root)).toHaveLength(1);
  server.clock.advance(lifetimeMs + 1);
  await emptied(root);
  expect((await server.fetch(location, { method: 'HEAD', token, headers: tus })).status).toBe(404);
  expect((await server.fetch(location, { method: 'DELETE', token, headers: tus })).status).toBe(404);
});

test('uploads that expired while the server was down are removed at startup', async () => {
  let server = await restart({ uploadExpiration: '10m' });
  const token = await server.signIn('admin');
  await createUpload(server, token, '/api/tus/deep/a.txt', 6);
  await server.close();
  app = null;
  expect(readdirSync(join(root, 'deep'))).toHaveLength(1);
  server = await restart({ uploadExpiration: '10m' }, lifetimeMs + 1);
  await emptied(join(root, 'deep'));
});

test('unfinished uploads of a deleted user are removed', async () => {
  const server = await restart({ uploadExpiration: '10m' });
  mkdirSync(join(root, 'home'));
  const { id } = await server.createUser({ username: 'leaver', scope: '/home' });
  await createUpload(server, await server.signIn('leaver'), '/api/tus/a.txt', 6);
  expect(readdirSync(join(root, 'home'))).toHaveLength(1);
  const admin = await server.signIn('admin');
  expect((await server.fetch(`/api/users/${id}`, { method: 'DELETE', token: admin })).status).toBe(200);
  // The cleanup runs several times within the lifetime of an upload.
  server.clock.advance(lifetimeMs / 2);
  await emptied(join(root, 'home'));
});
