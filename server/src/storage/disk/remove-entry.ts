import { segmentsOf, type VirtualPath } from '@filestead/contract/virtual-path';
import { AppError } from '../../http/app-error.ts';
import type { RemoveOptions } from '../storage.ts';
import { calls } from './calls.ts';
import { type Disk, mustNotBeRoot } from './disk.ts';
import { at } from './folder.ts';
import { mustHoldNothingExcluded, removeTree, withTree } from './hold.ts';
import { leave, locate } from './locate.ts';
import { mustHoldNoMount } from './mounts.ts';
import { Progress } from './progress.ts';
import { runAsync } from './steps.ts';
import { survey } from './survey.ts';

/** `Storage.remove` on a disk: trees are looked through before anything is removed. */
export async function removeEntry(
  { area }: Disk,
  path: VirtualPath,
  options: RemoveOptions = {},
): Promise<void> {
  const { beforeChange, signal } = options;
  const progress = new Progress(options);
  const segments = segmentsOf(path);
  const spot = await runAsync(locate(area, segments, { leaf: 'keep' }));
  try {
    mustNotBeRoot(spot);
    if (spot.stats === null) throw new AppError('not_found');
    if (!spot.stats.isDirectory()) {
      await beforeChange?.();
      return await calls.unlink(at(spot.folder, spot.name));
    }
    await withTree(area, spot, async (top) => {
      await mustHoldNothingExcluded(area, top.folder);
      await survey(area, top, [segments], { signal });
      await mustHoldNoMount(area, spot.folder, top, signal);
      await beforeChange?.();
      await removeTree(area, spot.folder, top, progress);
    });
    progress.tell();
  } finally {
    leave(area, spot);
  }
}
