import type { BigIntStats } from 'node:fs';
import { isAtOrBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../../errors.ts';
import type { KeepCause, KeptEntry } from '../../kept/kept-entries.ts';
import { newKeptId, storedNameOf } from '../../kept/kept-names.ts';
import { recordOf } from '../../kept/kept-record.ts';
import type { Disk } from '../disk.ts';
import { toAppError } from '../paths/errors.ts';
import { at, closeFolder, type Folder, openFolder } from '../paths/folder.ts';
import { kindOf } from '../paths/metadata.ts';
import { pathOf } from '../paths/path-of.ts';
import { lstatOrNull } from '../paths/publish.ts';
import { ignoreErrno, isErrno, syscalls } from '../paths/syscalls.ts';
import type { Reservations } from './reservations.ts';
import type { Store } from './store.ts';
import { KeepRefused, StoreGone, type Stores } from './stores.ts';

/**
 * The time for which an operation on many entries takes a store to be where it was, in ms. An entry that is moved into a store which
 * another program has just moved away is with that store, as if it had been deleted shortly before.
 */
const maxStoreAgeMs = 50;

/** An existing entry that is about to lose its name. */
export interface LosingEntry {
  /** The open folder that contains it. */
  readonly folder: Folder;
  readonly name: string;
  /** Its real path: names from the root of the outermost storage. */
  readonly names: readonly string[];
  readonly stats: BigIntStats;
}

/** The stores of a disk. Throws `cannot_keep` on a disk without stores. */
export function storesOf({ stores }: Disk): Stores {
  if (stores === null) throw new AppError('cannot_keep', 'this server keeps no deleted files');
  return stores;
}

/** The metadata of a record. */
export const stateOf = (stats: BigIntStats): Pick<KeptEntry, 'kind' | 'size' | 'modifiedNs'> => ({
  kind: kindOf(Number(stats.mode)),
  size: stats.isDirectory() ? null : Number(stats.size),
  modifiedNs: String(stats.mtimeNs),
});

function newRecord(
  store: Store,
  place: VirtualPath,
  name: string,
  cause: KeepCause,
): Omit<KeptEntry, 'kind' | 'size' | 'modifiedNs'> {
  const id = newKeptId();
  return {
    id,
    store: store.path as VirtualPath,
    folder: store.nextFolder(cause.time),
    storedName: storedNameOf(id, name),
    place,
    keptAt: cause.time,
    cause,
  };
}

/** Records an entry that is going to lose its name, before {@link recordEntry} does. Resolves when the record is flushed. */
export async function reserveEntry(
  store: Store,
  { place, name }: { readonly place: VirtualPath; readonly name: string },
  cause: KeepCause,
  reservations: Reservations,
): Promise<void> {
  if (reservations.has(cause.operation, place)) return;
  const record = newRecord(store, place, name, cause);
  await store.ledger.append([recordOf(record)], cause.time);
  reservations.add(cause.operation, record);
}

/**
 * Records an entry in the ledger of `store`, together with the paths that the operation is going to remove next, unless
 * it was recorded with earlier ones.
 */
export async function recordEntry(
  store: Store,
  { names, name, stats }: Pick<LosingEntry, 'names' | 'name' | 'stats'>,
  cause: KeepCause,
  reservations: Reservations,
  upcoming: () => readonly VirtualPath[] = () => [],
): Promise<KeptEntry> {
  const place = pathOf(names);
  const reserved = reservations.take(cause.operation, place);
  if (reserved?.store === store.path) return { ...reserved, ...stateOf(stats) };
  const entry: KeptEntry = { ...newRecord(store, place, name, cause), ...stateOf(stats) };
  const records = [recordOf(entry)];
  for (const next of upcoming()) {
    if (next === place || !isAtOrBelow(next, entry.store) || reservations.has(cause.operation, next))
      continue;
    const record = newRecord(store, next, next.slice(next.lastIndexOf('/') + 1), cause);
    reservations.add(cause.operation, record);
    records.push(recordOf(record));
  }
  await store.ledger.append(records, cause.time);
  return entry;
}

/** The folder of the store for `entry`. Throws {@link StoreGone} when the store was removed. */
export async function folderFor(store: Store, { folder }: KeptEntry): Promise<Folder> {
  try {
    return await store.folder(folder, { create: true });
  } catch (error) {
    if (isErrno(error, 'ENOENT')) throw new StoreGone();
    throw error;
  }
}

/** Records in the ledger that `entry` was not kept after all. */
export const recordNotKept = (store: Store, { id, keptAt }: KeptEntry): void =>
  store.ledger.appendUnflushed([{ type: 'end', ids: [id] }], keptAt);

/**
 * Moves an existing entry into the store of its volume. Throws `keep_needs_copy` where the file system cannot rename it into any store,
 * `cannot_keep`, `not_found`, and errors of the operating system.
 */
export async function keepEntry(
  disk: Disk,
  losing: LosingEntry,
  cause: KeepCause,
  upcoming?: () => readonly VirtualPath[],
): Promise<KeptEntry> {
  try {
    return await renameIntoStore(disk, losing, cause, upcoming);
  } catch (error) {
    if (!isAppError(error, 'cannot_keep') || !isErrno(error.cause, 'EXDEV')) throw error;
    const detail = 'this file system cannot move the entry into the trash, but it can be copied there';
    throw new AppError('keep_needs_copy', detail, { cause: error });
  }
}

async function renameIntoStore(
  disk: Disk,
  losing: LosingEntry,
  cause: KeepCause,
  upcoming?: () => readonly VirtualPath[],
): Promise<KeptEntry> {
  const stores = storesOf(disk);
  const place = { folder: losing.folder, names: losing.names.slice(0, -1) };
  const keep = async (store: Store): Promise<KeptEntry> => {
    const entry = await recordEntry(store, losing, cause, stores.reservations, upcoming);
    const folder = await folderFor(store, entry);
    try {
      return await moveInto(losing, folder, entry);
    } catch (error) {
      recordNotKept(store, entry);
      if (isErrno(error, 'EXDEV')) throw error;
      if (!isErrno(error, 'ENOENT')) throw new KeepRefused(error);
      const isGone = (await lstatOrNull(losing.folder, losing.name)) === null;
      throw isGone ? new KeepRefused(new AppError('not_found')) : new StoreGone();
    }
  };
  return stores.keepFrom(place, keep, upcoming === undefined ? 0 : maxStoreAgeMs);
}

/** Renames the entry into the folder of the store. */
async function moveInto(losing: LosingEntry, folder: Folder, entry: KeptEntry): Promise<KeptEntry> {
  const [from, to] = [at(losing.folder, losing.name), at(folder, entry.storedName)];
  try {
    await syscalls.rename(from, to);
  } catch (error) {
    if (!losing.stats.isDirectory() || !isErrno(error, 'EACCES', 'EPERM')) throw error;
    await moveReadOnlyFolder(losing, folder, entry, error);
  }
  return entry;
}

/**
 * Moves a folder whose own permission bits forbid that: the name `..` in it changes, which needs write permission. Our own
 * folder gets the permission for that moment. An empty folder of another user is replaced by a new one in the store.
 */
async function moveReadOnlyFolder(
  { folder: parent, name, stats }: LosingEntry,
  folder: Folder,
  { storedName }: KeptEntry,
  refusal: unknown,
): Promise<void> {
  const bits = Number(stats.mode & 0o7777n);
  const to = at(folder, storedName);
  if (stats.uid === BigInt(process.geteuid?.() ?? -1)) {
    const opened = await openFolder(parent.descriptor < 0 ? 'path' : 'descriptor', at(parent, name)).async();
    try {
      await syscalls.chmod(at(opened, '.'), bits | 0o300);
      try {
        await syscalls.rename(at(parent, name), to);
      } finally {
        // Without descriptors the folder has another path after the rename.
        const hasMoved = opened.descriptor < 0 && (await lstatOrNull(folder, storedName)) !== null;
        await syscalls.chmod(hasMoved ? to : at(opened, '.'), bits);
      }
      return;
    } finally {
      closeFolder(opened);
    }
  }
  await syscalls.mkdir(to, 0o700);
  try {
    await syscalls.rmdir(at(parent, name));
  } catch {
    await ignoreErrno(syscalls.rmdir(to), 'ENOENT');
    throw toAppError(refusal);
  }
  await syscalls.utimes(to, Number(stats.atimeNs) / 1e9, Number(stats.mtimeNs) / 1e9);
  await syscalls.chmod(to, bits & 0o777);
}
