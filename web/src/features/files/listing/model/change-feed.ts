/** The interval at which arriving rows are rendered, in ms; a shorter one costs more than is visible. */
const streamIntervalMs = 50;

/** Notifies listeners of changes; they read the changed state themselves. */
export class ChangeFeed {
  readonly #listeners = new Set<() => void>();
  #batches = 0;
  #hasPending = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastAtMs = Number.NEGATIVE_INFINITY;

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(): void {
    if (this.#batches > 0) {
      this.#hasPending = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastAtMs = performance.now();
    for (const listener of this.#listeners) listener();
  }

  /** Notifies at once if the last notification is old enough, else later together with further changes. */
  emitSoon(): void {
    if (this.#timer !== undefined) return;
    const waitMs = this.#lastAtMs + streamIntervalMs - performance.now();
    if (waitMs <= 0) this.emit();
    else this.#timer = setTimeout(() => this.emit(), waitMs);
  }

  /** Suppresses notifications while `run` is executed and notifies once afterwards. */
  batch(run: () => void): void {
    this.#batches++;
    try {
      run();
    } finally {
      this.#batches--;
      if (this.#batches === 0 && this.#hasPending) {
        this.#hasPending = false;
        this.emit();
      }
    }
  }
}
