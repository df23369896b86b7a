import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { maxUnknownSharesPerAddress } from '@filestead/contract/values/limits';
import type { Resource } from '@filestead/contract/files';
import type { Share } from '@filestead/contract/shares';
import { afterEach, expect, test } from 'vitest';
import { type StartApp, type TestApp, startApp } from '../../test/start-app.ts';

const hourMs = 60 * 60 * 1000;

let app: TestApp;
let token: string;
afterEach(() => app.close());

const start = async (setup: StartApp = {}): Promise<void> => {
  app = await startApp({ files: { 'docs/a.txt': 'a' }, ...setup });
  token = await app.signIn('admin');
};
const share = async (path: string, json: object): Promise<string> => {
  const response = await app.fetch(`/api/share${path}`, { method: 'POST', token, json });
  return ((await response.json()) as Share).hash;
};
const visit = (hash: string, password: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.fetch(`/api/public/share/${hash}`, { headers: { 'x-share-password': password, ...headers } });
const statuses = async (responses: readonly Promise<Response>[]): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const response of responses) {
    const { status } = await response;
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
};
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

test('guesses of a share password are limited, also concurrent ones and with forged addresses', async () => {
  await start({ config: { loginAttemptsPerName: '5', loginWindow: '2s' } });
  const hash = await share('/docs', { password: 'right' });
  const other = await share('/docs', { password: 'right' });
  const guesses = times(30, (i) => visit(hash, `wrong-${i}`, { 'x-forwarded-for': `192.0.2.${i}` }));
  expect(await statuses(guesses)).toEqual({ 401: 5, 429: 25 });
  const refused = await visit(hash, 'right');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect((await visit(other, 'right')).status).toBe(200);
  await expect.poll(async () => (await visit(hash, 'right')).status).toBe(200);
});

test('guesses for many shares from one address are limited together with sign-ins', async () => {
  await start({ config: { loginAttemptsPerAddress: '6' } });
  const hashes = await Promise.all(times(8, () => share('/docs', { password: 'right' })));
  expect(await statuses(hashes.map((hash) => visit(hash, 'wrong')))).toEqual({ 401: 6, 429: 2 });
  const login = { method: 'POST', json: { username: 'admin', password: 'wrong' } };
  expect((await app.fetch('/api/login', login)).status).toBe(429);
});

test('visitors with the password, a token or no password are not limited', async () => {
  await start({ config: { loginAttemptsPerName: '2', loginAttemptsPerAddress: '2' } });
  const hash = await share('/docs', { password: 'right' });
  for (let i = 0; i < 5; i++) {
    expect((await visit(hash, 'right')).status).toBe(200);
    expect((await visit(hash, '')).status).toBe(401);
  }
  const opened = (await (await visit(hash, 'right')).json()) as Resource;
  await statuses(times(4, () => visit(hash, 'wrong')));
  expect((await visit(hash, 'right')).status).toBe(429);
  expect((await app.fetch(`/api/public/share/${hash}?token=${opened.token}`)).status).toBe(200);
});

test('requests for unknown shares are limited by address, while existing shares keep working', async () => {
  await start();
  const hash = await share('/docs', {});
  const tries = times(maxUnknownSharesPerAddress + 50, (i) => visit(`${i}`.padStart(32, 'x'), ''));
  expect(await statuses(tries)).toEqual({ 404: maxUnknownSharesPerAddress, 429: 50 });
  expect((await visit('no-hash-at-all-but-of-its-letters', '')).headers.get('retry-after')).not.toBeNull();
  expect((await visit(hash, '')).status).toBe(200);
});

test('a share token expires', async () => {
  await start({ config: { shareTokenLife: '1s' } });
  const hash = await share('/docs', { password: 'right' });
  const opened = (await (await visit(hash, 'right')).json()) as Resource;
  const use = async (): Promise<number> =>
    (await app.fetch(`/api/public/share/${hash}?token=${opened.token}`)).status;
  expect(await use()).toBe(200);
  await expect.poll(use).toBe(401);
  expect((await visit(hash, 'right')).status).toBe(200);
});

