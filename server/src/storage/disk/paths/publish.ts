import fs, { type BigIntStats } from 'node:fs';
import { AppError } from '../../../errors.ts';
import { syscalls, isErrno, ignoreErrno } from './syscalls.ts';
import type { DuringStandIn } from '../disk.ts';
import { at, type Folder } from './folder.ts';

/** Errors by which a disk says that it has no hard links, or none of this file. */
const noLinks = ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EXDEV'] as const;

/**
 * Gives `name` in `from` (a file or link) the name `newName` in `to`, provided that nothing has that name: there is no
 * moment between looking and acting. Throws `already_exists`; EXDEV passes when the folders lie on different disks.
 */
export async function renameExclusively(
  from: Folder,
  name: string,
  to: Folder,
  newName: string,
  duringStandIn: DuringStandIn,
): Promise<void> {
  try {
    await syscalls.link(at(from, name), at(to, newName));
  } catch (error) {
    if (isErrno(error, 'EEXIST')) throw new AppError('already_exists', undefined, { cause: error });
    if (isErrno(error, 'EXDEV') && from.device !== to.device) throw error;
    if (!isErrno(error, ...noLinks)) throw error;
    return duringStandIn(() => renameOverPlaceholder(from, name, to, newName));
  }
  try {
    await syscalls.unlink(at(from, name));
  } catch (error) {
    await ignoreErrno(syscalls.unlink(at(to, newName)), 'ENOENT');
    throw error;
  }
}

/** Without hard links: an empty file takes the name first, exclusively, and is then replaced in one step. */
export async function renameOverPlaceholder(
  from: Folder,
  name: string,
  to: Folder,
  newName: string,
): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants;
  const descriptor = await ignoreErrno(
    syscalls.open(at(to, newName), O_WRONLY | O_CREAT | O_EXCL, 0o600),
    'EEXIST',
  );
  if (descriptor === undefined) throw new AppError('already_exists');
  fs.closeSync(descriptor);
  try {
    await syscalls.rename(at(from, name), at(to, newName));
  } catch (error) {
    await ignoreErrno(syscalls.unlink(at(to, newName)), 'ENOENT');
    throw error;
  }
}

/** {@link renameExclusively} for a folder: an empty folder takes the name first and is then replaced in one step. */
export const renameFolderExclusively = (
  from: Folder,
  name: string,
  to: Folder,
  newName: string,
  duringStandIn: DuringStandIn,
): Promise<void> => duringStandIn(() => renameOverEmptyFolder(from, name, to, newName));

async function renameOverEmptyFolder(from: Folder, name: string, to: Folder, newName: string): Promise<void> {
  if (process.platform === 'win32') {
    // There a folder never replaces anything.
    if (
      (await ignoreErrno(syscalls.rename(at(from, name), at(to, newName)), 'EPERM', 'EEXIST')) !== undefined
    )
      return;
    throw new AppError('already_exists');
  }
  try {
    await syscalls.mkdir(at(to, newName));
  } catch (error) {
    if (isErrno(error, 'EEXIST')) throw new AppError('already_exists', undefined, { cause: error });
    throw error;
  }
  try {
    await syscalls.rename(at(from, name), at(to, newName));
  } catch (error) {
    // Only an empty folder can be removed like this: what somebody put there meanwhile stays.
    await ignoreErrno(syscalls.rmdir(at(to, newName)), 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR');
    if (isErrno(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'))
      throw new AppError('already_exists', undefined, { cause: error });
    // The destination was moved into the source since somebody looked.
    if (isErrno(error, 'EINVAL')) throw new AppError('moves_into_itself', undefined, { cause: error });
    throw error;
  }
}

/** The facts of `name` in `folder`, links not followed; null when nothing is there. */
export const lstatOrNull = async (folder: Folder, name: string): Promise<BigIntStats | null> =>
  (await ignoreErrno(syscalls.lstat(at(folder, name)), 'ENOENT', 'ENOTDIR')) ?? null;

/**
 * Has the disk write down which names `folder` holds, as far as it can: a power cut after that does not undo what was done in
 * it. Throws only when the disk itself fails.
 */
export async function flushFolder(folder: Folder): Promise<void> {
  if (process.platform === 'win32') return;
  const { O_RDONLY, O_DIRECTORY } = fs.constants;
  const descriptor = await ignoreErrno(
    syscalls.open(at(folder, '.'), O_RDONLY | O_DIRECTORY),
    'EACCES',
    'EPERM',
  );
  if (descriptor === undefined) return;
  try {
    await ignoreErrno(syscalls.fsync(descriptor), 'EINVAL', 'ENOTSUP', 'EROFS', 'EPERM');
  } finally {
    fs.closeSync(descriptor);
  }
}
