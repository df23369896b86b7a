import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEntry } from './entry.ts';

/** What an action has changed, for whoever shows these folders at the moment. */
export interface FilesChange {
  /** Folders whose entries are no longer what they were. */
  readonly folders: readonly VirtualPath[];
  /** Entries that are gone; they disappear before the folder is read again. */
  readonly removed?: readonly VirtualPath[];
  /** Entries that now lie elsewhere or have another name, as they were before. */
  readonly moved?: readonly { readonly entry: FileEntry; readonly to: VirtualPath }[];
  /** Entries to select and scroll to, where their folder is shown. */
  readonly reveal?: readonly VirtualPath[];
}

const listeners = new Set<(change: FilesChange) => void>();

/** Tells every shown folder. Actions may outlive the screen that started them. */
export function announceChange(change: FilesChange): void {
  for (const listener of listeners) listener(change);
}

/** Returns the way to stop. */
export function onFilesChange(listener: (change: FilesChange) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The folders that hold `paths`, each once. */
export const foldersOf = (paths: readonly VirtualPath[]): VirtualPath[] => [...new Set(paths.map(parentOf))];
