import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job, JobDetails } from '@filestead/contract/jobs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordsOf } from '../../test/fixtures/audit-lines.ts';
import { jobsClient } from '../../test/fixtures/jobs-client.ts';
import { Mounts } from '../../test/fixtures/mounts.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { openSqlite } from '../database/sqlite/open-sqlite.ts';
import type { JobProgress } from './job-progress.ts';
import { savedEvery } from './job-record.ts';

let folder: string;
let root: string;
let app: TestApp;
let token: string;
const mounts = new Mounts();

/** Starts a server on the files and the database of this test. A user's jobs run one after the other. */
async function start(): Promise<void> {
  app = await startApp({ config: { jobsPerUser: '1', root, data: join(folder, 'data') } });
  token ??= await app.signIn('admin');
}
async function restart(): Promise<void> {
  await app.close();
  await start();
}

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'filestead-restart-')));
  root = join(folder, 'root');
  mkdirSync(root);
  token = undefined as unknown as string;
  await start();
});
afterEach(async () => {
  await app.close();
  mounts.release();
  rmSync(folder, { recursive: true, force: true });
});

// The server is restarted, hence a new client for each request.
const createJob = (request: unknown): Promise<Job> => jobsClient(app, token).create(request);
const getJob = (id: string): Promise<JobDetails> => jobsClient(app, token).get(id);
const until = (id: string, isReached: (job: JobDetails) => boolean): Promise<JobDetails> =>
  jobsClient(app, token).until(id, isReached);
const whenEnded = (id: string): Promise<JobDetails> => jobsClient(app, token).ended(id);

const manyFiles = 400;
/** A folder of files that takes much longer to copy than a request. */
function makeTree(name: string, count = manyFiles): void {
  for (let i = 0; i < count; i++) {
    const parent = join(root, name, `part ${i % 5}`);
    if (i < 5) mkdirSync(parent, { recursive: true });
    writeFileSync(join(parent, `${i}.txt`), `content ${i}`);
  }
}
/** The inodes of all files below a folder by their path in it. */
const inodesOf = (path: string): Map<string, number> =>
  new Map(
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(path.length + 1), statSync(file).ino]),
  );

test('a copy continues after a restart where it was interrupted, and its progress does not decrease', async () => {
  makeTree('photos');
  const items = [{ from: '/photos', to: '/copy of photos' }];
  const { id } = await createJob({ kind: 'copy', items });
  const before = await until(id, ({ entries }) => entries.done > 20);
  expect(before.endedAt).toBeNull();
  await app.close();
  const unfinished = readdirSync(root).find((name) => name !== 'photos') ?? '';
  const copied = inodesOf(join(root, unfinished));
  expect(copied.size).toBeGreaterThan(20);
  expect(copied.size).toBeLessThan(manyFiles);

  await start();
  expect((await getJob(id)).entries.done).toBeGreaterThanOrEqual(before.entries.done);
  const after = await whenEnded(id);
  expect(after).toMatchObject({
    state: 'done',
    attempt: 2,
    items: { done: 1, failed: 0 },
    results: [{ index: 0, path: '/photos', to: '/copy of photos' }],
  });
  expect(after.resumedAt).not.toBeNull();
  expect(after.entries.done).toBe(after.entries.total);
  const final = inodesOf(join(root, 'copy of photos'));
  expect(final.size).toBe(manyFiles);
  const kept = [...copied].filter(([path, inode]) => final.get(path) === inode);
  // At most the files that were being copied are copied again.
  expect(copied.size - kept.length).toBeLessThanOrEqual(8);
  expect(readdirSync(root).toSorted()).toEqual(['copy of photos', 'photos']);
  expect(recordsOf(app).find(({ event }) => event === 'job.end')).toMatchObject({
    outcome: 'success',
    target: { job: id, kind: 'copy' },
  });
});

