import { type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import type { StoreUse } from '../database/retention-repository.ts';
import { openKeptSpaceMeter } from './open-kept-space-meter.ts';

const useOf = (bytes: number): StoreUse => ({
  entries: 1,
  bytes,
  oldest: 0,
  versions: 0,
  versionBytes: 0,
  reclaimable: bytes,
  dueEntries: 0,
  dueBytes: 0,
  restingEntries: 0,
  restingBytes: 0,
});
const fileSystems = new Map<string, string>([
  ['/', '8:1'],
  ['/disk', '8:2'],
]);
const uses = new Map([
  ['/' as VirtualPath, useOf(7)],
  ['/disk' as VirtualPath, useOf(3)],
]);
const meter = openKeptSpaceMeter(
  { uses: async () => uses },
  async (store) => fileSystems.get(store) ?? null,
  { now: () => 0 },
  0,
);
const keptAt = async (place: string, fileSystem: string): Promise<number> =>
  (await meter.spaceAt(place as VirtualPath, fileSystem)).kept;

test('reports the kept bytes of the disk of a folder', async () => {
  expect([await keptAt('/', '8:1'), await keptAt('/docs', '8:1')]).toEqual([7, 7]);
  expect([await keptAt('/disk', '8:2'), await keptAt('/disk/deep', '8:2')]).toEqual([3, 3]);
});

test('reports nothing for a disk without a store that is mounted below a folder with one', async () => {
  expect([await keptAt('/empty', '8:3'), await keptAt('/disk/empty', '8:3')]).toEqual([0, 0]);
});
