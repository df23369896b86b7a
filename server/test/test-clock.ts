import { type Clock, systemClock } from '../src/clock.ts';

/** A clock that runs at the machine's pace and can be moved forward. */
export interface TestClock extends Clock {
  /** Moves the time forward by `ms` and runs once each timer that is due by then. */
  advance(ms: number): void;
}

/**
 * Opens a clock that is `aheadMs` ahead of the machine's until it is moved. The time of a stopped clock changes only when it
 * is moved, so that its timers run only then.
 */
export function openTestClock(aheadMs = 0, { isStopped = false } = {}): TestClock {
  const stoppedAt = systemClock.now();
  const baseNow = isStopped ? () => stoppedAt : systemClock.now;
  const every = isStopped ? () => () => undefined : systemClock.every;
  const after = isStopped ? () => () => undefined : systemClock.after;
  const awaited = new Set<{ at: number; work: () => void }>();
  const recurring = new Set<{ intervalMs: number; work: () => void }>();
  return {
    now: () => baseNow() + aheadMs,
    every(intervalMs, work) {
      const entry = { intervalMs, work };
      recurring.add(entry);
      const stop = every(intervalMs, work);
      return () => {
        recurring.delete(entry);
        stop();
      };
    },
    after(delayMs, work) {
      const done = (): void => {
        awaited.delete(entry);
        cancel();
      };
      const entry = {
        at: baseNow() + aheadMs + delayMs,
        work: () => {
          done();
          work();
        },
      };
      awaited.add(entry);
      const cancel = after(delayMs, entry.work);
      return done;
    },
    advance(ms) {
      aheadMs += ms;
      const now = baseNow() + aheadMs;
      for (const { at, work } of awaited) if (at <= now) work();
      for (const { intervalMs, work } of recurring) if (intervalMs <= ms) work();
    },
  };
}
