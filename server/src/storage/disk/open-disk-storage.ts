import { type Clock, systemClock } from '../../clock.ts';
import { FolderWatches } from '../observe/folder-watches.ts';
import type { Storage } from '../storage.ts';
import { openStorage } from './disk-storage.ts';
import { repairStores } from './kept/repair-store.ts';
import { StoreRegistry } from './kept/store-registry.ts';
import { Stores } from './kept/stores.ts';
import { Locks } from './locks.ts';
import { openScopeRoot, type ServedScopeRoot } from './open-scope-root.ts';
import { closeFolder } from './paths/folder.ts';
import type { LetterCase } from './paths/letter-case.ts';
import { type DiskRings, processRings } from './ring/job-ring.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { TemporaryJournal } from './writes/temporary-journal.ts';

/** Options of {@link openDiskStorage}. */
export interface DiskStorageOptions extends ServedScopeRoot {
  /** The journal of unfinished files; without it a crash leaves them behind. */
  readonly temporaryJournal?: string;
  /** The file that names the stores of deleted and replaced entries; without it nothing can be kept. */
  readonly storeRegistry?: string;
  /** Read and write small files in other threads; null disables it. Defaults to the rings of the process. */
  readonly rings?: DiskRings | null;
  /** Watches observed folders. Defaults to those of the process. */
  readonly watches?: FolderWatches;
  /** Defaults to the system clock. */
  readonly clock?: Clock;
  /** The case sensitivity of the file systems below the root, from `readLetterCases`; case-sensitive by default. */
  readonly letterCases?: readonly LetterCase[];
}

/** The watched folders of this process, unless a storage is opened with others. */
const processWatches = new FolderWatches({ clock: systemClock });

/** The resources that all storages of one server share, independent of the current root. */
export interface DiskParts {
  readonly journal: TemporaryJournal | null;
  readonly locks: Locks;
  readonly registry: StoreRegistry | null;
  close(): void;
}

/**
 * Opens the journal and handles its leftovers, see `removeLeftovers`, and repairs the stores, see `repairStores`. Throws
 * `not_found` or `not_a_folder` without a root.
 */
export async function openDiskParts(options: DiskStorageOptions): Promise<DiskParts> {
  const locks = new Locks();
  const { storeRegistry, temporaryJournal } = options;
  const registry = storeRegistry === undefined ? null : StoreRegistry.open(storeRegistry);
  const scopeRoot = await openScopeRoot(options);
  try {
    if (registry !== null) {
      const stores = await Stores.open(scopeRoot, registry);
      await repairStores(stores).finally(() => stores.release());
    }
    if (temporaryJournal === undefined) return { journal: null, locks, registry, close: () => undefined };
    const { journal, leftovers } = TemporaryJournal.open(temporaryJournal);
    await journal.restart(await removeLeftovers(scopeRoot, journal, leftovers));
    return { journal, locks, registry, close: () => journal.close() };
  } finally {
    closeFolder(scopeRoot.root);
  }
}

/** Opens a storage with parts that stay open when it is closed. Throws as {@link openDiskStorage}. */
export async function openDiskStorageOn(
  options: DiskStorageOptions,
  { journal, locks, registry }: DiskParts,
  onClosed?: () => void,
): Promise<Storage> {
  const scopeRoot = await openScopeRoot(options);
  const { letterCases = [], rings = processRings } = options;
  const { watches = processWatches, clock = systemClock } = options;
  const stores = registry === null ? null : await Stores.open(scopeRoot, registry);
  const shared = { journal, locks, stores, rings, letterCases, watches, clock };
  const disk = { scopeRoot, prefix: [], isDirect: true, ...shared };
  const storage = openStorage(disk, onClosed);
  // The storage has acquired them.
  await stores?.release();
  return storage;
}

/** Opens the storage of the folder `root`. Throws `not_found` or `not_a_folder` when there is none. */
export async function openDiskStorage(options: DiskStorageOptions): Promise<Storage> {
  const parts = await openDiskParts(options);
  try {
    return await openDiskStorageOn(options, parts, () => parts.close());
  } catch (error) {
    parts.close();
    throw error;
  }
}
