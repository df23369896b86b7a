import { AutoScroll } from './auto-scroll.ts';
import type { Point } from '../listing-options.ts';
import type { MarqueeMode } from '../model/selection.ts';
import { idOfTarget, type ListingSurface } from '../surface.ts';

/** The distance, in px, after which a press becomes a marquee. */
const thresholdPx = 4;

/** Selects the entries within a rectangle that the mouse draws, from a press until the button is released. */
export class Marquee {
  readonly #surface: ListingSurface;
  readonly #listening = new AbortController();
  readonly #onEnd: () => void;
  readonly #autoScroll: AutoScroll;
  readonly #mode: MarqueeMode;
  /** The start point, in px of the content. */
  readonly #from: Point;
  readonly #pressed: Point;
  #pointer: Point;
  #isDrawing = false;
  #frame: number | null = null;

  constructor(surface: ListingSurface, event: PointerEvent, onEnd: () => void) {
    this.#surface = surface;
    this.#onEnd = onEnd;
    this.#autoScroll = new AutoScroll(surface.elements.scroller);
    this.#mode = event.ctrlKey || event.metaKey ? 'invert' : event.shiftKey ? 'add' : 'replace';
    this.#pressed = { x: event.clientX, y: event.clientY };
    this.#pointer = this.#pressed;
    this.#from = surface.contentPoint(this.#pressed);
    const { signal } = this.#listening;
    window.addEventListener('pointermove', (moved) => this.#onPointerMove(moved), { signal });
    window.addEventListener('pointerup', () => this.finish(), { signal });
    window.addEventListener('pointercancel', () => this.finish(), { signal });
    window.addEventListener('keydown', (key) => this.#onKeyDown(key), { signal, capture: true });
    surface.elements.scroller.addEventListener('scroll', () => this.#drawSoon(), { signal, passive: true });
  }

  finish(): void {
    this.#listening.abort();
    this.#autoScroll.stop();
    if (this.#frame !== null) {
      cancelAnimationFrame(this.#frame);
      this.#draw();
    }
    if (this.#isDrawing) {
      this.#surface.ignoresNextClick = true;
      this.#surface.model.endMarquee();
      this.#surface.elements.marquee.hidden = true;
      this.#takeFocus();
    }
    this.#isDrawing = false;
    this.#onEnd();
  }

  #onPointerMove(event: PointerEvent): void {
    if (event.buttons === 0) {
      this.finish();
      return;
    }
    this.#pointer = { x: event.clientX, y: event.clientY };
    const distance = Math.hypot(this.#pointer.x - this.#pressed.x, this.#pointer.y - this.#pressed.y);
    if (!this.#isDrawing && distance < thresholdPx) return;
    if (!this.#isDrawing) {
      this.#isDrawing = true;
      this.#surface.model.beginMarquee(this.#mode);
      this.#surface.elements.marquee.hidden = false;
    }
    this.#autoScroll.point(this.#pointer.y, () => this.#drawSoon());
    this.#drawSoon();
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !this.#isDrawing) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#surface.model.updateMarquee([]);
    this.finish();
  }

  #drawSoon(): void {
    if (this.#isDrawing) this.#frame ??= requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#frame = null;
    const surface = this.#surface;
    const to = surface.contentPoint(this.#pointer);
    const rect = {
      x1: Math.min(this.#from.x, to.x),
      y1: Math.min(this.#from.y, to.y),
      x2: Math.max(this.#from.x, to.x),
      y2: Math.max(this.#from.y, to.y),
    };
    surface.model.updateMarquee(surface.geometry().positionsIn(rect));
    const { scroller, marquee } = surface.elements;
    const top = Math.max(rect.y1 - surface.tracker.virtualPx, surface.geometry().measures.stickyPx);
    const bottom = Math.min(rect.y2 - surface.tracker.virtualPx, scroller.clientHeight);
    const start = Math.max(0, rect.x1);
    const end = Math.min(scroller.clientWidth, rect.x2);
    marquee.style.insetBlockStart = `${top}px`;
    marquee.style.insetInlineStart = `${start}px`;
    marquee.style.blockSize = `${Math.max(0, bottom - top)}px`;
    marquee.style.inlineSize = `${Math.max(0, end - start)}px`;
  }

  /** Focuses the entry under the pointer, if the marquee ended on one. */
  #takeFocus(): void {
    const { model } = this.#surface;
    const id = idOfTarget(document.elementFromPoint(this.#pointer.x, this.#pointer.y));
    if (id !== null && model.isSelected(id)) this.#surface.row(id)?.focus({ preventScroll: true });
    else this.#surface.row(model.cursor ?? -1)?.focus({ preventScroll: true });
  }
}
