import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Job } from '@filestead/contract/jobs';
import { beforeEach, describe, expect, test } from 'vitest';
import { Mounts } from '../../test/fixtures/mounts.ts';
import { app, files, alice, bob, useHistoryApp } from '../../test/fixtures/history-app.ts';

useHistoryApp([
  { username: 'alice', scope: '/alice' },
  { username: 'bob', scope: '/bob' },
]);
beforeEach(() => {
  for (const name of readdirSync(join(app.root, 'alice')))
    rmSync(join(app.root, 'alice', name), { recursive: true });
});

/** Undoes an operation, and the undo, and the undo of that, and checks the files each time. */
async function undoAndRedo(id: string, before: Record<string, string>): Promise<void> {
  const after = files.tree('alice');
  const undone = await alice.undo(id);
  expect(files.tree('alice')).toEqual(before);
  const redone = await alice.undo(undone.operation ?? '');
  expect(files.tree('alice')).toEqual(after);
  await alice.undo(redone.operation ?? '');
  expect(files.tree('alice')).toEqual(before);
}

describe('undo and redo restore the files exactly', () => {
  test('of an upload, a copy, a move and a restoration with the folders that they created', async () => {
    files.plant('alice/a.txt', 'a');
    files.plant('alice/gone/inner/b.txt', 'b');
    const removal = { method: 'DELETE', token: alice.token };
    const removed = await app.fetch('/api/resources/gone/inner/b.txt', removal);
    const ids = [removed.headers.get('x-trash-item')];
    rmSync(join(app.root, 'alice/gone'), { recursive: true });
    const before = files.tree('alice');
    await undoAndRedo(await alice.upload('/new/inner/deep/b.txt', 'new'), before);
    await undoAndRedo(await alice.copy('/a.txt', '/copied/inner/c.txt'), before);
    await undoAndRedo(await alice.move('/a.txt', '/moved/inner/c.txt'), before);
    await undoAndRedo(await alice.act('POST', '/api/trash/restore', { json: { ids } }), before);
  });

  test('of a new file, which goes to the trash', async () => {
    const before = files.tree('alice');
    const id = await alice.upload('/a.txt', 'new');
    expect(await alice.check(id)).toMatchObject({ operation: null, kind: 'upload', total: 1, undone: 1 });
    expect(files.content('alice/a.txt')).toBe('new');
    await undoAndRedo(id, before);
    expect(await alice.find(id)).toMatchObject({ kind: 'upload', state: 'undone', canUndo: false });
  });

  test('of a file that replaced another one, whose former state is restored', async () => {
    files.plant('alice/a.txt', 'old');
    const before = files.tree('alice');
    await undoAndRedo(await alice.upload('/a.txt', 'new'), before);
    await undoAndRedo(await alice.save('/a.txt', 'saved'), before);
  });

  test('of a new folder', async () => {
    const before = files.tree('alice');
    await undoAndRedo(await alice.act('POST', '/api/resources/docs/'), before);
  });

  test('of a deleted file, folder and empty folder', async () => {
    files.plant('alice/a.txt');
    files.plant('alice/docs/inner/b.txt');
    files.plant('alice/empty/');
    const before = files.tree('alice');
    await undoAndRedo(await alice.remove('/a.txt'), before);
    await undoAndRedo(await alice.remove('/empty'), before);
    await undoAndRedo(await alice.remove('/docs'), before);
  });

  test('of a renamed and a moved entry', async () => {
    files.plant('alice/a.txt');
    files.plant('alice/docs/b.txt');
    const before = files.tree('alice');
    const id = await alice.move('/a.txt', '/docs/c.txt');
    expect(await alice.undo(id)).toMatchObject({
      kind: 'move',
      undone: 1,
      paths: ['/a.txt'],
      folders: ['/docs', '/'],
    });
    await undoAndRedo(await alice.move('/docs', '/papers'), before);
  });

  test('of a moved file that replaced another one', async () => {
    files.plant('alice/a.txt', 'a');
    files.plant('alice/docs/a.txt', 'old');
    const before = files.tree('alice');
    await undoAndRedo(await alice.move('/a.txt', '/docs/a.txt', '&override=true'), before);
  });

  test('of a copied file and folder', async () => {
    files.plant('alice/docs/inner/b.txt');
    const before = files.tree('alice');
    await undoAndRedo(await alice.copy('/docs/inner/b.txt', '/b.txt'), before);
    await undoAndRedo(await alice.copy('/docs', '/copy'), before);
  });

  test('of a folder that was copied into another one', async () => {
    files.plant('alice/docs/a.txt', 'new');
    files.plant('alice/docs/new/b.txt', 'b');
    files.plant('alice/docs/both/c.txt', 'c');
    files.plant('alice/target/docs/a.txt', 'old');
    files.plant('alice/target/docs/both/kept.txt', 'kept');
    const before = files.tree('alice');
    const id = await alice.copy('/docs', '/target/docs', '&override=true');
    expect(await alice.find(id)).toMatchObject({ kind: 'copy', total: 3 });
    await undoAndRedo(id, before);
  });

  test('of a folder that was moved into another one', async () => {
    files.plant('alice/docs/a.txt', 'new');
    files.plant('alice/docs/new/b.txt', 'b');
    files.plant('alice/docs/both/c.txt', 'c');
    files.plant('alice/docs/both/empty/');
    files.plant('alice/target/docs/a.txt', 'old');
    files.plant('alice/target/docs/both/kept.txt', 'kept');
    const before = files.tree('alice');
    await undoAndRedo(await alice.move('/docs', '/target/docs', '&override=true'), before);
  });

  test('of a restored entry, which goes back to the trash', async () => {
    files.plant('alice/docs/b.txt');
    const response = await app.fetch('/api/resources/docs', { method: 'DELETE', token: alice.token });
    const item = response.headers.get('x-trash-item');
    const before = files.tree('alice');
    const id = await alice.act('POST', '/api/trash/restore', { json: { ids: [item] } });
    await undoAndRedo(id, before);
  });

  test('of a restored file that replaced another one', async () => {
    files.plant('alice/a.txt', 'deleted');
    const response = await app.fetch('/api/resources/a.txt', { method: 'DELETE', token: alice.token });
    files.plant('alice/a.txt', 'present');
    const before = files.tree('alice');
    const json = { ids: [response.headers.get('x-trash-item')], conflict: 'replace' };
    const id = await alice.act('POST', '/api/trash/restore', { json });
    expect(files.content('alice/a.txt')).toBe('deleted');
    await undoAndRedo(id, before);
  });
});

