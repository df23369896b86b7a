import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { Storage } from '../storage/storage.ts';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import { storedOf } from '../access/keeping/kept-entry.ts';
import { PurgeWorker } from './purge.ts';
import { readLedgers } from './read-ledgers.ts';
import { Retention } from './retention.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
let now: number;
let days: number;
let database: Database;
let storage: Storage;
let retention: Retention;
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const clock: Clock = { now: () => now, every: () => () => undefined, after: () => () => undefined };

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  days = 30;
  vi.clearAllMocks();
  database = await openDatabase(':memory:');
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`/f${index}`, 'x']));
  storage = await openMemoryStorage(files);
  const { trash: repository } = database;
  const worker = new PurgeWorker({ repository, storage, clock, log });
  retention = new Retention({ repository, worker, clock, log, trashDays: () => days });
});
afterEach(() => database.close());

/** Deletes the files with these numbers now. */
async function remove(first: number, count: number, isIndexed = true): Promise<void> {
  for (let index = first; index < first + count; index++) {
    const keep = { operation: 'o', act: 'delete', userId: 1, session: null, time: now } as const;
    const entries: readonly KeptEntry[] = await storage.remove(virtualPath(`/f${index}`), { keep });
    if (isIndexed) await database.trash.add(entries.map(storedOf), (name) => name);
  }
}
/** Lets hours pass, with a sweep in each. Returns the number of entries afterwards. */
async function pass(ms: number): Promise<number> {
  for (let passed = 0; passed < ms; passed += hourMs) {
    now += hourMs;
    await retention.sweep();
  }
  return database.trash.count({});
}
const storedEntries = async (): Promise<number> => (await storage.stores())[0]?.entries ?? 0;

test('entries leave the trash and the disk after the configured days, not before', async () => {
  await remove(0, 3);
  expect(await pass(30 * dayMs)).toBe(3);
  expect(await storedEntries()).toBe(3);
  expect(await pass(2 * hourMs)).toBe(0);
  expect(await storedEntries()).toBe(0);
});

test('entries stay without a limit', async () => {
  days = 0;
  await remove(0, 3);
  now += 10 * hourMs;
  expect(await pass(60 * dayMs)).toBe(3);
});

test('nothing expires for a day after the clock has jumped', async () => {
  await remove(0, 3);
  now += 40 * dayMs;
  expect(await pass(23 * hourMs)).toBe(3);
  expect(log.warn).toHaveBeenCalledOnce();
  expect(await pass(3 * hourMs)).toBe(0);
});

test('a large part of the trash expires only after a day with a warning, a fifth per hour', async () => {
  await remove(0, 250);
  expect(await pass(30 * dayMs)).toBe(250);
  expect(await pass(24 * hourMs)).toBe(250);
  expect(log.warn).toHaveBeenCalledOnce();
  expect(await pass(hourMs)).toBe(150);
  expect(await pass(hourMs)).toBe(50);
  expect(await pass(hourMs)).toBe(0);
});

test('entries of a store that is missing are not forgotten', async () => {
  await remove(0, 2);
  const stores = vi.spyOn(storage, 'stores').mockResolvedValue([]);
  expect(await pass(31 * dayMs)).toBe(0);
  expect(
    await database.trash.findAll((await database.trash.due(Infinity, 10)).map(({ id }) => id)),
  ).toHaveLength(2);
  stores.mockRestore();
  now += hourMs;
  await pass(2 * hourMs);
  expect(await database.trash.due(Infinity, 10)).toEqual([]);
  expect(await storedEntries()).toBe(0);
});

test('the ledgers bring back entries that are missing in the index, once', async () => {
  await remove(0, 3, false);
  await remove(3, 1);
  expect(await readLedgers(database.trash, storage, now)).toMatchObject({ kept: 4, doomed: 0 });
  expect(await database.trash.count({})).toBe(4);
  await database.trash.clear();
  await readLedgers(database.trash, storage, now);
  expect((await database.trash.list({ limit: 10 })).map(({ place }) => place).toSorted()).toEqual([
    '/f0',
    '/f1',
    '/f2',
    '/f3',
  ]);
});
