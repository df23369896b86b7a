import { keepFreeOf } from './space-needs.ts';

/** The age that a reading must have to confirm a later one (milliseconds). */
export const confirmingAgeMs = 60_000;
/** Readings differ too much if one is less than this part of the other. */
const maxChange = 0.5;
/** Changes below this part of the space to keep free are normal on a full disk. */
const usualChange = 0.1;

interface Reading {
  readonly time: number;
  readonly total: number;
  readonly free: number;
}

/**
 * The last readings of the free space of disks. A reading that differs by half from that of a minute before is not confirmed:
 * network disks and quotas sometimes report wrong numbers, which would cause everything to be removed.
 */
export class FreeSpaceHistory {
  readonly #readings = new Map<string, readonly Reading[]>();

  /** Adds a reading of `store`. */
  add(store: string, { total, free }: Omit<Reading, 'time'>, time: number): void {
    const before = (this.#readings.get(store) ?? []).filter((reading) => reading.time <= time);
    // Kept: the latest reading that is old enough to confirm others, and those after it.
    const first = before.findLastIndex((reading) => time - reading.time >= confirmingAgeMs);
    this.#readings.set(store, [...before.slice(Math.max(first, 0)), { time, total, free }]);
  }

  /** Whether a reading of `store` at `time` is plausible and confirmed by one a minute before. */
  isConfirmed(store: string, { total, free }: Omit<Reading, 'time'>, time: number): boolean {
    if (total <= 0) return false;
    const earlier = (this.#readings.get(store) ?? []).findLast(
      (reading) => time - reading.time >= confirmingAgeMs,
    );
    if (earlier === undefined) return false;
    const [low, high] = [Math.min(free, earlier.free), Math.max(free, earlier.free)];
    return low >= high * maxChange || high - low <= keepFreeOf(total) * usualChange;
  }

  /** Accounts for `bytes` that the server has freed itself. */
  freed(store: string, bytes: number): void {
    const readings = this.#readings.get(store) ?? [];
    this.#readings.set(
      store,
      readings.map(({ time, total, free }) => ({ time, total, free: free + bytes })),
    );
  }
}