test('keeps the undone state of a file as a version', async () => {
  files.plant('alice/undone.txt', 'old');
  await alice.undo(await alice.save('/undone.txt', 'new'));
  const list = await app.fetch('/api/versions/list/undone.txt', { token: alice.token });
  const { versions } = (await list.json()) as { versions: { id: string }[] };
  const raw = await app.fetch(`/api/versions/raw/${versions[0]?.id}`, { token: alice.token });
  expect([versions.length, await raw.text()]).toEqual([1, 'new']);
});

test('resumes the shares of a deleted file', async () => {
  files.plant('alice/a.txt');
  const { hash } = (await (await alice.post('/api/share/a.txt', {})).json()) as { hash: string };
  const status = async (): Promise<number> => (await app.fetch(`/api/public/share/${hash}`)).status;
  const id = await alice.remove('/a.txt');
  expect(await status()).toBe(404);
  await alice.undo(id);
  expect(await status()).toBe(200);
});

test('moves an entry back to another disk', async (context) => {
  const mounts = new Mounts();
  mkdirSync(join(app.root, 'alice/disk'));
  try {
    mounts.required(context).tmpfs(join(app.root, 'alice/disk'));
    files.plant('alice/docs/a.txt', 'a');
    const before = files.tree('alice');
    const id = await alice.move('/docs', '/disk/docs');
    await alice.undo(id);
    expect(files.tree('alice')).toEqual(before);
  } finally {
    mounts.release();
  }
});

