import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resource } from '@filestead/contract/files';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../test/start-app.ts';
import { type TrashClient, trashClient } from './trash-testing.ts';

let app: TestApp;
let admin: TrashClient;
let alice: TrashClient;
const files = {
  'docs/report.txt': 'the report',
  'docs/deep/inner.txt': 'inner',
  'docs/other.txt': 'other',
  'alice/own.txt': 'own',
};
beforeEach(async () => {
  app = await startApp({
    files,
    users: [
      { username: 'alice' },
      { username: 'scoped', scope: '/alice' },
      { username: 'deleter', perm: { purge: false } },
      { username: 'ruled', rules: [{ path: '/docs/deep' }] },
      { username: 'neat', hideDotfiles: true },
      { username: 'blind', perm: { download: false } },
      { username: 'reader', perm: { create: false } },
    ],
  });
  admin = await trashClient(app, 'admin');
  alice = await trashClient(app, 'alice');
});
afterEach(() => app.close());

const onDisk = (path: string): boolean => existsSync(join(app.root, path));
const textAt = (path: string): string => readFileSync(join(app.root, path), 'utf8');
const plant = async (path: string, text = path): Promise<void> => {
  await mkdir(join(app.root, path, '..'), { recursive: true });
  writeFileSync(join(app.root, path), text);
};

