import { flushSync } from 'react-dom';
import type { ListingLayout } from './model/listing-geometry.ts';
import type { ListingModel } from './model/listing-model.ts';
import type { ListingProps, Point } from './listing-options.ts';
import { ScrollPace } from './dragging/scroll-pace.ts';
import type { ScrollAnchor } from './model/scroll-anchor.ts';
import type { WindowTracker } from './rows/window-tracker.ts';

/** The elements of one listing. */
export interface SurfaceElements {
  /** The root element, which does not scroll. */
  readonly root: HTMLElement;
  readonly scroller: HTMLElement;
  /** The rectangle of the marquee. */
  readonly marquee: HTMLElement;
  /** The indicator of pull-to-reload. */
  readonly pull: HTMLElement;
  /** The live region for screen readers. */
  readonly live: HTMLElement;
}

/** The interface between the interactions of a listing and its elements and model. */
export class ListingSurface {
  readonly elements: SurfaceElements;
  readonly pace: ScrollPace;
  /** Returns the properties of the last rendering. */
  readonly props: () => ListingProps;
  readonly geometry: () => ListingLayout;
  readonly tracker: WindowTracker;
  readonly anchor: ScrollAnchor;
  /** Renders the current rows of the tracker. */
  readonly showWindow: () => void;
  readonly startRename: (id: number) => void;
  /** Whether to ignore the next click, which ends a marquee or long press. */
  ignoresNextClick = false;
  /** The last pointer type, since touch, mouse and pen behave differently. */
  lastPointer = 'mouse';
  /** The entry that had the focus last, unless another element took it. */
  #focused: number | null = null;
  /** The requested frame in which spare rows are rendered. */
  #frame: number | null = null;
  /** Whether the listing has scrolled since the last such frame. */
  #hasScrolled = false;

  constructor(parts: {
    elements: SurfaceElements;
    props: () => ListingProps;
    geometry: () => ListingLayout;
    tracker: WindowTracker;
    pace: ScrollPace;
    anchor: ScrollAnchor;
    showWindow: () => void;
    startRename: (id: number) => void;
  }) {
    this.elements = parts.elements;
    this.props = parts.props;
    this.geometry = parts.geometry;
    this.tracker = parts.tracker;
    this.pace = parts.pace;
    this.anchor = parts.anchor;
    this.showWindow = parts.showWindow;
    this.startRename = parts.startRename;
  }

  get model(): ListingModel {
    return this.props().model;
  }

  get isRightToLeft(): boolean {
    return getComputedStyle(this.elements.root).direction === 'rtl';
  }

  /** Renders the rows for the current scroll position before the frame is painted. */
  follow(): void {
    const { scroller } = this.elements;
    this.#hasScrolled = true;
    const before = this.tracker.window;
    this.pace.moved(scroller.scrollTop, performance.now());
    const after = this.tracker.scrolled(scroller.scrollTop);
    this.anchor.record(this.model, this.geometry(), this.tracker);
    if (after !== before) flushSync(this.showWindow);
    this.fillWindow();
  }

  /** Renders the spare rows around the viewport, some in each frame in which the listing does not scroll. */
  fillWindow(): void {
    if (this.#frame !== null || this.tracker.isFull) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = null;
      const before = this.tracker.window;
      if (!this.#hasScrolled && this.tracker.fill() !== before) flushSync(this.showWindow);
      this.#hasScrolled = false;
      this.fillWindow();
    });
  }

  /** Ends what runs in frames. */
  stop(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
  }

  scrollTo(virtualPx: number): void {
    this.elements.scroller.scrollTop = this.tracker.moveTo(virtualPx);
    this.follow();
  }

  reveal(position: number): void {
    const top = this.tracker.revealTop(position);
    if (top === null) return;
    this.elements.scroller.scrollTop = top;
    this.follow();
  }

  row(id: number): HTMLElement | null {
    return this.elements.scroller.querySelector<HTMLElement>(`[data-id="${id}"]`);
  }

  /** Focuses an entry and scrolls it into view. */
  focus(id: number): void {
    const position = this.model.position(id);
    if (position === null) return;
    // The cursor's row is always rendered, so it can be focused once the cursor is there.
    flushSync(() => this.model.moveCursor(id));
    this.reveal(position);
    this.row(id)?.focus({ preventScroll: true });
  }

  focusCursor(): void {
    const id = this.model.cursor ?? this.model.idAt(0);
    if (id !== null) this.focus(id);
  }

  /** Moves a focus that was lost with its row to the cursor; called when entries were added or removed. */
  keepFocus(): void {
    const { root } = this.elements;
    const hasLostFocus = document.activeElement === null || document.activeElement === document.body;
    if (this.#focused === null || !hasLostFocus || !root.isConnected || this.row(this.#focused)) return;
    const { cursor } = this.model;
    if (cursor !== null) this.row(cursor)?.focus({ preventScroll: true });
  }

  /** Records the focused entry, or `null` if another element of the page has the focus. */
  recordFocus(id: number | null): void {
    this.#focused = id;
  }

  /** Converts a point on the screen to px of the content, x from the inline-start edge. */
  contentPoint({ x, y }: Point): Point {
    const { scroller } = this.elements;
    const box = scroller.getBoundingClientRect();
    const left = x - box.left - scroller.clientLeft;
    return {
      x: this.isRightToLeft ? scroller.clientWidth - left : left,
      y: y - box.top + this.tracker.virtualPx,
    };
  }

  /** Whether a point is on the content and not on a scrollbar. */
  isOnContent({ x, y }: Point): boolean {
    const { scroller } = this.elements;
    const box = scroller.getBoundingClientRect();
    const left = box.left + scroller.clientLeft;
    return (
      x >= left && x < left + scroller.clientWidth && y >= box.top && y < box.top + scroller.clientHeight
    );
  }

  announce(message: string): void {
    this.elements.live.textContent = message;
  }
}

/** Returns the id of the row that contains `target`, or null. */
export function idOfTarget(target: EventTarget | null): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null;
  return row === null ? null : Number(row.dataset['id']);
}

/** Whether `target` handles its own clicks and keys: the column headers and the rename field. */
export function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('button, input, a:not([data-part]), [data-part="editor"]') !== null
  );
}

/** Returns the part of a row that contains `target`: `check`, `menu`, `name`, `icon`, or null. */
export function partOfTarget(target: EventTarget | null): string | null {
  const part = target instanceof Element ? target.closest<HTMLElement>('[data-part]') : null;
  return part?.dataset['part'] ?? null;
}
