import type { MessagePort } from 'node:worker_threads';
import type { SharedScopeRoot } from '../paths/shared-scope-root.ts';
import type { ScanPaceName } from './scan-pace.ts';

/** The result of reading a folder. `unreadable`: it exists, but its contents could not be read. */
export type ScannedState = 'read' | 'gone' | 'unreadable';

/** The contents of one folder. The columns have one value per name. */
export interface ScannedFolder {
  /** Names from the root, separated by slashes; empty for the root. */
  readonly path: string;
  readonly state: ScannedState;
  /**
   * The time of the folder's last change before it was read, in Unix milliseconds with fractions; NaN when it was changed so
   * recently that a later change may have the same time.
   */
  readonly time: number;
  /** The modification time of the folder itself in Unix seconds, rounded down; NaN if it is not known. */
  readonly modified: number;
  /** Separated by NUL; empty for an empty folder. */
  readonly names: string;
  /** Index into `scannedKinds`. */
  readonly kinds: Uint8Array;
  /** Bytes; 0 for everything but files. */
  readonly sizes: Float64Array;
  /** Allocated blocks of 512 bytes. */
  readonly blocks: Float64Array;
  /** Unix seconds, rounded down. */
  readonly times: Float64Array;
  /** Names of entries with one of the inodes that were requested; absent if there are none. */
  readonly marked?: readonly string[];
  /** Only some entries were read, and those with these names do not exist; absent if the whole folder was read. */
  readonly missing?: readonly string[];
}

/** Returns the names of a {@link ScannedFolder.path}. */
export const namesOf = (path: string): string[] => (path === '' ? [] : path.split('/'));

/** The kinds of {@link ScannedFolder.kinds}. Links are not followed. */
export const scannedKinds = ['file', 'folder', 'special', 'link'] as const;

/** A request to the scanning thread. */
export type ScanRequest =
  /**
   * Reads the folders; with `isDeep` everything below them too, depth first, but no folder whose path has more than `maxDepth` names.
   * Urgent requests come first and are not throttled.
   */
  | {
      readonly kind: 'read';
      readonly id: number;
      readonly paths: readonly string[];
      readonly isDeep: boolean;
      readonly maxDepth?: number | undefined;
      readonly isUrgent: boolean;
    }
  /** Reads the entries of one folder that have these names. */
  | {
      readonly kind: 'readNames';
      readonly id: number;
      readonly path: string;
      readonly names: readonly string[];
      readonly isUrgent: boolean;
    }
  /** Reads those of the folders whose time of change differs from `times`. */
  | {
      readonly kind: 'check';
      readonly id: number;
      readonly paths: readonly string[];
      readonly times: Float64Array;
    }
  /** Sets the inodes whose entries are reported whenever a folder is read. */
  | { readonly kind: 'reportInodes'; readonly inodes: ReadonlySet<number> }
  /**
   * Watches folders for changes, besides those that are watched already, the first ones first until the limit is reached. Those that
   * do not exist are left out.
   */
  | { readonly kind: 'watch'; readonly id: number; readonly paths: readonly string[] }
  /** Drops the requests that are not urgent. */
  | { readonly kind: 'cancel' };

/** The entries of a watched folder that may have changed: those with these names; null for any. */
export type WatchedChange = readonly [path: string, names: readonly string[] | null];

/** The changes in watched folders since the last report. */
export interface WatchedChanges {
  readonly changes: readonly WatchedChange[];
  /** Folders that were moved or removed. Their watches, and those of the folders in them, have ended. */
  readonly moved: readonly string[];
  /** Whether any watched folder may have changed. */
  readonly isOverflow: boolean;
}

/** A message of the scanning thread: folders as they are read, the end of each request, and changes of watched folders. */
export type ScanMessage =
  | { readonly kind: 'folders'; readonly id: number; readonly folders: readonly ScannedFolder[] }
  | { readonly kind: 'end'; readonly id: number }
  | ({ readonly kind: 'changes' } & WatchedChanges)
  /** The operating system refuses further watches; a tenth of those of this thread was released for other programs. */
  | { readonly kind: 'exhausted' };

/** The fraction of its time that the scanning thread may work on requests that are not urgent, on a local disk. */
export type ScanBudget = 'quarter' | 'full';

/** The first message to the scanning thread. Requests and responses go through `port`. */
export interface ScanStart {
  readonly port: MessagePort;
  readonly scopeRoot: SharedScopeRoot;
  readonly pace: ScanPaceName;
  /** The maximum number of folders that are watched. */
  readonly maxWatches: number;
}
