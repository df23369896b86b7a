import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEntry } from './entry.ts';

/** The changes made by an action, for the components that show these folders. */
export interface FilesChange {
  /** Folders whose entries have changed. */
  readonly folders: readonly VirtualPath[];
  /** Deleted entries; they disappear before the folder is loaded again. */
  readonly removed?: readonly VirtualPath[];
  /** Moved or renamed entries, as they were before. */
  readonly moved?: readonly { readonly entry: FileEntry; readonly to: VirtualPath }[];
  /** Entries to select and scroll to, if their folder is shown. */
  readonly reveal?: readonly VirtualPath[];
}

const listeners = new Set<(change: FilesChange) => void>();

/** Notifies every shown folder. Actions may outlive the screen that started them. */
export function announceChange(change: FilesChange): void {
  for (const listener of listeners) listener(change);
}

/** Listens for changes until the returned function is called. */
export function onFilesChange(listener: (change: FilesChange) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the parent folders of `paths`, each once. */
export const foldersOf = (paths: readonly VirtualPath[]): VirtualPath[] => [...new Set(paths.map(parentOf))];
