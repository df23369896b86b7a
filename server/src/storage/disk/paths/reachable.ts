import { Buffer } from 'node:buffer';
import { AppError } from '../../../errors.ts';
import { syscalls, isErrno, type RawPath, ignoreErrno } from './syscalls.ts';
import { type Folder, identityOf, isSame } from './folder.ts';
import { toRawPath } from './raw-names.ts';

/** The suffix that Linux appends to the path of a removed entry. */
const deletedMark = Buffer.from(' (deleted)');

/** A folder may be renamed between the two looks at it; so often they are tried. */
const maxTries = 3;

/** Where the held folder is by name at the moment; null when it was removed, or when this cannot be told. */
async function pathOf({ base, descriptor }: Folder): Promise<RawPath | null> {
  if (descriptor < 0) return toRawPath(base);
  const path = await ignoreErrno(syscalls.readlink(base, 'buffer'), 'ENOENT', 'EACCES');
  return path === undefined || path.subarray(-deletedMark.length).equals(deletedMark) ? null : path;
}

/**
 * Throws `storage_unavailable` when the held folder cannot be reached by its path any more, because something is mounted over
 * it or its disk was unmounted: what is put there is out of everybody's sight. Two system calls.
 */
export async function assertReachable(folder: Folder): Promise<void> {
  for (let tries = 1; ; tries++) {
    const path = await pathOf(folder);
    // In a removed folder nothing can be made anyway.
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
        'another disk is mounted over this folder, or its own is gone',
      );
  }
}
