import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation, OperationsEnd } from '@filestead/contract/endpoints/operations';
import type { VersionPage } from '@filestead/contract/endpoints/versions';
import { beforeEach, expect, test } from 'vitest';
import { app, files, admin, alice, bob, signInAll, useHistoryApp } from '../../test/fixtures/history-app.ts';
import { historyClient, servedFiles } from '../../test/fixtures/history-testing.ts';
import { jobsClient } from '../../test/fixtures/jobs-client.ts';
import { startApp } from '../../test/start-app.ts';

useHistoryApp([
  { username: 'alice', scope: '/shared' },
  { username: 'bob', scope: '/shared' },
]);
/** Ages the operations of earlier tests: those older than thirty days are not listed. */
beforeEach(async () => {
  app.clock.advance(31 * 24 * 60 * 60 * 1000);
  await signInAll();
  for (const name of readdirSync(join(app.root, 'shared')))
    rmSync(join(app.root, 'shared', name), { recursive: true });
});

test('lists the operations of the user, the latest first, and those of all users for administrators', async () => {
  files.plant('shared/docs/');
  const upload = await alice.upload('/docs/a.txt', 'a');
  app.clock.advance(10);
  await bob.upload('/b.txt', 'b');
  app.clock.advance(10);
  const move = await alice.move('/docs/a.txt', '/c.txt');
  expect(await alice.lines()).toEqual(['move /c.txt', 'upload /docs/a.txt']);
  expect(await bob.lines()).toEqual(['upload /b.txt']);
  expect(await admin.lines()).toEqual([
    'move /shared/c.txt',
    'upload /shared/b.txt',
    'upload /shared/docs/a.txt',
  ]);
  expect(await admin.lines('?mine=true')).toEqual([]);
  expect(await alice.find(move)).toMatchObject({
    id: move,
    kind: 'move',
    state: 'done',
    user: 'alice',
    isOwn: true,
    total: 1,
    path: '/c.txt',
    from: '/docs/a.txt',
    isDir: false,
    undoes: null,
    canUndo: true,
  });
  expect(await admin.find(upload)).toMatchObject({ user: 'alice', isOwn: false, canUndo: false });
  expect(await admin.refusal(upload)).toBe('404 not_found');
});

test('names the version that an operation restored, copied or deleted, and the change that was undone and redone', async () => {
  files.plant('shared/plan.txt', 'one');
  await alice.save('/plan.txt', 'two');
  app.clock.advance(60_000);
  await alice.save('/plan.txt', 'three');
  const listed = await app.fetch('/api/versions/list/plan.txt', { token: alice.token });
  const [second] = ((await listed.json()) as VersionPage).versions;
  const id = second?.id ?? '';
  expect(second?.written?.act).toBe('save');
  const versionAt = second?.written?.at;
  const copied = await alice.act('POST', '/api/versions/restore', { json: { id, as: 'copy' } });
  const restored = await alice.act('POST', '/api/versions/restore', { json: { id } });
  expect(await alice.find(copied)).toMatchObject({ kind: 'copy', path: '/plan(1).txt', versionAt });
  expect(await alice.find(restored)).toMatchObject({ kind: 'restore', versionAt, original: null });

  const undone = (await alice.undo(restored)).operation ?? '';
  const change = { kind: 'restore', path: '/plan.txt', versionAt };
  expect(await alice.find(undone)).toMatchObject({ undoes: 'restore', versionAt: null, original: change });
  const redone = (await alice.undo(undone)).operation ?? '';
  expect(await alice.find(redone)).toMatchObject({ undoes: 'undo', original: change });

  const again = await app.fetch('/api/versions/list/plan.txt', { token: alice.token });
  const [latest] = ((await again.json()) as VersionPage).versions;
  const deleted = await alice.act('DELETE', `/api/versions/${latest?.id}`);
  const expected = { kind: 'purge', path: '/plan.txt', versionAt: latest?.written?.at };
  expect(await alice.find(deleted)).toMatchObject(expected);
  expect((await alice.list()).items.find(({ kind }) => kind === 'save')).toMatchObject({ versionAt: null });
});

