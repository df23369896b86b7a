import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeptPosition, NameKey, PlacedKept } from './trash-repository.ts';

/** The change by which a state of a file came into being. */
export interface WrittenBy {
  /** Null when the user no longer exists. */
  readonly userId: number | null;
  readonly act: string;
  /** Unix milliseconds. */
  readonly time: number;
}

/** A former state of a file. Its place is the current path of the file, and its original path the one when it was replaced. */
export interface StoredVersion extends PlacedKept {
  /** The deleted file to which it belongs; null while the file exists. */
  readonly ownerId: string | null;
  readonly label: string | null;
  /** Whether it is kept without a time limit. */
  readonly keepsForever: boolean;
  /** The change that made this state; null when it is unknown. */
  readonly written: WrittenBy | null;
}

/** The properties of a version that users change. */
export type VersionProperties = Pick<StoredVersion, 'label' | 'keepsForever'>;

/** The properties of a version that decide whether it is dispensable. Times in Unix milliseconds. */
export interface VersionAge {
  readonly id: string;
  /** Equal for the versions of one file. */
  readonly file: string;
  /** The times at which the state came into being and was replaced. */
  readonly writtenAt: number;
  readonly keptAt: number;
  /** Whether it has a label or is kept forever. */
  readonly isAnnotated: boolean;
}

/** A position in the order of {@link VersionRepository.byFile}. */
export type FilePosition = readonly [
  place: number,
  nameKey: string,
  ownerId: string,
  keptAt: number,
  id: string,
];

/** The state that a logged change has left. */
export interface LoggedState {
  /** The start of the operation (Unix milliseconds). */
  readonly time: number;
  /** Bytes. */
  readonly size: number;
  /** Unix nanoseconds as decimal digits. */
  readonly modifiedNs: string;
  /** The change, if it has created the file; null if it has replaced or moved it. */
  readonly createdBy: WrittenBy | null;
}

/** The index of former states of files, which shares its tables with the one of the trash. */
export interface VersionRepository {
  /** Returns a page of the versions of the file at `path` that are not being purged, the latest first. */
  list(
    path: VirtualPath,
    keyOf: NameKey,
    page: { readonly after?: KeptPosition | undefined; readonly since?: number; readonly limit: number },
  ): Promise<StoredVersion[]>;
  /** Returns the number of these versions. */
  count(path: VirtualPath, keyOf: NameKey, since?: number): Promise<number>;
  /** Returns the change that made the current state of the file at `path`; null when it is unknown. */
  lastChange(path: VirtualPath, keyOf: NameKey): Promise<WrittenBy | null>;
  /** Returns the states in which logged changes have left the file at `path`, the latest first. */
  loggedStates(path: VirtualPath, keyOf: NameKey): Promise<LoggedState[]>;
  /** Returns a version unless it is being purged. */
  find(id: string): Promise<StoredVersion | null>;
  /** Changes properties. Returns whether the version exists. */
  update(id: string, properties: Partial<VersionProperties>): Promise<boolean>;
  /** Removes a version that has become the current state of a file. */
  remove(id: string): Promise<void>;
  /**
   * Hides the versions of a file or folder that was deleted forever at `path`; they are removed at `purgeAt`. Returns their
   * number.
   */
  hideBelow(path: VirtualPath, keyOf: NameKey, purgeAt: number): Promise<number>;
  /** Returns versions ordered by file, and the earliest first for each. Ends with an empty page. */
  byFile(
    after: FilePosition | null,
    limit: number,
  ): Promise<{ versions: VersionAge[]; last: FilePosition | null }>;
  /** Returns the number of versions that are not being purged. */
  total(): Promise<number>;
  /**
   * Records that a version is unchanged: it has the content of the file that replaced it. Returns whether it exists and has no
   * annotation.
   */
  setUnchanged(id: string): Promise<boolean>;
  /** Records that the bytes of an unchanged version were removed. */
  removeBytes(id: string): Promise<void>;
  /** Returns the ids of unchanged versions whose bytes have not been removed. */
  unchangedWithBytes(): Promise<string[]>;
  /** Removes unchanged versions that were replaced before this time (Unix milliseconds). */
  removeUnchanged(before: number): Promise<void>;
  /** Returns the versions with these ids in any order, including those that are being purged. */
  findAll(ids: readonly string[]): Promise<StoredVersion[]>;
}
