import type { ConnectionBurst } from './connection-burst.ts';

/**
 * Lets at most `width` calls run at the same time. Further ones wait in the order of their arrival, and all of them wait while
 * new connections are being accepted, when `rush` is given. For calls that are short and owned by nobody; work that takes
 * long goes through a fair queue.
 */
export class Semaphore {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  readonly #rush: ConnectionBurst | null;
  #running = 0;

  constructor(width: number, burst: ConnectionBurst | null = null) {
    this.#width = width;
    this.#rush = burst;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#running < this.#width) this.#running++;
    // A call that ends hands its place over, so that no newcomer takes it first.
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      const over = this.#rush?.settled();
      if (over) await over;
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
