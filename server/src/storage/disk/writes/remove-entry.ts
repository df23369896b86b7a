import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../../errors.ts';
import type { KeptEntry } from '../../kept/kept-entries.ts';
import type { RemoveOptions } from '../../storage.ts';
import { syscalls } from '../paths/syscalls.ts';
import { type Disk, assertNotRoot } from '../disk.ts';
import { at } from '../paths/folder.ts';
import { assertNothingExcluded, removeTree, withTree } from '../trees/with-tree.ts';
import { release, locate } from '../paths/locate.ts';
import { assertNoMountBelow } from '../paths/mounts.ts';
import { Progress } from '../trees/progress.ts';
import { runAsync } from '../paths/steps.ts';
import { assertTreeAllowed } from '../trees/assert-tree-allowed.ts';

/** `Storage.remove` on a disk. A whole tree is checked before anything is removed. */
export async function removeEntry(
  { scopeRoot }: Disk,
  path: VirtualPath,
  options: RemoveOptions = {},
): Promise<readonly KeptEntry[]> {
  const { beforeChange, signal, keep } = options;
  if (keep !== undefined && keep !== null) throw new AppError('cannot_keep', 'this disk has no trash');
  const progress = new Progress(options);
  const segments = segmentsOf(path);
  const resolved = await runAsync(locate(scopeRoot, segments, { leaf: 'keep' }));
  try {
    assertNotRoot(resolved);
    if (resolved.stats === null) throw new AppError('not_found');
    if (!resolved.stats.isDirectory()) {
      await beforeChange?.();
      await syscalls.unlink(at(resolved.folder, resolved.name));
      return [];
    }
    await withTree(scopeRoot, resolved, async (top) => {
      await assertNothingExcluded(scopeRoot, top.folder);
      await assertTreeAllowed(scopeRoot, top, [segments], { signal });
      await assertNoMountBelow(scopeRoot, resolved.folder, top, signal);
      await beforeChange?.();
      await removeTree(scopeRoot, resolved.folder, top, progress);
    });
    progress.report();
    return [];
  } finally {
    release(scopeRoot, resolved);
  }
}
