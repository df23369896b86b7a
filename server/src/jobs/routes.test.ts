import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOnlyDisk } from '@filestead/contract/errors';
import type { Job, JobDetails, JobRequest } from '@filestead/contract/jobs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobsClient } from '../../test/fixtures/jobs-client.ts';
import { Mounts } from '../../test/fixtures/mounts.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    users: [
      { username: 'alice', scope: '/alice' },
      { username: 'bob', scope: '/bob' },
      { username: 'ruled', scope: '/ruled', rules: [{ path: '/tree/secret' }] },
      {
        username: 'reader',
        scope: '/alice',
        perm: { create: false, rename: false, delete: false, modify: false },
      },
      { username: 'blind', scope: '/alice', perm: { download: false } },
      { username: 'keeper', scope: '/keeper', perm: { modify: false } },
    ],
  });
  token = await app.signIn('alice');
});
afterAll(() => app.close());

const plant = (name: string, content = name): void => {
  const absolute = join(app.root, name);
  mkdirSync(join(absolute, name.endsWith('/') ? '.' : '..'), { recursive: true });
  if (!name.endsWith('/')) writeFileSync(absolute, content);
};
const onDisk = (name: string): string | null => {
  const absolute = join(app.root, name);
  return existsSync(absolute) ? readFileSync(absolute, 'utf8') : null;
};
const post = (request: unknown, as = token): Promise<Response> => jobsClient(app, as).post(request);
const start = (request: JobRequest, as = token): Promise<Job> => jobsClient(app, as).create(request);
const ended = (id: string, as = token): Promise<JobDetails> => jobsClient(app, as).ended(id);
const run = (request: JobRequest, as = token): Promise<JobDetails> => jobsClient(app, as).run(request);
const selectionOf = (count: number): { from: string }[] =>
  Array.from({ length: count }, (_, index) => ({ from: `/nowhere/${index}` }));

