import type { PlacedKept, StoredKept } from '../../database/trash-repository.ts';
import type { KeepCause, KeptEntry } from '../../storage/kept/kept-entries.ts';

/** Returns the record of a store as the index stores it. Field by field, because this runs for a million records. */
export const storedOf = (entry: KeptEntry): StoredKept => ({
  id: entry.id,
  store: entry.store,
  folder: entry.folder,
  storedName: entry.storedName,
  originalPath: entry.place,
  kind: entry.kind,
  size: entry.size,
  modifiedNs: entry.modifiedNs,
  keptAt: entry.keptAt,
  operation: entry.cause.operation,
  act: entry.cause.act,
  userId: entry.cause.userId,
  session: entry.cause.session,
});

/** Returns the record of a store for an entry of the index, with its current place, to which the permissions apply. */
export function keptEntryOf(kept: PlacedKept): KeptEntry {
  const { id, store, folder, storedName, place, kind, modifiedNs, keptAt } = kept;
  const cause: KeepCause = {
    operation: kept.operation,
    // The column contains no other values.
    act: kept.act as KeepCause['act'],
    userId: kept.userId,
    session: kept.session,
    time: keptAt,
  };
  const size = kind === 'folder' ? null : kept.size;
  return { id, store, folder, storedName, place, kind, size, modifiedNs, keptAt, cause };
}

/** Returns the function that converts a name to its key: names that the file system treats as equal have the same key. */
export const nameKeyFor =
  (ignoresCase: boolean) =>
  (name: string): string =>
    ignoresCase ? name.normalize('NFC').toLowerCase() : name;
