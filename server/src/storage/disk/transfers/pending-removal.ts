import { AppError, isAppError } from '../../../errors.ts';
import { syscalls, isErrno } from '../paths/syscalls.ts';
import { type Disk, placeholderRunner } from '../disk.ts';
import { at, type Folder } from '../paths/folder.ts';
import {
  lstatOrNull,
  type PlaceholderRunner,
  renameExclusively,
  renameFolderExclusively,
} from '../paths/publish.ts';
import { newTemporaryName } from '../paths/temporary-names.ts';

/** The maximum length of a name, in bytes. */
const maxNameBytes = 255;
/** The number of alternative names that are tried when the original name exists again. */
const maxTries = 100;

/** The alternative name number `number`: `report (not moved).txt` for `report.txt`, then `report (not moved 2).txt`. */
function fallbackName(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const suffix = ` (not moved${number === 1 ? '' : ` ${number}`})${extension}`;
  let letters = [...stem];
  while (letters.length > 1 && Buffer.byteLength(`${letters.join('')}${suffix}`) > maxNameBytes)
    letters = letters.slice(0, -1);
  return `${letters.join('')}${suffix}`;
}

/** The folder that contains both names. */
export interface RestoreFolder {
  readonly folder: Folder;
  /** Records a placeholder for `name` in the journal while the entry `temporaryName` is renamed to it. */
  placeholderFor(name: string, temporaryName: string): PlaceholderRunner;
}

/**
 * Renames the entry `temporaryName` back to `name`, or to an alternative name when that exists. Resolves to the new name.
 */
export async function restoreName(
  { folder, placeholderFor }: RestoreFolder,
  temporaryName: string,
  name: string,
): Promise<string> {
  const isFolder = (await lstatOrNull(folder, temporaryName))?.isDirectory() === true;
  const rename = isFolder ? renameFolderExclusively : renameExclusively;
  for (let number = 0; ; number++) {
    const newName = number === 0 ? name : fallbackName(name, number);
    try {
      await rename(folder, temporaryName, folder, newName, placeholderFor(newName, temporaryName));
      return newName;
    } catch (error) {
      if (!isAppError(error, 'already_exists') || number === maxTries) throw error;
    }
  }
}

/** The outcome of a removal: the entry is gone, or a part of it is kept and its name has to be restored. */
export type RemovalOutcome = 'gone' | 'kept';

const changed = (detail: string, cause?: unknown): AppError =>
  new AppError('changed_while_moving', detail, { cause });

/** Errors of file systems that cannot rename an entry even in its own folder, but may be able to remove it. */
const notRenamable = ['EXDEV', 'EBUSY', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOSYS'] as const;

/**
 * Renames `name` of `folder` to a temporary name, so that other programs cannot add to it by its path, and lets `work` remove
 * it under that name. Entries that `work` keeps get their old name back. The journal records both names, so that the next
 * start restores the name after a crash. An entry that cannot be renamed is removed under its own name.
 *
 * Throws `changed_while_moving` when something was kept, and the errors of `work`. A source that does not exist is ignored.
 */
export async function withPendingRemoval(
  disk: Disk,
  place: { readonly folder: Folder; readonly names: readonly string[]; readonly name: string },
  work: (name: string) => Promise<RemovalOutcome>,
): Promise<void> {
  const { folder, names, name } = place;
  const removeInPlace = async (): Promise<void> => {
    if ((await work(name)) === 'kept')
      throw changed('entries that were not moved are still at their old place');
  };
  const temporaryName = newTemporaryName();
  const above = [...disk.prefix, ...names];
  const record = { place: [...above, name], temporaryName, folderInode: folder.inode.toString() };
  await disk.journal?.beginRemoval(record);
  const endRecord = async (): Promise<void> => disk.journal?.endRemoval(record);
  try {
    await syscalls.rename(at(folder, name), at(folder, temporaryName));
  } catch (error) {
    await endRecord();
    if (isErrno(error, 'ENOENT')) return;
    if (!isErrno(error, ...notRenamable)) throw error;
    return removeInPlace();
  }
  let outcome: RemovalOutcome = 'kept';
  let failure: unknown = null;
  try {
    outcome = await work(temporaryName);
  } catch (error) {
    failure = error;
  }
  if (outcome === 'gone') return endRecord();
  // When this fails, the journal keeps the record and the next start tries again.
  const placeholderFor: RestoreFolder['placeholderFor'] = (given, from) =>
    placeholderRunner(disk, { names, name: given }, { names, name: from });
  const restored = await restoreName({ folder, placeholderFor }, temporaryName, name);
  await endRecord();
  if (failure !== null && restored === name) throw failure;
  throw changed(
    restored === name
      ? 'entries that were not moved are still at their old place'
      : 'entries that were not moved have a new name beside the old one',
    failure ?? undefined,
  );
}
