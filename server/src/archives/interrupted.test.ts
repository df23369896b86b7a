import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobDetails } from '@filestead/contract/jobs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { craftTar } from '../../test/fixtures/crafted-archives.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

const fileCount = 1_500;
const contentOf = (index: number): string => `content of ${index}`;
let folder: string;
let root: string;
let app: TestApp;
let token: string;

async function start(): Promise<void> {
  app = await startApp({ config: { jobsPerUser: '1', root, data: join(folder, 'data') } });
}
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'filestead-archives-')));
  root = join(folder, 'root');
  mkdirSync(root);
  const members = Array.from({ length: fileCount }, (_, index) => ({
    name: `part ${index % 7}/${index}.txt`,
    content: contentOf(index),
  }));
  writeFileSync(join(root, 'many.tar'), craftTar(members));
  await start();
  token = await app.signIn('admin');
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const getJob = async (id: string): Promise<JobDetails> =>
  (await (await app.fetch(`/api/jobs/${id}`, { token })).json()) as JobDetails;
async function createJob(json: unknown): Promise<Job> {
  const response = await app.fetch('/api/jobs', { method: 'POST', token, json });
  expect(response.status).toBe(202);
  return (await response.json()) as Job;
}
/** Resolves to the job once `isReached` is true. */
async function until(id: string, isReached: (job: JobDetails) => boolean): Promise<JobDetails> {
  for (;;) {
    const job = await getJob(id);
    if (isReached(job)) return job;
    await sleep(5);
  }
}
const extraction = { kind: 'extract', items: [{ from: '/many.tar', to: '/many', rename: true }] };

test('an extraction continues in its folder after a restart', async () => {
  const { id } = await createJob(extraction);
  const before = await until(id, ({ entries }) => entries.done > 20);
  expect(before.endedAt).toBeNull();
  await app.close();
  const present = readdirSync(join(root, 'many'), { recursive: true }).length;
  expect(present).toBeGreaterThan(0);
  await start();
  const after = await until(id, ({ endedAt }) => endedAt !== null);
  expect(after).toMatchObject({ state: 'done', failures: [], attempt: 2 });
  expect(readdirSync(root).sort()).toEqual(['many', 'many.tar']);
  for (let index = 0; index < fileCount; index++)
    expect(readFileSync(join(root, 'many', `part ${index % 7}`, `${index}.txt`), 'utf8')).toBe(
      contentOf(index),
    );
});

test('a cancelled extraction leaves nothing but the files that others have added', async () => {
  const { id } = await createJob(extraction);
  await until(id, ({ entries }) => entries.done > 20);
  writeFileSync(join(root, 'many', 'added.txt'), 'added');
  await app.fetch(`/api/jobs/${id}`, { method: 'DELETE', token });
  const { state } = await until(id, ({ endedAt }) => endedAt !== null);
  expect(state).toBe('cancelled');
  expect(readdirSync(join(root, 'many'))).toEqual(['added.txt']);
});

test('a cancelled compression leaves no archive', async () => {
  const extracted = await createJob(extraction);
  await until(extracted.id, ({ endedAt }) => endedAt !== null);
  const { id } = await createJob({ kind: 'compress', items: [{ from: '/many' }], to: '/many.zip' });
  await app.fetch(`/api/jobs/${id}`, { method: 'DELETE', token });
  const { state } = await until(id, ({ endedAt }) => endedAt !== null);
  expect(state).toBe('cancelled');
  expect(readdirSync(root).sort()).toEqual(['many', 'many.tar']);
});

test('a compression starts again after a restart', async () => {
  const { id } = await createJob({ kind: 'compress', items: [{ from: '/many.tar' }], to: '/many.zip' });
  await app.close();
  await start();
  expect(await until(id, ({ endedAt }) => endedAt !== null)).toMatchObject({ state: 'done', failures: [] });
  expect(readdirSync(root).sort()).toEqual(['many.tar', 'many.zip']);
});
