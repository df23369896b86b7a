import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { EntryKind } from './entry-kind.ts';
import type {
  KeepOptions,
  KeptEntry,
  KeptNote,
  LedgerOptions,
  LedgerRecord,
  PurgeOptions,
  PurgeResult,
  RestoreOptions,
  StoreReport,
  StoresOptions,
} from './kept/kept-entries.ts';
import type { NamePattern } from './listings/name-pattern.ts';
import type { ContainerName } from './pack/container.ts';

export type { EntryKind };

/** The metadata of one entry. For a link that may be followed, all fields but `isSymlink` are those of its target. */
export interface Entry {
  /** The last name; empty for the root of the storage. */
  readonly name: string;
  readonly kind: EntryKind;
  /** Bytes. */
  readonly size: number;
  /** Modification time in Unix nanoseconds. */
  readonly modifiedNs: bigint;
  /** `st_mode` as the operating system returns it. */
  readonly mode: number;
  readonly isSymlink: boolean;
  /** Identifies the file or folder on its file system independently of its name; absent on storages without such numbers. */
  readonly inode?: bigint;
  /** The number of its file system; absent where entries have none. */
  readonly device?: bigint;
  /** Creation time in Unix nanoseconds; absent where it is unknown. */
  readonly createdNs?: bigint;
  /**
   * Time of the last change of content or metadata in Unix nanoseconds, set by the clock of the file system; absent if
   * unknown.
   */
  readonly changedNs?: bigint;
}

/** The metadata of entries of a folder, by position. */
export interface EntryArrays {
  /** Bytes. */
  readonly sizes: Float64Array;
  /** Unix milliseconds; fractions are dropped. */
  readonly modifiedMs: Float64Array;
  readonly modes: Uint32Array;
  /** Index into {@link batchKinds}. */
  readonly kinds: Uint8Array;
  /** 1 for a symbolic link. */
  readonly links: Uint8Array;
}

/** The metadata of consecutive entries of a folder: `names[first + i]` has `sizes[i]` and so on. */
export interface EntryBatch extends EntryArrays {
  readonly first: number;
  readonly count: number;
}

/** The kinds of {@link EntryArrays.kinds}; `gone` vanished between the reading of the folder and of the entry. */
export const batchKinds = ['file', 'folder', 'special', 'invalid_link', 'gone'] as const;

/** A folder being listed. */
export interface FolderListing {
  readonly folder: Entry;
  /** All names in natural order, folders (and links to folders) first. */
  readonly names: readonly string[];
  /** The number of folders, which come first in `names`. */
  readonly folderCount: number;
  /** The positions whose real path (links resolved) a guard refuses; see {@link Storage.guarded}. They must not be shown. */
  readonly refused: ReadonlySet<number>;
  /** The metadata, in the order of `names`, without gaps. To be consumed once; leaving the loop early stops the work. */
  batches(): AsyncIterable<EntryBatch>;
}

/** Options of {@link Storage.openFile}. */
export interface OpenFileOptions {
  /** The caller needs no descriptor: a small file may be read at once, which costs a fraction of several reads. */
  readonly prefersContent?: boolean;
}

/** Listings of up to this number of entries are read in one step and sent as a whole. */
export const shortListingEntries = 400;

/** An entry, and the listing if it is a folder. */
export interface StatOrList {
  readonly entry: Entry;
  readonly listing: FolderListing | null;
}

/** A file opened for reading. Its metadata and bytes stay those of the opened file, even if the name is reused meanwhile. */
export interface OpenFile {
  readonly entry: Entry;
  /**
   * Differs between any two files, and between any two states of one, as far as the operating system can tell them apart:
   * also when a file is replaced within the same second, or its modification time is set back.
   */
  readonly fingerprint: string;
  /**
   * The file descriptor for a helper program, which then needs no path; null when the file is not on a disk, or was read
   * with `prefersContent`. Valid until `close`.
   */
  readonly descriptor: number | null;
  /** Fills `buffer` from `position` (bytes); resolves to the number of bytes read, 0 at the end. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /** Must be called once, also after errors. */
  close(): Promise<void>;
}

