import { existsSync, linkSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DuplicatesResult } from '@filestead/contract/endpoints/duplicates';
import type { Job, JobDetails } from '@filestead/contract/jobs';
import { afterEach, expect, test } from 'vitest';
import { jobsClient } from '../../../test/fixtures/jobs-client.ts';
import { type StartApp, startApp, type TestApp } from '../../../test/start-app.ts';

let app: TestApp;
afterEach(() => app.close());

const large = Buffer.alloc(400_000, 'a');
/** Equal to {@link large} but for a byte in the middle, which only the whole contents show. */
const almostLarge = Buffer.from(large);
almostLarge[200_000] = 0;

async function start(setup: StartApp): Promise<string> {
  app = await startApp(setup);
  return app.signIn(setup.users?.[0]?.username ?? 'admin');
}
const post = (token: string, json: unknown): Promise<Response> =>
  app.fetch('/api/jobs', { method: 'POST', token, json });
const search = (token: string, folder: string): Promise<JobDetails> =>
  jobsClient(app, token).run({ kind: 'duplicates', items: [{ from: folder }] });
async function list(token: string, { id }: Job, query = ''): Promise<DuplicatesResult> {
  const response = await app.fetch(`/api/jobs/duplicates/${id}${query}`, { token });
  expect(response.status).toBe(200);
  return (await response.json()) as DuplicatesResult;
}
const pathsOf = ({ groups }: DuplicatesResult): string[][] =>
  groups.map(({ files }) => files.map(({ path }) => path).sort());

test('a job finds files with equal contents, those that free the most space first', async () => {
  const token = await start({
    files: {
      'photos/a.jpg': 'same',
      'photos/deep/b.jpg': 'same',
      'photos/c.jpg': 'diff',
      'photos/large-1.bin': large,
      'photos/deep/large-2.bin': large,
      'photos/deep/large-3.bin': almostLarge,
      'photos/empty-1': '',
      'photos/empty-2': '',
      'elsewhere.jpg': 'same',
    },
  });
  const job = await search(token, '/photos');
  expect(job).toMatchObject({
    kind: 'duplicates',
    state: 'done',
    folder: '/photos',
    items: { total: 1, done: 1, failed: 0 },
    entries: { done: 6, total: 6 },
    bytes: { done: 1_200_012, total: 1_200_012 },
    results: [],
  });
  const result = await list(token, job);
  expect(result).toMatchObject({ folder: '/photos', more: false, unreadable: 0 });
  expect(pathsOf(result)).toEqual([
    ['/photos/deep/large-2.bin', '/photos/large-1.bin'],
    ['/photos/a.jpg', '/photos/deep/b.jpg'],
  ]);
  expect(result.groups.map(({ size }) => size)).toEqual([400_000, 4]);
  const few = await list(token, job, '?limit=1');
  expect([few.groups.length, few.more]).toEqual([1, true]);
});

test('symbolic and hard links are not reported as duplicates', async () => {
  const token = await start({ files: { 'a.txt': 'same', 'b.txt': 'same', 'c.txt': 'own' } });
  linkSync(join(app.root, 'a.txt'), join(app.root, 'another-name.txt'));
  linkSync(join(app.root, 'c.txt'), join(app.root, 'c-again.txt'));
  symlinkSync('c.txt', join(app.root, 'link.txt'));
  const [group, ...others] = (await list(token, await search(token, '/'))).groups;
  expect(others).toEqual([]);
  expect(group?.files).toHaveLength(2);
  expect(group?.files.map(({ path }) => path)).toContain('/b.txt');
});

test('the oldest file of a group is the first', async () => {
  const token = await start({ files: { 'new.txt': 'same', 'old.txt': 'same', 'middle.txt': 'same' } });
  for (const [name, year] of [
    ['new', 2020],
    ['old', 2001],
    ['middle', 2010],
  ] as const)
    utimesSync(join(app.root, `${name}.txt`), new Date(), new Date(`${year}-05-01T00:00:00Z`));
  const { groups } = await list(token, await search(token, '/'));
  expect(groups.map(({ files }) => files.map(({ path }) => path))).toEqual([
    ['/old.txt', '/middle.txt', '/new.txt'],
  ]);
});

