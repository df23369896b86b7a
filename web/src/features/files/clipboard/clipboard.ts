import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { create } from 'zustand';
import type { FileEntry } from '../entries/entry.ts';
import type { TransferKind } from '../transfers/plan-transfer.ts';

/** What was cut or copied, to be pasted in this or another folder. */
export interface Clipboard {
  readonly mode: 'cut' | 'copy';
  readonly entries: readonly FileEntry[];
}

/** The files clipboard of this tab; empty is null. */
export const useClipboard = create<{ clipboard: Clipboard | null }>(() => ({ clipboard: null }));

export const readClipboard = (): Clipboard | null => useClipboard.getState().clipboard;
export const fillClipboard = (clipboard: Clipboard): void => useClipboard.setState({ clipboard });
export const emptyClipboard = (): void => useClipboard.setState({ clipboard: null });

/** What pasting `clipboard` into `folder` means; null when it means nothing (cut and pasted in place). */
export function pasteKind({ mode, entries }: Clipboard, folder: VirtualPath): TransferKind | null {
  if (mode === 'copy') return 'copy';
  return entries.every((entry) => parentOf(entry.path) === folder) ? null : 'move';
}

/** Forgets what no longer lies where it was cut or copied. */
export function forgetInClipboard(paths: readonly VirtualPath[]): void {
  const clipboard = readClipboard();
  if (!clipboard) return;
  const gone = new Set(paths);
  const entries = clipboard.entries.filter((entry) => !gone.has(entry.path));
  if (entries.length === clipboard.entries.length) return;
  useClipboard.setState({ clipboard: entries.length > 0 ? { ...clipboard, entries } : null });
}
