import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job, JobDetails } from '@filestead/contract/jobs';
import type { RewindReport } from '@filestead/contract/endpoints/operations';
import { beforeEach, expect, test } from 'vitest';
import { app, files, admin, alice, bob, useHistoryApp } from '../../test/fixtures/history-app.ts';
import { type HistoryClient, historyClient } from '../../test/fixtures/history-testing.ts';

useHistoryApp([
  { username: 'alice', scope: '/shared' },
  { username: 'bob', scope: '/shared' },
  { username: 'ruled', scope: '/shared', rules: [{ path: '/docs/secret' }] },
]);
beforeEach(() => {
  for (const name of readdirSync(join(app.root, 'shared')))
    rmSync(join(app.root, 'shared', name), { recursive: true });
  // Separates the changes of one test from those of the next.
  app.clock.advance(1_000);
});

/** Returns the server’s time and advances it, so that all further changes of the test are later. */
function timeBeforeChanges(): string {
  const time = new Date(app.clock.now()).toISOString();
  app.clock.advance(1_000);
  return time;
}

const count = async (client: HistoryClient, json: object): Promise<RewindReport> => {
  const response = await client.post('/api/operations/rewind?check=true', json);
  expect(response.status).toBe(200);
  return (await response.json()) as RewindReport;
};
const rewind = async (client: HistoryClient, json: object): Promise<JobDetails> => {
  const response = await client.post('/api/operations/rewind', json);
  expect(response.status).toBe(202);
  return client.ended((await response.json()) as Job);
};
const codeOf = async (client: HistoryClient, json: object, query = ''): Promise<string> => {
  const response = await client.post(`/api/operations/rewind${query}`, json);
  return `${response.status} ${((await response.json()) as { code: string }).code}`;
};

test('undoes all changes of a folder since a time, and can be undone itself', async () => {
  files.plant('shared/docs/a.txt', 'a');
  files.plant('shared/docs/b.txt', 'b');
  files.plant('shared/docs/inner/c.txt', 'c');
  files.plant('shared/docs/gone/d.txt', 'd');
  files.plant('shared/other/e.txt', 'e');
  await alice.save('/docs/a.txt', 'before');
  const before = files.tree('shared/docs');
  const since = timeBeforeChanges();
  await bob.save('/docs/a.txt', 'encrypted');
  await bob.save('/docs/a.txt', 'encrypted twice');
  await bob.move('/docs/a.txt', '/docs/a.locked');
  await bob.remove('/docs/b.txt');
  await bob.upload('/docs/README', 'pay');
  await bob.move('/docs/inner', '/docs/inner.locked');
  await bob.save('/docs/inner.locked/c.txt', 'encrypted');
  await bob.remove('/docs/gone');
  await bob.save('/other/e.txt', 'encrypted');
  const after = files.tree('shared/docs');

  expect(await count(admin, { below: '/shared/docs', since })).toEqual({
    operations: 8,
    total: 8,
    undone: 8,
    failures: [],
  });
  expect(files.tree('shared/docs')).toEqual(after);
  const job = await rewind(admin, { below: '/shared/docs', since });
  expect([job.kind, job.state, job.items]).toEqual(['rewind', 'done', { total: 8, done: 8, failed: 0 }]);
  expect(files.tree('shared/docs')).toEqual(before);
  expect(files.content('shared/other/e.txt')).toBe('encrypted');

  expect(await codeOf(admin, { below: '/shared/docs', since })).toBe('404 not_found');
  expect(await admin.undo(job.id)).toMatchObject({ total: 8, undone: 8, failures: [] });
  expect(files.tree('shared/docs')).toEqual(after);
});

