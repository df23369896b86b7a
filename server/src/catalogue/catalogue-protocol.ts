import type { FindSort } from '@filestead/contract/values/find-sorts';
import type { MessagePort } from 'node:worker_threads';
import type { VisiblePart } from '../access/rules/visible-part.ts';
import type { CatalogueSource } from './columns/catalogue-file.ts';
import type { Totals } from './columns/folder-columns.ts';
import type { FindQuery } from './query/parse-find.ts';
import type { ColumnRow } from './query/search-columns.ts';

/** The part of the tree that the catalogue contains. `parts`: entries or folders are missing permanently. */
export type Coverage = 'all' | 'building' | 'parts';

/** Starts the catalogue; the first message to its thread. */
export interface CatalogueStart {
  readonly kind: 'start';
  /** Requests to the scanning thread. */
  readonly scan: MessagePort;
  readonly source: CatalogueSource;
  /** The file in which the catalogue is saved. */
  readonly file: string;
  readonly maxEntries: number;
  /** Whether the folders whose entries have changed are reported. */
  readonly reportsChanges: boolean;
  /** The maximum number of folders that the scanning thread watches. */
  readonly maxWatches: number;
}

/** An entry that the user opened, saved or uploaded. */
export interface UsedEntry {
  /** From the root, without a leading slash. */
  readonly path: string;
  /** Unix seconds. */
  readonly at: number;
}

/** A search below a folder. */
export interface FindRequest {
  readonly kind: 'find';
  readonly id: number;
  readonly visible: VisiblePart;
  readonly query: FindQuery;
  /** The real path of the open folder in the served folder; null without one. */
  readonly near: string | null;
  /** Recent entries of the user, which come before others that match as well. */
  readonly used: readonly UsedEntry[];
  /** The paths below the folder to which the search is restricted; null without a restriction. */
  readonly only: readonly string[] | null;
  readonly limit: number;
  /** The number of best entries that are left out; see `ColumnSearch`. */
  readonly offset?: number | undefined;
  readonly sort: FindSort;
  readonly isDescending: boolean;
  /** Unix seconds. */
  readonly now: number;
  /** One 32-bit word; any value but 0 stops the search. */
  readonly stop: SharedArrayBuffer;
}

/** Asks for the totals of a folder and of the folders in it. */
export interface TotalsRequest {
  readonly kind: 'totals';
  readonly id: number;
  readonly visible: VisiblePart;
}

/** Asks for the largest entries of a folder and its subfolders. */
export interface MapRequest {
  readonly kind: 'map';
  readonly id: number;
  readonly visible: VisiblePart;
  readonly depth: number;
  readonly limit: number;
}

/** A position in the list of all files: the number of an entry in one state of the columns. */
export interface FilesPosition {
  readonly generation: number;
  readonly entry: number;
}

/** Asks for a part of the list of all files that are documents (`documentFormatOf`). */
export interface FilesRequest {
  readonly kind: 'files';
  readonly id: number;
  /** The end of the previous part; null for the first one. */
  readonly from: FilesPosition | null;
}

/** Asks for the documents directly in folders. */
export interface FolderFilesRequest {
  readonly kind: 'folderFiles';
  readonly id: number;
  /** Paths from the root, without a leading slash. */
  readonly folders: readonly string[];
}

/** Asks whether all changes that are known have been read and reported. */
export interface SettledRequest {
  readonly kind: 'settled';
  readonly id: number;
}

/** The response to a {@link SettledRequest}. */
export interface SettledResponse extends SettledRequest {
  /** False too while the catalogue is built, or compared with the disk for the first time since it was loaded. */
  readonly isSettled: boolean;
}

/** A message to the thread of the catalogue. */
export type ToCatalogue =
  | CatalogueStart
  | FindRequest
  | TotalsRequest
  | MapRequest
  | FilesRequest
  | FolderFilesRequest
  | SettledRequest
  /** The folders may have been changed. With `isDeep` everything below them too. Paths from the root, without leading slash. */
  | { readonly kind: 'changed'; readonly paths: readonly string[]; readonly isDeep: boolean }
  /** Entries of a folder may have been created, changed or removed. */
  | { readonly kind: 'changedNames'; readonly path: string; readonly names: readonly string[] }
  /** An entry was renamed or moved by this server. */
  | { readonly kind: 'moved'; readonly from: string; readonly to: string }
  /** Compares the times of change of all folders; with `isWhole` all entries. */
  | { readonly kind: 'sweep'; readonly isWhole: boolean }
  /** Sets the inodes of marked entries, which are reported wherever they are read. */
  | { readonly kind: 'reportInodes'; readonly inodes: ReadonlySet<number> }
  | { readonly kind: 'save'; readonly id: number };