describe('a job', () => {
  test('copies trees and files, reports each destination and counts everything', async () => {
    plant('alice/c/tree/a.txt', 'aaaa');
    plant('alice/c/tree/deep/b.txt', 'bb');
    plant('alice/c/one.txt', '1');
    plant('alice/c/to/one.txt', 'taken');
    const job = await run({
      kind: 'copy',
      items: [
        { from: '/c/tree', to: '/c/to/tree' },
        { from: '/c/one.txt', to: '/c/to/one.txt', rename: true },
      ],
    });
    expect(job).toMatchObject({
      kind: 'copy',
      state: 'done',
      items: { total: 2, done: 2, failed: 0 },
      entries: { done: 5, total: 5 },
      bytes: { done: 7, total: 7 },
      failures: [],
      current: null,
    });
    expect(job.results).toEqual([
      { index: 0, path: '/c/tree', to: '/c/to/tree' },
      { index: 1, path: '/c/one.txt', to: '/c/to/one(1).txt' },
    ]);
    expect([
      onDisk('alice/c/to/tree/deep/b.txt'),
      onDisk('alice/c/to/one(1).txt'),
      onDisk('alice/c/to/one.txt'),
    ]).toEqual(['bb', '1', 'taken']);
  });

  test('moves the other items although one fails', async () => {
    for (const name of ['a', 'b', 'taken', 'to/taken']) plant(`alice/m/${name}`);
    const job = await run({
      kind: 'move',
      items: [
        { from: '/m/a', to: '/m/to/a' },
        { from: '/m/nothing', to: '/m/to/nothing' },
        { from: '/m/taken', to: '/m/to/taken' },
        { from: '/', to: '/m/to/root' },
        { from: '/m', to: '/m/to/inside' },
        { from: '/m/b', to: '/m/new/b' },
      ],
    });
    expect(job).toMatchObject({
      state: 'done',
      items: { total: 6, done: 2, failed: 4 },
      entries: { total: 6, done: 6 },
    });
    expect(job.failures.map(({ index, code }) => [index, code])).toEqual([
      [1, 'not_found'],
      [2, 'already_exists'],
      [3, 'root_is_protected'],
      [4, 'moves_into_itself'],
    ]);
    expect([onDisk('alice/m/a'), onDisk('alice/m/to/a'), onDisk('alice/m/new/b')]).toEqual([
      null,
      'alice/m/a',
      'alice/m/b',
    ]);
    expect([onDisk('alice/m/taken'), onDisk('alice/m/to/taken')]).toEqual([
      'alice/m/taken',
      'alice/m/to/taken',
    ]);
  });

  test('counts a folder that is moved to another disk when it is there', async (context) => {
    const mounts = new Mounts();
    mkdirSync(join(app.root, 'alice/disk'));
    try {
      mounts.required(context).tmpfs(join(app.root, 'alice/disk'));
      for (let i = 0; i < 1_500; i++) plant(`alice/large/${i}`, 'content');
      const jobs = jobsClient(app, token);
      const { id } = await jobs.create({ kind: 'move', items: [{ from: '/large', to: '/disk/large' }] });
      const moving = await jobs.until(id, ({ bytes }) => bytes.done > 1_000);
      expect([moving.state, moving.entries]).toEqual(['running', { done: 0, total: 1 }]);
      expect((await jobs.ended(id)).entries).toEqual({ done: 1, total: 1 });
    } finally {
      mounts.release();
    }
  });

  test('overwrites on request', async () => {
    plant('alice/o/a', 'new');
    plant('alice/o/b', 'old');
    await run({ kind: 'copy', items: [{ from: '/o/a', to: '/o/b', overwrite: true }] });
    expect(onDisk('alice/o/b')).toBe('new');
  });

  test('deletes trees and files', async () => {
    for (const name of ['tree/a', 'tree/b/c', 'file', 'stays']) plant(`alice/d/${name}`);
    const job = await run({
      kind: 'delete',
      items: [{ from: '/d/tree/' }, { from: '/d/file' }, { from: '/d/stays/' }],
    });
    expect(job).toMatchObject({ state: 'done', items: { total: 3, done: 2, failed: 1 } });
    expect(job.failures).toEqual([{ index: 2, path: '/d/stays', code: 'not_a_folder' }]);
    expect(readdirSync(join(app.root, 'alice/d'))).toEqual(['stays']);
  });

  test('counts what is in a folder only when a deletion removes it forever', async () => {
    for (const name of ['kept/a', 'kept/b/c', 'gone/a', 'gone/b/c']) plant(`alice/f/${name}`);
    const kept = await run({ kind: 'delete', items: [{ from: '/f/kept' }] });
    expect(kept).toMatchObject({ state: 'done', entries: { done: 1, total: 1 } });
    const gone = await run({ kind: 'delete', permanent: true, items: [{ from: '/f/gone' }] });
    expect(gone).toMatchObject({ state: 'done', entries: { done: 4, total: 4 } });
  });

  test('names the read-only disk on which an item has failed', async (context) => {
    const mounts = new Mounts();
    plant('alice/r/tree/a.txt');
    plant('alice/r/disk/');
    try {
      mounts.required(context).tmpfs(join(app.root, 'alice/r/disk'), 'ro');
      const job = await run({ kind: 'copy', items: [{ from: '/r/tree', to: '/r/disk/tree' }] });
      const failure = { index: 0, path: '/r/tree', code: 'forbidden', detail: readOnlyDisk };
      expect(job).toMatchObject({ state: 'failed', failures: [failure], results: [failure] });
    } finally {
      mounts.release();
    }
  });

  test('hashes files and everything in folders', async () => {
    plant('alice/h/a', 'aaa');
    plant('alice/h/in/b', 'b'.repeat(700_000));
    const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
    const job = await run({ kind: 'checksum', algorithm: 'md5', items: [{ from: '/h/a' }, { from: '/h' }] });
    expect(job.results.toSorted((a, b) => a.index - b.index || a.path.localeCompare(b.path))).toEqual([
      { index: 0, path: '/h/a', checksum: md5('aaa') },
      { index: 1, path: '/h/a', checksum: md5('aaa') },
      { index: 1, path: '/h/in/b', checksum: md5('b'.repeat(700_000)) },
    ]);
    expect(job).toMatchObject({
      state: 'done',
      bytes: { done: 700_006, total: 700_006 },
      entries: { done: 5, total: 5 },
    });
    const [result] = (await run({ kind: 'checksum', items: [{ from: '/h/a' }] })).results;
    expect(result?.checksum).toBe(createHash('sha256').update('aaa').digest('hex'));
  });

  test('has failed when all its items failed', async () => {
    expect(await run({ kind: 'delete', items: [{ from: '/gone/1' }, { from: '/gone/2' }] })).toMatchObject({
      state: 'failed',
      items: { total: 2, done: 0, failed: 2 },
    });
  });

  test('returns the results of thousands of items completely and in order', async () => {
    // The response has a chunk for each 500 results.
    const items = Array.from({ length: 1_100 }, (_, index) => ({ from: `/many/${index}` }));
    for (const { from } of items) plant(`alice${from}`, '');
    const job = await run({ kind: 'delete', items });
    expect(job.results.map(({ index }) => index)).toEqual(items.map((_, index) => index));
    expect(readdirSync(join(app.root, 'alice/many'))).toEqual([]);
  });
});