describe('an undo does not touch', () => {
  test('a new file that has changed since', async () => {
    const id = await alice.upload('/a.txt', 'new');
    writeFileSync(join(app.root, 'alice/a.txt'), 'changed');
    expect(await alice.check(id)).toMatchObject({
      total: 1,
      undone: 0,
      failures: [{ path: '/a.txt', code: 'changed_since' }],
    });
    expect(await alice.refusal(id)).toBe('409 changed_since');
    expect(files.content('alice/a.txt')).toBe('changed');
    expect(await alice.find(id)).toMatchObject({ state: 'done' });
  });

  test('a file that another one has replaced since', async () => {
    files.plant('alice/a.txt', 'old');
    const first = await alice.upload('/a.txt', 'first');
    const second = await alice.upload('/a.txt', 'second');
    expect(await alice.refusal(first)).toBe('409 changed_since');
    await alice.undo(second);
    await alice.undo(first);
    expect(files.content('alice/a.txt')).toBe('old');
  });

  test('a new folder to which something was added, but not one that is empty again', async () => {
    const id = await alice.act('POST', '/api/resources/docs/');
    files.plant('alice/docs/inner.txt');
    // Independent of the resolution of the file system's clock.
    const later = Date.now() / 1000 + 10;
    utimesSync(join(app.root, 'alice/docs/inner.txt'), later, later);
    expect(await alice.refusal(id)).toBe('409 changed_since');
    rmSync(join(app.root, 'alice/docs/inner.txt'));
    await alice.undo(id);
    expect(files.tree('alice')).toEqual({});
  });

  test('a copied folder in which a file has changed since', async () => {
    files.plant('alice/docs/inner/deep/a.txt', 'a');
    const id = await alice.copy('/docs', '/copy');
    const copied = join(app.root, 'alice/copy/inner/deep/a.txt');
    writeFileSync(copied, 'changed');
    // The clock of the file system advances in ticks of some milliseconds, and the copy may have ended in this one.
    const { mtimeMs } = statSync(copied);
    utimesSync(copied, new Date(mtimeMs), new Date(mtimeMs + 1000));
    expect(await alice.refusal(id)).toBe('409 changed_since');
    expect(files.content('alice/copy/inner/deep/a.txt')).toBe('changed');
  });

  test('another file that has the name of the moved one', async () => {
    files.plant('alice/a.txt', 'moved');
    const id = await alice.move('/a.txt', '/b.txt');
    renameSync(join(app.root, 'alice/b.txt'), join(app.root, 'alice/elsewhere.txt'));
    files.plant('alice/b.txt', 'another');
    expect(await alice.refusal(id)).toBe('409 changed_since');
    expect(files.tree('alice')).toEqual({ '/b.txt': 'another', '/elsewhere.txt': 'moved' });
  });

  test('an entry that was deleted from the trash', async () => {
    files.plant('alice/a.txt');
    const response = await app.fetch('/api/resources/a.txt', { method: 'DELETE', token: alice.token });
    const ids = [response.headers.get('x-trash-item')];
    const id = response.headers.get('x-operation') ?? '';
    await alice.act('POST', '/api/trash/purge', { json: { ids } });
    expect(await alice.check(id)).toMatchObject({
      undone: 0,
      failures: [{ path: '/a.txt', code: 'not_found' }],
    });
    expect(await alice.refusal(id)).toBe('404 not_found');
  });
});

test('leaves a folder that an upload has created and that others use, and does not count it', async () => {
  const first = await alice.upload('/new/inner/a.txt', 'a');
  await alice.upload('/new/b.txt', 'b');
  expect(await alice.find(first)).toMatchObject({ kind: 'upload', total: 1, path: '/new/inner/a.txt' });
  expect(await alice.check(first)).toMatchObject({ total: 1, undone: 1, failures: [] });
  expect(await alice.undo(first)).toMatchObject({ total: 1, undone: 1, failures: [] });
  expect(files.tree('alice')).toEqual({ '/new/': '', '/new/b.txt': 'b' });
});

