import { isAtOrBelow } from '@filestead/contract/paths/virtual-path';
import type { KeptSpaceMeter } from '../access/keeping/kept-space-meter.ts';
import type { Clock } from '../clock.ts';
import type { RetentionRepository } from '../database/retention-repository.ts';

/**
 * Returns a {@link KeptSpaceMeter} that takes the sizes from the index.
 * @param guaranteedMs the time for which entries are not removed for lack of space
 */
export const openKeeping = (
  repository: Pick<RetentionRepository, 'uses'>,
  clock: Pick<Clock, 'now'>,
  guaranteedMs: number,
): KeptSpaceMeter => ({
  async spaceAt(place) {
    const stores = [...(await repository.uses(clock.now(), guaranteedMs))].filter(([store]) =>
      isAtOrBelow(place, store),
    );
    // Of nested stores the innermost is on the file system of the place.
    const use = stores.toSorted(([a], [b]) => b.length - a.length)[0]?.[1];
    if (use === undefined) return { kept: 0, reclaimable: 0 };
    return { kept: use.bytes + use.restingBytes + use.dueBytes, reclaimable: use.reclaimable };
  },
});