describe('a deletion', () => {
  test('moves a file to the trash and returns its id', async () => {
    const id = await alice.remove('/docs/report.txt');
    expect(onDisk('docs/report.txt')).toBe(false);
    const { mtimeMs } = statSync(join(app.root, 'docs'));
    const item = await alice.item(id);
    expect(item).toMatchObject({
      id,
      name: 'report.txt',
      path: '/docs/report.txt',
      isDir: false,
      size: 10,
      type: 'text',
      deletedBy: 'alice',
      canRestore: true,
      canPurge: true,
      parentInTrash: null,
    });
    expect(Math.abs(Date.parse(item.deletedAt) - mtimeMs)).toBeLessThan(60_000);
    expect(Date.parse(item.expiresAt ?? '') - Date.parse(item.deletedAt)).toBe(30 * 24 * 60 * 60_000);
    expect(await alice.list()).toEqual({ items: [item], next: null, total: 1 });
  });

  test('of a folder keeps it whole and measures it afterwards', async () => {
    const id = await alice.remove('/docs/');
    expect(onDisk('docs')).toBe(false);
    await expect.poll(async () => (await alice.item(id)).size).toBe('the reportinnerother'.length);
    expect(await alice.item(id)).toMatchObject({ isDir: true, type: '', name: 'docs', path: '/docs' });
  });

  test('is permanent with the permission, and refused without it', async () => {
    const deleter = await trashClient(app, 'deleter');
    expect(await deleter.status('/api/resources/docs/report.txt?permanent=true', 'DELETE')).toBe(403);
    expect(onDisk('docs/report.txt')).toBe(true);
    const response = await app.fetch('/api/resources/docs/report.txt?permanent=true', {
      method: 'DELETE',
      token: alice.token,
    });
    expect(response.status).toBe(200);
    expect(onDisk('docs/report.txt')).toBe(false);
    expect(await alice.names()).toEqual([]);
    const undo = `/api/operations/${response.headers.get('x-operation')}/undo`;
    expect((await alice.post(undo, {})).status).toBe(200);
    expect(onDisk('docs/report.txt')).toBe(true);
  });

  test('in a job reports the id of each item, and may be permanent', async () => {
    const run = async (request: object, as = alice): Promise<{ trashItem?: string; code?: string }[]> => {
      const response = await as.post('/api/jobs', request);
      expect(response.status).toBe(202);
      const { id } = (await response.json()) as { id: string };
      type Details = { endedAt: number | null; results: { trashItem?: string; code?: string }[] };
      const details = async (): Promise<Details> =>
        (await (await app.fetch(`/api/jobs/${id}`, { token: as.token })).json()) as Details;
      await expect.poll(async () => (await details()).endedAt).not.toBeNull();
      return (await details()).results;
    };
    const items = [{ from: '/docs/report.txt' }, { from: '/docs/deep' }];
    const ids = (await run({ kind: 'delete', items })).map(({ trashItem }) => trashItem);
    expect((await alice.list()).items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const permanent = { kind: 'delete', items: [{ from: '/docs/other.txt' }], permanent: true };
    const deleter = await trashClient(app, 'deleter');
    expect((await deleter.post('/api/jobs', permanent)).status).toBe(403);
    const [removed] = await run(permanent);
    expect((await alice.list()).total).toBe(2);
    expect(onDisk('docs/other.txt')).toBe(false);
    expect((await alice.post('/api/trash/purge/cancel', { ids: [removed?.trashItem] })).status).toBe(200);
    expect((await alice.list()).total).toBe(3);
  });
});

describe('the list', () => {
  test('shows what others deleted from places that one can see, and nothing else', async () => {
    await plant('.secret/hidden.txt');
    await alice.remove('/docs/report.txt');
    await alice.remove('/docs/deep/inner.txt');
    await alice.remove('/alice/own.txt');
    await alice.remove('/.secret/hidden.txt');
    const names = async (username: string): Promise<string[]> =>
      (await (await trashClient(app, username)).names()).toSorted();
    expect(await names('admin')).toEqual(['hidden.txt', 'inner.txt', 'own.txt', 'report.txt']);
    expect(await names('scoped')).toEqual(['own.txt']);
    expect(await names('ruled')).toEqual(['hidden.txt', 'own.txt', 'report.txt']);
    expect(await names('neat')).toEqual(['inner.txt', 'own.txt', 'report.txt']);
    const scoped = await (await trashClient(app, 'scoped')).list();
    expect(scoped).toMatchObject({ total: 1, items: [{ path: '/own.txt', deletedBy: 'alice' }] });
    expect((await (await trashClient(app, 'neat')).list()).total).toBe(3);
  });

  test('is restricted to a folder, to own deletions and to names', async () => {
    await alice.remove('/docs/report.txt');
    await admin.remove('/docs/deep/inner.txt');
    await admin.remove('/alice/own.txt');
    expect(await alice.names('?below=/docs')).toEqual(['inner.txt', 'report.txt']);
    expect(await alice.names('?below=/docs/deep')).toEqual(['inner.txt']);
    expect(await alice.names('?by=me')).toEqual(['report.txt']);
    expect(await alice.names('?q=REP')).toEqual(['report.txt']);
    expect(await alice.list('?q=nothing')).toEqual({ items: [], next: null, total: 0 });
    expect((await alice.list('?below=/docs')).total).toBe(2);
  });

  test('comes in pages, and as lines', async () => {
    for (let index = 0; index < 5; index++) await plant(`many/${index}`);
    for (let index = 0; index < 5; index++) {
      await alice.remove(`/many/${index}`);
      app.clock.advance(1);
    }
    const first = await alice.list('?limit=2');
    expect(first).toMatchObject({ items: [{ name: '4' }, { name: '3' }], total: 5 });
    const second = await alice.list(`?limit=2&before=${first.next}`);
    expect(second).toMatchObject({ items: [{ name: '2' }, { name: '1' }], total: 5 });
    const last = await alice.list(`?limit=2&before=${second.next}`);
    expect(last).toMatchObject({ items: [{ name: '0' }], next: null, total: 5 });
    const headers = { accept: 'application/x-ndjson' };
    const lines = (await (await app.fetch('/api/trash', { token: alice.token, headers })).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name?: string });
    expect(lines.map(({ name }) => name)).toEqual(['4', '3', '2', '1', '0', undefined]);
    expect(lines.at(-1)).toEqual({ end: true, next: null, total: 5 });
  });

  test('hides what was deleted before the account had its scope', async () => {
    await alice.remove('/alice/own.txt');
    app.clock.advance(1);
    await app.createUser({ username: 'alice2', scope: '/alice' });
    const successor = await trashClient(app, 'alice2');
    expect(await successor.names()).toEqual([]);
    const [item] = (await alice.list()).items;
    expect(await successor.status(`/api/trash/${item?.id}`)).toBe(404);
    expect(await successor.restore([item?.id ?? ''])).toEqual(['not_found']);
  });

  test('shows users only their own deletions if the settings say so, and administrators all', async () => {
    await alice.remove('/docs/report.txt');
    await admin.remove('/docs/other.txt');
    const settings = (await (await app.fetch('/api/settings', { token: admin.token })).json()) as object;
    const changed = await app.fetch('/api/settings', {
      method: 'PUT',
      token: admin.token,
      json: { ...settings, trashVisibility: 'deleter' },
    });
    expect(changed.status).toBe(200);
    expect(await alice.names()).toEqual(['report.txt']);
    expect((await alice.list()).total).toBe(1);
    expect(await admin.names()).toEqual(['other.txt', 'report.txt']);
  });
});

