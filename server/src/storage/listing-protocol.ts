import type { EntryBatch } from './storage.ts';
import type { Area } from './disk/locate.ts';
import type { Folder } from './disk/folder.ts';

/** What a listing worker is asked for. The descriptors in it stay open until the worker says `end`. */
export interface ListingJob {
  readonly id: number;
  readonly area: Omit<Area, 'admit'>;
  readonly folder: Folder;
  /** The real place of `folder`: names from the root of the area. */
  readonly names: readonly string[];
  /** One 32-bit word; anything but 0 stops the work. */
  readonly stop: SharedArrayBuffer;
}

/** What a listing worker answers, in this order: names (one or more), batches, end; or failed at any time, and end. */
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
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string }
  | { readonly kind: 'end' }
);
