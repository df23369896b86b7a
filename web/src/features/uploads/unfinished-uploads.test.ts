import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UnfinishedUploads } from './unfinished-uploads.ts';

const film = {
  address: '/api/tus/film.bin?upload=1',
  path: virtualPath('/in/film.bin'),
  size: 100,
  modifiedMs: 2000,
  override: false,
  offset: 40,
};

/** The locks that pages hold, as in a browser in a secure context. */
const heldLocks = new Set<string>();
function provideLocks() {
  const locks = {
    request: async (name: string, work: () => Promise<void>) => {
      heldLocks.add(name);
      await work();
      heldLocks.delete(name);
    },
    query: async () => ({ held: [...heldLocks].map((name) => ({ name })) }),
  };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks }));
}

beforeEach(() => {
  localStorage.clear();
  heldLocks.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('finds an upload again after its page was closed', async () => {
  provideLocks();
  const first = new UnfinishedUploads(1);
  const second = new UnfinishedUploads(1);
  first.store(film);
  expect(await second.find(film)).toBeNull();
  expect(await first.find(film)).toBeNull();
  window.dispatchEvent(new Event('pagehide'));
  expect(await second.find(film)).toMatchObject({ address: film.address, offset: 40 });
  // A crashed page does not release its record, but its lock is gone.
  first.store({ ...film, offset: 60 });
  expect(await second.interrupted()).toEqual([]);
  heldLocks.clear();
  expect(await second.interrupted()).toMatchObject([{ offset: 60 }]);
});

test.each([
  ['another size', { size: 101 }],
  ['another time of change', { modifiedMs: 2001 }],
  ['another place', { path: virtualPath('/film.bin') }],
  ['another answer about the file that is there', { override: true }],
])('does not confuse an upload with %s', async (_, change) => {
  const first = new UnfinishedUploads(1);
  first.store(film);
  first.close();
  const second = new UnfinishedUploads(1);
  expect(await second.find({ ...film, ...change })).toBeNull();
  expect(await second.find(film)).not.toBeNull();
});

test('treats a page as closed after a minute without activity if there are no locks', async () => {
  const first = new UnfinishedUploads(1);
  const second = new UnfinishedUploads(1);
  first.store(film);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(await second.interrupted()).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await second.interrupted()).toHaveLength(1);
});

test('finds no upload that was forgotten, belongs to another user, or is broken', async () => {
  const first = new UnfinishedUploads(1);
  first.store(film);
  first.close();
  expect(await new UnfinishedUploads(2).interrupted()).toEqual([]);
  const second = new UnfinishedUploads(1);
  second.forget(film.address);
  expect(await second.interrupted()).toEqual([]);
  expect(localStorage.length).toBe(0);
  for (const broken of [
    '{',
    '{}',
    '[1]',
    JSON.stringify([{ ...film, owner: '', keptAtMs: 1, address: '//elsewhere' }]),
  ]) {
    localStorage.setItem('filestead.uploads.1', broken);
    expect(await second.interrupted()).toEqual([]);
  }
});

test('keeps the latest uploads if there are very many', async () => {
  const first = new UnfinishedUploads(1);
  for (let number = 0; number < 205; number++) first.store({ ...film, address: `/api/tus/${number}` });
  first.close();
  const interrupted = await new UnfinishedUploads(1).interrupted();
  expect(interrupted).toHaveLength(200);
  expect(interrupted[0]?.address).toBe('/api/tus/5');
});
