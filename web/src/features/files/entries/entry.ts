import type { EntryType } from '@filestead/contract/files';
import { childOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';

/** One file or folder that an action works on. Made only for what an action needs, never for a whole listing. */
export interface FileEntry {
  readonly name: string;
  readonly path: VirtualPath;
  readonly isFolder: boolean;
  readonly isSymlink: boolean;
  readonly type: EntryType;
  /** Bytes; says nothing for folders. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedMs: number;
}

/** What of `entry` still lies at `folder` under another name: the same entry elsewhere. */
export const placedIn = (entry: FileEntry, folder: VirtualPath): VirtualPath => childOf(folder, entry.name);
