import type { NamePattern } from './name-pattern.ts';
import type { EntryBatch } from '../storage.ts';
import type { ScopeRoot } from '../disk/paths/locate.ts';
import type { Folder } from '../disk/paths/folder.ts';

/** A job of a listing worker. Its descriptors stay open until the worker sends `end`. */
interface FolderJob {
  readonly id: number;
  readonly scopeRoot: Omit<ScopeRoot, 'admit'>;
  readonly folder: Folder;
  /** The real place of `folder`: names from the root of the area. */
  readonly names: readonly string[];
  /** One 32-bit word; anything but 0 stops the work. */
  readonly stop: SharedArrayBuffer;
}

/** List one folder. */
export interface ListingJob extends FolderJob {
  readonly kind: 'list';
  /** A folder that holds more is not listed: the answer is `large`, and end. */
  readonly maxEntries: number;
}

/** Find names in a whole tree. */
export interface FindJob extends FolderJob {
  readonly kind: 'find';
  readonly pattern: NamePattern;
  /** One 32-bit word: how many `found` messages nobody has taken yet. The worker pauses at {@link maxUntaken}. */
  readonly untaken: SharedArrayBuffer;
}

export type Job = ListingJob | FindJob;

/** A job that pauses goes on when it is told to, whether or not it does pause. */
export type ToWorker = Job | { readonly kind: 'resume'; readonly id: number };

/** So many messages of a search wait to be taken. */
export const maxUntaken = 4;

/**
 * A message of a listing worker. For a folder, in this order: names (one or more), batches, end, or large and end; for a
 * search: found (none or more), end. Or failed at any time, and end.
 */
export type ListingMessage = { readonly id: number } & (
  | {
      readonly kind: 'names';
      /** A run of the names, joined by `/`, which no name has: one string crosses threads sooner than many. */
      readonly text: string;
      readonly count: number;
      readonly folderCount: number;
      /** The real places of links that can be followed, by position in the whole list. */
      readonly targets: readonly (readonly [position: number, names: readonly string[]])[];
      readonly isLast: boolean;
    }
  | { readonly kind: 'batch'; readonly batch: EntryBatch }
  | { readonly kind: 'large' }
  | {
      readonly kind: 'found';
      /** Paths below the folder, joined by NUL, which no name has. Never empty. */
      readonly text: string;
      /** 1 for a folder, by position. */
      readonly folders: Uint8Array;
    }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string }
  | { readonly kind: 'end' }
);
