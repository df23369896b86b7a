import type { ErrorCode } from '@filestead/contract/errors';
import fs from 'node:fs';
import { isAppError } from '../../../errors.ts';
import type { KeptEntry, PurgeOptions, PurgeResult } from '../../kept/kept-entries.ts';
import { hourOf, hourOfFolder } from '../../kept/kept-names.ts';
import type { Disk } from '../disk.ts';
import { toAppError } from '../paths/errors.ts';
import { at, closeFolder, openFolder } from '../paths/folder.ts';
import { assertNoMountBelow } from '../paths/mounts.ts';
import { ignoreErrno, syscalls } from '../paths/syscalls.ts';
import { Progress } from '../trees/progress.ts';
import { removeTree } from '../trees/with-tree.ts';
import { storesOf } from './keep-entry.ts';
import { assertPlaceAllowed } from './open-kept.ts';
import type { StoredEntry } from './stored-entry.ts';
import { isNoStore, type Stores } from './stores.ts';

/** Larger files are shortened in steps of this size before they are unlinked, because freeing many blocks at once takes long. */
const stepBytes = 1024 ** 3;

/** The number of ids per record, which keeps lines short. */
const idsPerRecord = 500;

/** Removes a file. One that has other names is never shortened: they would lose its bytes. */
async function removeFile(
  { folder, entry, stats }: StoredEntry,
  { signal, pace }: PurgeOptions,
): Promise<void> {
  const path = at(folder, entry.storedName);
  if (stats.isFile() && stats.size > BigInt(stepBytes) && stats.nlink === 1n) {
    const flags = fs.constants.O_WRONLY | (fs.constants.O_NOFOLLOW ?? 0);
    const descriptor = await ignoreErrno(syscalls.open(path, flags), 'EACCES', 'EPERM');
    if (descriptor !== undefined) {
      try {
        const opened = fs.fstatSync(descriptor, { bigint: true });
        for (let size = Number(opened.size) - stepBytes; size > 0 && opened.nlink === 1n; size -= stepBytes) {
          signal?.throwIfAborted();
          await syscalls.ftruncate(descriptor, size);
          await pace?.(1);
        }
      } finally {
        fs.closeSync(descriptor);
      }
    }
  }
  await ignoreErrno(syscalls.unlink(path), 'ENOENT');
}

/** Removes a kept folder with its contents. Throws `holds_mount` when a file system was mounted in it. */
async function removeFolder(
  { scopeRoot }: Stores,
  { folder, entry }: StoredEntry,
  progress: Progress,
): Promise<void> {
  const { storedName: name } = entry;
  const opened = await openFolder(scopeRoot.confinement, at(folder, name)).async();
  try {
    const top = { folder: opened, name, names: [name], relative: [] };
    await assertNoMountBelow(scopeRoot, folder, top, progress.signal);
    await removeTree(scopeRoot, folder, top, progress);
  } finally {
    closeFolder(opened);
  }
}

/** Records the end of an entry that another program has removed from its store. */
async function recordMissing(stores: Stores, { id, store: path, keptAt }: KeptEntry): Promise<void> {
  try {
    await stores.withStore(path, async (store) =>
      store.ledger.appendUnflushed([{ type: 'end', ids: [id] }], keptAt),
    );
  } catch (error) {
    if (!isNoStore(error)) throw error;
  }
}

async function purgeOne(
  disk: Disk,
  stores: Stores,
  entry: KeptEntry,
  options: PurgeOptions,
  progress: Progress,
): Promise<void> {
  await disk.locks.run(`kept:${entry.id}`, async () => {
    try {
      await stores.withStored(entry, async (stored) => {
        if (stored.stats.isDirectory()) await removeFolder(stores, stored, progress);
        else {
          await removeFile(stored, options);
          progress.add(1, 0);
          await options.pace?.(1);
        }
        stored.store.ledger.appendUnflushed([{ type: 'end', ids: [entry.id] }], entry.keptAt);
        if (hourOfFolder(entry.folder) < hourOf(Date.now()))
          await stored.store.removeFolderIfEmpty(entry.folder);
      });
    } catch (error) {
      if (!isAppError(error, 'not_found')) throw error;
      await recordMissing(stores, entry);
    }
  });
}

/** Records that the entries are doomed, each in the ledger of its store. Stores that no longer exist are skipped. */
async function recordDoom(stores: Stores, entries: readonly KeptEntry[]): Promise<void> {
  for (const path of new Set(entries.map(({ store }) => store))) {
    const ids = entries.filter(({ store }) => store === path).map(({ id }) => id);
    const records: object[] = [];
    for (let first = 0; first < ids.length; first += idsPerRecord)
      records.push({ type: 'doom', ids: ids.slice(first, first + idsPerRecord) });
    const time = Math.max(...entries.map(({ keptAt }) => keptAt));
    try {
      await stores.withStore(path, (store) => store.ledger.append(records, time));
    } catch (error) {
      if (!isNoStore(error)) throw error;
    }
  }
}

/** `Storage.purge` on a disk. */
export async function purgeEntries(
  disk: Disk,
  entries: readonly KeptEntry[],
  options: PurgeOptions,
): Promise<PurgeResult> {
  for (const entry of entries) assertPlaceAllowed(disk, entry);
  if (entries.length === 0) return { purged: [], failed: [] };
  const stores = storesOf(disk);
  await recordDoom(stores, entries);
  const { signal, onProgress, pace } = options;
  const progress = new Progress({ signal, onProgress, pace });
  const purged: string[] = [];
  const failed: { id: string; code: ErrorCode }[] = [];
  for (const entry of entries) {
    signal?.throwIfAborted();
    try {
      await purgeOne(disk, stores, entry, options, progress);
      purged.push(entry.id);
    } catch (error) {
      const translated = toAppError(error);
      if (!isAppError(translated)) throw error;
      failed.push({ id: entry.id, code: translated.code });
    }
  }
  progress.report();
  return { purged, failed };
}