test('does not name the undone change of an entry that a rule hides by now', async () => {
  files.plant('shared/private/');
  files.plant('shared/a.txt', 'a');
  const { id } = await app.createUser({ username: 'carol', scope: '/shared' });
  const carol = await historyClient(app, 'carol');
  const moved = await carol.move('/a.txt', '/private/a.txt');
  const undone = (await carol.undo(moved)).operation ?? '';
  expect(await carol.find(undone)).toMatchObject({ original: { path: '/private/a.txt' } });
  const rules = [{ allow: false, regex: false, path: '/private', regexp: { raw: '' } }];
  const json = { what: 'user', which: ['rules'], data: { id, rules } };
  expect((await app.fetch(`/api/users/${id}`, { method: 'PUT', token: admin.token, json })).status).toBe(200);
  expect(await carol.find(undone)).toMatchObject({
    undoes: 'move',
    path: '/a.txt',
    from: null,
    original: null,
  });
});

test('restricts the list to a folder, and continues it page by page', async () => {
  files.plant('shared/docs/');
  for (let index = 0; index < 5; index++) {
    await alice.upload(`/docs/${index}.txt`, 'text');
    await alice.upload(`/${index}.txt`, 'text');
    app.clock.advance(10);
  }
  await alice.move('/0.txt', '/docs/moved.txt');
  const all = await alice.lines('?below=/docs');
  expect(all).toEqual([
    'move /docs/moved.txt',
    ...[4, 3, 2, 1, 0].map((index) => `upload /docs/${index}.txt`),
  ]);
  const paged: string[] = [];
  for (let before: string | null = ''; before !== null;) {
    const page = await alice.list(`?below=/docs&limit=2${before === '' ? '' : `&before=${before}`}`);
    paged.push(...page.items.map(({ kind, path }) => `${kind} ${path}`));
    before = page.next;
  }
  expect(paged).toEqual(all);
});

test('restricts the list to one entry, also of an operation with several', async () => {
  files.plant('shared/docs/');
  await alice.upload('/docs/a.txt', 'a');
  app.clock.advance(10);
  await alice.upload('/docs/b.txt', 'b');
  app.clock.advance(10);
  const job = await jobsClient(app, alice.token).run({
    kind: 'move',
    items: [
      { from: '/docs/a.txt', to: '/a.txt' },
      { from: '/docs/b.txt', to: '/b.txt' },
    ],
  });
  app.clock.advance(10);
  await alice.move('/docs/', '/papers/');
  expect(await alice.lines('?of=/b.txt')).toEqual(['move /a.txt']);
  expect((await alice.list('?of=/b.txt')).items.map(({ id }) => id)).toEqual([job.id]);
  expect(await alice.lines('?of=/papers/b.txt')).toEqual(['move /a.txt', 'upload /papers/b.txt']);
  expect(await alice.lines('?of=/papers')).toEqual(['move /papers']);
  expect(await alice.lines('?of=/papers/c.txt')).toEqual([]);
  expect(await bob.lines('?of=/b.txt')).toEqual([]);
});

test('sends the list as lines that end with an end line', async () => {
  for (let index = 0; index < 3; index++) await alice.upload(`/${index}.txt`, 'text');
  const response = await app.fetch('/api/operations?limit=2', {
    token: alice.token,
    headers: { accept: 'application/x-ndjson' },
  });
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Operation | OperationsEnd);
  expect(lines).toHaveLength(3);
  expect(lines.at(-1)).toMatchObject({ end: true, next: expect.any(String) });
});

