import type { Share } from '@filestead/contract/shares';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../test/start-app.ts';
import { type TrashClient, trashClient } from './trash-testing.ts';

let app: TestApp;
let admin: TrashClient;
let alice: TrashClient;
beforeEach(async () => {
  app = await startApp({
    files: { 'docs/a.txt': 'a', 'docs/deep/b.txt': 'b' },
    users: [{ username: 'alice', scope: '/docs' }],
  });
  admin = await trashClient(app, 'admin');
  alice = await trashClient(app, 'alice');
});
afterEach(() => app.close());

const share = async (client: TrashClient, path: string): Promise<string> => {
  const response = await client.post(`/api/share${path}`, {});
  return ((await response.json()) as Share).hash;
};
const statusOf = async (hash: string): Promise<number> =>
  (await app.fetch(`/api/public/share/${hash}`)).status;
const listed = async (client: TrashClient): Promise<string[]> =>
  ((await (await app.fetch('/api/shares', { token: client.token })).json()) as Share[]).map(
    ({ path }) => path,
  );

test('a share of a deleted file is unknown, and works again when its owner restores the file', async () => {
  const hash = await share(alice, '/deep/b.txt');
  const id = await admin.remove('/docs/deep');
  expect(await statusOf(hash)).toBe(404);
  expect(await listed(alice)).toEqual([]);
  expect(await alice.restore([id], { to: '/moved' })).toEqual(['/moved/deep']);
  expect(await statusOf(hash)).toBe(200);
  expect(await listed(alice)).toEqual(['/moved/deep/b.txt']);
});

test('the response names the shares of the user that work again, and a restoration can end them', async () => {
  const hash = await share(alice, '/a.txt');
  const restored = await alice.post('/api/trash/restore', { ids: [await alice.remove('/a.txt')] });
  expect(await restored.json()).toMatchObject({ results: [{ path: '/a.txt', links: [hash] }] });
  const id = await alice.remove('/a.txt');
  const ended = await alice.post('/api/trash/restore', { ids: [id], links: false });
  expect(await ended.json()).toEqual({ results: [{ id, path: '/a.txt' }] });
  expect([await statusOf(hash), await listed(alice)]).toEqual([404, []]);
});

test('a share works again when the user who deleted the file takes that back', async () => {
  const hash = await share(alice, '/a.txt');
  const id = await admin.remove('/docs/a.txt');
  expect(await admin.restore([id])).toEqual(['/docs/a.txt']);
  expect(await statusOf(hash)).toBe(200);
});

test('a share ends when another user restores the file', async () => {
  const hash = await share(alice, '/a.txt');
  const id = await alice.remove('/a.txt');
  expect(await admin.restore([id])).toEqual(['/docs/a.txt']);
  expect(await statusOf(hash)).toBe(404);
  expect(await listed(alice)).toEqual([]);
});

test('a share is not taken by a new file of the same name, and ends with the deletion forever', async () => {
  const hash = await share(alice, '/a.txt');
  const id = await alice.remove('/a.txt');
  const upload = await app.fetch('/api/resources/a.txt', { method: 'POST', token: alice.token, body: 'new' });
  expect([upload.status, await statusOf(hash)]).toEqual([200, 404]);
  const newHash = await share(alice, '/a.txt');
  expect(await statusOf(newHash)).toBe(200);
  expect((await alice.post('/api/trash/purge', { ids: [id] })).status).toBe(200);
  app.clock.advance(10_001);
  await expect.poll(() => app.log.some((line) => line.includes('removed forever'))).toBe(true);
  expect([await statusOf(hash), await statusOf(newHash)]).toEqual([404, 200]);
});

test('a share ends at once when the file is deleted forever without the trash', async () => {
  const hash = await share(alice, '/a.txt');
  expect(await alice.status('/api/resources/a.txt?permanent=true', 'DELETE')).toBe(200);
  expect([await statusOf(hash), await listed(alice)]).toEqual([404, []]);
});
