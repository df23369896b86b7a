import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { NamePattern } from './listings/name-pattern.ts';
import type { ContainerName } from './pack/container.ts';

/** What lies under a name. `special` is a pipe, socket or device: it is listed, never opened. */
export type EntryKind = 'file' | 'folder' | 'special' | 'invalid_link';

/** One entry as the disk knows it. For a link that may be followed all facts but `isSymlink` are the target's. */
export interface Entry {
  /** The last name; empty for the root of the storage. */
  readonly name: string;
  readonly kind: EntryKind;
  /** Bytes. */
  readonly size: number;
  /** Modification time in Unix nanoseconds. */
  readonly modifiedNs: bigint;
  /** `st_mode` as the operating system gives it. */
  readonly mode: number;
  readonly isSymlink: boolean;
}

/** The facts of a run of a folder's entries, by position: `names[first + i]` has `sizes[i]` and so on. */
export interface EntryBatch {
  readonly first: number;
  readonly count: number;
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

/** The kinds of {@link EntryBatch.kinds}; `gone` vanished between the reading of the folder and of the entry. */
export const batchKinds = ['file', 'folder', 'special', 'invalid_link', 'gone'] as const;

/** A folder being listed. */
export interface FolderListing {
  readonly folder: Entry;
  /** All names in natural order, folders (and links to folders) first. */
  readonly names: readonly string[];
  /** The first so many names are folders. */
  readonly folderCount: number;
  /** The positions whose real place (links resolved) a guard refuses; see {@link Storage.guarded}. Nobody may see them. */
  readonly refused: ReadonlySet<number>;
  /** The facts, in the order of `names`, without gaps. To be consumed once; leaving early stops the work. */
  batches(): AsyncIterable<EntryBatch>;
}

/** A file opened for reading: its facts and its bytes belong together, whatever happens to the name meanwhile. */
export interface OpenFile {
  readonly entry: Entry;
  /**
   * Differs between any two files, and between any two states of one, as far as the operating system can tell them apart:
   * also when a file is replaced within the same second, or its modification time is set back.
   */
  readonly fingerprint: string;
  /** To be handed to a helper program, which then needs no path; null when the file lies on no disk. Valid until `close`. */
  readonly descriptor: number | null;
  /** Fills `buffer` from `position` (bytes); resolves to the number of bytes read, 0 at the end. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /** Must be called once, also after errors. */
  close(): Promise<void>;
}

/** How {@link Storage.write} treats what is there. */
export interface WriteOptions {
  /** `create` refuses what exists, `replace` what does not, `either` takes both. */
  readonly mode: 'create' | 'replace' | 'either';
  /** Create missing parent folders. */
  readonly createParents?: boolean;
  /** Asked with the file that is about to be replaced (or null), before the first byte and again right before it happens; throws to refuse. */
  readonly confirm?: (current: Entry | null) => void;
  /** Awaited once, before the first byte and before anything is made, when nothing speaks against it; throws to refuse. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  /** Awaited when all bytes have arrived, right before the file gets its name; throws to refuse. */
  readonly beforePublish?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal;
}

export interface WalkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Entries that it refuses are left out, with all they hold, before anything is looked at. */
  readonly accept?: ((path: VirtualPath) => boolean) | undefined;
}

/** One thing that goes into an archive. */
export interface PackedMember {
  readonly path: VirtualPath;
  /** Its name inside, `/` between the parts; empty puts what a folder holds at the top. */
  readonly name: string;
}

export interface PackOptions {
  /** Contents are stored as they are in both. */
  readonly container: ContainerName;
  readonly signal?: AbortSignal | undefined;
  /** Entries below the members that it refuses are left out, with all they hold. */
  readonly accept?: ((path: VirtualPath) => boolean) | undefined;
}

export interface FindOptions extends WalkOptions {
  readonly pattern: NamePattern;
}

/** An entry whose name was looked for. */
export interface FoundEntry {
  readonly path: VirtualPath;
  /** A link to a folder is none. */
  readonly isFolder: boolean;
}

export interface TransferOptions {
  /** Replace a file of the destination's name; folders are merged, never replaced. */
  readonly overwrite: boolean;
  readonly createParents?: boolean;
  /** Awaited once, before anything is changed or made, when nothing speaks against the whole; throws to refuse. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  /** Awaited when a copy that took its time is whole, right before it gets its name; throws to refuse. */
  readonly beforePublish?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal;
  /** Called now and then with what has been done so far. */
  readonly onProgress?: (done: { entries: number; bytes: number }) => void;
}

