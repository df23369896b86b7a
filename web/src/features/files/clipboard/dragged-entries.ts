import { historyPosition } from '../../../ui/navigation/page-history.ts';
import type { FileEntry } from '../entries/entry.ts';
import { onDragEnd } from '../listing/dragging/drag-session.ts';

/** The time for which a drag has to rest on a folder before the folder opens, in ms. */
export const springDelayMs = 700;

/** The entries that are being dragged. They may be dropped while another folder is shown than their own. */
let dragged: readonly FileEntry[] = [];
/** The position in the history of the screen where the drag began. */
let start = 0;
/** The entries of a drag that ended without a drop after it had opened a folder, until their screen is shown again. */
let returned: readonly FileEntry[] = [];

/** Remembers `entries` until the drag ends. */
export function rememberDragged(entries: readonly FileEntry[]): void {
  dragged = entries;
  start = historyPosition();
  returned = [];
}

onDragEnd(() => {
  const steps = historyPosition() - start;
  // After a drop none are left.
  if (dragged.length > 0 && steps > 0) {
    returned = dragged;
    window.history.go(-steps);
  }
  dragged = [];
});

/** Returns the entries of a canceled drag, whose screen is shown again, and forgets them. */
export function takeReturned(): readonly FileEntry[] {
  const entries = returned;
  returned = [];
  return entries;
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