test('moves a file back under a free name if another file has its name', async () => {
  files.plant('alice/a.txt', 'moved');
  const id = await alice.move('/a.txt', '/b.txt');
  files.plant('alice/a.txt', 'another');
  expect(await alice.undo(id)).toMatchObject({ paths: ['/a(1).txt'] });
  expect(files.tree('alice')).toEqual({ '/a.txt': 'another', '/a(1).txt': 'moved' });
});

test('moves a file back with the changes that were made since', async () => {
  files.plant('alice/a.txt', 'moved');
  const id = await alice.move('/a.txt', '/b.txt');
  writeFileSync(join(app.root, 'alice/b.txt'), 'edited');
  await alice.undo(id);
  expect(files.tree('alice')).toEqual({ '/a.txt': 'edited' });
});

test('follows folders that were renamed since', async () => {
  files.plant('alice/docs/a.txt', 'old');
  files.plant('alice/docs/b.txt', 'b');
  const saved = await alice.save('/docs/a.txt', 'new');
  const removed = await alice.remove('/docs/b.txt');
  const renamed = await alice.move('/docs', '/papers');
  await alice.move('/papers', '/letters');
  expect((await alice.find(saved))?.path).toBe('/letters/a.txt');
  await alice.undo(saved);
  await alice.undo(removed);
  expect(files.tree('alice')).toEqual({ '/letters/': '', '/letters/a.txt': 'old', '/letters/b.txt': 'b' });
  await alice.undo(renamed);
  expect(files.tree('alice')).toEqual({ '/docs/': '', '/docs/a.txt': 'old', '/docs/b.txt': 'b' });
});

test('restores the former state of a file behind a symbolic link', async () => {
  files.plant('alice/docs/a.txt', 'old');
  symlinkSync('docs', join(app.root, 'alice/link'));
  const saved = await alice.save('/link/a.txt', 'new');
  const moved = await alice.move('/link/a.txt', '/link/b.txt');
  await alice.undo(moved);
  await alice.undo(saved);
  expect(files.content('alice/docs/a.txt')).toBe('old');
  writeFileSync(join(app.root, 'alice/docs/Thumbs.db'), 'old');
  const lost = await alice.save('/link/Thumbs.db', 'new');
  expect(await alice.refusal(lost)).toBe('404 not_found');
  expect(files.content('alice/docs/Thumbs.db')).toBe('new');
});

test('creates the former folder of a moved file again', async () => {
  files.plant('alice/docs/a.txt');
  const id = await alice.move('/docs/a.txt', '/a.txt');
  rmSync(join(app.root, 'alice/docs'), { recursive: true });
  await alice.undo(id);
  expect(files.content('alice/docs/a.txt')).toBe('alice/docs/a.txt');
});

test('cancels a deletion forever within ten seconds', async () => {
  files.plant('alice/a.txt');
  const response = await app.fetch('/api/resources/a.txt', { method: 'DELETE', token: alice.token });
  const ids = [response.headers.get('x-trash-item')];
  const id = await alice.act('POST', '/api/trash/purge', { json: { ids } });
  expect(await alice.check(id)).toMatchObject({ kind: 'purge', total: 1, undone: 1 });
  await alice.undo(id);
  const restored = await alice.post('/api/trash/restore', { ids });
  expect(await restored.json()).toEqual({ results: [{ id: ids[0], path: '/a.txt' }] });
});

test('refuses to undo a deletion forever after ten seconds, and reports that beforehand', async () => {
  files.plant('alice/a.txt');
  const response = await app.fetch('/api/resources/a.txt', { method: 'DELETE', token: alice.token });
  const ids = [response.headers.get('x-trash-item')];
  const id = await alice.act('POST', '/api/trash/purge', { json: { ids } });
  app.clock.advance(10_001);
  expect(await alice.check(id)).toMatchObject({ undone: 0, failures: [{ code: 'not_found' }] });
  expect(await alice.refusal(id)).toBe('404 not_found');
});