describe('a deleted entry', () => {
  test('can be looked into, downloaded and previewed', async () => {
    const folder = await alice.remove('/docs');
    const file = await alice.remove('/alice/own.txt');
    const get = (path: string): Promise<Response> => app.fetch(`/api/trash/${path}`, { token: alice.token });
    const listed = (await (await get(`list/${folder}/`)).json()) as Resource;
    expect(listed).toMatchObject({ name: 'docs', isDir: true, numDirs: 1, numFiles: 2 });
    const deep = (await (await get(`list/${folder}/deep`)).json()) as Resource;
    expect(deep.items?.map(({ name, path }) => [name, path])).toEqual([['inner.txt', '/deep/inner.txt']]);
    expect(await (await get(`raw/${folder}/deep/inner.txt`)).text()).toBe('inner');
    const raw = await get(`raw/${file}/?inline=true`);
    expect([await raw.text(), raw.headers.get('content-disposition')]).toEqual([
      'own',
      expect.stringMatching(/^inline.*own\.txt/),
    ]);
    expect((await get(`list/${file}/`)).status).toBe(200);
    expect((await get(`raw/${folder}/nothing`)).status).toBe(404);
    expect((await get(`preview/thumb/${file}/`)).status).toBe(501);
  });

  test('is not readable without the permission to download', async () => {
    const id = await alice.remove('/docs');
    const blind = await trashClient(app, 'blind');
    expect(await blind.status(`/api/trash/list/${id}/`)).toBe(200);
    expect(await blind.status(`/api/trash/raw/${id}/report.txt`)).toBe(403);
    expect(await blind.status(`/api/trash/preview/thumb/${id}/report.txt`)).toBe(403);
  });

  test('follows its folder when that is renamed', async () => {
    const id = await alice.remove('/docs/deep/inner.txt');
    expect(await alice.status('/api/resources/docs?action=rename&destination=%2Fpapers', 'PATCH')).toBe(200);
    expect((await alice.item(id)).path).toBe('/papers/deep/inner.txt');
    expect(await alice.restore([id])).toEqual(['/papers/deep/inner.txt']);
    expect(textAt('papers/deep/inner.txt')).toBe('inner');
  });

  test('stays in the trash while its store is missing, and is restored when that is back', async () => {
    const id = await alice.remove('/docs/report.txt');
    const away = join(app.root, '../away');
    renameSync(join(app.root, '.filestead-trash'), away);
    expect(await alice.restore([id])).toEqual(['not_found']);
    expect(await alice.names()).toEqual(['report.txt']);
    renameSync(away, join(app.root, '.filestead-trash'));
    expect(await alice.restore([id])).toEqual(['/docs/report.txt']);
    expect(await alice.names()).toEqual([]);
  });
});

