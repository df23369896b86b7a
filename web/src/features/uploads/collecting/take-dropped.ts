/** The content of a drop, taken within its event. */
export interface Dropped {
  readonly entries: readonly FileSystemEntry[];
  /** Items without a file system entry, such as a picture dragged from another page. */
  readonly files: readonly File[];
  /** Handles of the entries, with which they can be read again after a reload; null if the browser has none. */
  readonly handles: readonly Promise<FileSystemHandle | null>[];
}

/** Chromium's access to handles; TypeScript does not declare it. */
interface HandleItem {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
}

/**
 * Takes everything that was dropped. Must be called within the drop event: the browser empties the transfer when the
 * event ends.
 */
export function takeDropped(transfer: DataTransfer): Dropped {
  const entries: FileSystemEntry[] = [];
  const files: File[] = [];
  const handles: Promise<FileSystemHandle | null>[] = [];
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry();
    if (entry) {
      const handle = (item as HandleItem).getAsFileSystemHandle?.();
      if (handle) handles.push(handle.catch(() => null));
      entries.push(entry);
      continue;
    }
    const file = item.getAsFile();
    if (file) files.push(file);
  }
  return { entries, files, handles };
}