/** The response to a search. */
export interface FindResponse {
  readonly kind: 'found';
  readonly id: number;
  readonly rows: readonly ColumnRow[];
  readonly hasMore: boolean;
  readonly coverage: Coverage;
  /** Unix seconds of the last complete comparison with the disk; null before the first. */
  readonly checkedAt: number | null;
}

/** The totals of one folder; null when they cannot be counted in time. */
export interface FolderTotals {
  readonly name: string;
  readonly totals: Totals | null;
  /** Unix seconds. */
  readonly checkedAt: number;
}

/** The response to a {@link TotalsRequest}. */
export interface TotalsResponse {
  readonly kind: 'totals';
  readonly id: number;
  /** The folder itself; null if it is not in the catalogue. */
  readonly self: FolderTotals | null;
  readonly rows: readonly FolderTotals[];
  readonly coverage: Coverage;
  readonly checkedAt: number | null;
}

/** The size of an entry of the map, or of a part of it. */
export interface MapSize {
  readonly bytes: number;
  readonly blocks: number;
  /** Files in a folder; 1 for a file. */
  readonly files: number;
}

/** An entry of the map of a folder. */
export interface MapEntry extends MapSize {
  /** From the folder of the map, without a leading slash. */
  readonly path: string;
  readonly isFolder: boolean;
  /** The sum of the entries in it that are left out although others are in the map; null if none are. */
  rest: MapSize | null;
}

/** The response to a {@link MapRequest}. */
export interface MapResponse {
  readonly kind: 'map';
  readonly id: number;
  /** Null when the folder is unknown or cannot be counted in time. */
  readonly self: MapEntry | null;
  /** Each folder before the entries in it. */
  readonly rows: readonly MapEntry[];
  readonly coverage: Coverage;
  readonly checkedAt: number | null;
}

/** Files as columns, by position. */
export interface FileColumns {
  /** Separated by NUL; empty without files. */
  readonly names: string;
  /** Bytes. */
  readonly sizes: Float64Array;
  /** Unix seconds. */
  readonly times: Float64Array;
}

/** A part of the list of all documents. Their names are paths from the root, without a leading slash. */
export interface FilesResponse extends FileColumns {
  readonly kind: 'files';
  readonly id: number;
  /** The beginning of the next part; null at the end. */
  readonly next: FilesPosition | null;
  /** `stale`: the list has changed since `from`, and has to be requested from its beginning. `building`: it is not complete yet. */
  readonly state: 'read' | 'stale' | 'building';
}

/** The documents and folders directly in a folder; null columns for a folder that is not in the catalogue. */
export interface FolderFiles {
  readonly folder: string;
  readonly files: FileColumns | null;
  /** The names of the folders in it. */
  readonly folders: readonly string[];
}

/** The response to a {@link FolderFilesRequest}. */
export interface FolderFilesResponse {
  readonly kind: 'folderFiles';
  readonly id: number;
  readonly folders: readonly FolderFiles[];
}

/** A message from the thread of the catalogue. */
export type FromCatalogue =
  | FindResponse
  | TotalsResponse
  | MapResponse
  | FilesResponse
  | FolderFilesResponse
  | SettledResponse
  | { readonly kind: 'saved'; readonly id: number; readonly error: string | null }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  /** Entries with an inode of `reportInodes` are in a folder that was read. */
  | { readonly kind: 'marked'; readonly folder: string; readonly names: readonly string[] }
  /** Documents or folders in these folders have changed; null: any may have changed, since the catalogue was loaded or built. */
  | { readonly kind: 'changed'; readonly folders: readonly string[] | null }
  /** A change of the catalogue’s state, for the log and for tests. */
  | {
      readonly kind: 'state';
      readonly state:
        | 'loaded'
        | 'discarded'
        | 'built'
        | 'cut'
        | 'swept'
        | 'idle'
        | 'saved'
        | 'unsaved'
        | 'exhausted';
      readonly detail: string;
      readonly entries: number;
    };
