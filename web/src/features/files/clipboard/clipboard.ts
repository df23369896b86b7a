import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { create } from 'zustand';
import type { FileEntry } from '../entries/entry.ts';
import type { TransferKind } from '../transfers/plan-transfer.ts';

/** The entries that were cut or copied, to be pasted into this or another folder. */
export interface Clipboard {
  readonly mode: 'cut' | 'copy';
  readonly entries: readonly FileEntry[];
}

/** The files clipboard of this tab; null when it is empty. */
export const useClipboard = create<{ clipboard: Clipboard | null }>(() => ({ clipboard: null }));

export const readClipboard = (): Clipboard | null => useClipboard.getState().clipboard;
export const fillClipboard = (clipboard: Clipboard): void => useClipboard.setState({ clipboard });
export const emptyClipboard = (): void => useClipboard.setState({ clipboard: null });

/**
 * Returns the transfer that pasting `clipboard` into `folder` performs; null for entries that were cut in the same
 * folder.
 */
export function pasteKind({ mode, entries }: Clipboard, folder: VirtualPath): TransferKind | null {
  if (mode === 'copy') return 'copy';
  return entries.every((entry) => parentOf(entry.path) === folder) ? null : 'move';
}

/** Removes entries that no longer exist at their paths. */
export function forgetInClipboard(paths: readonly VirtualPath[]): void {
  const clipboard = readClipboard();
  if (!clipboard) return;
  const removed = new Set(paths);
  const entries = clipboard.entries.filter((entry) => !removed.has(entry.path));
  if (entries.length === clipboard.entries.length) return;
  useClipboard.setState({ clipboard: entries.length > 0 ? { ...clipboard, entries } : null });
}
