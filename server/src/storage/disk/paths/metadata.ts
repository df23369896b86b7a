import { type BigIntStats, constants } from 'node:fs';
import type { Entry, EntryKind } from '../../storage.ts';

/** The fields of the metadata of a file system that entries are made of. */
export type Metadata = Pick<
  BigIntStats,
  'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs' | 'mode' | 'birthtimeNs'
>;

const { S_IFMT, S_IFREG, S_IFDIR, S_IFLNK } = constants;

/** The kind of entry by `st_mode`; a link counts as one that cannot be followed. */
export function kindOf(mode: number): EntryKind {
  const type = mode & S_IFMT;
  if (type === S_IFREG) return 'file';
  if (type === S_IFDIR) return 'folder';
  return type === S_IFLNK ? 'invalid_link' : 'special';
}

/** Converts the metadata of the disk to an {@link Entry}. */
export const entryOf = (name: string, stats: Metadata, isSymlink: boolean): Entry => ({
  name,
  kind: kindOf(Number(stats.mode)),
  size: Number(stats.size),
  modifiedNs: stats.mtimeNs,
  mode: Number(stats.mode),
  isSymlink,
  inode: stats.ino,
  changedNs: stats.ctimeNs,
  device: stats.dev,
  // File systems without creation times report the beginning of 1970.
  ...(stats.birthtimeNs > 0n && { createdNs: stats.birthtimeNs }),
});

/** Identifies a file and its state. It includes the time of the last status change, which programs cannot set. */
export const fingerprintOf = ({ dev, ino, size, mtimeNs, ctimeNs }: Metadata): string =>
  [dev, ino, size, mtimeNs, ctimeNs].map((value) => value.toString(36)).join('-');