/** Options of {@link Storage.write}. */
export interface WriteOptions extends KeepOptions {
  /** `create` rejects an existing file, `replace` a missing one; `either` accepts both. */
  readonly mode: 'create' | 'replace' | 'either';
  /** Whether missing parent folders are created. */
  readonly createParents?: boolean;
  /** The modification time of the file in Unix nanoseconds. Default: the current time. */
  readonly modifiedNs?: bigint | undefined;
  /**
   * The announced number of bytes; omitted when unknown. A small file may be stored in one step once it has arrived: then `confirm`
   * and `beforeChange` are called after its bytes have arrived, but before it gets its name.
   */
  readonly announcedBytes?: number;
  /**
   * Called with the file that is about to be replaced (or null) before the first byte, and again right before the
   * replacement; throws to refuse.
   */
  readonly confirm?: (current: Entry | null) => void;
  /** Awaited once, after all checks and before the first byte and any change; throws to refuse. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  /** Awaited when all bytes have arrived, right before the file gets its name; throws to refuse. */
  readonly beforePublish?: (() => Promise<void>) | undefined;
  /**
   * Whether a small new file may get its name in the step that stores it, on a disk that flushes fast. `beforeChange` and
   * `beforePublish` are then awaited before that step, which also makes the last check: that nothing has the name.
   */
  readonly isNamedAtOnce?: boolean;
  readonly signal?: AbortSignal;
}

/** Options of {@link Storage.walk}. */
export interface WalkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Entries that it refuses are left out, with their contents, before they are read. */
  readonly accept?: ((path: VirtualPath) => boolean) | undefined;
}

/** A file or folder that is packed into an archive. */
export interface PackedMember {
  readonly path: VirtualPath;
  /** Its name in the archive, with `/` between the parts; empty puts the contents of a folder at the top. */
  readonly name: string;
}

/** Options of {@link Storage.pack}. */
export interface PackOptions {
  /** Contents are stored as they are in both. */
  readonly container: ContainerName;
  readonly signal?: AbortSignal | undefined;
  /** Entries below the members that it refuses are left out, with their contents. */
  readonly accept?: ((path: VirtualPath) => boolean) | undefined;
}

/** Options of {@link Storage.find}. */
export interface FindOptions extends WalkOptions {
  readonly pattern: NamePattern;
}

/** An entry whose name matches a search. */
export interface FoundEntry {
  readonly path: VirtualPath;
  /** False for a link to a folder. */
  readonly isFolder: boolean;
}

/** A change of an observed folder. Names are only hints: their current state is read through the storage. */
export interface FolderChange {
  /** The names that may have been added, changed or removed; null when any name may be affected. */
  readonly names: readonly string[] | null;
  /** Pairs of {@link names} that may be renames within the folder: the first name became the second. */
  readonly renamed: readonly (readonly [from: string, to: string])[];
}

/** Receives the changes of an observed folder. */
export interface FolderObserver {
  onChange(change: FolderChange): void;
  /**
   * Called once when the path no longer leads to the observed folder, the folder cannot be read, or it has to be
   * observed in another way. The observation has then ended; the caller may observe the path again.
   */
  onEnd(): void;
}

/** An observed folder. */
export interface FolderObservation {
  /** `events`: changes are reported as they happen. `polling`: the folder is read at intervals. */
  readonly source: 'events' | 'polling';
  /** Ends the observation. The observer is no longer called. */
  close(): void;
}

/** A copy that is continued after an interruption, also one by a crash. */
export interface Continuation {
  /** From `newTemporaryName`. A new tree grows under it beside its destination, and stays there when the copy is interrupted. */
  readonly temporaryName: string;
  /**
   * Whether an earlier call with the same paths was interrupted. Files at the destination whose size and modification time
   * are those of the source are then taken for finished copies; by a move only if the source has not changed since.
   */
  readonly isResumed: boolean;
  /** Awaited when a move has copied a folder, right before the copy with this inode gets its name. */
  readonly onCopied?: (inode: bigint) => Promise<void>;
  /**
   * The inode of the copy, if an earlier call gave it its name: a move then only removes the source, except for entries that the
   * copy does not have. Ignored if another folder has the name.
   */
  readonly copiedInode?: bigint | undefined;
}

