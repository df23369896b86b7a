/** The time and the recurring timers of the server. Tests replace it with one that they can advance. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /**
   * Calls `work` every `intervalMs` until the returned function is called. Does not keep the process alive.
   */
  every(intervalMs: number, work: () => void): () => void;
  /**
   * Calls `work` once after `delayMs` unless the returned function is called first. Does not keep the process
   * alive.
   */
  after(delayMs: number, work: () => void): () => void;
}

/** The system clock. */
export const systemClock: Clock = {
  now: Date.now,
  every(intervalMs, work) {
    const timer = setInterval(work, intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
