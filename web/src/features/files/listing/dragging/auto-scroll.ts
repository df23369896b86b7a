/** How near to an edge scrolling begins, in px. */
const edgePx = 40;
/** The speed where scrolling begins and at the edge, in px per second. */
const slowestPxPerS = 120;
const fastestPxPerS = 1440;
/** The longest time between two frames that one step makes up for, in ms: a page that was suspended does not jump. */
const longestStepMs = 1000;

/** Scrolls while a drag or a marquee is held near the upper or lower edge, equally fast at any frame rate. */
export class AutoScroll {
  readonly #scroller: HTMLElement;
  #frame: number | null = null;
  #lastAtMs = 0;
  /** The part of a pixel that the last steps left over. */
  #restPx = 0;
  #y = 0;
  #onStep: () => void = () => undefined;

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
  }

  /** The pointer is at `y` of the viewport; `onStep` is called after each step of the scroller. */
  point(y: number, onStep: () => void): void {
    this.#y = y;
    this.#onStep = onStep;
    if (this.#frame !== null || this.#pxPerS() === 0) return;
    this.#lastAtMs = performance.now();
    this.#restPx = 0;
    this.#frame = requestAnimationFrame(this.#step);
  }

  stop(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  readonly #step = (frameAtMs: number): void => {
    this.#frame = null;
    const speed = this.#pxPerS();
    if (speed === 0) return;
    // The time of a frame can be before that of an event handled in it.
    const atMs = Math.max(frameAtMs, this.#lastAtMs);
    this.#restPx += (speed * Math.min(atMs - this.#lastAtMs, longestStepMs)) / 1000;
    this.#lastAtMs = atMs;
    // Scrollers round to whole pixels: less than one would look like the end of the listing.
    const stepPx = Math.trunc(this.#restPx);
    if (stepPx !== 0) {
      const before = this.#scroller.scrollTop;
      this.#scroller.scrollTop = before + stepPx;
      if (this.#scroller.scrollTop === before) return;
      this.#restPx -= stepPx;
      this.#onStep();
    }
    this.#frame = requestAnimationFrame(this.#step);
  };

  /** Negative upwards, 0 where nothing scrolls. */
  #pxPerS(): number {
    const { top, bottom } = this.#scroller.getBoundingClientRect();
    const beyond = Math.max(top + edgePx - this.#y, this.#y - (bottom - edgePx));
    if (beyond <= 0) return 0;
    const speed = Math.max(slowestPxPerS, (Math.min(beyond, edgePx) / edgePx) * fastestPxPerS);
    return this.#y < (top + bottom) / 2 ? -speed : speed;
  }
}
