/** Maximum delay of data transfers by new connections, in milliseconds. */
const maxHoldMs = 25;

/**
 * Node accepts one connection per iteration of the event loop. When hundreds arrive at once, the last one
 * waits for as many iterations. Data transfers wait until all have been accepted, which keeps these
 * iterations short.
 */
export class ConnectionBurst {
  readonly #waiting: (() => void)[] = [];
  #isOn = false;
  #arrived = 0;
  #seen = 0;
  #beganMs = 0;

  /** Must be called for each new connection. */
  arrived(): void {
    this.#arrived++;
    if (this.#isOn) return;
    this.#isOn = true;
    this.#beganMs = performance.now();
    // Counts from the end of this iteration; connections that arrive within it belong to the burst.
    setImmediate(() => this.#checkLater());
  }

  /** Whether connections are currently arriving. */
  get isActive(): boolean {
    return this.#isOn;
  }

  /**
   * Null outside a burst; otherwise a promise that resolves after the burst, at the latest after {@link
   * maxHoldMs}.
   */
  settled(): Promise<void> | null {
    if (!this.#isOn) return null;
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** Ends the burst after one whole iteration without a new connection. */
  #checkLater(): void {
    this.#seen = this.#arrived;
    setImmediate(() => {
      const isOver = this.#arrived === this.#seen || performance.now() - this.#beganMs > maxHoldMs;
      if (!isOver) {
        this.#checkLater();
        return;
      }
      this.#isOn = false;
      for (const resume of this.#waiting.splice(0)) resume();
    });
  }
}

/** The connection burst of this process. */
export const connections = new ConnectionBurst();
