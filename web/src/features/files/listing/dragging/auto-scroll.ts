/** The distance from an edge at which scrolling starts, in px. */
const edgePx = 40;
/** The speed at this distance and at the edge, in px per second. */
const minPxPerS = 120;
const maxPxPerS = 1440;
/** The longest time that one step covers, in ms, so that a suspended page does not jump. */
const maxStepMs = 1000;

/** Scrolls while a drag or marquee is held near the upper or lower edge, with the same speed at any frame rate. */
export class AutoScroll {
  readonly #scroller: HTMLElement;
  #frame: number | null = null;
  #lastAtMs = 0;
  /** The fraction of a pixel that is left over from the last steps. */
  #remainderPx = 0;
  #y = 0;
  #onStep: () => void = () => undefined;

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
  }

  /** Reports the pointer at `y` of the viewport; `onStep` is called after each scroll step. */
  point(y: number, onStep: () => void): void {
    this.#y = y;
    this.#onStep = onStep;
    if (this.#frame !== null || this.#pxPerS() === 0) return;
    this.#lastAtMs = performance.now();
    this.#remainderPx = 0;
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
    // The timestamp of a frame can precede that of an event handled in it.
    const atMs = Math.max(frameAtMs, this.#lastAtMs);
    this.#remainderPx += (speed * Math.min(atMs - this.#lastAtMs, maxStepMs)) / 1000;
    this.#lastAtMs = atMs;
    // Scroll positions are rounded to whole pixels; a smaller step would look like the end of the listing.
    const stepPx = Math.trunc(this.#remainderPx);
    if (stepPx !== 0) {
      const before = this.#scroller.scrollTop;
      this.#scroller.scrollTop = before + stepPx;
      if (this.#scroller.scrollTop === before) return;
      this.#remainderPx -= stepPx;
      this.#onStep();
    }
    this.#frame = requestAnimationFrame(this.#step);
  };

  /** Returns the speed; negative upwards, 0 away from the edges. */
  #pxPerS(): number {
    const { top, bottom } = this.#scroller.getBoundingClientRect();
    const overshootPx = Math.max(top + edgePx - this.#y, this.#y - (bottom - edgePx));
    if (overshootPx <= 0) return 0;
    const speed = Math.max(minPxPerS, (Math.min(overshootPx, edgePx) / edgePx) * maxPxPerS);
    return this.#y < (top + bottom) / 2 ? -speed : speed;
  }
}