test('the number of shares per user is limited, independent of other users', async () => {
  await start({ users: [{ username: 'alice' }], config: { sharesPerUser: '3' } });
  const hash = await share('/docs', {});
  const create = (as: string): Promise<Response> =>
    app.fetch('/api/share/docs', {
      method: 'POST',
      token: as,
      json: {},
      headers: { accept: 'application/json' },
    });
  expect(await statuses(times(10, () => create(token)))).toEqual({ 200: 2, 409: 8 });
  expect(await (await create(token)).json()).toMatchObject({
    code: 'too_many_shares',
    detail: 'the limit is 3 links per user; delete some of yours',
  });
  const alice = await app.signIn('alice');
  expect((await create(alice)).status).toBe(200);
  expect((await app.fetch(`/api/share/${hash}`, { method: 'DELETE', token })).status).toBe(200);
  expect((await create(token)).status).toBe(200);
});

test('expired shares give way to new ones at the limit', async () => {
  await start({ config: { sharesPerUser: '3' } });
  const create = async (json: object): Promise<number> =>
    (await app.fetch('/api/share/docs', { method: 'POST', token, json })).status;
  const inAnHour = { expires: '1', unit: 'hours' };
  expect([await create(inAnHour), await create({}), await create(inAnHour)]).toEqual([200, 200, 200]);
  expect(await create({})).toBe(409);
  app.clock.advance(2 * hourMs);
  token = await app.signIn('admin');
  expect([await create({}), await create({})]).toEqual([200, 200]);
  expect(await create({})).toBe(409);
});

test('expired shares are kept for 30 days, in which they can be listed, opened again and deleted on request', async () => {
  await start();
  const list = async (query: string): Promise<string[]> => {
    const response = await app.fetch(`/api/shares${query}`, { token });
    return ((await response.json()) as Share[]).map(({ hash }) => hash);
  };
  const remove = async (hash: string, query: string): Promise<number> =>
    (await app.fetch(`/api/share/${hash}${query}`, { method: 'DELETE', token })).status;
  const inAnHour = { expires: '1', unit: 'hours' };
  const [deleted = '', reopened = '', forgotten = ''] = [
    await share('/docs', inAnHour),
    await share('/docs', inAnHour),
    await share('/docs', inAnHour),
  ];
  app.clock.advance(2 * hourMs);
  token = await app.signIn('admin');
  expect(await list('')).toEqual([]);
  expect(new Set(await list('?expired=true'))).toEqual(new Set([deleted, reopened, forgotten]));
  expect((await visit(reopened, '')).status).toBe(404);

  expect(await remove(deleted, '')).toBe(404);
  expect(await remove(deleted, '?expired=true')).toBe(200);
  const json = { expires: '7', unit: 'days' };
  expect((await app.fetch(`/api/share/${reopened}`, { method: 'PATCH', token, json })).status).toBe(200);
  expect((await visit(reopened, '')).status).toBe(200);
  expect(await list('')).toEqual([reopened]);
  expect(new Set(await list('?expired=true'))).toEqual(new Set([reopened, forgotten]));

  app.clock.advance(31 * 24 * hourMs);
  token = await app.signIn('admin');
  expect(await list('?expired=true')).toEqual([reopened]);
  expect((await app.fetch(`/api/share/${forgotten}`, { method: 'PATCH', token, json })).status).toBe(404);
});

test('symbolic links out of a share are followed if the administrator allows it', async () => {
  await start({
    files: { 'shared/a.txt': 'a', 'private/secret.txt': 'told' },
    config: { followExternalSymlinks: 'on' },
  });
  await symlink('../private', join(app.root, 'shared/l'));
  const hash = await share('/shared', {});
  const listed = (await (await visit(hash, '')).json()) as Resource;
  expect(listed.items?.map(({ name }) => name)).toEqual(['l', 'a.txt']);
  expect(await (await app.fetch(`/api/public/dl/${hash}/l/secret.txt`)).text()).toBe('told');
});
