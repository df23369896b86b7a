import type { Rush } from './rush.ts';

/**
 * Lets at most `width` calls run at the same time; further ones wait in the order in which they came, and all of them while
 * there is a rush.
 */
export class Lane {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  readonly #rush: Rush | null;
  #running = 0;

  constructor(width: number, rush: Rush | null = null) {
    this.#width = width;
    this.#rush = rush;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#running < this.#width) this.#running++;
    // Whoever ends hands its place over, so that nobody who comes in between takes it.
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      const over = this.#rush?.over();
      if (over) await over;
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
