import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isAppError } from '../../../errors.ts';
import { syscalls, ignoreErrno } from '../paths/syscalls.ts';
import { toAppError } from '../paths/errors.ts';
import { at, closeFolder, type Folder } from '../paths/folder.ts';
import { removeTemporaryTree } from './with-tree.ts';
import type { ScopeRoot } from '../paths/locate.ts';
import { lstatOrNull } from '../paths/publish.ts';
import { type AsideFolder, putBack } from '../transfers/set-aside.ts';
import type {
  Aside,
  Leftovers,
  StandIn,
  TemporaryJournal,
  TemporaryPlace,
} from '../writes/temporary-journal.ts';
import { openTree } from './walk-tree.ts';

/** Does `work` in the folder that holds the last of `place`; a walk never reaches an unfinished file itself. */
async function inFolderOf<T>(
  scopeRoot: ScopeRoot,
  place: readonly string[],
  work: (folder: Folder, name: string) => Promise<T>,
): Promise<T> {
  const top = await openTree(scopeRoot, `/${place.slice(0, -1).join('/')}` as VirtualPath);
  try {
    return await work(top.folder, place.at(-1) ?? '');
  } finally {
    if (top.folder !== scopeRoot.root) closeFolder(top.folder);
  }
}

const isThere = (scopeRoot: ScopeRoot, place: readonly string[]): Promise<boolean> =>
  inFolderOf(scopeRoot, place, async (folder, name) => (await lstatOrNull(folder, name)) !== null);

/** Frees the name that something empty holds for what never took it. */
async function removeStandIn(scopeRoot: ScopeRoot, { place, source }: StandIn): Promise<void> {
  if (!(await isThere(scopeRoot, source))) return;
  await inFolderOf(scopeRoot, place, async (folder, name) => {
    const stats = await lstatOrNull(folder, name);
    if (stats?.isDirectory() === true)
      await ignoreErrno(syscalls.rmdir(at(folder, name)), 'ENOTEMPTY', 'EEXIST');
    else if (stats?.isFile() === true && stats.size === 0n) await syscalls.unlink(at(folder, name));
  });
}

/** Gives its name back to what a crash has left under a reserved one. Throws when that cannot be done now. */
async function putBackAside(
  scopeRoot: ScopeRoot,
  journal: TemporaryJournal,
  { place, aside, folderInode }: Aside,
): Promise<void> {
  const above = place.slice(0, -1);
  await inFolderOf(scopeRoot, place, async (folder, name) => {
    if ((await lstatOrNull(folder, aside)) === null) {
      if (folder.inode.toString() !== folderInode) throw new Error('another folder is there');
      return;
    }
    const standIn: AsideFolder['standIn'] = (given, from) => (work) =>
      journal.duringStandIn({ place: [...above, given], source: [...above, from] }, work);
    await putBack({ folder, standIn }, aside, name);
  });
}

/**
 * Removes what a crash left behind, and puts back what it left set aside: only what the journal has, at the places where it
 * says. Resolves to what cannot be done now, for instance on a disk that is read-only or not mounted: it keeps nobody from
 * starting, and is tried again at the next start.
 */
export async function removeLeftovers(
  scopeRoot: ScopeRoot,
  journal: TemporaryJournal,
  { unfinished, standIns, asides }: Leftovers,
): Promise<Pick<Leftovers, 'unfinished' | 'asides'>> {
  const stuck: { unfinished: TemporaryPlace[]; asides: Aside[] } = { unfinished: [], asides: [] };
  const isGone = (error: unknown): boolean =>
    isAppError(toAppError(error), 'not_found', 'not_a_folder', 'external_link');
  for (const standIn of standIns) {
    // An empty entry that cannot be removed does little harm.
    await removeStandIn(scopeRoot, standIn).catch(() => undefined);
  }
  for (const aside of asides) {
    await putBackAside(scopeRoot, journal, aside).catch(() => stuck.asides.push(aside));
  }
  for (const place of unfinished) {
    try {
      await inFolderOf(scopeRoot, place, (folder, name) => removeTemporaryTree(scopeRoot, folder, name));
    } catch (error) {
      if (!isGone(error)) stuck.unfinished.push(place);
    }
  }
  return stuck;
}
