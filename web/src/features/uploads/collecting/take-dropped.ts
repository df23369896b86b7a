/** The content of a drop, taken within its event. */
export interface Dropped {
  readonly entries: readonly FileSystemEntry[];
  /** Items without a file system entry, such as a picture dragged from another page. */
  readonly files: readonly File[];
}

/**
 * Takes everything that was dropped. Must be called within the drop event: the browser empties the transfer when the
 * event ends.
 */
export function takeDropped(transfer: DataTransfer): Dropped {
  const entries: FileSystemEntry[] = [];
  const files: File[] = [];
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry();
    if (entry) {
      entries.push(entry);
      continue;
    }
    const file = item.getAsFile();
    if (file) files.push(file);
  }
  return { entries, files };
}
