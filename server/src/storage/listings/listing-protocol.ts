import type { NamePattern } from './name-pattern.ts';
import type { EntryBatch } from '../storage.ts';
import type { SharedScopeRoot } from '../disk/paths/shared-scope-root.ts';
import type { Folder } from '../disk/paths/folder.ts';

/** The fields that all jobs have in common. The descriptors stay open until the worker sends `end`. */
interface FolderJob {
  readonly id: number;
  readonly scopeRoot: SharedScopeRoot;
  readonly folder: Folder;
  /** The real path of `folder`: names from the root of the scope. */
  readonly names: readonly string[];
  /** One 32-bit word; anything but 0 stops the work. */
  readonly stop: SharedArrayBuffer;
}

/** A job that lists one folder. */
export interface ListingJob extends FolderJob {
  readonly kind: 'list';
  /** A folder with more entries is not listed: the worker sends `large`, then `end`. */
  readonly maxEntries: number;
}

/** A job that finds names in a whole tree. */
export interface FindJob extends FolderJob {
  readonly kind: 'find';
  readonly pattern: NamePattern;
  /** One 32-bit word: the number of `found` messages that have not been consumed yet. The worker pauses at {@link maxUnread}. */
  readonly unreadCount: SharedArrayBuffer;
}

/** A job of a listing worker. */
export type Job = ListingJob | FindJob;

/** A message to a listing worker. `resume` continues a paused job and is ignored for others. */
export type ToWorker = Job | { readonly kind: 'resume'; readonly id: number };

/** The number of unread messages at which a search pauses. */
export const maxUnread = 4;

/**
 * A message of a listing worker. For a folder, in this order: names (one or more), batches, end, or large and end; for a
 * search: found (none or more), end. Or failed at any time, and end.
 */
export type ListingMessage = { readonly id: number } & (
  | {
      readonly kind: 'names';
      /** Consecutive names joined by `/`, which no name contains: one string is sent faster than many. */
      readonly text: string;
      readonly count: number;
      readonly folderCount: number;
      /** The real paths of links that can be followed, by position in the whole list. */
      readonly targets: readonly (readonly [position: number, names: readonly string[]])[];
      readonly isLast: boolean;
    }
  | { readonly kind: 'batch'; readonly batch: EntryBatch }
  | { readonly kind: 'large' }
  | {
      readonly kind: 'found';
      /** Paths below the folder, joined by NUL, which no name contains. Never empty. */
      readonly text: string;
      /** 1 for a folder, by position. */
      readonly folders: Uint8Array;
    }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string }
  | { readonly kind: 'end' }
);