/** Options of {@link Storage.move} and {@link Storage.copy}. */
export interface TransferOptions extends KeepOptions {
  /** Whether an existing file at the destination is replaced; folders are merged, never replaced. */
  readonly overwrite: boolean;
  readonly createParents?: boolean;
  /**
   * For copies of folders, and their moves to another file system: an interrupted copy is kept and can be continued. The caller removes one that is not continued with
   * `partial(to, …).discard()`. Without it, and on storages without folders that can be renamed, an interrupted copy is removed.
   */
  readonly continuation?: Continuation | undefined;
  /** Awaited once, after all checks and before any change; throws to refuse. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  /** Awaited when a copy is complete, right before it gets its name; throws to refuse. */
  readonly beforePublish?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal;
  /** Called at intervals with the progress so far. */
  readonly onProgress?: (done: { entries: number; bytes: number }) => void;
}

/** Options of {@link Storage.remove}. */
export interface RemoveOptions extends KeepOptions {
  /**
   * Returns paths that the same operation is going to remove next. Their records may be written together with the one of this call, so that
   * many removals need few flushes.
   */
  readonly upcoming?: (() => readonly VirtualPath[]) | undefined;
  /**
   * Whether an entry that its file system cannot rename into a store is copied there. By default `keep_needs_copy` is thrown.
   */
  readonly copies?: boolean | undefined;
  /** Called at intervals with the progress so far. */
  readonly onProgress?: (done: { entries: number; bytes: number }) => void;
  /** Awaited once, after all checks and before anything is removed; throws to refuse. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal;
}

/** Identifies a partial file and says how it is published. The same for all calls about one file. */
export interface PartialOptions {
  /** Created by `newTemporaryName` and kept by the owner of the partial file, who continues it later. */
  readonly name: string;
  /** As for {@link Storage.write}. */
  readonly mode: 'create' | 'either';
}

/** Options of {@link PartialFile.append}. */
export interface PartialAppend {
  /** The offset of the new bytes; existing bytes after it are dropped first. */
  readonly from: number;
  readonly signal?: AbortSignal | undefined;
  /** Called at intervals with the number of bytes that would survive a power failure. */
  readonly onStored?: ((size: number) => void) | undefined;
  /** The caller publishes the file next: the end of the bytes is flushed by {@link PartialFile.publish} only. */
  readonly isLast?: boolean;
}

/** Options of {@link PartialFile.create}. */
export type PartialCreation = Pick<WriteOptions, 'createParents' | 'confirm' | 'onParent'>;

/**
 * A file that arrives in parts, hidden beside its target until it is complete. Nothing is kept open between two calls, so that
 * it can be continued after a restart; unlike other unfinished files it is not removed at the next start. Its owner makes
 * sure that no two calls for it run at once, and discards it in the end.
 */
export interface PartialFile {
  /** Creates the empty file. Throws what {@link Storage.write} throws before its first byte. */
  create(options: PartialCreation): Promise<void>;
  /** The number of stored bytes; null when the file no longer exists. */
  size(): Promise<number | null>;
  /**
   * Returns the stored bytes from `start` to `end` (exclusive); fewer when the file is shorter. Throws `not_found` when
   * it does not exist.
   */
  read(start: number, end: number): Promise<Uint8Array>;
  /**
   * Appends `source`. When the source fails, the received bytes are kept. Throws `not_found` when the file does not
   * exist or is shorter than `from`.
   */
  append(source: AsyncIterable<Uint8Array>, options: PartialAppend): Promise<void>;
  /**
   * Renames it to its target once it contains `size` bytes (more are dropped); a replaced file keeps its permission bits.
   * Throws what {@link Storage.write} throws; the partial file is kept then.
   */
  publish(
    size: number,
    options: Pick<WriteOptions, 'confirm' | 'beforeChange' | 'beforePublish' | keyof KeepOptions>,
  ): Promise<Entry>;
  /**
   * Moves it beside another target under the same temporary name, and creates missing parents. Throws `not_found` when it does
   * not exist, and what {@link Storage.write} throws before its first byte; it is not moved then.
   */
  moveTo(path: VirtualPath): Promise<void>;
  /** Removes the file, or the unfinished copy of a folder (see {@link Continuation}), if it still exists. */
  discard(): Promise<void>;
}

/**
 * The members of a storage that deal with kept entries. They throw `not_found` for an entry that is not in its store any
 * more, and for one whose place is outside of the storage.
 */
export interface KeptFiles {
  /**
   * A read-only storage of a kept entry: its root is the kept folder, or contains the kept file under its original name.
   * Guards are called with the original path of each entry. Links are not followed out of the kept entry. The caller closes it.
   */
  kept(entry: KeptEntry): Promise<Storage>;
  /**
   * Moves a kept entry to `to`. Every name of a folder is checked by the guards before anything changes. Throws
   * `already_exists`, and what `Storage.move` throws for its destination.
   */
  restore(entry: KeptEntry, to: VirtualPath, options: RestoreOptions): Promise<void>;
  /**
   * Removes kept entries forever. That they are doomed is recorded first, so that a later call can continue after a crash. Does
   * not enter other mounted file systems. An entry that no longer exists counts as purged.
   */
  purge(entries: readonly KeptEntry[], options?: PurgeOptions): Promise<PurgeResult>;
  /** The stores that exist below the outermost root, and volumes on which nothing can be kept. */
  stores(options?: StoresOptions): Promise<readonly StoreReport[]>;
  /** The records of a store, oldest first. To be read while nothing is being kept. */
  ledger(store: VirtualPath, options?: LedgerOptions): AsyncIterable<LedgerRecord>;
  /**
   * Records the annotation of a version in its store, or a move in the stores above it, and resolves to these stores once the record
   * would survive a power failure. Throws `not_found` for a version that is no longer kept.
   */
  record(note: KeptNote): Promise<readonly VirtualPath[]>;
  /**
   * Removes records of entries that are no longer kept from the files of a ledger that end before `position`. Entries and what
   * the other records say about them stay as they are. Does nothing in a store that cannot be opened.
   */
  compact(store: VirtualPath, position: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** The path in the outermost storage of `path` in this one. */
  toPlace(path: VirtualPath): VirtualPath;
  /** The path in this storage of a path in the outermost one; null when it is outside. */
  fromPlace(place: VirtualPath): VirtualPath | null;
}

/** The used and total bytes of a file system. */
export interface DiskUsage {
  readonly total: number;
  readonly used: number;
  /** Identifies the file system: equal for all its mounts and subvolumes. */
  readonly fileSystem: string;
}

/**
 * A tree of files. The disk and `openStorage` (storage/core/) implement it; all implementations pass `describeStorage`.
 *
 * All methods throw `AppError`: `not_found`, `forbidden` (the operating system refuses, or an ancestor is unreadable),
 * `external_link` (a symbolic link leaves the storage), `special_file`, `storage_full`, and what each one names. Any other
 * error is passed on unchanged. No method ever follows a link out of the storage, even when entries change meanwhile.
 */
export interface Storage extends KeptFiles {
  /** The entry at `path`; null when there is none. A link that cannot be followed is an `invalid_link`. */
  stat(path: VirtualPath): Promise<Entry | null>;
  /** Lists a folder without opening its files. Throws `not_found`, `not_a_folder`. */
  list(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<FolderListing>;
  /** {@link stat} and, for a folder, {@link list} in one step; null when there is no entry. */
  statOrList(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<StatOrList | null>;
  /**
   * Reports changes of the entries of a folder, also by other programs, until the observation is closed. Changes below its subfolders
   * are not reported. A change may be reported twice, late, or with names that do not exist. Names that the storage hides are not
   * reported. Throws `not_found`, `not_a_folder`.
   */
  observe(path: VirtualPath, observer: FolderObserver): Promise<FolderObservation>;
  /** Opens a file for reading. Never waits for a pipe. Throws `not_found`, `is_folder`, `special_file`. */
  openFile(path: VirtualPath, options?: OpenFileOptions): Promise<OpenFile>;
  /**
   * Streams `source` into a file that appears under its name only when it is complete and flushed; until then, and after any
   * failure, the existing file is unchanged. A replaced file keeps its permission bits; through a link, the target is replaced.
   * Throws `already_exists`, `not_found` (no parent, or nothing to replace), `is_folder`, `not_a_folder` (a parent is a file).
   */
  write(path: VirtualPath, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<Entry>;
  /** A file at `path` that arrives in parts. Throws `forbidden` for a name that is not a temporary name. */
  partial(path: VirtualPath, options: PartialOptions): PartialFile;
  /** Creates a folder and its missing parents. An existing folder is not changed. Throws `already_exists` for a file. */
  createFolder(path: VirtualPath): Promise<void>;
  /**
   * Moves or renames; a link itself is moved, not its target. A change of letter case only is done in one step.
   * Throws `already_exists`, `moves_into_itself`, `root_is_protected`.
   */
  move(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void>;
  /**
   * Copies a file or a tree with modification times and, as far as configured for new files, permission bits; a file that is
   * replaced keeps its own. The target of a link is copied when it is inside the storage; other links and special files are
   * skipped. A single file appears complete or not at all.
   * Throws `already_exists`, `moves_into_itself`, `root_is_protected`.
   */
  copy(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void>;
  /**
   * Removes a file, a link (never its target) or a folder with its contents; with `keep`, moves it into the store of its volume
   * and returns its record. Throws `not_found`, `root_is_protected`, `holds_mount`, `cannot_keep`.
   */
  remove(path: VirtualPath, options?: RemoveOptions): Promise<readonly KeptEntry[]>;
  /** All entries below a folder, parents before children, links not followed. Iterative; never keeps the whole tree in memory. */
  walk(path: VirtualPath, options?: WalkOptions): AsyncIterable<{ path: VirtualPath; entry: Entry }>;
  /**
   * The bytes of an archive of `members`; a chunk is valid until the next one is requested. Folders come before their contents,
   * with permission bits and modification times. Links are followed when their target is inside the storage and skipped
   * otherwise; special files, and entries that cannot be read or vanish before they are opened, are skipped. A missing member
   * and a file that changes while it is read end the archive with an error, so that it is never mistaken for a complete one.
   */
  pack(members: readonly PackedMember[], options: PackOptions): AsyncIterable<Uint8Array>;
  /**
   * The entries below a folder whose names match, found without reading their metadata: depth first, each folder before its
   * contents, names in byte order, links not followed. Results come in chunks; the search pauses when they are not consumed,
   * and leaving the loop early stops it. Folders that cannot be read are skipped. Throws `not_found`, `not_a_folder`.
   */
  find(path: VirtualPath, options: FindOptions): AsyncIterable<readonly FoundEntry[]>;
  /** Bytes of the file system that contains `path`; blocks that are reserved for root count as used. */
  usage(path: VirtualPath): Promise<DiskUsage>;
  /** Whether the file system at `path` is case-insensitive. Links in the path are not followed. */
  ignoresCaseAt(path: VirtualPath): boolean;
  /**
   * The same storage with the folder `path` as its root (`path` may contain links; nothing below the root leads out of it).
   * Throws `not_found`, `not_a_folder`.
   */
  within(path: VirtualPath): Promise<Storage>;
  /**
   * The same storage with a guard: `assertAllowed` is called before an entry is read, opened, changed or created, with its real
   * path (links resolved) in this storage, and throws to refuse. For a tree it is called for every entry before the first
   * change, unless `mayDenyBelow` returns false for the folder. Listings contain the refused positions. Both storages share their
   * resources; close either of them.
   */
  guarded(assertAllowed: (path: VirtualPath) => void, mayDenyBelow?: (path: VirtualPath) => boolean): Storage;
  /** Releases the resources of the storage (descriptors, workers). */
  close(): Promise<void>;
}
