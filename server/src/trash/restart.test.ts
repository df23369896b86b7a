import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageReport } from '@filestead/contract/endpoints/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqlite } from '../database/sqlite/open-sqlite.ts';
import { startApp, type TestApp } from '../../test/start-app.ts';
import { type TrashClient, trashClient } from './trash-testing.ts';

let folder: string;
let app: TestApp;
let admin: TrashClient;
/** Starts a server on the same folders. */
async function start(): Promise<void> {
  app = await startApp({ config: { root: join(folder, 'root'), data: join(folder, 'data') } });
  admin = await trashClient(app, 'admin');
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-restart-'));
  mkdirSync(join(folder, 'root/docs'), { recursive: true });
  for (const name of ['a.txt', 'b.txt', 'docs/c.txt']) writeFileSync(join(folder, 'root', name), name);
  await start();
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const isStored = (id: string): boolean =>
  readdirSync(join(folder, 'root/.filestead-trash'), { recursive: true, encoding: 'utf8' }).some((path) =>
    path.includes(`${id} `),
  );
/** Removes everything about the trash from the database, as if the server had been killed before it wrote it. */
function loseIndex(): void {
  const connection = openSqlite(join(folder, 'data/filestead.db'));
  for (const table of ['kept', 'places', 'ledgers']) connection.exec(`delete from ${table}`);
  connection.close();
}

/** The folder of this installation in the store, the file of its ledger, and the last record in it. */
function readOwnStore(): { own: string; file: string; last: { readonly folder: string } } {
  const top = join(folder, 'root/.filestead-trash');
  const own = join(top, readdirSync(top).find((name) => !name.includes('.')) ?? '');
  const [ledger = ''] = readdirSync(join(own, 'ledger'));
  const file = join(own, 'ledger', ledger);
  const last = JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '') as { folder: string };
  return { own, file, last };
}

/** Adds deletions to the store whose records are not in the index, as a crash leaves them. Requires a deletion of the current hour. */
function addUnreadDeletions(count: number): void {
  const { own, file, last } = readOwnStore();
  const lines: string[] = [];
  for (let index = 0; index < count; index++) {
    const id = randomBytes(16).toString('base64url');
    const storedName = `${id} ${index}.txt`;
    writeFileSync(join(own, 'things', last.folder, storedName), '');
    lines.push(`\n${JSON.stringify({ ...last, id, storedName, place: `/many/${index}.txt` })}\n`);
  }
  appendFileSync(file, lines.join(''));
}
/** Adds records that a job has written ahead and not used, as a cancellation or a crash leaves them. Returns their ids. */
function addUnusedRecords(count: number): string[] {
  const { file, last } = readOwnStore();
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const id = randomBytes(16).toString('base64url');
    const ahead = { kind: undefined, size: undefined, modifiedNs: undefined };
    const record = { ...last, ...ahead, id, storedName: `${id} ${index}.txt`, place: `/many/${index}.txt` };
    appendFileSync(file, `\n${JSON.stringify(record)}\n`);
    ids.push(id);
  }
  return ids;
}
/** The number of records without an entry, as administrators see it. */
async function recordsWithoutEntry(): Promise<number | undefined> {
  const token = await app.signIn('admin');
  const report = (await (await app.fetch('/api/storage?check=true', { token })).json()) as StorageReport;
  return report.volumes[0]?.check?.withoutEntry;
}
/** The number of rows of the index, whether it is complete or not. */
function indexedEntries(): number {
  const connection = openSqlite(join(folder, 'data/filestead.db'));
  const [row] = connection.prepare('select count(*) as count from kept').all() as { count: number }[];
  connection.close();
  return row?.count ?? 0;
}

test('deletions forever that were requested before a restart are completed after it, when they are due', async () => {
  const id = await admin.remove('/a.txt');
  expect((await admin.post('/api/trash/purge', { ids: [id] })).status).toBe(200);
  await app.close();
  expect(isStored(id)).toBe(true);
  await start();
  expect(await admin.names()).toEqual([]);
  app.clock.advance(10_001);
  await expect.poll(() => isStored(id)).toBe(false);
});

test('a start reads from the disk what is missing in the index', async () => {
  const file = await admin.remove('/docs/c.txt');
  const docs = await admin.remove('/docs');
  await admin.restore([await admin.remove('/b.txt')]);
  await app.close();
  loseIndex();
  await start();
  expect(await admin.names()).toEqual(['docs', 'c.txt']);
  expect(await admin.item(file)).toMatchObject({
    path: '/docs/c.txt',
    deletedBy: 'admin',
    parentInTrash: docs,
  });
  expect(await admin.restore([docs, file])).toEqual(['/docs', '/docs/c.txt']);
  expect(existsSync(join(folder, 'root/docs/c.txt'))).toBe(true);
});

