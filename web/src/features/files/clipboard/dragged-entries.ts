import type { FileEntry } from '../entries/entry.ts';

/** The time for which a drag has to rest on a folder before the folder opens, in ms. */
export const springDelayMs = 700;

/** The entries that are being dragged. They may be dropped while another folder is shown than their own. */
let dragged: readonly FileEntry[] = [];

/** Remembers `entries` until the drag ends. */
export function beginDrag(entries: readonly FileEntry[]): void {
  dragged = entries;
  // Runs after the drop event, which precedes this event immediately.
  document.addEventListener('dragend', () => setTimeout(() => (dragged = [])), { once: true, capture: true });
}

/** Whether a drag carries entries of this page instead of files from outside. */
export const isEntryDrag = (data: DataTransfer): boolean =>
  dragged.length > 0 && !data.types.includes('Files');

/** Returns the number of dragged entries. */
export const draggedCount = (): number => dragged.length;

/** Returns the dragged entries and ends the drag. */
export function takeDragged(): readonly FileEntry[] {
  const entries = dragged;
  dragged = [];
  return entries;
}
