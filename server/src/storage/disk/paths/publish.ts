import fs, { type BigIntStats } from 'node:fs';
import { AppError } from '../../../errors.ts';
import { attempt, syscalls, isErrno, ignoreErrno, link, unlink } from './syscalls.ts';
import { at, type Folder } from './folder.ts';
import { perform, runAsync, type Steps } from './steps.ts';

/** Runs work that creates a placeholder and replaces it, while the journal contains its record; see `placeholderRunner`. */
export type PlaceholderRunner = <T>(work: () => Promise<T>) => Promise<T>;

/** Errors of file systems that do not support hard links, or not for this file. */
export const linkRefusals = [
  'EPERM',
  'EACCES',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EINVAL',
  'EXDEV',
] as const;

/**
 * Renames `name` in `from` (a file or link) to `newName` in `to` unless that name exists, in one atomic step, by a hard link.
 * Returns false, having changed nothing, when the file system does not support it. Throws `already_exists`; EXDEV is passed on
 * when the folders are on different file systems.
 */
export function* renameByLink(from: Folder, name: string, to: Folder, newName: string): Steps<boolean> {
  try {
    yield* perform(link(at(from, name), at(to, newName)));
  } catch (error) {
    if (isErrno(error, 'EEXIST')) throw new AppError('already_exists', undefined, { cause: error });
    if (isErrno(error, 'EXDEV') && from.device !== to.device) throw error;
    if (!isErrno(error, ...linkRefusals)) throw error;
    return false;
  }
  try {
    yield* perform(unlink(at(from, name)));
  } catch (error) {
    yield* attempt(unlink(at(to, newName)), 'ENOENT');
    throw error;
  }
  return true;
}

/** {@link renameByLink}; where hard links are not supported, by a placeholder, which `runWithPlaceholder` records. */
export async function renameExclusively(
  from: Folder,
  name: string,
  to: Folder,
  newName: string,
  runWithPlaceholder: PlaceholderRunner,
): Promise<void> {
  if (await runAsync(renameByLink(from, name, to, newName))) return;
  await runWithPlaceholder(() => renameOverPlaceholder(from, name, to, newName));
}

/** Without hard links: creates an empty placeholder exclusively and then replaces it atomically. */
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

/** {@link renameExclusively} for a folder: an empty placeholder folder is created and then replaced atomically. */
export const renameFolderExclusively = (
  from: Folder,
  name: string,
  to: Folder,
  newName: string,
  runWithPlaceholder: PlaceholderRunner,
): Promise<void> => runWithPlaceholder(() => renameOverEmptyFolder(from, name, to, newName));

async function renameOverEmptyFolder(from: Folder, name: string, to: Folder, newName: string): Promise<void> {
  if (process.platform === 'win32') {
    // On Windows a folder never replaces an existing entry.
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
    // `rmdir` removes only an empty folder, so entries that were created in it meanwhile are kept.
    await ignoreErrno(syscalls.rmdir(at(to, newName)), 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR');
    if (isErrno(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'))
      throw new AppError('already_exists', undefined, { cause: error });
    // The destination was moved into the source after the check.
    if (isErrno(error, 'EINVAL')) throw new AppError('moves_into_itself', undefined, { cause: error });
    throw error;
  }
}

/** The metadata of `name` in `folder`, links not followed; null when there is no entry. */
export const lstatOrNull = async (folder: Folder, name: string): Promise<BigIntStats | null> =>
  (await ignoreErrno(syscalls.lstat(at(folder, name)), 'ENOENT', 'ENOTDIR')) ?? null;

/**
 * Flushes the entries of `folder` to the disk, best effort: a later power failure does not undo changes to its names.
 * Throws only when the disk itself fails.
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