test('undoes a job of many items with a job, item by item', async () => {
  for (let index = 0; index < 30; index++) files.plant(`alice/many/${index}.txt`, String(index));
  files.plant('alice/target/');
  const before = files.tree('alice');
  const items = Array.from({ length: 30 }, (_, index) => ({
    from: `/many/${index}.txt`,
    to: `/target/${index}.txt`,
  }));
  const job = (await (await alice.post('/api/jobs', { kind: 'move', items })).json()) as Job;
  await alice.ended(job);
  files.plant('alice/elsewhere.txt');
  for (const index of [3, 7, 8]) rmSync(join(app.root, `alice/target/${index}.txt`));
  expect(await alice.find(job.id)).toMatchObject({
    kind: 'move',
    state: 'done',
    total: 30,
    path: '/target/0.txt',
    from: '/many/0.txt',
  });
  expect(await alice.check(job.id)).toMatchObject({ total: 30, undone: 27 });
  const response = await alice.post(`/api/operations/${job.id}/undo`);
  expect(response.status).toBe(202);
  const undoing = (await response.json()) as Job;
  expect(response.headers.get('x-operation')).toBe(undoing.id);
  expect(undoing).toMatchObject({ kind: 'undo', items: { total: 30 } });
  const { state, items: counts } = await alice.ended(undoing);
  expect([state, counts]).toEqual(['done', { total: 30, done: 27, failed: 3 }]);
  expect(await alice.refusal(job.id)).toBe('409 changed_since');
  for (const index of [3, 7, 8]) delete before[`/many/${index}.txt`];
  expect(files.tree('alice')).toEqual({ ...before, '/elsewhere.txt': 'alice/elsewhere.txt' });
  expect(await alice.find(undoing.id)).toMatchObject({
    kind: 'undo',
    undoes: 'move',
    state: 'done',
    total: 27,
  });
});

test('performs one of two simultaneous undos of an operation', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await alice.upload(`/round-${round}.txt`, 'text');
    const paths = [`/api/operations/${id}/undo`, `/api/operations/${id}/undo`];
    const statuses = await Promise.all(paths.map(async (path) => (await alice.post(path)).status));
    expect(statuses.toSorted()).toEqual([200, 409]);
  }
  expect(files.tree('alice')).toEqual({});
});

test('refuses to undo an operation again, one of another user, and unknown ones', async () => {
  const id = await alice.upload('/a.txt', 'text');
  expect(await bob.refusal(id)).toBe('404 not_found');
  expect(await bob.refusal(id, '?check=true')).toBe('404 not_found');
  await alice.undo(id);
  expect(await alice.refusal(id)).toBe('409 changed_since');
  expect(await alice.refusal(id, '?check=true')).toBe('409 changed_since');
  expect(await alice.refusal('A'.repeat(22))).toBe('404 not_found');
  expect(await alice.refusal('short')).toBe('400 bad_request');
  expect(await alice.refusal(id, '?check=maybe')).toBe('400 bad_request');
});

