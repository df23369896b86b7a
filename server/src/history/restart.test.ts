import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqlite } from '../database/sqlite/open-sqlite.ts';
import { startApp, type TestApp } from '../../test/start-app.ts';
import {
  type HistoryClient,
  historyClient,
  type ServedFiles,
  servedFiles,
} from '../../test/fixtures/history-testing.ts';

let folder: string;
let app: TestApp;
let admin: HistoryClient;
let files: ServedFiles;
/** Starts a server on the same folders. */
async function start(): Promise<void> {
  app = await startApp({ config: { root: join(folder, 'root'), data: join(folder, 'data') } });
  admin = await historyClient(app, 'admin');
  files = servedFiles({ root: join(folder, 'root') });
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-history-'));
  await mkdir(join(folder, 'root'));
  await start();
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

test('operations right before a restart can be undone after it', async () => {
  files.plant('a.txt', 'old');
  const saved = await admin.save('/a.txt', 'new');
  const moved = await admin.move('/a.txt', '/b.txt');
  await app.close();
  await start();
  expect(await admin.lines()).toEqual(['move /b.txt', 'save /a.txt']);
  await admin.undo(moved);
  await admin.undo(saved);
  expect(files.content('a.txt')).toBe('old');
});

test('the folders of an upload that was continued after a restart are removed with it', async () => {
  files.plant('docs/');
  const tus = { 'tus-resumable': '1.0.0' };
  const created = await app.fetch('/api/tus/docs/new/inner/a.txt', {
    method: 'POST',
    token: admin.token,
    headers: { ...tus, 'upload-length': '4' },
  });
  expect(created.status).toBe(201);
  const location = created.headers.get('location') ?? '';
  await admin.move('/docs', '/papers');
  await app.close();
  await start();
  const finished = await app.fetch(location, {
    method: 'PATCH',
    token: admin.token,
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: 'text',
  });
  expect([finished.status, files.content('papers/new/inner/a.txt')]).toEqual([204, 'text']);
  await admin.undo(finished.headers.get('x-operation') ?? '');
  expect(files.tree('papers')).toEqual({});
});

test('an undo that was interrupted by a crash can be requested again', async () => {
  const id = await admin.upload('/a.txt', 'new');
  await app.close();
  const connection = openSqlite(join(folder, 'data/filestead.db'));
  connection.exec(`update operations set undone_by = 'never logged', ended_at = null where id = '${id}'`);
  connection.close();
  await start();
  expect(await admin.find(id)).toMatchObject({ state: 'done', canUndo: true });
  expect(files.content('a.txt')).toBe('new');
  await admin.undo(id);
  expect(files.content('a.txt')).toBe(null);
});