test('a hundred thousand items are accepted', async () => {
  const { id, items } = await start({ kind: 'delete', items: selectionOf(100_000) });
  expect(items.total).toBe(100_000);
  expect((await app.fetch(`/api/jobs/${id}`, { method: 'DELETE', token })).status).toBe(200);
  expect((await ended(id)).state).toBe('cancelled');
});

describe('the permissions of a job', () => {
  test.each([
    ['reader', { kind: 'copy', items: [{ from: '/p/a', to: '/p/b' }] }],
    ['reader', { kind: 'move', items: [{ from: '/p/a', to: '/p/b' }] }],
    ['reader', { kind: 'delete', items: [{ from: '/p/a' }] }],
    ['blind', { kind: 'checksum', items: [{ from: '/p/a' }] }],
    ['keeper', { kind: 'copy', items: [{ from: '/a', to: '/b', overwrite: true }] }],
  ] as const)('%s may not %j', async (username, request) => {
    plant('alice/p/a');
    const response = await post(request, await app.signIn(username));
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([403, 'forbidden']);
    expect(onDisk('alice/p/a')).toBe('alice/p/a');
  });

  test('allow the kind of job that they are for', async () => {
    plant('keeper/a');
    const keeper = await app.signIn('keeper');
    const state = async (request: JobRequest, as: string): Promise<string> => (await run(request, as)).state;
    expect(await state({ kind: 'copy', items: [{ from: '/a', to: '/b' }] }, keeper)).toBe('done');
    expect(await state({ kind: 'move', items: [{ from: '/b', to: '/c' }] }, keeper)).toBe('done');
    expect(await state({ kind: 'delete', items: [{ from: '/c' }] }, keeper)).toBe('done');
    plant('alice/p/a');
    const reader = await app.signIn('reader');
    expect(await state({ kind: 'checksum', items: [{ from: '/p/a' }] }, reader)).toBe('done');
  });

  test.each(['copy', 'move', 'delete'] as const)(
    'rejects a job to %s a tree with a denied entry before anything is changed',
    async (kind) => {
      plant('ruled/tree/a');
      plant('ruled/tree/secret/s');
      plant('ruled/free/a');
      const ruled = await app.signIn('ruled');
      const job = await run(
        {
          kind,
          items: [
            { from: '/tree', ...(kind === 'delete' ? {} : { to: '/gone' }) },
            { from: '/free', ...(kind === 'delete' ? {} : { to: '/moved' }) },
          ],
        },
        ruled,
      );
      expect(job.failures).toEqual([{ index: 0, path: '/tree', code: 'forbidden' }]);
      expect([onDisk('ruled/tree/a'), onDisk('ruled/tree/secret/s'), onDisk('ruled/gone/a')]).toEqual([
        'ruled/tree/a',
        'ruled/tree/secret/s',
        null,
      ]);
      expect(onDisk(kind === 'delete' ? 'ruled/free/a' : 'ruled/moved/a') === null).toBe(kind === 'delete');
      await run({ kind: 'delete', items: [{ from: '/moved' }] }, ruled);
    },
  );

  test('exclude denied entries from the checksums of a tree', async () => {
    plant('ruled/tree/a');
    plant('ruled/tree/secret/s');
    const job = await run({ kind: 'checksum', items: [{ from: '/tree' }] }, await app.signIn('ruled'));
    expect(job.results.map(({ path }) => path)).toEqual(['/tree/a']);
  });

  test('hide the jobs of other users and keep them from being cancelled', async () => {
    const { id } = await start({ kind: 'delete', items: [{ from: '/nothing' }] });
    const bob = await app.signIn('bob');
    expect((await app.fetch(`/api/jobs/${id}`, { token: bob })).status).toBe(404);
    expect((await app.fetch(`/api/jobs/${id}`, { token: bob, method: 'DELETE' })).status).toBe(404);
    expect(await (await app.fetch('/api/jobs', { token: bob })).json()).toEqual([]);
    expect((await app.fetch(`/api/jobs/${id}`, { token })).status).toBe(200);
    for (const method of ['GET', 'POST']) expect((await app.fetch('/api/jobs', { method })).status).toBe(401);
    for (const strange of ['__proto__', '..%2Fx', 'a'.repeat(100)]) {
      expect((await app.fetch(`/api/jobs/${strange}`, { token })).status).toBe(404);
    }
  });
});

