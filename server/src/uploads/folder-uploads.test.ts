import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestClock } from '../../test/test-clock.ts';
import type { UserContext } from '../access/user-context.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { bytesOf } from '../storage/testing/storage-testing.ts';
import { FolderUploads } from './folder-uploads.ts';

let database: Database;
let storage: Storage;
let userContext: UserContext;
let folders: FolderUploads;
const clock = openTestClock(0, { isStopped: true });

const open = (): Promise<FolderUploads> =>
  FolderUploads.open({
    repository: database.folderUploads,
    userContexts: { find: async () => null },
    limits: { uploadExpirationMs: 3_600_000 },
    clock,
    log: pino({ level: 'silent' }),
  });

beforeEach(async () => {
  database = await openDatabase(':memory:');
  storage = await openMemoryStorage();
  const narrowed = Object.assign(storage, {
    assertAllowed: async () => undefined,
    isAllowed: () => true,
    isShown: () => true,
    showsEverything: true,
  });
  const user = { id: 7, scope: '/' } as UserContext['user'];
  userContext = { user, sessionId: 's', refresh: async () => user, storage: async () => narrowed };
  folders = await open();
});
afterEach(() => database.close());

const sent = (file: string, sizeBytes = 3) => ({
  file,
  path: virtualPath(`/Photos/${file}`),
  sizeBytes,
  modifiedMs: 1,
});
const begin = async (files: number): Promise<string> =>
  (await folders.create(userContext, { path: virtualPath('/Photos'), name: 'Photos', files, bytes: 1 }))
    .record.id;
const store = (file: string, text: string) =>
  storage.write(virtualPath(`/Photos/${file}`), bytesOf(text), { mode: 'either', createParents: true });

test('recognizes files that were stored right before the server was killed', async () => {
  await store('older.txt', 'abc');
  // Later than the modification time of the file above.
  clock.advance(60_000);
  const id = await begin(5);
  const files = ['whole.txt', 'missing.txt', 'shorter.txt', 'older.txt'];
  await folders.recordBegun(
    userContext,
    id,
    files.map((file) => sent(file)),
  );
  clock.advance(-120_000);
  await folders.recordBegun(userContext, id, [sent('whole.txt'), sent('shorter.txt')]);
  await store('whole.txt', 'abc');
  await store('shorter.txt', 'ab');
  // A new process: the files were stored, but not recorded as stored.
  folders = await open();
  expect(await folders.listOf(userContext)).toMatchObject([{ arrivedFiles: 1, arrivedBytes: 3 }]);
  expect((await folders.filesOf(userContext, id, '')).map(({ file }) => file)).toEqual(['whole.txt']);
  clock.advance(60_000);
});

test('treats a stored file that is sent again as not stored until it has arrived', async () => {
  const id = await begin(2);
  await folders.recordBegun(userContext, id, [sent('a.txt')]);
  folders.recordArrived(id, 'a.txt');
  expect(await folders.filesOf(userContext, id, '')).toMatchObject([{ file: 'a.txt', sizeBytes: 3 }]);
  await folders.recordBegun(userContext, id, [sent('a.txt', 4)]);
  expect(await folders.filesOf(userContext, id, '')).toEqual([]);
  folders.recordArrived(id, 'a.txt');
  expect(await folders.filesOf(userContext, id, '')).toMatchObject([{ file: 'a.txt', sizeBytes: 4 }]);
});

test('records about as many files as were announced', async () => {
  const id = await begin(2);
  for (let count = 0; count < 20; count++) await folders.recordBegun(userContext, id, [sent(`${count}.txt`)]);
  const { knownFiles } = await database.folderUploads.totals(id);
  expect(knownFiles).toBe(5);
});

test('lists arrived files in pages, and removes the folder upload when its last file arrives', async () => {
  const id = await begin(5_002);
  const files = Array.from({ length: 5_001 }, (_, index) => String(index).padStart(5, '0'));
  await folders.recordBegun(
    userContext,
    id,
    files.map((file) => sent(file)),
  );
  for (const file of files) folders.recordArrived(id, file);
  const page = await folders.filesOf(userContext, id, '');
  expect(page).toHaveLength(5_000);
  const rest = await folders.filesOf(userContext, id, page.at(-1)?.file ?? '');
  expect(rest.map(({ file }) => file)).toEqual(['05000']);
  await folders.recordBegun(userContext, id, [sent('last')]);
  folders.recordArrived(id, 'last');
  expect(await folders.listOf(userContext)).toEqual([]);
  expect(await database.folderUploads.totals(id)).toEqual({
    knownFiles: 0,
    arrivedFiles: 0,
    arrivedBytes: 0,
  });
});