test('refuses altered cursors, relative folders and impossible limits', async () => {
  await alice.upload('/a.txt', 'a');
  await alice.upload('/b.txt', 'b');
  const { next } = await alice.list('?limit=1');
  const altered = `${String(next).slice(0, -1)}${String(next).endsWith('A') ? 'B' : 'A'}`;
  for (const query of [
    `before=${altered}`,
    'before=x',
    'below=docs',
    'limit=0',
    'limit=1001',
    'limit=-1',
    'mine=maybe',
  ]) {
    const response = await app.fetch(`/api/operations?${query}`, {
      token: alice.token,
      headers: { accept: 'application/json' },
    });
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    expect([query, response.status, code]).toEqual([query, 400, 'bad_request']);
    expect(detail, query).toContain(query.slice(0, query.indexOf('=')));
  }
});

test('counts the changes of a merge as one operation', async () => {
  files.plant('shared/docs/a.txt', 'a');
  files.plant('shared/docs/b.txt', 'b');
  files.plant('shared/target/docs/');
  const merge = await alice.copy('/docs', '/target/docs', '&override=true');
  expect(await alice.find(merge)).toMatchObject({ total: 2 });
});

test('reports that a permanent deletion can be undone until the entry is removed', async () => {
  files.plant('shared/a.txt');
  const id = await alice.act('DELETE', '/api/resources/a.txt?permanent=true');
  expect(await alice.find(id)).toMatchObject({ kind: 'delete', state: 'done', canUndo: true });
  app.clock.advance(10_001);
  expect(await alice.find(id)).toMatchObject({ state: 'done', canUndo: false });
  expect(await alice.check(id)).toMatchObject({ total: 1, undone: 0 });
});

test('reports that an overwritten file that was not kept cannot be restored', async () => {
  writeFileSync(join(app.root, 'shared/Thumbs.db'), 'old');
  const id = await alice.save('/Thumbs.db', 'text');
  expect(await alice.check(id)).toMatchObject({
    undone: 0,
    failures: [{ path: '/Thumbs.db', code: 'not_found' }],
  });
  expect(await alice.refusal(id)).toBe('404 not_found');
  expect(files.content('shared/Thumbs.db')).toBe('text');
});

test('does not record requests that changed nothing', async () => {
  files.plant('shared/a.txt');
  const refused = await app.fetch('/api/resources/a.txt', { method: 'POST', token: alice.token, body: 'x' });
  expect(refused.status).toBe(409);
  const missing = await app.fetch('/api/resources/b.txt', { method: 'DELETE', token: alice.token });
  expect(missing.status).toBe(404);
  expect(await alice.lines()).toEqual([]);
});

test('keeps operations for thirty days', async () => {
  const id = await alice.upload('/a.txt', 'a');
  app.clock.advance(29 * 24 * 60 * 60 * 1000);
  await signInAll();
  expect(await alice.find(id)).toMatchObject({ canUndo: true });
  app.clock.advance(2 * 24 * 60 * 60 * 1000);
  await signInAll();
  expect(await alice.lines()).toEqual([]);
  expect(await alice.refusal(id)).toBe('404 not_found');
});

test('without a trash, refuses to undo operations whose undo would destroy data', async () => {
  const untrashed = await startApp({
    users: [{ username: 'carol', scope: '/carol' }],
    config: { trash: 'off' },
  });
  try {
    const carol = await historyClient(untrashed, 'carol');
    const own = servedFiles(untrashed);
    own.plant('carol/old.txt', 'old');
    const upload = await carol.upload('/a.txt', 'a');
    const save = await carol.save('/old.txt', 'new');
    const move = await carol.move('/a.txt', '/b.txt');
    expect(await carol.refusal(save)).toBe('404 not_found');
    await carol.undo(move);
    expect(await carol.check(upload)).toMatchObject({ failures: [{ path: '/a.txt', code: 'cannot_keep' }] });
    expect(await carol.refusal(upload)).toBe('409 cannot_keep');
    expect(own.tree('carol')).toEqual({ '/a.txt': 'a', '/old.txt': 'new' });
  } finally {
    await untrashed.close();
  }
});
