import { AppError, isAppError } from '../../../errors.ts';
import { syscalls, isErrno } from '../paths/syscalls.ts';
import { type Disk, type DuringStandIn, withStandIn } from '../disk.ts';
import { at, type Folder } from '../paths/folder.ts';
import { lstatOrNull, renameExclusively, renameFolderExclusively } from '../paths/publish.ts';
import { newTemporaryName } from '../paths/temporary-names.ts';

/** Longest name that file systems take, in bytes. */
const maxNameBytes = 255;
/** Names for what cannot get its old name back are tried up to this number. */
const maxTries = 100;

/** `report.txt` as `report (not moved).txt`, and as `report (not moved 2).txt` when that is taken too. */
function keptName(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const end = ` (not moved${number === 1 ? '' : ` ${number}`})${extension}`;
  let letters = [...stem];
  while (letters.length > 1 && Buffer.byteLength(`${letters.join('')}${end}`) > maxNameBytes)
    letters = letters.slice(0, -1);
  return `${letters.join('')}${end}`;
}

/** The folder that contains both names. */
export interface AsideFolder {
  readonly folder: Folder;
  /** Has the journal remember a stand-in for the name while `aside` takes it. */
  standIn(name: string, aside: string): DuringStandIn;
}

/**
 * Gives what was set aside as `aside` its old name back, or one beside it when that is taken. Resolves to the name that it has.
 */
export async function putBack(
  { folder, standIn }: AsideFolder,
  aside: string,
  name: string,
): Promise<string> {
  const isFolder = (await lstatOrNull(folder, aside))?.isDirectory() === true;
  const rename = isFolder ? renameFolderExclusively : renameExclusively;
  for (let number = 0; ; number++) {
    const given = number === 0 ? name : keptName(name, number);
    try {
      await rename(folder, aside, folder, given, standIn(given, aside));
      return given;
    } catch (error) {
      if (!isAppError(error, 'already_exists') || number === maxTries) throw error;
    }
  }
}

/** The outcome for an entry that was set aside: it is removed, or a part of it is left and has to be put back. */
export type Fate = 'gone' | 'kept';

const changed = (detail: string, cause?: unknown): AppError =>
  new AppError('changed_while_moving', detail, { cause });

/** Errors by which a file system says that this thing cannot be renamed even in its own folder, but perhaps removed. */
const notRenamable = ['EXDEV', 'EBUSY', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOSYS'] as const;

/**
 * Renames `name` of `folder` to a reserved name beside it, so that nobody can add to it by its path, and has `work` remove it
 * under that name. What `work` leaves gets its old name back. The journal remembers both names meanwhile, so that the next start
 * does the same after a crash. Where the thing cannot be renamed, `work` is done under the name itself.
 *
 * Throws `changed_while_moving` when something was kept, or what `work` throws. A source that is gone already is fine.
 */
export async function withSetAside(
  disk: Disk,
  place: { readonly folder: Folder; readonly names: readonly string[]; readonly name: string },
  work: (name: string) => Promise<Fate>,
): Promise<void> {
  const { folder, names, name } = place;
  const inPlace = async (): Promise<void> => {
    if ((await work(name)) === 'kept') throw changed('what was not moved is still where it was');
  };
  const aside = newTemporaryName();
  const above = [...disk.prefix, ...names];
  const record = { place: [...above, name], aside, folderInode: folder.inode.toString() };
  await disk.journal?.beginAside(record);
  const end = (): void => disk.journal?.endAside(record);
  try {
    await syscalls.rename(at(folder, name), at(folder, aside));
  } catch (error) {
    end();
    if (isErrno(error, 'ENOENT')) return;
    if (!isErrno(error, ...notRenamable)) throw error;
    return inPlace();
  }
  let fate: Fate = 'kept';
  let failure: unknown = null;
  try {
    fate = await work(aside);
  } catch (error) {
    failure = error;
  }
  if (fate === 'gone') return end();
  // When this fails the journal keeps the line, and the next start tries again.
  const standIn: AsideFolder['standIn'] = (given, from) =>
    withStandIn(disk, { names, name: given }, { names, name: from });
  const given = await putBack({ folder, standIn }, aside, name);
  end();
  if (failure !== null && given === name) throw failure;
  throw changed(
    given === name
      ? 'what was not moved is still where it was'
      : 'what was not moved has a name of its own beside the old one',
    failure ?? undefined,
  );
}
