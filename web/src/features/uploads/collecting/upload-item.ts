/**
 * An item to upload, as it was dropped, chosen or pasted. Folders come before their content. `relativePath` has no
 * leading slash: `notes.txt`, `Photos`, `Photos/Lisbon/tram.jpg`.
 */
export type UploadItem =
  | {
      readonly kind: 'file';
      readonly relativePath: string;
      readonly file: File;
      /** The handle with which the file can be read again after a reload; absent if the browser has none. */
      readonly handle?: FileSystemFileHandle | undefined;
    }
  | { readonly kind: 'folder'; readonly relativePath: string };

/** The items of a drop, a file picker or the clipboard. */
export interface CollectedItems {
  readonly items: UploadItem[];
  /** Relative paths that the browser could not read. */
  readonly unreadable: string[];
  /** The handles of folders among the items, by their names; absent if the browser has none. */
  readonly folderHandles?: ReadonlyMap<string, FileSystemDirectoryHandle> | undefined;
}

/** Returns the first name of a relative path: the entry that appears in the destination folder. */
export const topNameOf = (relativePath: string): string => {
  const end = relativePath.indexOf('/');
  return end < 0 ? relativePath : relativePath.slice(0, end);
};

/** Returns the number of `items` that appear in the destination folder itself. */
export const countTopLevel = (items: readonly UploadItem[]): number =>
  new Set(items.map((item) => topNameOf(item.relativePath))).size;