describe('restoring', () => {
  test('brings back a file, and a folder with everything in it', async () => {
    const file = await alice.remove('/docs/report.txt');
    const folder = await alice.remove('/docs');
    expect((await alice.item(file)).parentInTrash).toBe(folder);
    expect(await alice.restore([file, folder])).toEqual(['/docs/report.txt', '/docs']);
    expect([textAt('docs/report.txt'), textAt('docs/deep/inner.txt')]).toEqual(['the report', 'inner']);
    expect(await alice.names()).toEqual([]);
    const logged = app.log.filter((line) => line.includes('a deleted entry was restored'));
    expect([folder, file].map((id) => logged.filter((line) => line.includes(id)).length)).toEqual([1, 1]);
  });

  test('creates missing parents, with which a restored parent is merged', async () => {
    const file = await alice.remove('/docs/deep/inner.txt');
    const folder = await alice.remove('/docs');
    expect(await alice.restore([file])).toEqual(['/docs/deep/inner.txt']);
    expect(await alice.restore([folder], { conflict: 'replace' })).toEqual(['/docs']);
    expect([textAt('docs/deep/inner.txt'), textAt('docs/report.txt')]).toEqual(['inner', 'the report']);
  });

  test('merges a folder with the one that was created for an entry of it, but not with another one', async () => {
    for (const conflict of ['rename', 'skip']) {
      const file = await alice.remove('/docs/deep/inner.txt');
      const folder = await alice.remove('/docs');
      expect(await alice.restore([file])).toEqual(['/docs/deep/inner.txt']);
      expect(await alice.restore([folder], { conflict })).toEqual(['/docs']);
      expect([textAt('docs/deep/inner.txt'), textAt('docs/report.txt')]).toEqual(['inner', 'the report']);
      expect(await alice.names()).toEqual([]);
    }
    const folder = await alice.remove('/docs');
    mkdirSync(join(app.root, 'docs'));
    writeFileSync(join(app.root, 'docs/new.txt'), 'new');
    expect(await alice.restore([folder])).toEqual(['/docs(1)']);
  });

  test('goes into another folder on request', async () => {
    const id = await alice.remove('/docs/report.txt');
    expect(await alice.restore([id], { to: '/alice/new' })).toEqual(['/alice/new/report.txt']);
    expect(textAt('alice/new/report.txt')).toBe('the report');
  });

  test('keeps both, replaces or skips when the name is taken', async () => {
    const [first, second, third] = ['one', 'two', 'three'];
    const ids: string[] = [];
    for (const text of [first, second, third]) {
      await plant('docs/same.txt', text);
      ids.push(await alice.remove('/docs/same.txt'));
    }
    await plant('docs/same.txt', 'present');
    const [one = '', two = '', three = ''] = ids;
    expect(await alice.restore([one], { conflict: 'skip' })).toEqual(['already_exists']);
    expect(await alice.restore([two])).toEqual(['/docs/same(1).txt']);
    expect(await alice.restore([three], { conflict: 'replace' })).toEqual(['/docs/same.txt']);
    expect([textAt('docs/same.txt'), textAt('docs/same(1).txt')]).toEqual(['three', 'two']);
    const names = (await alice.list()).items.map(({ id, name }) => [id, name]);
    expect(names).toContainEqual([one, 'same.txt']);
  });

  test('of more than five entries is a job', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) {
      await plant(`many/${index}`);
      ids.push(await alice.remove(`/many/${index}`));
    }
    const unknown = 'A'.repeat(22);
    const response = await alice.post('/api/trash/restore', { ids: [unknown, ...ids] });
    expect(response.status).toBe(202);
    const job = (await response.json()) as { id: string; kind: string };
    expect(job.kind).toBe('restore');
    const details = async (): Promise<{ endedAt: number | null; results: object[]; items: object }> =>
      (await (await app.fetch(`/api/jobs/${job.id}`, { token: alice.token })).json()) as never;
    await expect.poll(async () => (await details()).endedAt).not.toBeNull();
    expect((await details()).items).toEqual({ total: 7, done: 6, failed: 1 });
    expect((await details()).results).toContainEqual({ index: 0, path: '/', code: 'not_found' });
    expect((await details()).results).toContainEqual({
      index: 1,
      path: '/many/0',
      to: '/many/0',
      trashItem: ids[0],
    });
    for (let index = 0; index < 6; index++) expect(onDisk(`many/${index}`)).toBe(true);
  });

  test('needs the permission to create, and to modify where it replaces', async () => {
    const id = await alice.remove('/docs/report.txt');
    const reader = await trashClient(app, 'reader');
    expect((await reader.post('/api/trash/restore', { ids: [id] })).status).toBe(403);
    expect((await reader.item(id)).canRestore).toBe(false);
    await app.createUser({ username: 'adder', perm: { modify: false } });
    app.clock.advance(1);
    await plant('docs/late.txt');
    const late = await alice.remove('/docs/late.txt');
    const adder = await trashClient(app, 'adder');
    const replacing = { ids: [late], conflict: 'replace' };
    expect((await adder.post('/api/trash/restore', replacing)).status).toBe(403);
    expect(await adder.restore([late])).toEqual(['/docs/late.txt']);
  });

  test('of a folder with a denied name is refused as a whole', async () => {
    const id = await alice.remove('/docs');
    const ruled = await trashClient(app, 'ruled');
    expect(await ruled.restore([id])).toEqual(['forbidden']);
    expect(onDisk('docs')).toBe(false);
    expect(await alice.restore([id])).toEqual(['/docs']);
  });

  test('reports a file in the place of a parent folder', async () => {
    const id = await alice.remove('/docs/deep/inner.txt');
    rmSync(join(app.root, 'docs'), { recursive: true });
    writeFileSync(join(app.root, 'docs'), 'a file');
    expect(await alice.restore([id])).toEqual(['not_a_folder']);
    expect(await alice.restore([id], { to: '/' })).toEqual(['/inner.txt']);
  });

  test('by two requests at once succeeds once', async () => {
    const id = await alice.remove('/docs/report.txt');
    const results = await Promise.all([alice.restore([id]), admin.restore([id])]);
    expect(results.flat().toSorted()).toEqual(['/docs/report.txt', 'not_found']);
  });
});

