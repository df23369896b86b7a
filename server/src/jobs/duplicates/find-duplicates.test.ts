import type { ErrorCode } from '@filestead/contract/errors';
import { rootPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { AppError } from '../../errors.ts';
import { openMemoryStorage } from '../../storage/memory/memory-storage.ts';
import {
  type ComparedStorage,
  type EqualFiles,
  type FindDuplicates,
  findDuplicates,
} from './find-duplicates.ts';

interface Observed {
  readonly groups: EqualFiles[];
  readonly failures: [path: string, code: ErrorCode][];
  readonly done: { files: number; bytes: number };
  total: { files: number; bytes: number };
}

async function find(storage: ComparedStorage, options: Partial<FindDuplicates> = {}): Promise<Observed> {
  const observed: Observed = {
    groups: [],
    failures: [],
    done: { files: 0, bytes: 0 },
    total: { files: 0, bytes: 0 },
  };
  await findDuplicates({
    folder: rootPath,
    withStorage: (work) => work(storage),
    party: ['test'],
    signal: new AbortController().signal,
    onCurrent: () => undefined,
    onCounted: (total) => (observed.total = { ...total }),
    onProgress({ files, bytes }) {
      observed.done.files += files;
      observed.done.bytes += bytes;
    },
    onFailure: (path, code) => observed.failures.push([path, code]),
    onGroup: (group) => observed.groups.push(group) > 0,
    ...options,
  });
  return observed;
}

const withOpenFile = (storage: ComparedStorage, openFile: ComparedStorage['openFile']): ComparedStorage => ({
  stat: (path) => storage.stat(path),
  walk: (path, options) => storage.walk(path, options),
  openFile,
});

test('a file that cannot be read is reported, and the others of its size are compared', async () => {
  const storage = await openMemoryStorage({ '/1': 'same', '/2': 'same', '/3': 'same' });
  const openFile: ComparedStorage['openFile'] = async (path, options) => {
    if (path === '/3') throw new AppError('forbidden');
    return storage.openFile(path, options);
  };
  const { groups, failures, done, total } = await find(withOpenFile(storage, openFile));
  expect(failures).toEqual([['/3', 'forbidden']]);
  expect(groups.map(({ files }) => files.map(({ path }) => path).sort())).toEqual([['/1', '/2']]);
  expect([done.files, total.files]).toEqual([3, 3]);
});

test('a file whose size has changed since it was found is left out', async () => {
  const storage = await openMemoryStorage({ '/1': 'same', '/2': 'same' });
  const openFile: ComparedStorage['openFile'] = async (path, options) => {
    const file = await storage.openFile(path, options);
    if (path !== '/2') return file;
    const { fingerprint, descriptor } = file;
    return {
      fingerprint,
      descriptor,
      entry: { ...file.entry, size: 5 },
      read: (buffer, position) => file.read(buffer, position),
      close: () => file.close(),
    };
  };
  const { groups } = await find(withOpenFile(storage, openFile));
  expect(groups).toEqual([]);
});

test('the search ends once its listener has enough groups', async () => {
  const storage = await openMemoryStorage({ '/a1': 'long!', '/a2': 'long!', '/b1': 'b', '/b2': 'b' });
  const found: number[] = [];
  await find(storage, { onGroup: ({ size }) => found.push(size) < 1 });
  expect(found).toEqual([5]);
});

test('the search ends when it is cancelled', async () => {
  const storage = await openMemoryStorage({ '/a1': 'long!', '/a2': 'long!', '/b1': 'b', '/b2': 'b' });
  const controller = new AbortController();
  const found: number[] = [];
  const search = find(storage, {
    signal: controller.signal,
    onGroup({ size }) {
      found.push(size);
      controller.abort(new Error('cancelled'));
      return true;
    },
  });
  await expect(search).rejects.toThrow('cancelled');
  expect(found).toEqual([5]);
});
