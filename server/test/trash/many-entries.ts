import { virtualPath } from '@filestead/contract/paths/virtual-path';
import type { StoredKept, TrashRepository } from '../../src/database/trash-repository.ts';

const folders = 1_000;
const batchSize = 1_000;

const stored = (index: number, since: number): StoredKept => ({
  id: String(index).padStart(22, 'A'),
  store: virtualPath('/'),
  folder: '2026-11-22T10',
  storedName: String(index),
  originalPath: virtualPath(`/folder ${index % folders}/sub/file ${index}.txt`),
  kind: 'file',
  size: index,
  modifiedNs: '1000000000000000000',
  keptAt: since + index,
  operation: 'bench',
  act: 'delete',
  userId: 1,
  session: null,
});

/** Adds `count` files of 1,000 folders to an index, deleted from `since` on (Unix milliseconds). They are in no store. */
export async function addEntries(repository: TrashRepository, count: number, since: number): Promise<void> {
  for (let first = 0; first < count; first += batchSize) {
    const length = Math.min(batchSize, count - first);
    const batch = Array.from({ length }, (_, index) => stored(first + index, since));
    await repository.add(batch, (name) => name);
  }
}
