import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../../errors.ts';
import type { KeptEntry, RestoreOptions } from '../../kept/kept-entries.ts';
import type { Disk } from '../disk.ts';
import type { ResolvedEntry } from '../paths/locate.ts';
import { pathOf } from '../paths/path-of.ts';
import { moveResolved } from '../transfers/move-entry.ts';
import { Progress } from '../trees/progress.ts';
import { withTarget } from '../transfers/transfer.ts';
import { storesOf } from './keep-entry.ts';
import { assertPlaceAllowed, assertSameKind } from './open-kept.ts';
import type { StoredEntry } from './stored-entry.ts';

/** The kept entry as the source of a move. Its real path is in the store, and its guarded path is where it was. */
function sourceOf({ store, folder, entry, stats }: StoredEntry): ResolvedEntry {
  return {
    folder,
    name: entry.storedName,
    names: [...store.thingsNames, entry.folder, entry.storedName],
    stats,
    link: stats.isSymbolicLink() ? stats : null,
    ancestors: [],
    lacksParents: false,
  };
}

/** `Storage.restore` on a disk. A crash after the record leaves the entry in the store, at its new place, or (a file) in both. */
export async function restoreEntry(
  disk: Disk,
  entry: KeptEntry,
  to: VirtualPath,
  options: RestoreOptions,
): Promise<void> {
  const stores = storesOf(disk);
  const guardedNames = assertPlaceAllowed(disk, entry);
  if (to === '/') throw new AppError('root_is_protected');
  const { conflict, createParents, beforeChange, onParent, signal } = options;
  const transfer = { overwrite: conflict === 'replace', createParents, beforeChange, onParent };
  const progress = new Progress({ signal });
  // Two calls must not both find the entry.
  await disk.locks.run(`kept:${entry.id}`, () =>
    stores.withStored(entry, async (stored) => {
      assertSameKind(stored);
      const source = sourceOf(stored);
      await withTarget(disk, source, to, transfer, (ends, begin) =>
        moveResolved(disk, ends, {
          guardedNames,
          prefixes: [ends.to.names, segmentsOf(to)],
          keep: options,
          progress,
          begin: async () => {
            const begun = await begin();
            // The store may be above the scope: paths begin at the root of the outermost storage from here on.
            const names = [...disk.prefix, ...begun.to.names];
            const record = { type: 'restore', id: entry.id, to: pathOf(names) };
            await stored.store.ledger.append([record], entry.keptAt);
            return { disk: { ...disk, prefix: [] }, ends: { ...begun, to: { ...begun.to, names } } };
          },
        }),
      );
      stored.store.ledger.appendUnflushed([{ type: 'end', ids: [entry.id] }], entry.keptAt);
    }),
  );
}
