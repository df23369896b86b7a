import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeptEntry } from '../../kept/kept-entries.ts';
import { entryOfRecord } from '../../kept/kept-record.ts';
import { at, type Folder, closeFolder, identityOf, isSame } from '../paths/folder.ts';
import { pathOf } from '../paths/path-of.ts';
import { lstatOrNull, renameExclusively } from '../paths/publish.ts';
import { ignoreErrno, syscalls } from '../paths/syscalls.ts';
import { openTree } from '../trees/open-tree.ts';
import { readLedger, readLedgerBatches } from './ledger.ts';
import type { Store } from './store.ts';
import { isNoStore, type Stores } from './stores.ts';

/** An operation whose record has no end yet. */
interface Interrupted {
  entry: KeptEntry;
  /** The file was renamed away from its place, because the file system refuses hard links. */
  isAway: boolean;
  /** The path in the outermost storage to which it was being restored. */
  restoredTo: VirtualPath | null;
}

const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

const keepType = Buffer.from('{"type":"keep"');
const deleteAct = Buffer.from('"act":"delete"');

/**
 * Whether a line is the record of a deletion: there is nothing to repair unless the entry was being restored, for which
 * another record is searched. Neither decoding nor parsing most lines saves most of the time. Quotes in names are
 * escaped, so that no name looks like this.
 */
const isDeletionRecord = (line: Buffer): boolean =>
  line.length > keepType.length &&
  line.compare(keepType, 0, keepType.length, 0, keepType.length) === 0 &&
  line.includes(deleteAct);

/** Reads the operations whose end is not in the ledger, and the position of the ledger's end. */
async function readInterrupted(
  store: Store,
  since: string,
): Promise<{ interrupted: Interrupted[]; position: string }> {
  const open = new Map<string, Interrupted>();
  /** Restored entries whose record is older than `since`. */
  const restores = new Map<string, VirtualPath>();
  let position = since;
  const follow = (value: unknown): void => {
    const entry = entryOfRecord(value, store.path as VirtualPath);
    const [type, id, to] = [field(value, 'type'), field(value, 'id'), field(value, 'to')];
    if (entry !== null) open.set(entry.id, { entry, isAway: false, restoredTo: null });
    else if (type === 'end') {
      const ids = field(value, 'ids');
      for (const ended of Array.isArray(ids) ? ids : []) {
        open.delete(String(ended));
        restores.delete(String(ended));
      }
    } else if (typeof id === 'string') {
      const known = open.get(id);
      if (type === 'away' && known !== undefined) known.isAway = true;
      if (type === 'placed' && known !== undefined) known.isAway = false;
      if (type === 'restore' && typeof to === 'string') {
        if (known === undefined) restores.set(id, to as VirtualPath);
        else known.restoredTo = to as VirtualPath;
      }
    }
  };
  const batches = readLedgerBatches(store.ledgerFolder, { since, skips: isDeletionRecord });
  for await (const batch of batches) {
    for (const { value } of batch) if (value !== undefined) follow(value);
    position = batch.at(-1)?.position ?? position;
  }
  if (restores.size > 0) await findRestored(store, restores, open);
  return { interrupted: [...open.values()], position };
}

/** Reads the whole ledger for the records of entries that were being restored, which may be old. */
async function findRestored(
  store: Store,
  restores: ReadonlyMap<string, VirtualPath>,
  open: Map<string, Interrupted>,
): Promise<void> {
  for await (const { value } of readLedger(store.ledgerFolder)) {
    const entry = entryOfRecord(value, store.path as VirtualPath);
    const restoredTo = entry && restores.get(entry.id);
    if (entry !== null && restoredTo !== undefined && restoredTo !== null)
      open.set(entry.id, { entry, isAway: false, restoredTo });
  }
}

/** Calls `work` with the open folder of `path`; does nothing when it does not exist. */
async function withFolderOf(
  { scopeRoot }: Stores,
  path: VirtualPath,
  work: (folder: Folder, name: string) => Promise<void>,
): Promise<void> {
  const names = segmentsOf(path);
  const name = names.pop();
  if (name === undefined) return;
  try {
    const { folder } = await openTree(scopeRoot, pathOf(names));
    try {
      await work(folder, name);
    } finally {
      if (folder !== scopeRoot.root) closeFolder(folder);
    }
  } catch (error) {
    if (!isNoStore(error)) throw error;
  }
}

/** Completes or undoes one operation. */
async function repair(
  stores: Stores,
  store: Store,
  { entry, isAway, restoredTo }: Interrupted,
): Promise<void> {
  if (restoredTo === null && entry.cause.act === 'delete') return;
  const stored = await store.findFolder(entry.folder);
  const kept = stored === undefined ? null : await lstatOrNull(stored, entry.storedName);
  if (stored === undefined || kept === null) {
    // The index follows a restoration only when its end is recorded.
    if (restoredTo !== null) store.ledger.appendUnflushed([{ type: 'end', ids: [entry.id] }], entry.keptAt);
    return;
  }
  // The only name of its file: it was replaced, or is still in the trash.
  if (kept.nlink === 1n && !isAway) return;
  await withFolderOf(stores, restoredTo ?? entry.place, async (folder, name) => {
    const current = await lstatOrNull(folder, name);
    if (current !== null && !current.isDirectory() && isSame(identityOf(current), identityOf(kept))) {
      // Both names of one file: the file was not replaced yet, or has been restored already.
      await ignoreErrno(syscalls.unlink(at(stored, entry.storedName)), 'ENOENT');
      store.ledger.appendUnflushed([{ type: 'end', ids: [entry.id] }], entry.keptAt);
    } else if (current === null && isAway && restoredTo === null) {
      await renameExclusively(stored, entry.storedName, folder, name, (work) => work());
      store.ledger.appendUnflushed([{ type: 'end', ids: [entry.id] }], entry.keptAt);
    }
  });
}

/**
 * Repairs the operations that a crash interrupted, in all known stores: a file that has its old name and the one in the store loses
 * the latter, and a file that was renamed away and not replaced gets its name back. Stores that cannot be opened now are
 * skipped; they are repaired by a later start.
 */
export async function repairStores(stores: Stores): Promise<void> {
  for (const { path, inode, checked } of stores.registry.stores) {
    try {
      await stores.withStore(path as VirtualPath, async (store) => {
        const { interrupted, position } = await readInterrupted(store, checked);
        for (const operation of interrupted) await repair(stores, store, operation);
        stores.registry.set({ path, inode, checked: position });
      });
    } catch (error) {
      if (!isNoStore(error) && !isSystemError(error)) throw error;
    }
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'code' in error;
