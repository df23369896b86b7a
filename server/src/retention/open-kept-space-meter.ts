import { isAtOrBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeptSpaceMeter } from '../access/keeping/kept-space-meter.ts';
import type { Clock } from '../clock.ts';
import type { RetentionRepository } from '../database/retention-repository.ts';

/**
 * Returns a {@link KeptSpaceMeter} that takes the sizes from the index.
 * @param fileSystemOf returns the file system of a store; null if it cannot be read
 * @param guaranteedMs the time for which entries are not removed for lack of space
 */
export const openKeptSpaceMeter = (
  repository: Pick<RetentionRepository, 'uses'>,
  fileSystemOf: (store: VirtualPath) => Promise<string | null>,
  clock: Pick<Clock, 'now'>,
  guaranteedMs: number,
): KeptSpaceMeter => ({
  async spaceAt(place, fileSystem) {
    const stores = [...(await repository.uses(clock.now(), guaranteedMs))].filter(([store]) =>
      isAtOrBelow(place, store),
    );
    // Of nested stores the innermost is on the file system of the place.
    const [store, use] = stores.toSorted(([a], [b]) => b.length - a.length)[0] ?? [];
    const isHere = store !== undefined && (store === place || (await fileSystemOf(store)) === fileSystem);
    if (use === undefined || !isHere) return { kept: 0, reclaimable: 0 };
    return { kept: use.bytes + use.restingBytes + use.dueBytes, reclaimable: use.reclaimable };
  },
});
