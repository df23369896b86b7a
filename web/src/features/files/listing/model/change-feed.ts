/** How often rows that arrive are shown, in milliseconds: oftener costs more than the eye sees. */
const streamEveryMs = 50;

/** Tells listeners that something changed; they look for themselves what it was. */
export class ChangeFeed {
  readonly #listeners = new Set<() => void>();
  #batches = 0;
  #isWaiting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastAtMs = Number.NEGATIVE_INFINITY;

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(): void {
    if (this.#batches > 0) {
      this.#isWaiting = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastAtMs = performance.now();
    for (const listener of this.#listeners) listener();
  }

  /** At once when nothing was told lately, else a little later together with what follows. */
  emitSoon(): void {
    if (this.#timer !== undefined) return;
    const waitMs = this.#lastAtMs + streamEveryMs - performance.now();
    if (waitMs <= 0) this.emit();
    else this.#timer = setTimeout(() => this.emit(), waitMs);
  }

  /** Keeps quiet while `work` runs and tells once afterwards. */
  batch(work: () => void): void {
    this.#batches++;
    try {
      work();
    } finally {
      this.#batches--;
      if (this.#batches === 0 && this.#isWaiting) {
        this.#isWaiting = false;
        this.emit();
      }
    }
  }
}
