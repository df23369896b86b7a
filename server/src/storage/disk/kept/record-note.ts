import { isAtOrBelow, joinPaths, relativeTo, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeptNote, RecordedMove } from '../../kept/kept-entries.ts';
import type { Disk } from '../disk.ts';
import { storesOf } from './keep-entry.ts';
import { isNoStore, type Stores } from './stores.ts';

/**
 * The JSON value of a move in the store of the folder `store`. Paths are relative to that folder, so that they stay valid when it
 * is moved; a destination outside of it begins at the root of the outermost storage.
 */
export const moveRecord = ({ from, to, number }: RecordedMove, store: VirtualPath): object =>
  isAtOrBelow(to, store)
    ? { type: 'move', from: relativeTo(from, store), to: relativeTo(to, store), number }
    : { type: 'move', from: relativeTo(from, store), to, isOutside: true, number };

/** Opens the stores in a folder that was moved at their new paths, so that the registry contains these. */
async function registerMoved(stores: Stores, { from, to }: RecordedMove): Promise<void> {
  for (const { path } of stores.registry.stores) {
    if (!isAtOrBelow(path as VirtualPath, from)) continue;
    const moved = joinPaths(to, relativeTo(path as VirtualPath, from));
    try {
      await stores.withStore(moved, async () => undefined);
    } catch (error) {
      if (!isNoStore(error)) throw error;
    }
  }
}

async function recordMove(stores: Stores, move: RecordedMove): Promise<VirtualPath[]> {
  await registerMoved(stores, move);
  const recorded: VirtualPath[] = [];
  for (const registered of stores.registry.stores) {
    const path = registered.path as VirtualPath;
    // A store in the folder itself was moved with it.
    if (path === move.from || !isAtOrBelow(move.from, path)) continue;
    try {
      await stores.withStore(path, (store) => store.ledger.append([moveRecord(move, path)], move.number));
      recorded.push(path);
    } catch (error) {
      if (!isNoStore(error)) throw error;
    }
  }
  return recorded;
}

/** `Storage.record` on a disk. */
export async function recordNote(disk: Disk, note: KeptNote): Promise<readonly VirtualPath[]> {
  const stores = storesOf(disk);
  if (note.kind === 'move') return recordMove(stores, note);
  const { entry, label, keepsForever } = note;
  return stores.withStored(entry, async ({ store }) => {
    await store.ledger.append([{ type: 'mark', id: entry.id, label, keepsForever }], entry.keptAt);
    return [store.path as VirtualPath];
  });
}
