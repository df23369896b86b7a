/** The share of a slower flush that counts, and that of a faster one. */
const weights = { slower: 1 / 32, faster: 7 / 32 };

/**
 * The time that the disk needs for a flush, in milliseconds, from the times that threads have measured. Those contain the wait
 * for a processor, which on a busy machine is many times the work of the disk. The estimate therefore follows faster flushes at
 * once and slower ones slowly: it is the expectile of 1/8 of the last ones, near the lower quarter.
 */
export class FlushTime {
  #ms = 0;

  /** The estimate; 0 before the first flush. */
  get ms(): number {
    return this.#ms;
  }

  /** Adds a measured time in milliseconds. */
  add(ms: number): void {
    this.#ms += (ms - this.#ms) * (ms > this.#ms ? weights.slower : weights.faster);
  }
}
