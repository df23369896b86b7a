/** Work on the event loop is interrupted after this time, so that other requests are answered. */
const maxBlockMs = 4;

/** Lets long work on the event loop give way now and then. */
export class Pause {
  #since = performance.now();
  #steps = 0;

  /** Whether it is time for {@link take}. Looks at the clock only now and then. */
  isDue(): boolean {
    return (++this.#steps & 0x3f) === 0 && performance.now() - this.#since > maxBlockMs;
  }

  async take(): Promise<void> {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    this.#since = performance.now();
  }
}
