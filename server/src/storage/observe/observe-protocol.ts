/** The maximum number of names in one change; with more, `names` is null, which means any name. */
export const maxChangedNames = 500;

/** A request to the worker that watches folders. */
export type WatchRequest =
  | {
      readonly kind: 'watch';
      readonly id: number;
      /** The disk path of the folder, such as `/proc/<pid>/fd/<n>`. It has to be valid only until the response. */
      readonly path: string;
    }
  | { readonly kind: 'close'; readonly id: number };

/** A message of the worker about one watched folder. */
export type WatchMessage =
  | { readonly kind: 'watching'; readonly id: number }
  /** The folder cannot be watched; the last message. */
  | { readonly kind: 'failed'; readonly id: number; readonly code: string | undefined }
  | {
      readonly kind: 'change';
      readonly id: number;
      /** See `FolderChange`. */
      readonly names: readonly string[] | null;
      readonly renamed: readonly (readonly [string, string])[];
      /** Whether the folder itself may have been moved or removed. */
      readonly isMoved: boolean;
    }
  | { readonly kind: 'closed'; readonly id: number };
