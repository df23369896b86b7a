import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FilePosition, VersionAge } from './version-repository.ts';

/** A kept entry that may be removed when a disk is full. Times in Unix milliseconds. */
export interface Removable {
  readonly id: string;
  /** Bytes of the entry and of its versions; 0 for a folder that has not been measured. */
  readonly bytes: number;
  /** Whether its size is known. */
  readonly isMeasured: boolean;
  readonly keptAt: number;
}

/** A version that may be removed when a disk is full. */
export interface RemovableVersion extends Removable, VersionAge {
  /** Whether the same user wrote this state and replaced it within 24 hours. */
  readonly isShortLived: boolean;
}

/** The content of a store according to the index. */
export interface StoreUse {
  /** Deleted entries and versions that are not being removed, and their measured bytes. */
  readonly entries: number;
  readonly bytes: number;
  /** The time of the oldest of these (Unix milliseconds); null if there are none. */
  readonly oldest: number | null;
  /** The part of these that are versions. */
  readonly versions: number;
  readonly versionBytes: number;
  /**
   * The measured bytes of the entries that may be removed when the disk is full: those older than the guaranteed time,
   * except versions with a label or without a time limit.
   */
  readonly reclaimable: number;
  /** Entries that are due for removal, and their measured bytes. */
  readonly dueEntries: number;
  readonly dueBytes: number;
  /** Entries that were deleted forever but can still be restored, and their measured bytes. */
  readonly restingEntries: number;
  readonly restingBytes: number;
}

/** The measured bytes that a user has deleted or replaced in a store. */
export interface UserUse {
  /** Null for entries without a user. */
  readonly userId: number | null;
  readonly entries: number;
  readonly bytes: number;
}

/** Queries over deleted entries and versions together, for the removal of those that are dispensable. */
export interface RetentionRepository {
  /** Returns the use of all stores that the index knows, as of `now`. `guaranteedMs` is the time for which entries stay. */
  uses(now: number, guaranteedMs: number): Promise<ReadonlyMap<VirtualPath, StoreUse>>;
  /** Returns the number and the measured bytes of entries by store. */
  sizesOf(
    ids: readonly string[],
  ): Promise<ReadonlyMap<VirtualPath, { readonly entries: number; readonly bytes: number }>>;
  /** Returns the users whose entries occupy the most bytes, the largest first. */
  largestUsers(limit: number, store?: VirtualPath): Promise<UserUse[]>;
  /** Returns files of a store that one user has created and deleted within 24 hours, the oldest deletion first. */
  shortLivedDeletions(store: VirtualPath, limit: number): Promise<Removable[]>;
  /** Returns deleted entries of a store that were deleted before `before`, the oldest first. */
  deletedBefore(store: VirtualPath, before: number, limit: number): Promise<Removable[]>;
  /** Returns a page of the versions of a store ordered by file, the earliest first for each. Ends with an empty page. */
  versionsByFile(
    store: VirtualPath,
    after: FilePosition | null,
    limit: number,
  ): Promise<{ versions: RemovableVersion[]; last: FilePosition | null }>;
}
