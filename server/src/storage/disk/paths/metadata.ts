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

/** Which file it is and in which state: the time of the last change of any kind cannot be set by hand. */
export const fingerprintOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].map((fact) => fact.toString(36)).join('-');
