import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RewindReport } from '@filestead/contract/endpoints/operations';
import type { Share } from '@filestead/contract/shares';
import type { User } from '@filestead/contract/users';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HistoryClient, historyClient } from '../../test/fixtures/history-testing.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

const dayMs = 24 * 60 * 60 * 1000;

let app: TestApp;
let admin: HistoryClient;
let alice: HistoryClient;
let bob: HistoryClient;
beforeAll(async () => {
  app = await startApp({
    config: { sharesPerUser: '20' },
    users: [
      { username: 'alice', scope: '/alice' },
      { username: 'bob', scope: '/alice' },
    ],
  });
  admin = await historyClient(app, 'admin');
  alice = await historyClient(app, 'alice');
  bob = await historyClient(app, 'bob');
});
afterAll(() => app.close());
beforeEach(async () => {
  for (const { hash } of await listed(alice)) await remove(alice, hash);
  for (const name of readdirSync(join(app.root, 'alice')))
    rmSync(join(app.root, 'alice', name), { recursive: true });
  mkdirSync(join(app.root, 'alice/docs'));
  writeFileSync(join(app.root, 'alice/docs/a.txt'), 'a');
});

const share = async (path: string, json: object = {}): Promise<Share> => {
  const response = await alice.post(`/api/share${path}`, json);
  expect(response.status).toBe(200);
  return (await response.json()) as Share;
};
const listed = async ({ token }: HistoryClient): Promise<Share[]> =>
  (await (await app.fetch('/api/shares?expired=true&own=true', { token })).json()) as Share[];
const find = async (hash: string): Promise<Share | undefined> =>
  (await listed(alice)).find((found) => found.hash === hash);
const remove = (client: HistoryClient, hash: string): Promise<string> =>
  client.act('DELETE', `/api/share/${hash}?expired=true`);
const change = (client: HistoryClient, hash: string, json: object): Promise<string> =>
  client.act('PATCH', `/api/share/${hash}`, { json });
/** The response to a visitor, with the right password if there is one. */
const visit = async (hash: string, password = ''): Promise<string | number> => {
  const headers = { 'x-share-password': encodeURIComponent(password) };
  const response = await app.fetch(`/api/public/dl/${hash}`, { headers });
  return response.status === 200 ? response.text() : response.status;
};
const rename = (from: string, to: string): void =>
  renameSync(join(app.root, 'alice', from), join(app.root, 'alice', to));

test('a deleted share gets its address, expiry, password and visits back by an undo, and the undo can be undone', async () => {
  const { hash } = await share('/docs/a.txt', { expires: '5', unit: 'days', password: 'secret' });
  expect(await visit(hash, 'secret')).toBe('a');
  app.clock.advance(11_000);
  await expect.poll(async () => (await find(hash))?.visits).toBe(1);
  const before = await find(hash);
  const id = await remove(alice, hash);
  expect([await visit(hash, 'secret'), await find(hash)]).toEqual([404, undefined]);
  expect(await alice.find(id)).toMatchObject({
    kind: 'unshare',
    path: '/docs/a.txt',
    state: 'done',
    canUndo: true,
  });
  expect(await alice.check(id)).toMatchObject({ operation: null, kind: 'unshare', total: 1, undone: 1 });
  const undone = await alice.undo(id);
  expect(await find(hash)).toEqual(before);
  expect([await visit(hash), await visit(hash, 'secret')]).toEqual([401, 'a']);
  expect(await alice.refusal(id)).toBe('409 changed_since');
  const redone = await alice.undo(undone.operation ?? '');
  expect(await visit(hash, 'secret')).toBe(404);
  await alice.undo(redone.operation ?? '');
  expect(await visit(hash, 'secret')).toBe('a');
});

test('a changed share gets its former expiry and password back, unless it has changed again', async () => {
  const { hash } = await share('/docs/a.txt', { password: 'first' });
  const password = await change(alice, hash, { password: 'second' });
  expect([await visit(hash, 'first'), await visit(hash, 'second')]).toEqual([401, 'a']);
  const expiry = await change(alice, hash, { expires: '3', unit: 'days' });
  expect(await alice.refusal(password)).toBe('409 changed_since');
  expect(await alice.check(password)).toMatchObject({ undone: 0, failures: [{ code: 'changed_since' }] });
  await alice.undo(expiry);
  expect(await find(hash)).toMatchObject({ expire: 0 });
  const undone = await alice.undo(password);
  expect([await visit(hash, 'first'), await visit(hash, 'second')]).toEqual(['a', 401]);
  await alice.undo(undone.operation ?? '');
  expect([await visit(hash, 'first'), await visit(hash, 'second')]).toEqual([401, 'a']);
  const deleted = await remove(alice, hash);
  expect(await alice.refusal(expiry)).toMatch(/^4\d\d/u);
  await alice.undo(deleted);
  expect(await visit(hash, 'second')).toBe('a');
});

