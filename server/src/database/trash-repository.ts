import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** A kept entry, which is a deleted entry or a former state of a replaced file, as the index knows it. Times in Unix milliseconds. */
export interface StoredKept {
  readonly id: string;
  /** The folder that contains the store, the folder in the store, and the name in it. */
  readonly store: VirtualPath;
  readonly folder: string;
  readonly storedName: string;
  /** The path at which it was deleted or replaced, in the served root. */
  readonly originalPath: VirtualPath;
  readonly kind: 'file' | 'folder' | 'special' | 'invalid_link';
  /** Bytes; null for a folder that has not been measured. */
  readonly size: number | null;
  /** Unix nanoseconds as decimal digits. */
  readonly modifiedNs: string;
  readonly keptAt: number;
  /** Identifies the request or job that deleted or replaced it. */
  readonly operation: string;
  readonly act: string;
  readonly userId: number | null;
  readonly session: string | null;
}

/** A kept entry with its current place. */
export interface PlacedKept extends StoredKept {
  /** The path in the served root at which it would be now: renamed folders have their current name. */
  readonly place: VirtualPath;
  /** The deleted folder that contains its place, if that is in the trash. */
  readonly parentId: string | null;
  /** The time at which it is removed from the disk; null if its removal has not been requested. */
  readonly purgeAt: number | null;
  /** The user who requested that; null for the server. */
  readonly purgedBy: number | null;
  /** Whether it is a former state with the content of the file that replaced it, so that its bytes are removed. */
  readonly isUnchanged: boolean;
}

/** A deleted entry as lists show it. */
export type ListedKept = Pick<
  PlacedKept,
  'id' | 'kind' | 'size' | 'modifiedNs' | 'keptAt' | 'act' | 'userId' | 'place' | 'parentId'
>;

/** The current path of a place, and the deleted folder that it belongs to. */
export interface PlacePath {
  readonly path: VirtualPath;
  readonly keptId: string | null;
}

/** The position after the last entry of a page, in the order of the list. */
export interface KeptPosition {
  readonly keptAt: number;
  readonly id: string;
}

/** Restricts {@link TrashRepository.list}. */
export interface KeptFilter {
  /** Only entries that this user deleted. */
  readonly userId?: number | undefined;
  /** Only entries that were deleted at this time or later. */
  readonly since?: number | undefined;
  /** Continues after this entry. */
  readonly after?: KeptPosition | undefined;
  readonly limit: number;
}

/**
 * Compares names of folders: equal keys are equal names. Case-insensitive file systems have other keys than
 * case-sensitive ones.
 */
export type NameKey = (name: string) => string;

