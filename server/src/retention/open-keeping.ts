import { isAtOrBelow } from '@filestead/contract/paths/virtual-path';
import type { Keeping } from '../access/keeping/keeping.ts';
import type { Clock } from '../clock.ts';
import type { RetentionRepository } from '../database/retention-repository.ts';

/**
 * Opens the measurement of kept entries by the index.
 * @param guaranteedMs the time for which entries are not removed for lack of space
 */
export const openKeeping = (
  repository: Pick<RetentionRepository, 'uses'>,
  clock: Pick<Clock, 'now'>,
  guaranteedMs: number,
): Keeping => ({
  async spaceAt(place) {
    const stores = [...(await repository.uses(clock.now(), guaranteedMs))].filter(([store]) =>
      isAtOrBelow(place, store),
    );
    // The innermost store is that of the file system.
    const use = stores.toSorted(([a], [b]) => b.length - a.length)[0]?.[1];
    if (use === undefined) return { kept: 0, reclaimable: 0 };
    return { kept: use.bytes + use.restingBytes + use.dueBytes, reclaimable: use.reclaimable };
  },
});
