/** The speed, in px per ms, from which pictures would pass before they are loaded. */
const fastPxPerMs = 2.5;
/** The time without a fast step after which scrolling counts as slow, in ms. */
const calmAfterMs = 120;

/** Tracks whether the listing is scrolled too fast for loading pictures. */
export class ScrollPace {
  readonly #listeners = new Set<() => void>();
  #isFast = false;
  #lastPx = 0;
  #lastAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get isFast(): boolean {
    return this.#isFast;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  moved(topPx: number, nowMs: number): void {
    const speed = Math.abs(topPx - this.#lastPx) / Math.max(1, nowMs - this.#lastAtMs);
    this.#lastPx = topPx;
    this.#lastAtMs = nowMs;
    if (speed < fastPxPerMs) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#set(false), calmAfterMs);
    this.#set(true);
  }

  #set(isFast: boolean): void {
    if (this.#isFast === isFast) return;
    this.#isFast = isFast;
    for (const listener of this.#listeners) listener();
  }
}
