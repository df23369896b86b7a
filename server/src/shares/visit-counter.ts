import type { ShareRepository } from '../database/database.ts';
import { LimitedMap } from '../limited-map.ts';

/** Requests of one address within this time after the last one belong to the same visit. */
export const visitGapMs = 30 * 60 * 1000;
/** Maximum number of visitors that are remembered. If there are more, a visit may be counted twice. */
const maxRememberedVisitors = 20_000;

/** Counts the visits of shares in memory, and writes the counts in batches. */
export interface VisitCounter {
  /** Records a permitted request for a share. */
  record(hash: string, address: string): void;
  /** Writes the counts that have not been written yet. If it fails, they are kept for the next call. */
  flush(): Promise<void>;
}

/** Creates a counter that writes to `shares`; `now` returns Unix milliseconds. */
export function openVisitCounter(
  shares: Pick<ShareRepository, 'addVisits'>,
  now: () => number,
): VisitCounter {
  /** The time of the last request by share and address. */
  const lastSeen = new LimitedMap<string, number>(maxRememberedVisitors);
  let pending = new Map<string, number>();
  const add = (hash: string, count: number): void => {
    pending.set(hash, (pending.get(hash) ?? 0) + count);
  };
  return {
    record(hash, address) {
      const visitor = `${hash} ${address}`;
      const time = now();
      const last = lastSeen.get(visitor);
      lastSeen.set(visitor, time);
      if (last === undefined || time - last >= visitGapMs) add(hash, 1);
    },
    async flush() {
      if (pending.size === 0) return;
      const counts = pending;
      pending = new Map();
      try {
        await shares.addVisits(counts);
      } catch (error) {
        for (const [hash, count] of counts) add(hash, count);
        throw error;
      }
    },
  };
}
