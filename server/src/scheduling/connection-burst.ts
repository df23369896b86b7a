/** Whoever moves many bytes is held up by new connections for at most so long at a time. */
const maxHoldMs = 25;

/**
 * Node accepts one connection in a turn of the event loop. When hundreds come at once, the last of them waits for as many
 * turns; so that these stay short, what moves many bytes waits until all have been accepted.
 */
export class ConnectionBurst {
  readonly #waiting: (() => void)[] = [];
  #isOn = false;
  #arrived = 0;
  #seen = 0;
  #beganMs = 0;

  /** To be called for each new connection. */
  arrived(): void {
    this.#arrived++;
    if (this.#isOn) return;
    this.#isOn = true;
    this.#beganMs = performance.now();
    // From the end of this turn on: whatever still comes in it counts as before.
    setImmediate(() => this.#lookLater());
  }

  /** Whether connections are arriving. */
  get isActive(): boolean {
    return this.#isOn;
  }

  /** Null when nobody is arriving; otherwise what resolves when all have, or after {@link maxHoldMs}. */
  settled(): Promise<void> | null {
    if (!this.#isOn) return null;
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** One whole turn without a new connection ends the rush. */
  #lookLater(): void {
    this.#seen = this.#arrived;
    setImmediate(() => {
      const isOver = this.#arrived === this.#seen || performance.now() - this.#beganMs > maxHoldMs;
      if (!isOver) {
        this.#lookLater();
        return;
      }
      this.#isOn = false;
      for (const resume of this.#waiting.splice(0)) resume();
    });
  }
}

/** The connections of this process. */
export const connections = new ConnectionBurst();
