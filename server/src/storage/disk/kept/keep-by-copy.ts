import type { KeepCause, KeptEntry } from '../../kept/kept-entries.ts';
import type { Disk } from '../disk.ts';
import { at } from '../paths/folder.ts';
import { syscalls } from '../paths/syscalls.ts';
import { moveAcross } from '../transfers/move-across.ts';
import type { Progress } from '../trees/progress.ts';
import { folderFor, type LosingEntry, recordNotKept, recordEntry, storesOf } from './keep-entry.ts';
import { KeepRefused } from './stores.ts';

/**
 * Keeps an entry that cannot be renamed into a store: copies it there, and then removes it like the source of a move to another
 * file system. After a crash between both, the entry is in the store and at its place.
 *
 * Throws `changed_while_moving` when a part of the entry could not be removed, after `onKept` was called with the copy;
 * `holds_mount`, `special_file`, `storage_full`, `cannot_keep`, and errors of the operating system.
 */
export async function keepByCopy(
  disk: Disk,
  losing: LosingEntry,
  cause: KeepCause,
  { progress, onKept }: { readonly progress: Progress; readonly onKept: (entry: KeptEntry) => void },
): Promise<void> {
  const stores = storesOf(disk);
  const { folder: from, name, names, stats } = losing;
  const fromNames = names.slice(0, -1);
  await stores.keepFrom({ folder: from, names: fromNames }, async (store) => {
    const entry = await recordEntry(store, losing, cause, stores.reservations);
    const to = await folderFor(store, entry);
    let isPublished = false;
    try {
      // The store may be above the scope: paths begin at the root of the outermost storage.
      await moveAcross(
        { ...disk, prefix: [] },
        {
          from,
          fromNames,
          name,
          isFolder: stats.isDirectory(),
          to,
          toNames: [...store.thingsNames, entry.folder],
          newName: entry.storedName,
          async publish(temporary) {
            await syscalls.rename(at(to, temporary), at(to, entry.storedName));
            isPublished = true;
            onKept(entry);
          },
        },
        progress,
      );
    } catch (error) {
      if (!isPublished) recordNotKept(store, entry);
      throw new KeepRefused(error);
    }
  });
}
