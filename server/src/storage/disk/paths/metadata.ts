import type { BigIntStats } from 'node:fs';
import type { Entry, EntryKind } from '../../storage.ts';

export function kindOf(stats: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): EntryKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'invalid_link' : 'special';
}

/** Converts the metadata of the disk to an {@link Entry}. */
export const entryOf = (name: string, stats: BigIntStats, isSymlink: boolean): Entry => ({
  name,
  kind: kindOf(stats),
  size: Number(stats.size),
  modifiedNs: stats.mtimeNs,
  mode: Number(stats.mode),
  isSymlink,
});

/** Identifies a file and its state. It includes the time of the last status change, which programs cannot set. */
export const fingerprintOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].map((value) => value.toString(36)).join('-');
