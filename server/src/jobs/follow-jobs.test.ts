import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Job, JobRequest } from '@filestead/contract/jobs';
import type { User } from '@filestead/contract/users';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordsOf } from '../../test/fixtures/audit-lines.ts';
import { openPathsBelow } from '../../test/open-paths.ts';
import { jobsClient } from '../../test/fixtures/jobs-client.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

let app: TestApp;
let token: string;
beforeEach(async () => {
  app = await startApp({
    config: { jobsAtOnce: '2', jobsPerUser: '1' },
    users: [{ username: 'alice' }, { username: 'bob' }],
  });
  token = await app.signIn('alice');
});
afterEach(() => app.close());

/** A file without blocks that takes its time to be hashed. */
function plantLarge(name: string): void {
  writeFileSync(join(app.root, name), '');
  truncateSync(join(app.root, name), 64 * 1024 ** 3);
}
function plantMany(folder: string, count: number): void {
  mkdirSync(join(app.root, folder));
  for (let index = 0; index < count; index++) writeFileSync(join(app.root, folder, `${index}`), 'x');
}
const start = (request: JobRequest, as = token): Promise<Job> => jobsClient(app, as).create(request);
const read = (id: string, as = token): Promise<Job> => jobsClient(app, as).get(id);
const cancel = (id: string, as = token): Promise<Response> =>
  app.fetch(`/api/jobs/${id}`, { method: 'DELETE', token: as });
const until = (id: string, isReached: (job: Job) => boolean, as = token): Promise<Job> =>
  jobsClient(app, as).until(id, isReached);
const whenEnded = (id: string, as = token): Promise<Job> => jobsClient(app, as).ended(id);
async function findUser(username: string, admin: string): Promise<User | undefined> {
  const users = (await (await app.fetch('/api/users', { token: admin })).json()) as User[];
  return users.find((user) => user.username === username);
}
const hashing = (name: string): JobRequest => ({ kind: 'checksum', items: [{ from: `/${name}` }] });

interface ReceivedEvent {
  readonly event: string;
  readonly data: Job & { jobs: Job[] };
}
/** Follows the events until the connection ends or `close` is called. */
async function follow(
  headers: Record<string, string>,
): Promise<{ received: ReceivedEvent[]; ended: Promise<void>; close: () => void; response: Response }> {
  const controller = new AbortController();
  const response = await app.fetch('/api/jobs/events', { headers, signal: controller.signal });
  const received: ReceivedEvent[] = [];
  const ended = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = /^event: (.*)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (event !== undefined && data !== undefined)
          received.push({ event, data: JSON.parse(data) as ReceivedEvent['data'] });
      }
    }
  })().catch(() => undefined);
  return { received, ended, close: () => controller.abort(), response };
}
const waitFor = (isTrue: () => boolean): Promise<void> => expect.poll(isTrue, { interval: 10 }).toBe(true);

test('the events begin with the current jobs and report every change in order until the end', async () => {
  plantMany('tree', 300);
  const bob = await app.signIn('bob');
  const before = await start({ kind: 'delete', items: [{ from: '/nothing' }] });
  await whenEnded(before.id);
  const { received, close, response } = await follow({ 'x-auth': token });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await waitFor(() => received.length > 0);
  expect(received[0]).toMatchObject({
    event: 'snapshot',
    data: { jobs: [{ id: before.id, state: 'failed' }] },
  });
  await start({ kind: 'delete', items: [{ from: '/nothing of alice' }] }, bob);
  const { id } = await start({ kind: 'copy', items: [{ from: '/tree', to: '/copy' }] });
  await waitFor(() => received.some(({ data }) => data.id === id && data.endedAt !== null));
  const changes = received.slice(1).map(({ data }) => data);
  expect(changes.every((job) => job.id === id)).toBe(true);
  expect(changes.at(-1)).toMatchObject({
    state: 'done',
    entries: { done: 301, total: 301 },
    bytes: { done: 300, total: 300 },
  });
  for (const [index, job] of changes.entries()) {
    const earlier = changes[index - 1];
    expect(job.entries.done).toBeGreaterThanOrEqual(earlier?.entries.done ?? 0);
    expect(job.bytes.done).toBeGreaterThanOrEqual(earlier?.bytes.done ?? 0);
  }
  await cancel(id);
  await waitFor(() => received.at(-1)?.event === 'removed');
  expect(received.at(-1)?.data).toEqual({ id });
  close();
});

test('the cookie suffices to follow jobs, but not to create them', async () => {
  const response = await app.fetch('/api/login', {
    method: 'POST',
    json: { username: 'alice', password: 'a password for tests' },
  });
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { received, close } = await follow({ cookie, 'last-event-id': '7' });
  await waitFor(() => received[0]?.event === 'snapshot');
  close();
  const refused = await app.fetch('/api/jobs', { method: 'POST', headers: { cookie }, json: hashing('a') });
  expect(refused.status).toBe(401);
  expect((await app.fetch('/api/jobs/events')).status).toBe(401);
  expect((await app.fetch('/api/jobs/events', { method: 'HEAD', token })).status).toBe(200);
});