test('a file that was changed or removed after it was compared is left out', async () => {
  const token = await start({
    files: { 'a/1': 'same', 'a/2': 'same', 'a/3': 'same', 'b/1': 'pair', 'b/2': 'pair' },
  });
  const job = await search(token, '/');
  expect(pathsOf(await list(token, job))).toHaveLength(2);
  writeFileSync(join(app.root, 'b/2'), 'PAIR');
  expect(pathsOf(await list(token, job))).toEqual([['/a/1', '/a/2', '/a/3']]);
  expect((await app.fetch('/api/resources/a/3', { method: 'DELETE', token })).status).toBe(200);
  expect(existsSync(join(app.root, 'a/3'))).toBe(false);
  expect(pathsOf(await list(token, job))).toEqual([['/a/1', '/a/2']]);
});

test('only files that the user may list are compared, and listed', async () => {
  const token = await start({
    files: {
      'home/open/1': 'same',
      'home/open/2': 'same',
      'home/secret/3': 'same',
      'home/.hidden': 'same',
      'other/4': 'same',
    },
    users: [{ username: 'alice', scope: '/home', hideDotfiles: true, rules: [{ path: '/secret' }] }],
  });
  const job = await search(token, '/');
  expect(pathsOf(await list(token, job))).toEqual([['/open/1', '/open/2']]);
  expect(job.entries.total).toBe(2);
  // The current rules apply to files that were found earlier, too.
  const admin = await app.signIn('admin');
  const alice = (
    (await (await app.fetch('/api/users', { token: admin })).json()) as {
      id: number;
      username: string;
    }[]
  ).find(({ username }) => username === 'alice');
  const rule = { regex: false, allow: false, path: '/open/2', regexp: null };
  const changed = await app.fetch(`/api/users/${alice?.id}`, {
    method: 'PUT',
    token: admin,
    json: { what: 'user', which: ['rules'], data: { id: alice?.id, rules: [rule] } },
  });
  expect(changed.status).toBe(200);
  expect((await list(token, job)).groups).toEqual([]);
});

test('the result belongs to its user, who needs the permission to download', async () => {
  const token = await start({
    files: { 'a/1': 'same', 'a/2': 'same' },
    users: [
      { username: 'alice', scope: '/a' },
      { username: 'bob', scope: '/a' },
      { username: 'blind', scope: '/a', perm: { download: false } },
    ],
  });
  const job = await search(token, '/');
  const statusFor = async (username: string, id = job.id): Promise<number> =>
    (await app.fetch(`/api/jobs/duplicates/${id}`, { token: await app.signIn(username) })).status;
  expect(await statusFor('bob')).toBe(404);
  expect(await statusFor('blind')).toBe(403);
  const blind = await app.signIn('blind');
  expect((await post(blind, { kind: 'duplicates', items: [{ from: '/' }] })).status).toBe(403);
  const checksums = await post(token, { kind: 'checksum', items: [{ from: '/1' }] });
  expect(await statusFor('alice', ((await checksums.json()) as Job).id)).toBe(404);
});

test('a request for anything but one folder is refused', async () => {
  const token = await start({});
  const statusOf = async (...paths: string[]): Promise<number> =>
    (await post(token, { kind: 'duplicates', items: paths.map((from) => ({ from })) })).status;
  expect([await statusOf(), await statusOf('/a', '/b'), await statusOf('a')]).toEqual([400, 400, 400]);
});

test('a search in a missing entry, a file or a denied folder fails', async () => {
  const token = await start({
    files: { 'file.txt': 'x', 'secret/1': 'same', 'secret/2': 'same' },
    users: [{ username: 'alice', scope: '/', rules: [{ path: '/secret' }] }],
  });
  for (const [folder, code] of [
    ['/nowhere', 'not_found'],
    ['/file.txt', 'not_a_folder'],
    ['/secret', 'forbidden'],
  ] as const) {
    const job = await search(token, folder);
    expect([folder, job.state, job.failures[0]?.code]).toEqual([folder, 'failed', code]);
    expect((await list(token, job)).groups).toEqual([]);
  }
});
