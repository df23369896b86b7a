import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { initialPreferences } from '@filestead/contract/user-fields';
import { allPermissions } from '@filestead/contract/values/permissions';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FileChangeListener, type FileEvents, openFileEvents } from '../access/file-events.ts';
import { openOperations } from '../access/open-operations.ts';
import { systemClock } from '../clock.ts';
import { createUploadSpace } from '../access/upload-space.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import type { UserContext } from '../access/user-context.ts';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { bytesOf, readText, refused } from '../storage/testing/storage-testing.ts';
import { type Uploads, openUploads } from './uploads.ts';

const user = {
  id: 7,
  username: 'u',
  password: '',
  scope: '/',
  lockPassword: false,
  perm: { ...allPermissions, admin: false, execute: false },
  commands: [],
  rules: [],
  ...initialPreferences,
} satisfies UserContext['user'];

let database: Database;
let storage: Storage;
let userContext: UserContext;
let events: FileEvents;
let uploads: Uploads;
const path = virtualPath('/a.txt');
const whole = { path, lengthBytes: 6, overrides: false, isByPath: false };

beforeEach(async () => {
  database = await openDatabase(':memory:');
  storage = await openMemoryStorage();
  const narrowed = Object.assign(storage, {
    assertAllowed: async () => undefined,
    isAllowed: () => true,
    isShown: () => true,
    showsEverything: true,
  });
  userContext = { user, sessionId: 's', refresh: async () => user, storage: async () => narrowed };
  events = openFileEvents();
  uploads = await openUploads({
    repository: database.uploads,
    userContexts: {
      find: async () => ({
        ...user,
        passwordHash: '',
        awaitsScope: false,
        scopeSince: 0,
        lastSignInAt: null,
        changedAt: 0,
      }),
    },
    limits: { maxUploadsPerUser: 10, uploadExpirationMs: 3_600_000 },
    clock: systemClock,
    discard: (target, part) => storage.partial(target, part).discard(),
    measure: (target, part) => storage.partial(target, part).size(),
    log: pino({ level: 'silent' }),
    events,
    operations: openOperations(
      {
        keepsDeleted: true,
        trashFallback: 'refuse',
        noTrashBelow: [],
        unversionedNames: [],
        purgeDelayMs: 0,
      },
      systemClock,
    ),
    space: createUploadSpace(0),
    folderUploads: { recordBegun: async () => undefined, recordArrived: () => undefined },
    assertCreatable: async () => undefined,
  });
});
afterEach(async () => {
  await uploads.registry.close();
  await database.close();
});

function listen(listener: Partial<FileChangeListener> = {}): string[] {
  const notified: string[] = [];
  events.subscribe({
    async before(change) {
      notified.push(`before ${change.event} ${change.path}`);
      await listener.before?.(change);
    },
    async after(change) {
      notified.push(`after ${change.event} ${change.path}`);
      await listener.after?.(change);
    },
  });
  return notified;
}
const part = (offset: number, text: string) => ({
  offset,
  content: bytesOf(text),
  announcedBytes: text.length,
});

test('notifies listeners when an upload is complete', async () => {
  const notified = listen();
  const upload = await uploads.begin(userContext, whole);
  await uploads.append(userContext, upload, part(0, 'abc'));
  expect(notified).toEqual([]);
  await uploads.append(userContext, upload, part(3, 'def'));
  expect(notified).toEqual(['before upload /a.txt', 'after upload /a.txt']);
  expect(await readText(storage, '/a.txt')).toBe('abcdef');
});

test('does not notify listeners of a cancelled upload, and keeps an upload that a listener refuses as blocked', async () => {
  const notified = listen({ before: () => Promise.reject(new Error('not today')) });
  await uploads.registry.drop(await uploads.begin(userContext, whole));
  expect(notified).toEqual([]);
  const upload = await uploads.begin(userContext, whole);
  await expect(uploads.append(userContext, upload, part(0, 'abcdef'))).rejects.toThrow('not today');
  expect(notified).toEqual(['before upload /a.txt']);
  expect(await storage.stat(path)).toBeNull();
  await expect(uploads.resume(userContext, upload)).rejects.toEqual(refused('internal_error'));
  expect(notified).toEqual(['before upload /a.txt']);
  expect(await database.uploads.list()).toMatchObject([{ storedBytes: 6, blockedBy: 'internal_error' }]);
});

test('at the next request, finishes an upload that was complete when the server stopped', async () => {
  const upload = await uploads.begin(userContext, whole);
  await storage
    .partial(path, { name: upload.record.partName, mode: 'create' })
    .append(bytesOf('abcdef'), { from: 0 });
  upload.offset = 6;
  await uploads.resume(userContext, upload);
  expect(await readText(storage, '/a.txt')).toBe('abcdef');
});

test('keeps nothing of a part that turns out to be too long', async () => {
  const upload = await uploads.begin(userContext, whole);
  await uploads.append(userContext, upload, part(0, 'abc'));
  async function* tooLong(): AsyncGenerator<Uint8Array> {
    yield* bytesOf('de');
    yield* bytesOf('fghij');
  }
  const refusal = uploads.append(userContext, upload, { offset: 3, content: tooLong(), announcedBytes: 0 });
  await expect(refusal).rejects.toEqual(refused('payload_too_large'));
  expect(upload.offset).toBe(3);
  expect(await storage.partial(path, { name: upload.record.partName, mode: 'create' }).size()).toBe(3);
  await uploads.append(userContext, upload, part(3, 'DEF'));
  expect(await readText(storage, '/a.txt')).toBe('abcDEF');
});

test('does not reserve the same disk space for two uploads', async () => {
  const free = 4 * 1024 * 1024;
  storage.usage = async () => ({ total: free, used: 0, fileSystem: '8:1' });
  const large = { ...whole, lengthBytes: 3 * 1024 * 1024 };
  const first = await uploads.begin(userContext, large);
  await expect(uploads.begin(userContext, { ...large, path: virtualPath('/b') })).rejects.toEqual(
    refused('storage_full'),
  );
  await expect(uploads.begin(userContext, { ...large, lengthBytes: 1e15 })).rejects.toEqual(
    refused('storage_full'),
  );
  await uploads.registry.drop(first);
  await uploads.begin(userContext, { ...large, path: virtualPath('/b') });
});