test.each([
  ['no JSON', 'nonsense'],
  ['no items', { kind: 'copy', items: [] }],
  ['an unknown kind', { kind: 'explode', items: [{ from: '/a' }] }],
  ['a copy to nowhere', { kind: 'copy', items: [{ from: '/a' }] }],
  ['a relative path', { kind: 'delete', items: [{ from: 'a' }] }],
  ['a parent segment', { kind: 'delete', items: [{ from: '/../bob/a' }] }],
  ['a parent segment in the destination', { kind: 'copy', items: [{ from: '/a', to: '/../b' }] }],
  ['NUL', { kind: 'delete', items: [{ from: '/a\0' }] }],
  ['an unknown algorithm', { kind: 'checksum', algorithm: 'crc', items: [{ from: '/a' }] }],
  ['more items than allowed', { kind: 'delete', items: selectionOf(100_001) }],
  ['a list', []],
])('a request with %s is refused as 400 with a reason', async (_name, request) => {
  const response = await post(request);
  expect(response.status).toBe(400);
  expect(((await response.json()) as { detail: string }).detail).toMatch(/\w/);
});

test('finished jobs are listed, the newest first, and removed on request', async () => {
  const bob = await app.signIn('bob');
  const first = await run({ kind: 'delete', items: [{ from: '/1' }] }, bob);
  const second = await run({ kind: 'delete', items: [{ from: '/2' }] }, bob);
  const list = async (): Promise<string[]> =>
    ((await (await app.fetch('/api/jobs', { token: bob })).json()) as Job[]).map(({ id }) => id);
  expect(await list()).toEqual([second.id, first.id]);
  expect((await app.fetch(`/api/jobs/${first.id}`, { method: 'DELETE', token: bob })).status).toBe(200);
  expect(await list()).toEqual([second.id]);
});

test('a finished job is removed seven days after its end', async () => {
  const bob = await app.signIn('bob');
  const { id } = await run({ kind: 'delete', items: [{ from: '/3' }] }, bob);
  const status = async (): Promise<number> => {
    const token = await app.signIn('bob');
    return (await app.fetch(`/api/jobs/${id}`, { token })).status;
  };
  const minutesOfWeek = 7 * 24 * 60;
  app.clock.advance((minutesOfWeek - 1) * 60_000);
  expect(await status()).toBe(200);
  app.clock.advance(2 * 60_000);
  expect(await status()).toBe(404);
});
