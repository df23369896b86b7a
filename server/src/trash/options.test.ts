import type { StorageReport } from '@filestead/contract/endpoints/storage';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { jobsClient } from '../../test/fixtures/jobs-client.ts';
import { startApp, type TestApp } from '../../test/start-app.ts';
import { trashClient } from './trash-testing.ts';

let app: TestApp;
afterEach(() => app.close());
const files = { 'a.txt': 'a', 'b.txt': 'b' };

test('without the trash deletions remove at once, as in File Browser', async () => {
  app = await startApp({ files, config: { trash: 'off' } });
  const admin = await trashClient(app, 'admin');
  const response = await app.fetch('/api/resources/a.txt', { method: 'DELETE', token: admin.token });
  expect([response.status, await response.text(), response.headers.get('x-trash-item')]).toEqual([
    200,
    '200 OK\n',
    null,
  ]);
  expect([existsSync(join(app.root, 'a.txt')), existsSync(join(app.root, '.filestead-trash'))]).toEqual([
    false,
    false,
  ]);
  expect(await admin.names()).toEqual([]);
});

/** Makes it impossible to keep anything: a file is in the place of the store. */
const blockStore = (): void => writeFileSync(join(app.root, '.filestead-trash'), 'not a folder');

test('a deletion that cannot be kept is refused and changes nothing', async () => {
  app = await startApp({ files });
  blockStore();
  const admin = await trashClient(app, 'admin');
  const response = await app.fetch('/api/resources/a.txt', {
    method: 'DELETE',
    token: admin.token,
    headers: { accept: 'application/json' },
  });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([409, 'cannot_keep']);
  expect(existsSync(join(app.root, 'a.txt'))).toBe(true);
  expect(await admin.status('/api/resources/a.txt?permanent=true', 'DELETE')).toBe(200);
});

test('administrators see why deletions cannot be kept, until one is kept', async () => {
  app = await startApp({ files });
  blockStore();
  const admin = await trashClient(app, 'admin');
  const problems = async (): Promise<unknown[]> => {
    const response = await app.fetch('/api/storage', { token: admin.token });
    return ((await response.json()) as StorageReport).volumes.map(({ place, problem }) => [place, problem]);
  };
  expect(await problems()).toEqual([['/', null]]);
  expect(await admin.status('/api/resources/a.txt', 'DELETE')).toBe(409);
  expect(await problems()).toEqual([['/', 'not_writable']]);
  rmSync(join(app.root, '.filestead-trash'));
  await admin.remove('/a.txt');
  expect(await problems()).toEqual([['/', null]]);
});

test('a deletion that cannot be kept removes when the administrator has chosen that', async () => {
  app = await startApp({ files, config: { trashFallback: 'delete' } });
  blockStore();
  const admin = await trashClient(app, 'admin');
  expect(await admin.status('/api/resources/a.txt', 'DELETE')).toBe(200);
  expect(existsSync(join(app.root, 'a.txt'))).toBe(false);
  expect(await admin.names()).toEqual([]);
});

test('deletions below an excluded folder remove at once, and its files have no versions', async () => {
  app = await startApp({
    files: { 'scratch/a.txt': 'a', 'scratch/deep/b.txt': 'b', 'docs/c.txt': 'c' },
    config: { noTrashBelow: '/scratch' },
  });
  const admin = await trashClient(app, 'admin');
  const { token } = admin;
  const kept = async (path: string, query = ''): Promise<boolean> => {
    const response = await app.fetch(`/api/resources${path}${query}`, { method: 'DELETE', token });
    expect(response.status).toBe(200);
    return response.headers.has('x-trash-item');
  };
  const save = async (path: string): Promise<number> => {
    expect((await app.fetch(`/api/resources${path}`, { method: 'PUT', token, body: 'new' })).status).toBe(
      200,
    );
    const list = await app.fetch(`/api/versions/list${path}`, { token });
    return ((await list.json()) as { total: number }).total;
  };
  expect([await save('/scratch/a.txt'), await save('/docs/c.txt')]).toEqual([0, 1]);
  // The page requires that nothing is removed that is not kept, so that it can ask first.
  expect(await admin.status('/api/resources/scratch/a.txt?permanent=false', 'DELETE')).toBe(409);
  expect(existsSync(join(app.root, 'scratch/a.txt'))).toBe(true);
  expect([await kept('/scratch/a.txt'), await kept('/scratch'), await kept('/docs/c.txt')]).toEqual([
    false,
    false,
    true,
  ]);
  expect(await admin.names()).toEqual(['c.txt']);
});

