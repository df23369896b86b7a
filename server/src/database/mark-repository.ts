import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { NameKey } from './trash-repository.ts';

/** The kinds of marks. A `recent` entry was opened, saved or uploaded by the user. */
export type MarkKind = 'favorite' | 'tag' | 'recent';

/** The reasons for which an entry is a recent one. */
export type RecentAct = 'opened' | 'saved' | 'uploaded';

/** Identifies an entry independently of its name, as decimal digits. */
export interface EntryIdentity {
  readonly device: string;
  readonly inode: string;
  /** Creation time in Unix nanoseconds. */
  readonly bornNs: string;
}

/** An entry that is marked, or a folder above one. Paths are those of the served root. */
export interface MarkedPlace {
  readonly path: VirtualPath;
  readonly isFolder: boolean;
  /** Null where the file system has no creation times. */
  readonly identity: EntryIdentity | null;
}

/** A mark to be stored. An existing mark of the same entry, kind and tag is replaced. */
export interface NewMark {
  /** The entry, after the folders above it from the top down. */
  readonly places: readonly MarkedPlace[];
  readonly kind: MarkKind;
  /** Empty for other kinds than tags. */
  readonly tag: string;
  /** Null for other kinds than recent entries. */
  readonly act: RecentAct | null;
  /** Unix milliseconds. */
  readonly at: number;
}

/** A stored mark with the current path of its entry. */
export interface StoredMark {
  readonly place: number;
  readonly path: VirtualPath;
  readonly isFolder: boolean;
  /** The deleted entry that this one is, or is in; null for one that is not deleted. */
  readonly keptId: string | null;
  /** Since when the entry is known to be missing (Unix milliseconds); null for one that exists. */
  readonly goneAt: number | null;
  readonly tag: string;
  readonly act: RecentAct | null;
  readonly at: number;
}

/** A marked entry, or a folder above one, with its identity and its current path. */
export interface IdentifiedPlace extends MarkedPlace {
  readonly place: number;
  readonly identity: EntryIdentity;
}

/** Favorites and tags of one entry. */
export interface EntryMarks {
  readonly isFavorite: boolean;
  readonly tags: readonly string[];
}

/** Compares names as the file system at a path of the served root does. */
export type KeyAt = (path: VirtualPath) => NameKey;

/** The maximum numbers of marks of one user. */
export interface MarkLimits {
  readonly favorites: number;
  readonly tags: number;
  readonly tagsPerEntry: number;
}

/** The tables of marks. They belong to places, so that they follow renames, and are removed with their user. */
export interface MarkRepository {
  /** Returns marks of a user: favorites in their order, others with the latest first. */
  list(userId: number, kind: MarkKind, tag?: string): Promise<StoredMark[]>;
  /** Returns the tags of a user in alphabetical order. */
  tagsOf(userId: number): Promise<string[]>;
  /** Returns favorites and tags of a user by the place of the entry. */
  marksAt(userId: number, places: readonly number[]): Promise<ReadonlyMap<number, EntryMarks>>;
  /** Returns the entries with favorites and tags of a user that are in a folder. */
  inFolder(userId: number, folder: VirtualPath, keyAt: KeyAt): Promise<StoredMark[]>;
  /**
   * Stores marks in one transaction. Nothing is stored, and false is returned, if the user would have more favorites or tags
   * than `limits` allow.
   */
  add(userId: number, marks: readonly NewMark[], keyAt: KeyAt, limits: MarkLimits): Promise<boolean>;
  /** Removes a mark from entries, which need not exist. */
  remove(
    userId: number,
    paths: readonly VirtualPath[],
    mark: { readonly kind: MarkKind; readonly tag: string },
    keyAt: KeyAt,
  ): Promise<void>;
  /** Puts favorites in the order of `paths`; the others follow in their former order. */
  order(userId: number, paths: readonly VirtualPath[], keyAt: KeyAt): Promise<void>;
  /** Whether recent entries of the user are recorded. */
  recordsRecents(userId: number): Promise<boolean>;
  setRecordsRecents(userId: number, isOn: boolean): Promise<void>;
  /** Removes the recent entries of a user. */
  clearRecents(userId: number): Promise<void>;
  /** Removes the oldest recent entries of a user beyond `most`. */
  trimRecents(userId: number, most: number): Promise<void>;
  /** Stores since when entries are missing (Unix milliseconds); null for entries that exist again. */
  setGone(places: readonly number[], goneAt: number | null): Promise<void>;
  /** Returns the inodes of all places that can be found again, without those of deleted entries. */
  inodes(): Promise<ReadonlySet<string>>;
  /** Returns the places with one of these inodes, without those of deleted entries. */
  withInodes(inodes: readonly string[]): Promise<IdentifiedPlace[]>;
  /** Changes the path of a place, including its contents. */
  relocate(place: number, path: VirtualPath, keyAt: KeyAt): Promise<void>;
  /** Returns entries that have been missing since before `time`, or are deleted. */
  goneBefore(time: number, limit: number): Promise<Pick<StoredMark, 'place' | 'path' | 'keptId'>[]>;
  /** Removes all marks of these places. */
  forget(places: readonly number[]): Promise<void>;
}
