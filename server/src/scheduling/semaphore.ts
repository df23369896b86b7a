import type { ConnectionBurst } from './connection-burst.ts';

/**
 * Lets at most `width` calls run concurrently. Further calls wait in the order of arrival, and with `burst`
 * all calls wait while new connections are being accepted. For short calls that belong to no party; longer
 * work goes through a fair queue.
 */
export class Semaphore {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  readonly #burst: ConnectionBurst | null;
  #running = 0;

  constructor(width: number, burst: ConnectionBurst | null = null) {
    this.#width = width;
    this.#burst = burst;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#running < this.#width) this.#running++;
    // A finished call passes its slot to the next waiting one, so that a new call cannot overtake it.
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      const settled = this.#burst?.settled();
      if (settled) await settled;
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
