import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../../errors.ts';
import type { KeepCause, KeptEntry } from '../../kept/kept-entries.ts';
import type { RemoveOptions } from '../../storage.ts';
import { syscalls } from '../paths/syscalls.ts';
import { type Disk, assertNotRoot, lockKey, placeOf } from '../disk.ts';
import { keepByCopy } from '../kept/keep-by-copy.ts';
import { keepEntry } from '../kept/keep-entry.ts';
import { at } from '../paths/folder.ts';
import { assertNothingExcluded, removeTree, withTree } from '../trees/with-tree.ts';
import { release, locate } from '../paths/locate.ts';
import { assertNoMountBelow } from '../paths/mounts.ts';
import { Progress } from '../trees/progress.ts';
import { runAsync } from '../paths/steps.ts';
import { assertTreeAllowed } from '../trees/assert-tree-allowed.ts';

/** `Storage.remove` on a disk. A whole tree is checked before anything is removed or moved into the store. */
export async function removeEntry(
  disk: Disk,
  path: VirtualPath,
  options: RemoveOptions = {},
): Promise<readonly KeptEntry[]> {
  const { scopeRoot } = disk;
  const { beforeChange, signal, keep, upcoming, onKept, copies = false } = options;
  const progress = new Progress(options);
  const segments = segmentsOf(path);
  const resolved = await runAsync(locate(scopeRoot, segments, { leaf: 'keep' }));
  const { folder, name, stats } = resolved;
  const keepIt = async (cause: KeepCause): Promise<KeptEntry[]> => {
    if (stats === null) throw new AppError('not_found');
    const names = [...disk.prefix, ...resolved.names];
    const places = (): VirtualPath[] => (upcoming?.() ?? []).map((next) => placeOf(disk, segmentsOf(next)));
    const losing = { folder, name, names, stats };
    const kept: KeptEntry[] = [];
    const add = (entry: KeptEntry): void => {
      kept.push(entry);
      onKept?.([entry]);
    };
    await disk.locks.run(lockKey(folder, name), async () => {
      try {
        add(await keepEntry(disk, losing, cause, places));
      } catch (error) {
        if (!copies || !isAppError(error, 'keep_needs_copy')) throw error;
        await keepByCopy(disk, losing, cause, { progress, onKept: add });
        progress.report();
      }
    });
    return kept;
  };
  try {
    assertNotRoot(resolved);
    if (stats === null) throw new AppError('not_found');
    if (!stats.isDirectory()) {
      await beforeChange?.();
      if (keep !== undefined && keep !== null) return await keepIt(keep);
      await syscalls.unlink(at(folder, name));
      return [];
    }
    return await withTree(scopeRoot, resolved, async (top) => {
      await assertNothingExcluded(scopeRoot, top.folder);
      await assertTreeAllowed(scopeRoot, top, [segments], { signal });
      await assertNoMountBelow(scopeRoot, folder, top, signal);
      await beforeChange?.();
      if (keep !== undefined && keep !== null) return keepIt(keep);
      await removeTree(scopeRoot, folder, top, progress);
      progress.report();
      return [];
    });
  } finally {
    release(scopeRoot, resolved);
  }
}
