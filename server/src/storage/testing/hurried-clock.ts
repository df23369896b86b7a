import { type Clock, systemClock } from '../../clock.ts';

/** The factor by which {@link hurriedClock} runs faster than the machine's clock. */
const factor = 50;

/** A clock for tests of polling, whose intervals are much shorter. */
export const hurriedClock: Clock = {
  now: () => systemClock.now() * factor,
  every: (intervalMs, work) => systemClock.every(intervalMs / factor, work),
  after: (delayMs, work) => systemClock.after(delayMs / factor, work),
};
