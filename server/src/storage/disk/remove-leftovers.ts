import { isAppError } from '../../errors.ts';
import { syscalls, ignoreErrno } from './paths/syscalls.ts';
import { toAppError } from './paths/errors.ts';
import { at, closeFolder, type Folder } from './paths/folder.ts';
import { removeTemporaryTree } from './trees/with-tree.ts';
import type { ScopeRoot } from './paths/locate.ts';
import { pathOf } from './paths/path-of.ts';
import { lstatOrNull } from './paths/publish.ts';
import { type RestoreFolder, restoreName } from './transfers/pending-removal.ts';
import type {
  PendingRemoval,
  Leftovers,
  Placeholder,
  TemporaryJournal,
  TemporaryPlace,
} from './writes/temporary-journal.ts';
import { openTree } from './trees/open-tree.ts';

/** Calls `work` with the open parent folder of the path `names` and the last name. */
async function withParentOf<T>(
  scopeRoot: ScopeRoot,
  names: readonly string[],
  work: (folder: Folder, name: string) => Promise<T>,
): Promise<T> {
  // Entries that are being restored are in a store.
  const reaching = { ...scopeRoot, reachesReserved: true };
  const top = await openTree(reaching, pathOf(names.slice(0, -1)));
  try {
    return await work(top.folder, names.at(-1) ?? '');
  } finally {
    if (top.folder !== scopeRoot.root) closeFolder(top.folder);
  }
}

const exists = (scopeRoot: ScopeRoot, names: readonly string[]): Promise<boolean> =>
  withParentOf(scopeRoot, names, async (folder, name) => (await lstatOrNull(folder, name)) !== null);

/** Removes a placeholder that was not replaced. */
async function removePlaceholder(scopeRoot: ScopeRoot, { place, source }: Placeholder): Promise<void> {
  if (!(await exists(scopeRoot, source))) return;
  await withParentOf(scopeRoot, place, async (folder, name) => {
    const stats = await lstatOrNull(folder, name);
    if (stats?.isDirectory() === true)
      await ignoreErrno(syscalls.rmdir(at(folder, name)), 'ENOTEMPTY', 'EEXIST');
    else if (stats?.isFile() === true && stats.size === 0n) await syscalls.unlink(at(folder, name));
  });
}

/** Restores the name of an entry whose removal was interrupted by a crash. Throws when that is not possible now. */
async function restorePending(
  scopeRoot: ScopeRoot,
  journal: TemporaryJournal,
  { place, temporaryName, folderInode }: PendingRemoval,
): Promise<void> {
  const above = place.slice(0, -1);
  await withParentOf(scopeRoot, place, async (folder, name) => {
    if ((await lstatOrNull(folder, temporaryName)) === null) {
      if (folder.inode.toString() !== folderInode) throw new Error('the path leads to another folder');
      return;
    }
    const placeholderFor: RestoreFolder['placeholderFor'] = (restored, from) => (work) =>
      journal.runWithPlaceholder({ place: [...above, restored], source: [...above, from] }, work);
    await restoreName({ folder, placeholderFor }, temporaryName, name);
  });
}

/**
 * Removes unfinished files and placeholders that a crash left behind, and restores the names of pending removals: only
 * entries of the journal, at the recorded paths. Resolves to the records that cannot be handled now, for instance on a disk
 * that is read-only or not mounted: they do not prevent the start, and are tried again at the next one.
 */
export async function removeLeftovers(
  scopeRoot: ScopeRoot,
  journal: TemporaryJournal,
  { unfinished, placeholders, removals }: Leftovers,
): Promise<Pick<Leftovers, 'unfinished' | 'removals'>> {
  const remaining: { unfinished: TemporaryPlace[]; removals: PendingRemoval[] } = {
    unfinished: [],
    removals: [],
  };
  const isGone = (error: unknown): boolean =>
    isAppError(toAppError(error), 'not_found', 'not_a_folder', 'external_link');
  for (const placeholder of placeholders) {
    // An empty entry that cannot be removed is harmless.
    await removePlaceholder(scopeRoot, placeholder).catch(() => undefined);
  }
  for (const removal of removals) {
    await restorePending(scopeRoot, journal, removal).catch(() => remaining.removals.push(removal));
  }
  for (const names of unfinished) {
    try {
      await withParentOf(scopeRoot, names, (folder, name) => removeTemporaryTree(scopeRoot, folder, name));
    } catch (error) {
      if (!isGone(error)) remaining.unfinished.push(names);
    }
  }
  return remaining;
}
