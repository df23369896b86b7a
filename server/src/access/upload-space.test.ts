import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { createUploadSpace } from './upload-space.ts';

const mebibyte = 1024 * 1024;
const path = virtualPath('/new/file.bin');

/** A storage with a given amount of free space. */
async function storageWith(freeBytes: number): Promise<Storage> {
  const storage = await openMemoryStorage();
  storage.usage = async () => ({ total: freeBytes + 1, used: 1, fileSystem: '8:1' });
  return storage;
}

async function* chunks(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield new Uint8Array(mebibyte);
}

async function drain(content: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of content) bytes += chunk.length;
  return bytes;
}

test('concurrent uploads do not reserve the same space', async () => {
  const space = createUploadSpace(0);
  const storage = await storageWith(10 * mebibyte);
  let finish: () => void = () => undefined;
  const first = space.storeReserved(
    storage,
    path,
    { content: chunks(0), announcedBytes: 6 * mebibyte },
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  const second = (): Promise<number> =>
    space.storeReserved(storage, path, { content: chunks(6), announcedBytes: 6 * mebibyte }, drain);
  await expect(second()).rejects.toMatchObject({ code: 'storage_full' });
  finish();
  await first;
  expect(await second()).toBe(6 * mebibyte);
});

test('bytes that have arrived are no longer reserved', async () => {
  const space = createUploadSpace(0);
  const storage = await storageWith(10 * mebibyte);
  await space.storeReserved(
    storage,
    path,
    { content: chunks(8), announcedBytes: 8 * mebibyte },
    async (content) => {
      await drain(content);
      // The disk would report less free space by now; this one does not.
      const other = { content: chunks(9), announcedBytes: 9 * mebibyte };
      expect(await space.storeReserved(storage, path, other, drain)).toBe(9 * mebibyte);
    },
  );
});

test('a failure frees the reserved space', async () => {
  const space = createUploadSpace(0);
  const storage = await storageWith(10 * mebibyte);
  const upload = { content: chunks(1), announcedBytes: 9 * mebibyte };
  await expect(
    space.storeReserved(storage, path, upload, () => Promise.reject(new Error('broke off'))),
  ).rejects.toThrow('broke off');
  expect(await space.storeReserved(storage, path, { ...upload, content: chunks(9) }, drain)).toBe(
    9 * mebibyte,
  );
});

test('an upload above the limit is refused regardless of the free space, and small uploads are not checked', async () => {
  const space = createUploadSpace(2 * mebibyte);
  const storage = await storageWith(0);
  const upload = { content: chunks(1), announcedBytes: 3 * mebibyte };
  await expect(space.storeReserved(storage, path, upload, drain)).rejects.toMatchObject({
    code: 'payload_too_large',
  });
  expect(await space.storeReserved(storage, path, { content: chunks(1), announcedBytes: 10 }, drain)).toBe(
    mebibyte,
  );
});

test('an upload is accepted if the user may not read the free space', async () => {
  const storage = await storageWith(0);
  storage.usage = () => Promise.reject(new AppError('forbidden'));
  const upload = { content: chunks(2), announcedBytes: 2 * mebibyte };
  expect(await createUploadSpace(0).storeReserved(storage, path, upload, drain)).toBe(2 * mebibyte);
});

test('an upload for which space is freed is accepted, and refused if there is still too little', async () => {
  const storage = await openMemoryStorage();
  let free = 2 * mebibyte;
  storage.usage = async () => ({ total: 10 * mebibyte, used: 10 * mebibyte - free, fileSystem: '8:1' });
  const requests: unknown[] = [];
  const space = createUploadSpace(0, async (request) => {
    requests.push(request);
    free = 6 * mebibyte;
  });
  await space.reserve(storage, path, 2 * mebibyte).then((reservation) => reservation.release());
  expect(requests).toEqual([]);
  await space.reserve(storage, path, 6 * mebibyte).then((reservation) => reservation.release());
  expect(requests).toEqual([{ place: '/', fileSystem: '8:1', neededBytes: 6 * mebibyte }]);
  await expect(space.reserve(storage, path, 7 * mebibyte)).rejects.toMatchObject({ code: 'storage_full' });
});
