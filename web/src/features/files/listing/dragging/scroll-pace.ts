/** From this speed on, in px per ms, pictures would pass before they are loaded. */
const fastPxPerMs = 2.5;
/** Without a fast step for this long, in ms, the listing counts as calm. */
const calmAfterMs = 120;

/** Whether the listing is being scrolled too fast for loading pictures to make sense. */
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