test('names whose former states are not kept are an option', async () => {
  app = await startApp({
    files: { 'a.tmp': 'a', 'Thumbs.db': 'b' },
    config: { unversionedNames: '*.tmp, cache-*' },
  });
  const { token } = await trashClient(app, 'admin');
  const totals: number[] = [];
  for (const name of ['a.tmp', 'Thumbs.db']) {
    await app.fetch(`/api/resources/${name}`, { method: 'PUT', token, body: 'new' });
    const list = await app.fetch(`/api/versions/list/${name}`, { token });
    totals.push(((await list.json()) as { total: number }).total);
  }
  expect(totals).toEqual([0, 1]);
});

test('everything that is deleted forever is kept for the time that was chosen at startup', async () => {
  app = await startApp({ files, config: { purgeDelay: '2d' } });
  const admin = await trashClient(app, 'admin');
  const id = await admin.remove('/a.txt');
  const response = await admin.post('/api/trash/purge', { ids: [id] });
  const { undoUntil } = (await response.json()) as { undoUntil: string };
  expect(Date.parse(undoUntil) - app.clock.now()).toBeGreaterThan(47 * 60 * 60_000);
  app.clock.advance(60 * 60_000);
  expect((await admin.post('/api/trash/purge/cancel', { ids: [id] })).status).toBe(200);
  expect(await admin.restore([id])).toEqual(['/a.txt']);
});

test.each(['request', 'job'] as const)(
  'a permanent deletion by a %s is kept for that time as well, and is not in the trash',
  async (by) => {
    app = await startApp({ files, config: { purgeDelay: '2d' } });
    const admin = await trashClient(app, 'admin');
    const jobs = jobsClient(app, admin.token);
    let id: string | null | undefined;
    if (by === 'request') {
      const path = '/api/resources/a.txt?permanent=true';
      const response = await app.fetch(path, { method: 'DELETE', token: admin.token });
      expect(response.status).toBe(200);
      id = response.headers.get('x-trash-item');
    } else {
      const job = await jobs.run({ kind: 'delete', permanent: true, items: [{ from: '/a.txt' }] });
      id = job.results[0]?.trashItem;
    }
    expect([existsSync(join(app.root, 'a.txt')), await admin.names()]).toEqual([false, []]);
    app.clock.advance(24 * 60 * 60_000);
    const token = await app.signIn('admin');
    const cancel = { method: 'POST', token, json: { ids: [id] } };
    expect((await app.fetch('/api/trash/purge/cancel', cancel)).status).toBe(200);
    const back = await trashClient(app, 'admin');
    expect(await back.restore([id ?? ''])).toEqual(['/a.txt']);
    expect(readFileSync(join(app.root, 'a.txt'), 'utf8')).toBe('a');
  },
);

test('a permanent deletion can be undone within the time of the server', async () => {
  app = await startApp({ files, config: { purgeDelay: '2d' } });
  const admin = await trashClient(app, 'admin');
  const path = '/api/resources/a.txt?permanent=true';
  const response = await app.fetch(path, { method: 'DELETE', token: admin.token });
  const undo = `/api/operations/${response.headers.get('x-operation')}/undo`;
  app.clock.advance(60_000);
  expect((await admin.post(undo, {})).status).toBe(200);
  expect([await admin.names(), existsSync(join(app.root, 'a.txt'))]).toEqual([[], true]);
});

test('the usage of a disk includes the bytes of deleted entries', async () => {
  app = await startApp({ files });
  const admin = await trashClient(app, 'admin');
  const kept = async (): Promise<number> =>
    ((await (await app.fetch('/api/usage/', { token: admin.token })).json()) as { kept: number }).kept;
  expect(await kept()).toBe(0);
  await admin.remove('/a.txt');
  expect(await kept()).toBe(1);
});