describe('deleting forever', () => {
  const purge = (client: TrashClient, request: object): Promise<Response> =>
    client.post('/api/trash/purge', request);
  const stored = (): boolean => onDisk('.filestead-trash');

  test('hides an entry at once, can be cancelled for ten seconds, and then removes it', async () => {
    const id = await alice.remove('/docs/report.txt');
    const response = await purge(alice, { ids: [id] });
    const result = (await response.json()) as { count: number; undoUntil: string; ids: string[] };
    expect([response.status, result.count, result.ids]).toEqual([200, 1, [id]]);
    expect(Date.parse(result.undoUntil) - app.clock.now()).toBeGreaterThan(5_000);
    expect(await alice.names()).toEqual([]);
    expect(await alice.status(`/api/trash/${id}`)).toBe(404);
    expect((await admin.post('/api/trash/purge/cancel', { ids: [id] })).status).toBe(404);
    const cancelled = await alice.post('/api/trash/purge/cancel', { ids: [id] });
    expect([cancelled.status, await cancelled.json()]).toEqual([200, { count: 1 }]);
    expect(await alice.names()).toEqual(['report.txt']);
    expect((await purge(alice, { ids: [id] })).status).toBe(200);
    app.clock.advance(10_001);
    await expect.poll(() => app.log.some((line) => line.includes('removed forever'))).toBe(true);
    expect((await alice.post('/api/trash/purge/cancel', { ids: [id] })).status).toBe(404);
    expect(await alice.restore([id])).toEqual(['not_found']);
    expect(stored()).toBe(true);
  });

  test('needs the permission, and for entries that others deleted an administrator', async () => {
    const deleter = await trashClient(app, 'deleter');
    const own = await deleter.remove('/docs/report.txt');
    expect((await purge(deleter, { ids: [own] })).status).toBe(403);
    expect((await purge(alice, { ids: [own] })).status).toBe(403);
    expect((await alice.item(own)).canPurge).toBe(false);
    expect((await admin.item(own)).canPurge).toBe(true);
    expect((await purge(admin, { ids: [own] })).status).toBe(200);
  });

  test('of everything removes only the entries that the user deleted, and for an administrator all', async () => {
    await alice.remove('/docs/report.txt');
    await admin.remove('/docs/other.txt');
    expect(await (await purge(alice, { all: true })).json()).toMatchObject({ count: 1 });
    expect(await alice.names()).toEqual(['other.txt']);
    expect(await (await purge(admin, { all: true })).json()).toMatchObject({ count: 1 });
    expect(await admin.names()).toEqual([]);
  });

  test('of the old entries of a folder keeps its later ones and those of other folders', async () => {
    await alice.remove('/docs/report.txt');
    await alice.remove('/alice/own.txt');
    app.clock.advance(5_000);
    const olderThan = new Date(app.clock.now()).toISOString();
    await alice.remove('/docs/other.txt');
    expect(await (await purge(alice, { below: '/docs', olderThan })).json()).toMatchObject({ count: 1 });
    expect(await alice.names()).toEqual(['other.txt', 'own.txt']);
  });
});

test('the folder of the store is neither listed nor reachable', async () => {
  await alice.remove('/docs/report.txt');
  const root = (await (await app.fetch('/api/resources/', { token: admin.token })).json()) as Resource;
  expect(root.items?.map(({ name }) => name)).toEqual(['alice', 'docs']);
  expect(await admin.status('/api/resources/.filestead-trash/')).toBe(404);
  expect(await admin.status('/api/resources/.Filestead-Trash/x', 'POST')).toBe(403);
});

