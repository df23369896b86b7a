import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Clock } from '../../clock.ts';
import type { DiskUsage, Entry, OpenFile } from '../storage.ts';

/** A file or folder of a {@link StorageCore}, which has no links and no special files. */
export interface CoreEntry extends Entry {
  readonly kind: 'file' | 'folder';
  readonly isSymlink: false;
}

/**
 * The verbs that a store of files has to implement; `openStorage` builds the complete `Storage` on them. Paths are canonical
 * and checked: rules, reserved names, modes and missing parents are not the core's concern. A path names one entry and never
 * leads to another one. A store with symbolic links must not be built on this interface, because a check and the use of a
 * path are two calls here (docs/decisions/0023-storage-core.md).
 *
 * All methods throw `AppError` with the codes that they name, `forbidden` and `storage_full`.
 */
export interface StorageCore {
  /** The entry at `path`; null when there is none, or a parent is missing or a file. */
  stat(path: VirtualPath): Promise<CoreEntry | null>;
  /** The entries of a folder, in any order. Throws `not_found`, `not_a_folder`. */
  list(path: VirtualPath): Promise<readonly CoreEntry[]>;
  /** Opens a file for reading. Throws `not_found`, `is_folder`. */
  openFile(path: VirtualPath): Promise<OpenFile>;
  /**
   * Truncates the file at `path` to `from` bytes and appends `source`; a missing file is created when `from` is 0. The next chunk
   * is requested once the one before is stored, and stored chunks stay when `source` fails. Called for unpublished names
   * only, never concurrently for the same one. Throws `not_found` when the parent is missing or the file is missing or shorter.
   */
  write(path: VirtualPath, source: AsyncIterable<Uint8Array>, from: number): Promise<void>;
  /** Sets permission bits (`st_mode`; other bits are ignored) and modification time of a file or folder. Throws `not_found`. */
  setMetadata(path: VirtualPath, metadata: Partial<Pick<Entry, 'mode' | 'modifiedNs'>>): Promise<void>;
  /** Creates one folder. Throws `already_exists` for any existing entry, `not_found` and `not_a_folder` for the parent. */
  createFolder(path: VirtualPath): Promise<void>;
  /** Removes one file or one empty folder. Throws `not_found`. */
  remove(path: VirtualPath): Promise<void>;
  /**
   * Renames a file atomically. Throws `already_exists` when the destination exists, unless it
   * is a file and `replace` is set; `not_found` for the source or the destination's parent.
   */
  renameFile(from: VirtualPath, to: VirtualPath, options: { readonly replace: boolean }): Promise<void>;
}

/**
 * Optional verbs, for stores that can do better than the defaults. They are looked up when they are needed, and called
 * under the same conditions as {@link StorageCore}: with canonical paths that all rules have allowed.
 */
export interface StorageAbilities {
  /** Copies a file, with its modification time, to a name that does not exist. Default: the bytes are read and written. */
  copyFile?(from: VirtualPath, to: VirtualPath): Promise<void>;
  /**
   * Moves a folder with its contents in one step. Throws `already_exists` when the destination exists. Default: its files are
   * renamed one by one.
   */
  moveFolder?(from: VirtualPath, to: VirtualPath): Promise<void>;
  /** Removes a folder with its contents. Default: its entries are removed one by one. */
  removeFolder?(path: VirtualPath): Promise<void>;
  /**
   * Calls `listener` with the path of each entry that is created, changed, moved (both paths) or removed, until the returned function
   * is called. Default: observed folders are read at intervals.
   */
  onChange?(listener: (path: VirtualPath) => void): () => void;
  /** The clock for polling folders. Default: the system clock. */
  readonly clock?: Clock;
  /** See `Storage.usage`. Default: the sum of all files, of an unlimited total. */
  usage?(path: VirtualPath): Promise<DiskUsage>;
  /** Releases the resources of the store. */
  close?(): Promise<void>;
}

/** A store of files: the required verbs, and the optional ones that it implements. */
export type StorageBackend = StorageCore & StorageAbilities;
