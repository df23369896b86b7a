import type { Clock } from '../src/clock.ts';

/** A clock that advances only when a test moves it. */
export interface FakeClock extends Clock {
  /** Advances the time and runs the timers that are due; promises that depend on them are settled. */
  pass(ms: number): Promise<void>;
}

/** Opens a clock that starts at `startMs`. */
export function openFakeClock(startMs = 1_000_000): FakeClock {
  let time = startMs;
  const timers = new Map<symbol, { at: number; callback: () => void }>();
  const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return {
    now: () => time,
    every: () => {
      throw new Error('nothing here recurs');
    },
    after(delayMs, callback) {
      const id = Symbol('timer');
      timers.set(id, { at: time + delayMs, callback });
      return () => void timers.delete(id);
    },
    async pass(ms) {
      const end = time + ms;
      await settled();
      for (;;) {
        const [next] = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
        if (next === undefined) break;
        const [id, { at, callback }] = next;
        timers.delete(id);
        time = Math.max(time, at);
        callback();
        await settled();
      }
      time = end;
    },
  };
}