export interface RemoveOptions {
  /** Called now and then with what has been removed so far. */
  readonly onProgress?: (done: { entries: number; bytes: number }) => void;
  /** Awaited once, before anything is removed, when nothing speaks against the whole; throws to refuse. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal;
}

/** Which unfinished file is meant, and what it is to become. The same for all calls about one. */
export interface PartialOptions {
  /** Made by `newTemporaryName`, kept by whoever wants to go on with it later. */
  readonly name: string;
  /** As for {@link Storage.write}. */
  readonly mode: 'create' | 'either';
}

export interface PartialAppend {
  /** Where the new bytes go; what is behind it is dropped first. */
  readonly from: number;
  readonly signal?: AbortSignal | undefined;
  /** Hears now and then up to which byte everything would outlast a power cut. */
  readonly onStored?: ((size: number) => void) | undefined;
}

/**
 * A file that arrives in parts, unseen beside its target until it is whole. Nothing is held between two calls, so that it can
 * be gone on with after a restart; unlike other unfinished files it is not removed at the next start. Its owner makes sure
 * that no two calls about it run at once, and discards it in the end.
 */
export interface PartialFile {
  /** Makes it, with nothing in it. Throws what {@link Storage.write} throws before its first byte. */
  create(options: Pick<WriteOptions, 'createParents' | 'confirm'>): Promise<void>;
  /** The bytes that it holds; null when it is gone. */
  size(): Promise<number | null>;
  /** Appends `source`. When that breaks off, whatever has arrived is kept. Throws `not_found` when it is gone or shorter. */
  append(source: AsyncIterable<Uint8Array>, options: PartialAppend): Promise<void>;
  /**
   * Gives it its name when it holds `size` bytes (more are dropped); a replaced file keeps its permission bits. Throws what
   * {@link Storage.write} throws, and then it is still there.
   */
  publish(
    size: number,
    options: Pick<WriteOptions, 'confirm' | 'beforeChange' | 'beforePublish'>,
  ): Promise<Entry>;
  /**
   * Moves it beside another target, whose missing parents are made; it is found there under the name that it has. Throws
   * `not_found` when it is gone, and what {@link Storage.write} throws before its first byte; then it is where it was.
   */
  moveTo(path: VirtualPath): Promise<void>;
  /** Removes it; gone is fine. */
  discard(): Promise<void>;
}

/**
 * A tree of files. Two implementations (disk and memory) owe what `describe-storage.ts` says, in one suite.
 *
 * All methods throw `AppError`: `not_found`, `forbidden` (the operating system refuses, or an ancestor is unreadable),
 * `external_link` (a symbolic link leaves the storage), `special_file`, `storage_full`, and what each one names. Any other
 * trouble is let through untouched. No method ever follows a link out of the storage, whatever changes meanwhile.
 */
export interface Storage {
  /** The entry at `path`, or null when nothing is there. A link that cannot be followed is an `invalid_link`. */
  stat(path: VirtualPath): Promise<Entry | null>;
  /** Opens no file. Throws `not_found`, `not_a_folder`. */
  list(path: VirtualPath, options?: { signal?: AbortSignal }): Promise<FolderListing>;
  /** Throws `not_found`, `is_folder`, `special_file`. Never waits for a pipe. */
  openFile(path: VirtualPath): Promise<OpenFile>;
  /**
   * Streams `source` into a file that appears under its name only when it is whole and flushed; until then, and after any
   * failure, what was there stays. A replaced file keeps its permission bits; through a link, the target is replaced.
   * Throws `already_exists`, `not_found` (no parent, or nothing to replace), `is_folder`, `not_a_folder` (a parent is a file).
   */
  write(path: VirtualPath, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<Entry>;
  /** A file at `path` that arrives in parts. Throws `forbidden` for a foreign name. */
  partial(path: VirtualPath, options: PartialOptions): PartialFile;
  /** Creates a folder and its missing parents. An existing folder is left as it is. Throws `already_exists` for a file. */
  createFolder(path: VirtualPath): Promise<void>;
  /**
   * Moves or renames; a link itself is moved, not its target. Names that differ only in case are one step.
   * Throws `already_exists`, `moves_into_itself`, `root_is_protected`.
   */
  move(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void>;
  /**
   * Copies a file or a tree with modification times and, as far as new files may have them, permission bits; a file that is
   * replaced keeps its own. In any case links are copied as what they lead to when that
   * lies inside, left out otherwise; special files are left out. A single file appears whole or not at all.
   * Throws `already_exists`, `moves_into_itself`, `root_is_protected`.
   */
  copy(from: VirtualPath, to: VirtualPath, options: TransferOptions): Promise<void>;
  /** Removes a file, a link (never its target) or a folder with all it holds. Throws `not_found`, `root_is_protected`. */
  remove(path: VirtualPath, options?: RemoveOptions): Promise<void>;
  /** All entries below a folder, parents before children, links not followed. Iterative; holds one folder at a time. */
  walk(path: VirtualPath, options?: WalkOptions): AsyncIterable<{ path: VirtualPath; entry: Entry }>;
  /**
   * The bytes of an archive of `members`; a piece is valid until the next one is asked for. Folders come before what they
   * hold, with permission bits and modification times; links are followed when they lead to what lies inside, left out
   * otherwise; special files, and what cannot be read or vanishes before it is opened, are left out. A member that is not
   * there and a file that changes while it is read end it with an error, before the end that makes an archive whole.
   */
  pack(members: readonly PackedMember[], options: PackOptions): AsyncIterable<Uint8Array>;
  /**
   * The entries below a folder whose names fit, found without looking at any of them: depth first, each folder before what
   * it holds, names in the order of their bytes, links not followed. Some at a time; nothing is found faster than it is
   * taken, and leaving early stops the work. Folders that cannot be read are left out. Throws `not_found`, `not_a_folder`.
   */
  find(path: VirtualPath, options: FindOptions): AsyncIterable<readonly FoundEntry[]>;
  /** Bytes of the file system that contains `path`; what is reserved for root counts as used. */
  usage(path: VirtualPath): Promise<{ total: number; used: number }>;
  /** Whether names at `path` that differ only in case lead to the same thing; links on the way are not looked at. */
  ignoresCaseAt(path: VirtualPath): boolean;
  /**
   * The same storage rooted at the folder `path` (the root may be reached through links; nothing below leaves it).
   * Throws `not_found`, `not_a_folder`.
   */
  within(path: VirtualPath): Promise<Storage>;
  /**
   * The same storage, asking `admit` before anything is looked at, opened, changed or made: with the place where it really
   * lies, links resolved, as seen from this storage. `admit` throws to refuse. Whole trees are asked about before the first
   * change to them. Listings name what is refused. The new storage shares what this one holds; close either.
   */
  guarded(admit: (place: VirtualPath) => void): Storage;
  /** Gives back what the storage holds (descriptors, workers). */
  close(): Promise<void>;
}