test('a start ends records that a job did not use, and still reports entries that were removed by hand', async () => {
  await admin.remove('/a.txt');
  const removed = await admin.remove('/b.txt');
  await app.close();
  addUnusedRecords(3);
  const store = join(folder, 'root/.filestead-trash');
  for (const path of readdirSync(store, { recursive: true, encoding: 'utf8' }))
    if (path.includes(`${removed} `)) rmSync(join(store, path));
  await start();
  await expect.poll(recordsWithoutEntry).toBe(1);
  expect(await admin.names()).toEqual(['b.txt', 'a.txt']);
});

test('a start ends the unused records that a killed one had begun to end', async () => {
  await admin.remove('/a.txt');
  await app.close();
  const ids = addUnusedRecords(3);
  appendFileSync(readOwnStore().file, `\n${JSON.stringify({ type: 'doom', ids })}\n`);
  await start();
  await expect.poll(recordsWithoutEntry).toBe(0);
  expect(await admin.names()).toEqual(['a.txt']);
});

test('a start without the stores serves an empty trash after a lost index', async () => {
  await admin.remove('/a.txt');
  await app.close();
  loseIndex();
  rmSync(join(folder, 'root/.filestead-trash'), { recursive: true });
  await start();
  expect(await admin.names()).toEqual([]);
  await admin.remove('/b.txt');
  expect(await admin.names()).toEqual(['b.txt']);
});

test('a version that was replaced by the same content stays in the list after a restart, without its bytes', async () => {
  const versions = async (): Promise<unknown> => {
    const token = await app.signIn('admin');
    return (await app.fetch('/api/versions/list/a.txt', { token })).json();
  };
  const unchanged = { total: 1, versions: [{ isUnchanged: true, size: 0 }] };
  const token = await app.signIn('admin');
  const response = await app.fetch('/api/resources/a.txt', { method: 'PUT', token, body: 'a.txt' });
  expect(response.status).toBe(200);
  await expect.poll(versions).toMatchObject(unchanged);
  await app.close();
  await start();
  expect(await versions()).toMatchObject(unchanged);
});

test('a start with many unread deletions listens before it has read them, and the trash waits for them', async () => {
  await admin.remove('/a.txt');
  await app.close();
  const unread = 3_000;
  addUnreadDeletions(unread);
  await start();
  expect(indexedEntries()).toBeLessThan(unread);
  // Stopped meanwhile; the next start continues.
  await app.close();
  expect(indexedEntries()).toBeLessThan(unread);
  await start();
  const token = await app.signIn('admin');
  expect((await app.fetch('/api/resources/b.txt', { token })).status).toBe(200);
  const deleted = await admin.remove('/b.txt');
  expect(indexedEntries()).toBe(unread + 2);
  const response = await app.fetch('/api/trash?limit=1', { token });
  expect(await response.json()).toMatchObject({ total: unread + 2, items: [{ id: deleted }] });
});

test('the share of a file ends also when the server was killed between the deletion and its record in the index', async () => {
  const hashOf = async (path: string): Promise<string> =>
    ((await (await admin.post(`/api/share${path}`, {})).json()) as { hash: string }).hash;
  const statusOf = async (hash: string): Promise<number> =>
    (await app.fetch(`/api/public/share/${hash}`)).status;
  const deleted = await hashOf('/a.txt');
  const id = await admin.remove('/a.txt');
  writeFileSync(join(folder, 'root/a.txt'), 'another file');
  const later = await hashOf('/a.txt');
  const [removed, spared] = [await hashOf('/b.txt'), await hashOf('/docs/c.txt')];
  await app.close();
  rmSync(join(folder, 'root/b.txt'));
  // The states in which a kill leaves the database: during a deletion, and during two removals forever.
  const connection = openSqlite(join(folder, 'data/filestead.db'));
  connection.exec('delete from kept');
  connection.exec(`update shares set kept_id = null where hash = '${deleted}'`);
  connection.exec(`update shares set kept_id = 'removal' where hash in ('${removed}', '${spared}')`);
  connection.close();
  await start();
  expect(await Promise.all([deleted, later, removed, spared].map(statusOf))).toEqual([404, 200, 404, 200]);
  writeFileSync(join(folder, 'root/b.txt'), 'another file');
  expect(await statusOf(removed)).toBe(404);
  expect(await admin.restore([id], { to: '/docs' })).toEqual(['/docs/a.txt']);
  expect(await statusOf(deleted)).toBe(200);
});
