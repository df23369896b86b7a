import { type Clock, systemClock } from '../src/clock.ts';

/** A clock that runs at the machine's pace and can be moved forward. */
export interface TestClock extends Clock {
  /** Moves the time forward by `ms` and runs once each timer whose interval is not longer than that. */
  advance(ms: number): void;
}

/** Opens a clock that is `aheadMs` ahead of the machine's until it is moved. */
export function openTestClock(aheadMs = 0): TestClock {
  const recurring = new Set<{ intervalMs: number; work: () => void }>();
  return {
    now: () => systemClock.now() + aheadMs,
    every(intervalMs, work) {
      const entry = { intervalMs, work };
      recurring.add(entry);
      const stop = systemClock.every(intervalMs, work);
      return () => {
        recurring.delete(entry);
        stop();
      };
    },
    advance(ms) {
      aheadMs += ms;
      for (const { intervalMs, work } of recurring) if (intervalMs <= ms) work();
    },
  };
}