/** The index of deleted entries and the tree of folders in which they were. It can be rebuilt from the stores. */
export interface TrashRepository {
  /**
   * Adds kept entries. The places below a deleted folder belong to that folder from then on, so that a new folder of
   * the same name begins without kept entries. An entry that is known already is not changed.
   */
  add(entries: readonly StoredKept[], keyOf: NameKey): Promise<void>;
  /** Returns the entry unless it is being purged. */
  find(id: string): Promise<PlacedKept | null>;
  /** Returns the entries with these ids, in any order, including those that are being purged. */
  findAll(ids: readonly string[]): Promise<PlacedKept[]>;
  /**
   * Returns a page of the entries that are not being purged, the latest deletion first. `knownPaths` are the paths that earlier
   * pages of the same list have found; those of this page are added.
   */
  list(filter: KeptFilter, knownPaths?: Map<number, PlacePath>): Promise<ListedKept[]>;
  /** Returns the number of entries that are not being purged. */
  count(filter: Pick<KeptFilter, 'userId' | 'since'>): Promise<number>;
  /** Whether {@link movePlaces} would change anything. */
  hasPlacesAt(path: VirtualPath, keyOf: NameKey): Promise<boolean>;
  /**
   * Follows the rename or move of an entry: the places below `from` are below `to` afterwards, and the versions of a file belong to
   * its new path. `recorded` says in which stores the move is recorded under which number.
   */
  movePlaces(
    from: VirtualPath,
    to: VirtualPath,
    keyOf: NameKey,
    recorded?: { readonly stores: readonly VirtualPath[]; readonly number: number },
  ): Promise<void>;
  /** The highest number of a recorded move that the places have followed, in one store or in all; 0 if there is none. */
  lastMove(store?: VirtualPath): Promise<number>;
  /** Sets the label of a version and whether it is kept forever. Does nothing for other entries. */
  annotate(
    id: string,
    annotation: { readonly label: string | null; readonly keepsForever: boolean },
  ): Promise<void>;
  /** Follows the move of a folder that contains stores. */
  moveStores(from: VirtualPath, to: VirtualPath): Promise<void>;
  /** Whether there are entries in a store. */
  hasEntriesOf(store: VirtualPath): Promise<boolean>;
  /**
   * Runs `work` in a transaction, with a repository whose paths belong to a tree of their own that is empty at first. Its folders
   * are merged into the current ones afterwards. The history of a ledger is read in this way, because the present
   * folders may have the names of earlier ones.
   */
  inOwnTree<T>(work: (repository: TrashRepository) => Promise<T>): Promise<T>;
  /** Runs `work`, which adds many entries, in one transaction. */
  inBulk<T>(work: (repository: TrashRepository) => Promise<T>): Promise<T>;
  /** Removes an entry that was restored to `to`; the places of a folder are below `to` afterwards. */
  restored(id: string, to: VirtualPath, keyOf: NameKey): Promise<void>;
  /** Returns `ids` without those of unchanged versions, whose bytes were removed on purpose. */
  withBytes(ids: readonly string[]): Promise<string[]>;
  /** Removes entries that are no longer on the disk. The places of a folder are where it was. */
  remove(ids: readonly string[]): Promise<void>;
  /** Hides the entries that are not hidden yet, until they are removed. Returns the ids of those that it has hidden. */
  hide(ids: readonly string[], purgeAt: number, userId: number | null): Promise<string[]>;
  /** Shows entries again that this user has hidden, unless they are due at `now`. Returns their ids. */
  unhide(ids: readonly string[], userId: number, now: number): Promise<string[]>;
  /** Returns entries to be removed at `now`, those that are due first. */
  due(now: number, limit: number): Promise<PlacedKept[]>;
  /** The time at which the next entry is due; null when none is. */
  nextDue(): Promise<number | null>;
  /** Sets the time at which hidden entries are due. */
  postpone(ids: readonly string[], purgeAt: number): Promise<void>;
  /** Returns the sum of the known sizes of all entries, by store. */
  bytesByStore(): Promise<ReadonlyMap<VirtualPath, number>>;
  /** Returns the ids of entries that were deleted before `before` and are not being purged, the earliest first. */
  expired(before: number, limit: number): Promise<string[]>;
  /** Returns the number of entries, of those deleted before `before`, and the time of the earliest deletion. */
  summary(
    before: number,
  ): Promise<{ entries: number; expired: number; bytes: number; oldest: number | null }>;
  setSize(id: string, bytes: number): Promise<void>;
  /** Returns folders without a size, the latest deletion first. */
  unmeasured(limit: number): Promise<PlacedKept[]>;
  /** Returns the ids of the entries that an operation has deleted since a time (Unix milliseconds) and that are in the trash, by their places. */
  deletedBy(operation: string, since: number): Promise<ReadonlyMap<VirtualPath, string>>;
  /** Returns the ids among `ids` that the index does not know. */
  unknown(ids: readonly string[]): Promise<string[]>;
  /** Removes places to which no kept entry, operation, mark or other place refers. Returns their number. */
  prunePlaces(limit: number): Promise<number>;
  /** The position up to which the ledger of a store has been read; undefined if it was not. */
  ledgerPosition(store: VirtualPath): Promise<string | undefined>;
  /** @param lastMove the number of the latest move up to the position */
  setLedgerPosition(store: VirtualPath, position: string, lastMove: number): Promise<void>;
  /** Removes all entries, places, positions and operations, so that the entries can be read from the stores again. */
  clear(): Promise<void>;
}
