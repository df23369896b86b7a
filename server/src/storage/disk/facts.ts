import type { BigIntStats } from 'node:fs';
import type { Entry, EntryKind } from '../storage.ts';

export function kindOf(stats: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): EntryKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'invalid_link' : 'special';
}

/** What the disk says as an {@link Entry}. */
export const entryOf = (name: string, stats: BigIntStats, isSymlink: boolean): Entry => ({
  name,
  kind: kindOf(stats),
  size: Number(stats.size),
  modifiedNs: stats.mtimeNs,
  mode: Number(stats.mode),
  isSymlink,
});
