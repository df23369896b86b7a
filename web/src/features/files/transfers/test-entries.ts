import { nameOf, virtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileEntry } from '../entries/entry.ts';

/** A file of 10 bytes at `path`, for tests. */
export const fileAt = (path: string): FileEntry => ({
  name: nameOf(virtualPath(path)),
  path: virtualPath(path),
  isFolder: false,
  isSymlink: false,
  type: 'text',
  size: 10,
  modifiedMs: 1_700_000_000_000,
});

/** A folder at `path`, for tests. */
export const folderAt = (path: string): FileEntry => ({ ...fileAt(path), isFolder: true, type: '' });
