/** How near to an edge scrolling begins, in px, and how fast it gets, in px per frame. */
const edgePx = 40;
const fastestPx = 24;

/** Scrolls while a drag or a marquee is held near the upper or lower edge. */
export class AutoScroll {
  readonly #scroller: HTMLElement;
  #frame: number | null = null;
  #y = 0;
  #onStep: () => void = () => undefined;

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
  }

  /** The pointer is at `y` of the viewport; `onStep` is called after each step of the scroller. */
  point(y: number, onStep: () => void): void {
    this.#y = y;
    this.#onStep = onStep;
    if (this.#frame === null && this.#stepPx() !== 0) this.#frame = requestAnimationFrame(this.#step);
  }

  stop(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  readonly #step = (): void => {
    this.#frame = null;
    const before = this.#scroller.scrollTop;
    this.#scroller.scrollTop = before + this.#stepPx();
    if (this.#scroller.scrollTop === before) return;
    this.#onStep();
    this.#frame = requestAnimationFrame(this.#step);
  };

  #stepPx(): number {
    const { top, bottom } = this.#scroller.getBoundingClientRect();
    const beyond = Math.max(top + edgePx - this.#y, this.#y - (bottom - edgePx));
    if (beyond <= 0) return 0;
    const speed = Math.max(2, (Math.min(beyond, edgePx) / edgePx) * fastestPx);
    return this.#y < (top + bottom) / 2 ? -speed : speed;
  }
}