test('counts a folder whose whole content is undone before it, and not one with entries of others', async () => {
  const since = timeBeforeChanges();
  for (const name of ['new', 'shared']) {
    await bob.act('POST', `/api/resources/${name}/`);
    await bob.upload(`/${name}/a.txt`, 'a');
    await bob.move(`/${name}/a.txt`, `/${name}/b.txt`);
  }
  await bob.act('POST', '/api/resources/new/inner/');
  await bob.upload('/new/inner/c.txt', 'c');
  await alice.upload('/shared/of-alice.txt', 'alice');
  expect(await count(bob, { below: '/', since })).toEqual({
    operations: 8,
    total: 8,
    undone: 7,
    failures: [{ path: '/shared', code: 'changed_since' }],
  });
  const job = await rewind(bob, { below: '/', since });
  expect(job.items).toEqual({ total: 8, done: 7, failed: 1 });
  expect(files.tree('shared')).toEqual({ '/shared/': '', '/shared/of-alice.txt': 'alice' });
});

test('skips changes that were undone meanwhile, and undoes the undo of an earlier change', async () => {
  files.plant('shared/a.txt', 'old');
  const early = await alice.save('/a.txt', 'early');
  const since = timeBeforeChanges();
  await alice.undo(early);
  const saved = await alice.save('/a.txt', 'saved');
  await alice.undo(saved);
  expect(files.content('shared/a.txt')).toBe('old');
  expect(await count(alice, { below: '/', since })).toMatchObject({ total: 1, undone: 1 });
  await rewind(alice, { below: '/', since });
  expect(files.content('shared/a.txt')).toBe('early');
});

test('reports entries that other programs have changed since, and does not touch them', async () => {
  const since = timeBeforeChanges();
  await alice.upload('/a.txt', 'a');
  await alice.upload('/b.txt', 'b');
  writeFileSync(join(app.root, 'shared/a.txt'), 'changed');
  expect(await count(alice, { below: '/', since })).toEqual({
    operations: 2,
    total: 2,
    undone: 1,
    failures: [{ path: '/a.txt', code: 'changed_since' }],
  });
  const job = await rewind(alice, { below: '/', since });
  expect([job.state, job.items.failed]).toEqual(['done', 1]);
  expect(files.tree('shared')).toEqual({ '/a.txt': 'changed' });
});

test('undoes only the user’s own changes, unless an administrator requests those of others', async () => {
  const since = timeBeforeChanges();
  await alice.upload('/alice.txt', 'alice');
  await bob.upload('/bob.txt', 'bob');
  expect(await count(alice, { below: '/', since })).toMatchObject({ total: 1 });
  expect(await count(alice, { below: '/', since, by: 'alice' })).toMatchObject({ total: 1 });
  expect(await codeOf(alice, { below: '/', since, by: 'bob' })).toBe('403 forbidden');
  expect(await codeOf(alice, { below: '/', since, by: 'nobody' })).toBe('403 forbidden');
  expect(await codeOf(admin, { below: '/', since, by: 'nobody' })).toBe('404 not_found');
  expect(await count(admin, { below: '/shared', since })).toMatchObject({ total: 2 });
  await rewind(admin, { below: '/shared', since, by: 'bob' });
  expect(files.tree('shared')).toEqual({ '/alice.txt': 'alice' });
});

test('refuses relative, missing and denied folders, and invalid or future times', async () => {
  const since = timeBeforeChanges();
  const future = new Date(app.clock.now() + 60_000).toISOString();
  for (const json of [
    { below: 'docs', since },
    { below: '/docs' },
    { below: '/docs', since: 'yesterday' },
    { below: '/docs', since: future },
    { below: '/docs', since, by: '' },
  ])
    expect(await codeOf(alice, json), JSON.stringify(json)).toBe('400 bad_request');
  expect(await codeOf(alice, { below: '/docs/../..', since })).toBe('400 invalid_path');
  expect(await codeOf(alice, { below: '/docs', since })).toBe('404 not_found');
  const ruled = await historyClient(app, 'ruled');
  expect(await codeOf(ruled, { below: '/docs/secret', since })).toBe('403 forbidden');
});