describe('a request that is not valid', () => {
  const id = 'A'.repeat(22);
  const long = Array.from({ length: 100_001 }, () => id);
  const requests = [
    ['GET', '/api/trash/short', undefined, 400, 'bad_request', 'path.id'],
    ['GET', `/api/trash/${id}`, undefined, 404, 'not_found', ''],
    ['GET', `/api/trash/list/${id}/`, undefined, 404, 'not_found', ''],
    ['GET', `/api/trash/raw/${id}/x`, undefined, 404, 'not_found', ''],
    ['GET', `/api/trash/raw/${id}/..%2F..%2Fx`, undefined, 400, 'invalid_path', ''],
    ['GET', `/api/trash/preview/huge/${id}/`, undefined, 400, 'bad_request', 'size'],
    ['GET', '/api/trash?before=changed', undefined, 400, 'bad_request', 'before'],
    ['GET', `/api/trash?before=1.${id}.AAAAAAAA`, undefined, 400, 'bad_request', 'before'],
    ['GET', '/api/trash?limit=0', undefined, 400, 'bad_request', 'query.limit'],
    ['GET', '/api/trash?limit=1001', undefined, 400, 'bad_request', 'query.limit'],
    ['GET', '/api/trash?by=you', undefined, 400, 'bad_request', 'query.by'],
    ['GET', '/api/trash?below=docs', undefined, 400, 'bad_request', 'query.below'],
    ['GET', '/api/trash?below=/../x', undefined, 400, 'invalid_path', ''],
    ['POST', '/api/trash/restore', {}, 400, 'bad_request', 'body.ids'],
    ['POST', '/api/trash/restore', { ids: [] }, 400, 'bad_request', 'body.ids'],
    ['POST', '/api/trash/restore', { ids: ['short'] }, 400, 'bad_request', 'body.ids'],
    ['POST', '/api/trash/restore', { ids: long }, 400, 'bad_request', 'body.ids'],
    ['POST', '/api/trash/restore', { ids: [id], conflict: 'merge' }, 400, 'bad_request', 'body.conflict'],
    ['POST', '/api/trash/restore', { ids: [id], to: 'relative' }, 400, 'bad_request', 'body.to'],
    ['POST', '/api/trash/restore', { ids: [id], to: '/../x' }, 400, 'invalid_path', ''],
    ['POST', '/api/trash/purge', {}, 400, 'bad_request', 'body:'],
    ['POST', '/api/trash/purge', { ids: long }, 400, 'bad_request', 'body.ids'],
    ['POST', '/api/trash/purge', { ids: [id], all: true }, 400, 'bad_request', 'body:'],
    ['POST', '/api/trash/purge', { all: false }, 400, 'bad_request', 'body.all'],
    ['POST', '/api/trash/purge', { olderThan: 'yesterday' }, 400, 'bad_request', 'body.olderThan'],
    ['POST', '/api/trash/purge', { ids: [id] }, 404, 'not_found', ''],
    ['POST', '/api/trash/purge/cancel', { ids: [id] }, 404, 'not_found', ''],
    ['DELETE', '/api/trash', undefined, 405, 'method_not_allowed', ''],
  ] as const;
  test('is answered with its status and its code, names what is malformed, and changes nothing', async () => {
    const kept = await alice.remove('/docs/report.txt');
    for (const [method, path, json, status, code, place] of requests) {
      const response = await app.fetch(path, {
        method,
        token: admin.token,
        headers: { accept: 'application/json' },
        ...(json === undefined ? {} : { json }),
      });
      const request = `${method} ${path} ${JSON.stringify(json)?.slice(0, 100)}`;
      const problem = (await response.json()) as { code: string; detail?: string };
      expect([response.status, problem.code], request).toEqual([status, code]);
      if (status === 400) expect(problem.detail, request).toMatch(/\w/);
      expect(problem.detail ?? '', request).toContain(place);
    }
    expect((await alice.list()).items.map((item) => item.id)).toEqual([kept]);
    expect([onDisk('docs/report.txt'), onDisk('docs/other.txt')]).toEqual([false, true]);
  });

  test('names of the store are refused as destinations', async () => {
    const item = await alice.remove('/docs/report.txt');
    expect(await alice.restore([item], { to: '/.filestead-trash' })).toEqual(['forbidden']);
    expect(await alice.names()).toEqual(['report.txt']);
  });
});
