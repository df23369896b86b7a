import { openFakeClock } from '../../test/fake-clock.ts';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { openScopedStorages } from './scoped-storages.ts';

const scope = virtualPath('/home');

/** A storage that counts the storages opened and closed below it. */
async function countingStorage(): Promise<{ storage: Storage; opened: () => number; closed: () => number }> {
  const storage = await openMemoryStorage({ '/home/a.txt': 'a' });
  let opened = 0;
  let closed = 0;
  const within = storage.within.bind(storage);
  storage.within = async (path) => {
    const inner = await within(path);
    opened += 1;
    inner.close = async () => {
      closed += 1;
    };
    return inner;
  };
  return { storage, opened: () => opened, closed: () => closed };
}

/** Waits for pending work; all of it is in memory. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('concurrent requests share a storage; a later request looks up the folder again', async () => {
  const { storage, opened, closed } = await countingStorage();
  const clock = openFakeClock();
  const storages = openScopedStorages(storage, clock);
  const first = storages.acquire(scope);
  const second = storages.acquire(scope);
  expect(await second.storage).toBe(await first.storage);
  await clock.pass(1_000);
  const third = storages.acquire(scope);
  expect(await third.storage).not.toBe(await first.storage);
  expect([opened(), closed()]).toEqual([2, 0]);
  first.release();
  await settled();
  expect(closed()).toBe(0);
  second.release();
  await settled();
  expect(closed()).toBe(1);
});

test('a scope that does not exist is looked up again each time', async () => {
  const { storage } = await countingStorage();
  const storages = openScopedStorages(storage);
  const missing = storages.acquire(virtualPath('/missing'));
  await expect(missing.storage).rejects.toMatchObject({ code: 'not_found' });
  missing.release();
  await storage.createFolder(virtualPath('/missing'));
  await expect(storages.acquire(virtualPath('/missing')).storage).resolves.toBeDefined();
});
