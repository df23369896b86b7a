import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserContext } from '../access/user-context.ts';
import { type Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import type { StoredKept } from '../database/trash-repository.ts';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import { narrowTo } from '../storage/views/narrow-to.ts';
import { trashAsRows, readTrash } from './list-trash.ts';
import type { PresentItem } from './present-item.ts';
import { TrashView } from './trash-view.ts';

const entries = 20_000;
let database: Database;
let view: TrashView;
beforeAll(async () => {
  database = await openDatabase(':memory:');
  const stored = (index: number): StoredKept => ({
    id: String(index).padStart(22, 'A'),
    store: virtualPath('/'),
    folder: '2026-11-22T10',
    storedName: String(index),
    originalPath: virtualPath(`/folder ${index % 1000}/sub/file ${index}.txt`),
    kind: 'file',
    size: index,
    modifiedNs: '1000000000000000000',
    keptAt: 1_000_000 + index,
    operation: 'o',
    act: 'delete',
    userId: 1,
    session: null,
  });
  for (let first = 0; first < entries; first += 1_000) {
    const batch = Array.from({ length: 1_000 }, (_, index) => stored(first + index));
    await database.trash.add(batch, (name) => name);
  }
  const perm = { admin: false, create: true, purge: true, download: true } as UserContext['user']['perm'];
  const userContext = { user: { id: 1, perm }, sessionId: 's' } as UserContext;
  const allows = (path: string): boolean => !path.startsWith('/folder 7/');
  const storage = narrowTo(await openMemoryStorage(), { allows, hideDotfiles: true, can: perm });
  view = new TrashView(database.trash, { userContext, storage, scopeSince: 0, showsOwnOnly: false });
}, 120_000);
afterAll(() => database.close());

const parts: PresentItem = {
  typeOf: () => 'text',
  formatModified: String,
  usernameOf: async () => 'alice',
  expiryOf: () => null,
};

test('a large trash is streamed in many chunks, without denied entries, and searched', async () => {
  let lines = 0;
  let chunks = 0;
  for await (const chunk of trashAsRows(view, { filter: {}, after: undefined, limit: Infinity }, parts)) {
    chunks += 1;
    lines += chunk.split('\n').length - 1;
  }
  expect(lines).toBe(entries - entries / 1_000 + 1);
  expect(chunks).toBe(entries / 200 + 1);
  const { items, total, next } = await readTrash(
    view,
    { filter: { q: 'FILE 19999' }, after: undefined, limit: 10 },
    parts,
  );
  expect([items.length, total, next]).toEqual([1, 1, null]);
}, 60_000);
