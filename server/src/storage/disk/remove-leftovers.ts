import type { VirtualPath } from '@filestead/contract/virtual-path';
import { isAppError } from '../../http/app-error.ts';
import { calls, unless } from './calls.ts';
import { toAppError } from './errors.ts';
import { at, closeFolder, type Folder } from './folder.ts';
import { removeTemporaryTree } from './hold.ts';
import type { Area } from './locate.ts';
import { look } from './publish.ts';
import type { Leftovers, StandIn, TemporaryPlace } from './temporary-journal.ts';
import { openTree } from './walk-tree.ts';

/** Does `work` in the folder that holds the last of `place`; a walk never reaches an unfinished file itself. */
async function inFolderOf<T>(
  area: Area,
  place: readonly string[],
  work: (folder: Folder, name: string) => Promise<T>,
): Promise<T> {
  const top = await openTree(area, `/${place.slice(0, -1).join('/')}` as VirtualPath);
  try {
    return await work(top.folder, place.at(-1) ?? '');
  } finally {
    if (top.folder !== area.root) closeFolder(top.folder);
  }
}

const isThere = (area: Area, place: readonly string[]): Promise<boolean> =>
  inFolderOf(area, place, async (folder, name) => (await look(folder, name)) !== null);

/** Frees the name that something empty holds for what never took it. */
async function removeStandIn(area: Area, { place, source }: StandIn): Promise<void> {
  if (!(await isThere(area, source))) return;
  await inFolderOf(area, place, async (folder, name) => {
    const stats = await look(folder, name);
    if (stats?.isDirectory() === true) await unless(calls.rmdir(at(folder, name)), 'ENOTEMPTY', 'EEXIST');
    else if (stats?.isFile() === true && stats.size === 0n) await calls.unlink(at(folder, name));
  });
}

/**
 * Removes what a crash left behind: only what the journal has, at the places where it says. Resolves to the unfinished files
 * that cannot be removed now, for instance from a disk that is read-only: they keep nobody from starting.
 */
export async function removeLeftovers(
  area: Area,
  { unfinished, standIns }: Leftovers,
): Promise<TemporaryPlace[]> {
  const stuck: TemporaryPlace[] = [];
  const isGone = (error: unknown): boolean =>
    isAppError(toAppError(error), 'not_found', 'not_a_folder', 'external_link');
  for (const standIn of standIns) {
    // What is empty does little harm where it cannot be removed.
    await removeStandIn(area, standIn).catch(() => undefined);
  }
  for (const place of unfinished) {
    try {
      await inFolderOf(area, place, (folder, name) => removeTemporaryTree(area, folder, name));
    } catch (error) {
      if (!isGone(error)) stuck.push(place);
    }
  }
  return stuck;
}
