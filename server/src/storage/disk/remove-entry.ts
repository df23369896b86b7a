import { segmentsOf, type VirtualPath } from '@filestead/contract/virtual-path';
import { AppError } from '../../http/app-error.ts';
import type { RemoveOptions } from '../storage.ts';
import { syscalls } from './calls.ts';
import { type Disk, assertNotRoot } from './disk.ts';
import { at } from './folder.ts';
import { assertNothingExcluded, removeTree, withTree } from './hold.ts';
import { release, locate } from './locate.ts';
import { assertNoMountBelow } from './mounts.ts';
import { Progress } from './progress.ts';
import { runAsync } from './steps.ts';
import { measureTree } from './survey.ts';

/** `Storage.remove` on a disk: trees are looked through before anything is removed. */
export async function removeEntry(
  { scopeRoot }: Disk,
  path: VirtualPath,
  options: RemoveOptions = {},
): Promise<void> {
  const { beforeChange, signal } = options;
  const progress = new Progress(options);
  const segments = segmentsOf(path);
  const resolved = await runAsync(locate(scopeRoot, segments, { leaf: 'keep' }));
  try {
    assertNotRoot(resolved);
    if (resolved.stats === null) throw new AppError('not_found');
    if (!resolved.stats.isDirectory()) {
      await beforeChange?.();
      return await syscalls.unlink(at(resolved.folder, resolved.name));
    }
    await withTree(scopeRoot, resolved, async (top) => {
      await assertNothingExcluded(scopeRoot, top.folder);
      await measureTree(scopeRoot, top, [segments], { signal });
      await assertNoMountBelow(scopeRoot, resolved.folder, top, signal);
      await beforeChange?.();
      await removeTree(scopeRoot, resolved.folder, top, progress);
    });
    progress.tell();
  } finally {
    release(scopeRoot, resolved);
  }
}