test('a change without options is not logged', async () => {
  const { hash } = await share('/docs/a.txt');
  const response = await app.fetch(`/api/share/${hash}`, { method: 'PATCH', token: alice.token, json: {} });
  expect([response.status, response.headers.get('x-operation')]).toEqual([200, null]);
});

test('a restored share follows a renamed folder, and never shows another folder of its name', async () => {
  const { hash } = await share('/docs/');
  const id = await remove(alice, hash);
  await alice.move('/docs', '/papers');
  await alice.undo(id);
  expect(await find(hash)).toMatchObject({ path: '/papers/' });
  const again = await remove(alice, hash);
  rename('papers', 'elsewhere');
  mkdirSync(join(app.root, 'alice/papers'));
  expect(await alice.check(again)).toMatchObject({ undone: 0, failures: [{ code: 'not_found' }] });
  expect(await alice.refusal(again)).toBe('404 not_found');
  expect(await find(hash)).toBeUndefined();
});

test('a share is not restored while its file is in the trash, and is after the file was restored', async () => {
  const { hash } = await share('/docs/a.txt');
  const id = await remove(alice, hash);
  const deletion = await alice.remove('/docs');
  expect(await alice.refusal(id)).toBe('404 not_found');
  await alice.undo(deletion);
  await alice.undo(id);
  expect(await visit(hash)).toBe('a');
});

test('only the user who made the change can undo it, with the current permissions and limits', async () => {
  const { hash } = await share('/docs/a.txt');
  const id = await remove(alice, hash);
  for (const other of [bob, admin]) expect(await other.refusal(id)).toBe('404 not_found');
  const others = await Promise.all(Array.from({ length: 20 }, () => share('/docs/')));
  expect(await alice.refusal(id)).toBe('409 too_many_shares');
  await remove(alice, others[0]?.hash ?? '');
  await alice.undo(id);
  const byAdmin = await admin.act('DELETE', `/api/share/${hash}`);
  expect(await alice.refusal(byAdmin)).toBe('404 not_found');
  expect(await admin.find(byAdmin)).toMatchObject({ path: '/alice/docs/a.txt', isOwn: true });
  await admin.undo(byAdmin);
  expect(await find(hash)).toMatchObject({ path: '/docs/a.txt' });
  const last = await remove(alice, hash);
  const users = (await (await app.fetch('/api/users', { token: admin.token })).json()) as User[];
  const { id: userId = 0, perm } = users.find(({ username }) => username === 'alice') ?? {};
  const setShare = async (isPermitted: boolean): Promise<void> => {
    const json = {
      what: 'user',
      which: ['perm'],
      data: { id: userId, perm: { ...perm, share: isPermitted } },
    };
    const response = await app.fetch(`/api/users/${userId}`, { method: 'PUT', token: admin.token, json });
    expect(response.status).toBe(200);
  };
  await setShare(false);
  expect(await alice.refusal(last)).toBe('403 forbidden');
  await setShare(true);
  await alice.undo(last);
});

test('a share of a whole scope is listed without the path of the scope, and nothing shows a password', async () => {
  const { hash } = await share('/', { password: 'secret' });
  const id = await remove(alice, hash);
  const response = await app.fetch('/api/operations', { token: alice.token });
  const text = await response.text();
  expect(text).not.toMatch(/alice\/|secret|scrypt|argon|passwordHash/u);
  expect(await alice.find(id)).toMatchObject({ path: '/', isDir: true });
  await alice.undo(id);
  expect(await find(hash)).toMatchObject({ path: '/', hasPassword: true });
});

test('a rewind leaves shares as they are', async () => {
  const since = new Date(app.clock.now()).toISOString();
  const { hash } = await share('/docs/a.txt');
  await remove(alice, hash);
  const response = await alice.post('/api/operations/rewind?check=true', { below: '/', since });
  const text = await response.text();
  expect(response.status === 404 ? 0 : (JSON.parse(text) as RewindReport).total).toBe(0);
});

// The last test, because sessions end when the clock advances.
test('a deleted share that had expired can be restored while it would still be listed', async () => {
  const { hash, expire } = await share('/docs/a.txt', { expires: '1', unit: 'hours' });
  app.clock.advance(2 * 3_600_000);
  alice = await historyClient(app, 'alice');
  const id = await remove(alice, hash);
  await alice.undo(id);
  expect(await find(hash)).toMatchObject({ expire });
  expect(await visit(hash)).toBe(404);
  const late = await remove(alice, hash);
  app.clock.advance(29.9 * dayMs);
  alice = await historyClient(app, 'alice');
  expect(await alice.check(late)).toMatchObject({ undone: 1 });
  app.clock.advance(0.08 * dayMs);
  expect(await alice.refusal(late)).toBe('404 not_found');
});