test('a move to another file system continues after each of two restarts', async (context) => {
  const manyMoved = 2_500;
  makeTree('photos', manyMoved);
  mkdirSync(join(root, 'disk'));
  mounts.required(context).tmpfs(join(root, 'disk'));
  await restart();
  const items = [{ from: '/photos', to: '/disk/photos' }];
  const { id } = await createJob({ kind: 'move', items });
  let bytes = 0;
  let copied = new Map<string, number>();
  for (let restarts = 0; restarts < 2; restarts++) {
    ({
      bytes: { done: bytes },
    } = await until(id, (job) => job.bytes.done > bytes));
    await app.close();
    const [unfinished = ''] = readdirSync(join(root, 'disk'));
    copied = inodesOf(join(root, 'disk', unfinished));
    expect(copied.size).toBeGreaterThan(20);
    await start();
  }
  const after = await whenEnded(id);
  expect(after).toMatchObject({ state: 'done', attempt: 3, failures: [] });
  const final = inodesOf(join(root, 'disk/photos'));
  expect(final.size).toBe(manyMoved);
  // At most the files that were being copied are copied again.
  const kept = [...copied].filter(([path, inode]) => final.get(path) === inode);
  expect(copied.size - kept.length).toBeLessThanOrEqual(8);
  expect(readdirSync(root)).toEqual(['disk']);
  expect(readdirSync(join(root, 'disk'))).toEqual(['photos']);
});

test('waiting jobs run after a restart in their order, with the free names that were chosen', async () => {
  makeTree('big');
  writeFileSync(join(root, 'a.txt'), 'a');
  const ids: string[] = [];
  for (const [from, to] of [
    ['/big', '/big 2'],
    ['/big', '/big 3'],
    ['/a.txt', '/b.txt'],
    ['/b.txt', '/c.txt'],
  ]) {
    const job = await createJob({ kind: 'copy', items: [{ from, to, rename: true }] });
    ids.push(job.id);
  }
  await restart();
  for (const id of ids) expect((await whenEnded(id)).state).toBe('done');
  expect(readdirSync(root).toSorted()).toEqual(['a.txt', 'b.txt', 'big', 'big 2', 'big 3', 'c.txt']);
});

test('a copy that is cancelled after a restart leaves nothing behind', async () => {
  makeTree('photos');
  const { id } = await createJob({ kind: 'copy', items: [{ from: '/photos', to: '/copy' }] });
  await until(id, ({ entries }) => entries.done > 20);
  await restart();
  expect((await app.fetch(`/api/jobs/${id}`, { method: 'DELETE', token })).status).toBe(200);
  expect((await whenEnded(id)).state).toBe('cancelled');
  await restart();
  expect((await getJob(id)).state).toBe('cancelled');
  expect(readdirSync(root)).toEqual(['photos']);
});

test('finished jobs and their results are kept for seven days', async () => {
  writeFileSync(join(root, 'a.txt'), 'hello');
  const items = [{ from: '/a.txt' }, { from: '/missing.txt' }];
  const { id } = await createJob({ kind: 'checksum', items });
  const before = await whenEnded(id);
  await restart();
  expect(await getJob(id)).toEqual(before);
  expect(before.results).toEqual([
    { index: 0, path: '/a.txt', checksum: expect.stringMatching(/^2cf24dba/) as unknown },
    { index: 1, path: '/missing.txt', code: 'not_found' },
  ]);
  app.clock.advance(7 * 24 * 60 * 60 * 1000 + 1);
  token = await app.signIn('admin');
  expect((await app.fetch(`/api/jobs/${id}`, { token })).status).toBe(404);
  await restart();
  expect((await app.fetch(`/api/jobs/${id}`, { token })).status).toBe(404);
});

test('a job that makes no progress in three runs of the server fails', async () => {
  makeTree('photos');
  const { id } = await createJob({ kind: 'copy', items: [{ from: '/photos', to: '/copy' }] });
  await until(id, ({ entries }) => entries.done > 0);
  await app.close();
  const database = openSqlite(join(folder, 'data', 'filestead.db'));
  const row = database.prepare('select progress_json from jobs where id = ?').all(id)[0] as {
    progress_json: string;
  };
  const progress = { ...(JSON.parse(row.progress_json) as object), stalledAttempts: 3 };
  database.prepare('update jobs set progress_json = ? where id = ?').run(JSON.stringify(progress), id);
  database.close();
  await start();
  expect(await whenEnded(id)).toMatchObject({
    state: 'failed',
    failures: [{ index: 0, code: 'interrupted' }],
  });
  await restart();
  expect(await getJob(id)).toMatchObject({ state: 'failed', failures: [{ index: 0, code: 'interrupted' }] });
  expect(readdirSync(root)).toEqual(['photos']);
});

test('a job of one large folder ends although it is interrupted more often than a job without progress may be', async () => {
  const count = 800;
  makeTree('photos', count);
  const { id } = await createJob({ kind: 'copy', items: [{ from: '/photos', to: '/copy' }] });
  let done = 0;
  for (let interruption = 1; interruption <= 4; interruption++) {
    const job = await until(id, ({ entries }) => entries.done > done + 10);
    expect(job.endedAt).toBeNull();
    ({ done } = job.entries);
    await restart();
  }
  expect(await whenEnded(id)).toMatchObject({ state: 'done', attempt: 5 });
  expect(inodesOf(join(root, 'copy')).size).toBe(count);
});

