import { isAtOrBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeptSpaceMeter } from '../access/keeping/kept-space-meter.ts';
import type { Clock } from '../clock.ts';
import type { RetentionRepository } from '../database/retention-repository.ts';

/**
 * Returns a {@link KeptSpaceMeter} that takes the sizes from the index.
 * @param totalOf returns the size of the disk of a store; null if it cannot be read
 * @param guaranteedMs the time for which entries are not removed for lack of space
 */
export const openKeeping = (
  repository: Pick<RetentionRepository, 'uses'>,
  totalOf: (store: VirtualPath) => Promise<number | null>,
  clock: Pick<Clock, 'now'>,
  guaranteedMs: number,
): KeptSpaceMeter => ({
  async spaceAt(place, total) {
    const stores = [...(await repository.uses(clock.now(), guaranteedMs))].filter(([store]) =>
      isAtOrBelow(place, store),
    );
    // Of nested stores the innermost is on the file system of the place.
    const [store, use] = stores.toSorted(([a], [b]) => b.length - a.length)[0] ?? [];
    const isHere = store !== undefined && (store === place || (await totalOf(store)) === total);
    if (use === undefined || !isHere) return { kept: 0, reclaimable: 0 };
    return { kept: use.bytes + use.restingBytes + use.dueBytes, reclaimable: use.reclaimable };
  },
});
