import type { BigIntStats } from 'node:fs';
import { isAppError } from '../../../errors.ts';
import type { KeepCause, KeepOptions, KeptEntry } from '../../kept/kept-entries.ts';
import { type Disk, placeholderRunner, placeOf } from '../disk.ts';
import { at, type Folder } from '../paths/folder.ts';
import { kindOf } from '../paths/metadata.ts';
import { linkRefusals, lstatOrNull, renameExclusively } from '../paths/publish.ts';
import { ignoreErrno, isErrno, syscalls } from '../paths/syscalls.ts';
import { folderFor, recordNotKept, recordEntry, storesOf } from './keep-entry.ts';
import type { Store } from './store.ts';
import { KeepRefused, StoreGone } from './stores.ts';

/** A name in an open folder that is about to be replaced. */
export interface ReplacedName {
  readonly folder: Folder;
  /** The real path of `folder`: names from the root of the scope. */
  readonly names: readonly string[];
  readonly name: string;
}

/**
 * Calls `rename`, which replaces the entry `name` of a folder by another one. With `keep`, the replaced file or link gets
 * another name in the store of its volume first: a hard link, so that its own name is never missing, or a rename where the file
 * system refuses hard links. When `rename` fails, everything is as before. Must be called while the name is locked.
 *
 * Throws `cannot_keep` and the errors of `rename`.
 */
export async function displace(
  disk: Disk,
  replaced: ReplacedName,
  { keep, onKept, accepts, losesUnkept = false, onLost }: KeepOptions,
  rename: () => Promise<void>,
): Promise<void> {
  const { folder: parent, name } = replaced;
  const renameUnkept = async (): Promise<void> => {
    await rename();
    onLost?.(placeOf(disk, [...replaced.names, name]));
  };
  const isKeeping = keep !== undefined && keep !== null;
  if (!isKeeping && onLost === undefined) return rename();
  const stats = await lstatOrNull(parent, name);
  if (stats === null || stats.isDirectory()) return rename();
  if (!isKeeping) return renameUnkept();
  const { mode, size, mtimeNs } = stats;
  const place = placeOf(disk, [...replaced.names, name]);
  const state = { name, place, kind: kindOf(Number(mode)), size: Number(size), modifiedNs: mtimeNs };
  if (accepts?.(state) === false) return renameUnkept();
  try {
    await keepAndRename(disk, replaced, { keep, onKept, stats }, rename);
  } catch (error) {
    // Keeping failed before the rename, so the entry still has its name.
    if (!losesUnkept || !isAppError(error, 'cannot_keep')) throw error;
    await renameUnkept();
  }
}

async function keepAndRename(
  disk: Disk,
  replaced: ReplacedName,
  { keep, onKept, stats }: { keep: KeepCause; onKept: KeepOptions['onKept']; stats: BigIntStats },
  rename: () => Promise<void>,
): Promise<void> {
  const { folder: parent, name } = replaced;
  const stores = storesOf(disk);
  const names = [...disk.prefix, ...replaced.names];
  await stores.keepFrom({ folder: parent, names }, async (store) => {
    const losing = { names: [...names, name], name, stats };
    const entry = await recordEntry(store, losing, keep, stores.reservations);
    let second: SecondName;
    try {
      second = await giveSecondName(disk, replaced, store, await folderFor(store, entry), entry);
    } catch (error) {
      recordNotKept(store, entry);
      throw error;
    }
    try {
      await rename();
    } catch (error) {
      await second.undo();
      recordNotKept(store, entry);
      throw new KeepRefused(error);
    }
    if (second.isAway) store.ledger.appendUnflushed([{ type: 'placed', id: entry.id }], entry.keptAt);
    onKept?.([entry]);
  });
}

/** The name of a replaced entry in the store. */
interface SecondName {
  /** It has no other name, because the file system refuses hard links. */
  readonly isAway: boolean;
  /** Removes the name, so that everything is as before. */
  readonly undo: () => Promise<unknown>;
}

/** Gives the entry its name in the store. */
async function giveSecondName(
  disk: Disk,
  { folder: parent, names, name }: ReplacedName,
  store: Store,
  folder: Folder,
  { id, storedName, keptAt }: KeptEntry,
): Promise<SecondName> {
  const [from, to] = [at(parent, name), at(folder, storedName)];
  try {
    await syscalls.link(from, to);
    return { isAway: false, undo: () => ignoreErrno(syscalls.unlink(to), 'ENOENT') };
  } catch (error) {
    if (isErrno(error, 'ENOENT')) {
      // Another program has removed the entry, or the store.
      if ((await lstatOrNull(parent, name)) !== null) throw new StoreGone();
      return { isAway: false, undo: async () => undefined };
    }
    if (isErrno(error, 'EXDEV') || !isErrno(error, ...linkRefusals)) throw error;
  }
  // The next start takes the entry back if its name is missing then.
  await store.ledger.append([{ type: 'away', id }], keptAt);
  await syscalls.rename(from, to);
  const source = { names: [], name: storedName };
  const undo = (): Promise<void> =>
    renameExclusively(folder, storedName, parent, name, placeholderRunner(disk, { names, name }, source));
  return { isAway: true, undo };
}
