import { Buffer } from 'node:buffer';
import { AppError } from '../../../errors.ts';
import { attempt, isErrno, lstat, readLinkBytes, type RawPath } from './syscalls.ts';
import { type Folder, identityOf, isSame } from './folder.ts';
import { toRawPath } from './raw-names.ts';
import { perform, type Steps } from './steps.ts';

/** The suffix that Linux appends to the path of a removed entry. */
const deletedSuffix = Buffer.from(' (deleted)');

/**
 * The folder or one above it may be renamed between the two system calls, again and again and with other work between them on a busy
 * machine, so they are repeated up to this number of times.
 */
const maxTries = 10;

/** The current path of the open folder; null when it was removed, or when the path cannot be determined. */
function* currentPathOf({ base, descriptor }: Folder): Steps<RawPath | null> {
  if (descriptor < 0) return toRawPath(base);
  const path = yield* attempt(readLinkBytes(base), 'ENOENT', 'EACCES');
  return path === undefined || path.subarray(-deletedSuffix.length).equals(deletedSuffix) ? null : path;
}

/**
 * Throws `storage_unavailable` when the open folder is no longer reachable by its path, because something is mounted over it
 * or its file system was unmounted: files written there would be invisible. Costs two system calls.
 */
export function* assertReachable(folder: Folder): Steps<void> {
  for (let tries = 1; ; tries++) {
    const path = yield* currentPathOf(folder);
    // Nothing can be created in a removed folder anyway.
    if (path === null) return;
    try {
      const stats = yield* perform(lstat(path));
      if (stats !== null && isSame(identityOf(stats), folder)) return;
    } catch (error) {
      if (isErrno(error, 'EACCES')) return;
      if (!isErrno(error, 'ELOOP', 'EIO', 'ENOTCONN', 'ESTALE')) throw error;
    }
    if (tries === maxTries)
      throw new AppError(
        'storage_unavailable',
        'another disk is mounted over this folder, or its own disk was unmounted',
      );
  }
}