test('connections are limited per user, and closed ones no longer count', async () => {
  const followers = await Promise.all(Array.from({ length: 20 }, () => follow({ 'x-auth': token })));
  expect((await app.fetch('/api/jobs/events', { token })).status).toBe(429);
  followers[0]?.close();
  const followAgain = async (): Promise<number> => {
    const again = await follow({ 'x-auth': token });
    again.close();
    return again.response.status;
  };
  await expect.poll(followAgain).toBe(200);
  for (const { close } of followers) close();
});

test('a job continues without listeners, and the next one waits in the queue', async () => {
  plantLarge('large');
  const first = await start(hashing('large'));
  const second = await start({ kind: 'delete', items: [{ from: '/nothing' }] });
  await until(first.id, ({ bytes }) => bytes.done > 0);
  expect(await read(second.id)).toMatchObject({ state: 'queued', startedAt: null });
  const bob = await app.signIn('bob');
  const other = await start({ kind: 'delete', items: [{ from: '/nothing' }] }, bob);
  await whenEnded(other.id, bob);
  expect((await read(first.id)).state).toBe('running');
  expect((await cancel(first.id)).status).toBe(200);
  expect(await whenEnded(first.id)).toMatchObject({
    state: 'cancelled',
    current: null,
  });
  expect(await whenEnded(second.id)).toMatchObject({ state: 'failed' });
});

test('a queued job is cancelled at once and changes nothing', async () => {
  plantLarge('large');
  writeFileSync(join(app.root, 'stays'), 'x');
  const first = await start(hashing('large'));
  const second = await start({ kind: 'delete', items: [{ from: '/stays' }] });
  await cancel(second.id);
  expect(await read(second.id)).toMatchObject({ state: 'cancelled', startedAt: null });
  await cancel(first.id);
  await whenEnded(first.id);
  expect(existsSync(join(app.root, 'stays'))).toBe(true);
});

test('a cancelled copy leaves nothing under the final name and skips later items', async () => {
  plantMany('tree', 1_500);
  writeFileSync(join(app.root, 'one'), 'x');
  const { id } = await start({
    kind: 'copy',
    items: [
      { from: '/one', to: '/first' },
      { from: '/tree', to: '/copy' },
      { from: '/one', to: '/last' },
    ],
  });
  await until(id, ({ entries }) => entries.done > 1);
  await cancel(id);
  const job = await whenEnded(id);
  expect(job).toMatchObject({ state: 'cancelled', items: { total: 3, done: 1, failed: 0 } });
  expect(readdirSync(app.root).toSorted()).toEqual(['first', 'one', 'tree']);
});

test('the permissions are checked again for every item', async () => {
  plantLarge('large');
  writeFileSync(join(app.root, 'small'), 'x');
  const { id } = await start({
    kind: 'checksum',
    items: [{ from: '/small' }, { from: '/large' }, { from: '/small' }],
  });
  await until(id, ({ items }) => items.done === 1);
  const admin = await app.signIn('admin');
  const alice = await findUser('alice', admin);
  const changed = await app.fetch(`/api/users/${alice?.id}`, {
    method: 'PUT',
    token: admin,
    json: { what: 'user', which: ['perm'], data: { ...alice, perm: { download: false } } },
  });
  expect(changed.status).toBe(200);
  truncateSync(join(app.root, 'large'), 0);
  const job = await whenEnded(id);
  expect(job.failures).toEqual([{ index: 2, path: '/small', code: 'forbidden' }]);
});

test('deleting a user stops their jobs', async () => {
  plantLarge('large');
  const { id } = await start(hashing('large'));
  await until(id, ({ bytes }) => bytes.done > 0);
  const { received, ended } = await follow({ 'x-auth': token });
  await waitFor(() => received.length > 0);
  const admin = await app.signIn('admin');
  const alice = await findUser('alice', admin);
  expect((await app.fetch(`/api/users/${alice?.id}`, { method: 'DELETE', token: admin })).status).toBe(200);
  // The jobs of a deleted user cannot be followed; the end of the job is visible in its file, which is closed.
  await ended;
  const isRead = (): boolean => openPathsBelow(app.root).includes(join(app.root, 'large'));
  await waitFor(() => !isRead());
});

test('the events end without an error when the session signs out', async () => {
  const response = await app.fetch('/api/jobs/events', { token });
  expect(response.status).toBe(200);
  const whole = response.text();
  expect((await app.fetch('/api/logout', { method: 'POST', token })).status).toBe(200);
  expect(await whole).toContain('event: snapshot');
});

test('a stopping server pauses its jobs and ends the events', async () => {
  plantLarge('large');
  const { id } = await start(hashing('large'));
  await until(id, ({ bytes }) => bytes.done > 0);
  const { ended } = await follow({ 'x-auth': token });
  await app.close();
  await ended;
  // The next start of the server continues it.
  expect(recordsOf(app).filter(({ event }) => event === 'job.end')).toEqual([]);
  app = await startApp();
});

test('events are not buffered without limit for a client that does not read', async () => {
  plantMany('tree', 300);
  const { hostname, port } = new URL(app.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause();
  socket.write(`GET /api/jobs/events HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\n\r\n`);
  const { id } = await start({ kind: 'delete', items: [{ from: '/tree' }] });
  expect((await whenEnded(id)).state).toBe('done');
  socket.destroy();
});
