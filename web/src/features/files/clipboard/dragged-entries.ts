import type { FileEntry } from '../entries/entry.ts';

/** What is being dragged. It may be dropped while another folder is shown than the one it comes from. */
let dragged: readonly FileEntry[] = [];

/** Remembers `entries` until the drag ends. */
export function beginDrag(entries: readonly FileEntry[]): void {
  dragged = entries;
  // After the drop, which comes right before it.
  document.addEventListener('dragend', () => setTimeout(() => (dragged = [])), { once: true, capture: true });
}

/** Whether a drag over the page carries entries of ours, not files from outside. */
export const isEntryDrag = (data: DataTransfer): boolean =>
  dragged.length > 0 && !data.types.includes('Files');

/** How many entries are being dragged. */
export const draggedCount = (): number => dragged.length;

/** Hands over what is being dragged; the drag is over. */
export function takeDragged(): readonly FileEntry[] {
  const entries = dragged;
  dragged = [];
  return entries;
}