test('a job of a user who was deleted or lost a permission meanwhile does nothing', async () => {
  makeTree('photos');
  const alice = await app.createUser({ username: 'alice' });
  const aliceToken = await app.signIn('alice');
  const { id } = await jobsClient(app, aliceToken).create({
    kind: 'copy',
    items: [{ from: '/photos', to: '/copy' }],
  });
  await app.close();
  const database = openSqlite(join(folder, 'data', 'filestead.db'));
  database.prepare('update users set may_create = 0 where id = ?').run(alice.id);
  database.close();
  await start();
  expect(await jobsClient(app, aliceToken).ended(id)).toMatchObject({
    state: 'failed',
    failures: [{ index: 0, code: 'forbidden' }],
  });
  expect(readdirSync(root)).toEqual(['photos']);
});

test('a job of many items counts each of them once, whenever it is interrupted', async () => {
  const count = savedEvery.entries + 500;
  makeTree('photos', count);
  const items = [...inodesOf(join(root, 'photos')).keys()].map((path) => ({ from: `/photos/${path}` }));
  const { id } = await createJob({ kind: 'delete', items });
  // The progress is stored while the job runs: a kill at that moment leaves it as the last one.
  await until(id, ({ entries }) => entries.done > savedEvery.entries);
  const stored = openSqlite(join(folder, 'data', 'filestead.db'));
  const [row] = stored.prepare('select progress_json from jobs where id = ?').all(id);
  stored.close();
  const progress = JSON.parse((row as { progress_json: string }).progress_json) as JobProgress;
  expect(progress.doneItems).toBeGreaterThan(0);
  expect(progress).toMatchObject({ nextItem: progress.doneItems, resultCount: progress.doneItems });

  await restart();
  const after = await whenEnded(id);
  expect(after).toMatchObject({ state: 'done', items: { total: count, done: count, failed: 0 } });
  expect(after.results.map(({ index }) => index)).toEqual(items.map((_, index) => index));
});

test('a deletion whose last progress was lost names all entries in the trash, and can be undone whole', async () => {
  const count = 1_500;
  makeTree('photos', count);
  const items = [...inodesOf(join(root, 'photos')).keys()].map((path) => ({ from: `/photos/${path}` }));
  const { id } = await createJob({ kind: 'delete', items });
  await until(id, ({ entries }) => entries.done > 100);
  const database = join(folder, 'data', 'filestead.db');
  const earlier = openSqlite(database);
  earlier.exec(`vacuum into '${join(folder, 'earlier.db')}'`);
  earlier.close();
  const lost = await until(id, ({ entries }) => entries.done > 500);
  expect(lost.endedAt).toBeNull();
  await app.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true });
  renameSync(join(folder, 'earlier.db'), database);

  await start();
  const { results, ...after } = await whenEnded(id);
  expect(after).toMatchObject({ state: 'done', items: { done: count, failed: 0 } });
  expect(results.filter(({ trashItem }) => trashItem === undefined)).toEqual([]);
  expect(new Set(results.map(({ trashItem }) => trashItem)).size).toBe(count);
  const checked = await app.fetch(`/api/operations/${id}/undo?check=true`, { method: 'POST', token });
  expect(await checked.json()).toMatchObject({ total: count, undone: count, failures: [] });
});

/** Asks for the cancellation of all jobs, as the command line does. */
function cancelElsewhere(): void {
  const connection = openSqlite(join(folder, 'data/filestead.db'));
  connection.exec('update jobs set is_cancelled = 1');
  connection.close();
}

test('a job that the command line cancels ends within seconds, and before it continues after a restart', async () => {
  makeTree('photos');
  const items = [{ from: '/photos', to: '/copy' }];
  const running = await createJob({ kind: 'copy', items });
  await until(running.id, ({ entries }) => entries.done > 20);
  cancelElsewhere();
  app.clock.advance(2_000);
  expect(await whenEnded(running.id)).toMatchObject({ state: 'cancelled' });
  const stopped = await createJob({ kind: 'copy', items });
  await until(stopped.id, ({ entries }) => entries.done > 20);
  await app.close();
  cancelElsewhere();
  await start();
  expect(await getJob(stopped.id)).toMatchObject({ state: 'cancelled', endedAt: expect.any(Number) });
  await expect.poll(() => readdirSync(root)).toEqual(['photos']);
});