describe('an undo of a change whose former state in the store', () => {
  /** The path in the store of what an operation keeps: of the latest entry with this name. */
  function storedPath(name: string): string {
    const store = join(app.root, '.filestead-trash');
    const names = readdirSync(store, { recursive: true, encoding: 'utf8' });
    return join(store, names.find((path) => path.endsWith(` ${name}`)) ?? '');
  }
  /** A deletion and a save. */
  const changes = async (name: string): Promise<[string, string]> => {
    for (const kind of ['deleted', 'saved']) files.plant(`alice/${kind}-${name}`, 'former');
    return [await alice.remove(`/deleted-${name}`), await alice.save(`/saved-${name}`, 'current')];
  };

  test('was removed by hand is refused, and the state is forgotten', async () => {
    const [removed, saved] = await changes('gone.txt');
    const version = (
      (await (await app.fetch('/api/versions/list/saved-gone.txt', { token: alice.token })).json()) as {
        versions: { id: string }[];
      }
    ).versions[0]?.id;
    for (const kind of ['deleted', 'saved']) rmSync(storedPath(`${kind}-gone.txt`));
    expect(await alice.refusal(removed)).toBe('404 not_found');
    expect(await alice.refusal(saved)).toBe('404 not_found');
    expect(files.tree('alice')).toEqual({ '/saved-gone.txt': 'current' });
    expect((await app.fetch(`/api/versions/${version}`, { token: alice.token })).status).toBe(404);
    expect(app.log.filter((line) => /no longer in its store|missing in its store/.test(line))).toHaveLength(
      2,
    );
  });

  test('was replaced by a link is refused, and the link is not followed', async () => {
    const [removed, saved] = await changes('link.txt');
    files.plant('bob/secret.txt', 'secret');
    for (const kind of ['deleted', 'saved']) {
      const stored = storedPath(`${kind}-link.txt`);
      rmSync(stored);
      symlinkSync(join(app.root, 'bob/secret.txt'), stored);
    }
    expect(await alice.refusal(removed)).toBe('403 special_file');
    expect(await alice.refusal(saved)).toBe('403 special_file');
    expect(files.tree('alice')).toEqual({ '/saved-link.txt': 'current' });
    expect(files.content('bob/secret.txt')).toBe('secret');
  });
});

test('refuses an undo whose folder is a file now, and changes nothing', async () => {
  files.plant('alice/docs/a.txt', 'a');
  files.plant('alice/docs/b.txt', 'b');
  const removed = await alice.remove('/docs/a.txt');
  const moved = await alice.move('/docs/b.txt', '/b.txt');
  rmSync(join(app.root, 'alice/docs'), { recursive: true });
  files.plant('alice/docs', 'a file');
  expect(await alice.refusal(removed)).toBe('409 not_a_folder');
  expect(await alice.refusal(moved)).toBe('409 not_a_folder');
  expect(files.tree('alice')).toEqual({ '/docs': 'a file', '/b.txt': 'b' });
});

test('lets either an undo of a deletion or a concurrent restoration succeed', async () => {
  for (let round = 0; round < 5; round++) {
    files.plant('alice/a.txt', 'text');
    const response = await app.fetch('/api/resources/a.txt', { method: 'DELETE', token: alice.token });
    const operation = response.headers.get('x-operation') ?? '';
    const [undone, restored] = await Promise.all([
      alice.post(`/api/operations/${operation}/undo`),
      alice.post('/api/trash/restore', { ids: [response.headers.get('x-trash-item')] }),
    ]);
    const { results } = (await restored.json()) as { results: { path?: string; error?: string }[] };
    expect([undone.status, results[0]?.path ?? results[0]?.error]).toEqual(
      undone.ok ? [200, 'not_found'] : [404, '/a.txt'],
    );
    expect(files.tree('alice')).toEqual({ '/a.txt': 'text' });
  }
});

test('keeps a marked version in the list when it is restored by an undo', async () => {
  files.plant('alice/a.txt', 'old');
  const id = await alice.save('/a.txt', 'new');
  const { versions } = (await (
    await app.fetch('/api/versions/list/a.txt', { token: alice.token })
  ).json()) as { versions: { id: string }[] };
  const [version] = versions;
  const json = { keepForever: true };
  const marked = await app.fetch(`/api/versions/${version?.id}`, {
    method: 'PATCH',
    token: alice.token,
    json,
  });
  expect(marked.status).toBe(200);
  await alice.undo(id);
  expect(files.content('alice/a.txt')).toBe('old');
  const after = await app.fetch(`/api/versions/${version?.id}`, { token: alice.token });
  expect(after.status).toBe(200);
});
