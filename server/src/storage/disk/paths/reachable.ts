import { Buffer } from 'node:buffer';
import { AppError } from '../../../errors.ts';
import { syscalls, isErrno, type RawPath, ignoreErrno } from './syscalls.ts';
import { type Folder, identityOf, isSame } from './folder.ts';
import { toRawPath } from './raw-names.ts';

/** The suffix that Linux appends to the path of a removed entry. */
const deletedMark = Buffer.from(' (deleted)');

/** The folder may be renamed between the two system calls, so they are repeated up to this number of times. */
const maxTries = 3;

/** The current path of the open folder; null when it was removed, or when the path cannot be determined. */
async function pathOf({ base, descriptor }: Folder): Promise<RawPath | null> {
  if (descriptor < 0) return toRawPath(base);
  const path = await ignoreErrno(syscalls.readlink(base, 'buffer'), 'ENOENT', 'EACCES');
  return path === undefined || path.subarray(-deletedMark.length).equals(deletedMark) ? null : path;
}

/**
 * Throws `storage_unavailable` when the open folder is no longer reachable by its path, because something is mounted over it
 * or its file system was unmounted: files written there would be invisible. Costs two system calls.
 */
export async function assertReachable(folder: Folder): Promise<void> {
  for (let tries = 1; ; tries++) {
    const path = await pathOf(folder);
    // Nothing can be created in a removed folder anyway.
    if (path === null) return;
    try {
      if (isSame(identityOf(await syscalls.lstat(path)), folder)) return;
    } catch (error) {
      if (isErrno(error, 'EACCES')) return;
      if (!isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EIO', 'ENOTCONN', 'ESTALE')) throw error;
    }
    if (tries === maxTries)
      throw new AppError(
        'storage_unavailable',
        'another disk is mounted over this folder, or its own disk was unmounted',
      );
  }
}
