import type { EntryType } from '@filestead/contract/files';
import { childOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';

/** A file or folder that an action works on. Created only for the affected entries, never for a whole listing. */
export interface FileEntry {
  readonly name: string;
  readonly path: VirtualPath;
  readonly isFolder: boolean;
  readonly isSymlink: boolean;
  readonly type: EntryType;
  /** Size in bytes; meaningless for folders. */
  readonly size: number;
  /** Modification time in Unix milliseconds. */
  readonly modifiedMs: number;
}

/** Returns the path of an entry with the same name in `folder`. */
export const pathIn = (entry: FileEntry, folder: VirtualPath): VirtualPath => childOf(folder, entry.name);
