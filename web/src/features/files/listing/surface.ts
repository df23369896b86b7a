import { flushSync } from 'react-dom';
import { AutoScroll } from './dragging/auto-scroll.ts';
import type { ListingGeometry } from './model/listing-geometry.ts';
import type { ListingModel } from './model/listing-model.ts';
import type { ListingProps, Point } from './listing-options.ts';
import { ScrollPace } from './dragging/scroll-pace.ts';
import type { SteadyPlace } from './model/steady-place.ts';
import type { WindowTracker } from './rows/window-tracker.ts';

/** The parts of the page that belong to one listing. */
export interface SurfaceElements {
  /** The whole area, which does not scroll. */
  readonly root: HTMLElement;
  readonly scroller: HTMLElement;
  /** The rectangle of the marquee. */
  readonly marquee: HTMLElement;
  /** Says beside the pointer what a drop would do. */
  readonly pill: HTMLElement;
  /** Follows a finger that pulls the listing down to read it again. */
  readonly pull: HTMLElement;
  /** Read out by screen readers when its text changes. */
  readonly live: HTMLElement;
}

/** What the interactions of a listing work on: the page on one side, the model on the other. */
export class ListingSurface {
  readonly elements: SurfaceElements;
  readonly autoScroll: AutoScroll;
  readonly pace: ScrollPace;
  /** The properties of the last rendering. */
  readonly props: () => ListingProps;
  readonly geometry: () => ListingGeometry;
  readonly tracker: WindowTracker;
  readonly place: SteadyPlace;
  /** Renders the rows that the tracker has found. */
  readonly showWindow: () => void;
  readonly startRename: (id: number) => void;
  /** The click that ends a marquee or a long press means nothing. */
  isClickSwallowed = false;
  /** Touch, mouse and pen differ in what a press begins. */
  lastPointer = 'mouse';
  /** The entry that had the keyboard last, while nothing else took it. */
  #focused: number | null = null;

  constructor(parts: {
    elements: SurfaceElements;
    props: () => ListingProps;
    geometry: () => ListingGeometry;
    tracker: WindowTracker;
    pace: ScrollPace;
    place: SteadyPlace;
    showWindow: () => void;
    startRename: (id: number) => void;
  }) {
    this.elements = parts.elements;
    this.props = parts.props;
    this.geometry = parts.geometry;
    this.tracker = parts.tracker;
    this.pace = parts.pace;
    this.place = parts.place;
    this.showWindow = parts.showWindow;
    this.startRename = parts.startRename;
    this.autoScroll = new AutoScroll(parts.elements.scroller);
  }

  get model(): ListingModel {
    return this.props().model;
  }

  get isRightToLeft(): boolean {
    return getComputedStyle(this.elements.root).direction === 'rtl';
  }

  /** Puts the rows on the page that the scroller's place asks for, before this frame is painted. */
  follow(): void {
    const { scroller } = this.elements;
    const before = this.tracker.window;
    this.pace.moved(scroller.scrollTop, performance.now());
    const after = this.tracker.scrolled(scroller.scrollTop);
    this.place.remember(this.model, this.geometry(), this.tracker);
    if (after !== before) flushSync(this.showWindow);
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

  /** Gives the keyboard to an entry and brings it into view. */
  focus(id: number): void {
    const position = this.model.position(id);
    if (position === null) return;
    // The cursor's row is always in the page, so once the cursor is there the row can take the focus.
    flushSync(() => this.model.moveCursor(id));
    this.reveal(position);
    this.row(id)?.focus({ preventScroll: true });
  }

  focusCursor(): void {
    const id = this.model.cursor ?? this.model.idAt(0);
    if (id !== null) this.focus(id);
  }

  /** Called when entries have come or gone: a focus that went with its row goes on to the cursor. */
  keepFocus(): void {
    const { root } = this.elements;
    const hasLostFocus = document.activeElement === null || document.activeElement === document.body;
    if (this.#focused === null || !hasLostFocus || !root.isConnected || this.row(this.#focused)) return;
    const { cursor } = this.model;
    if (cursor !== null) this.row(cursor)?.focus({ preventScroll: true });
  }

  /** An entry has the keyboard, or `null`: something else on the page. */
  noteFocus(id: number | null): void {
    this.#focused = id;
  }

  /** A point of the screen in px of the content, x from the side at which lines of text begin. */
  contentPoint({ x, y }: Point): Point {
    const { scroller } = this.elements;
    const box = scroller.getBoundingClientRect();
    const left = x - box.left - scroller.clientLeft;
    return {
      x: this.isRightToLeft ? scroller.clientWidth - left : left,
      y: y - box.top + this.tracker.virtualPx,
    };
  }

  /** Whether a point lies on the content and not on a scrollbar. */
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

/** The id of the row that `target` is part of, or null. */
export function idOfTarget(target: EventTarget | null): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null;
  return row === null ? null : Number(row.dataset['id']);
}

/** Whether `target` handles its own clicks and keys: the column heads and the name that is being edited. */
export function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, input, a, [data-part="editor"]') !== null;
}

/** What part of a row `target` is: `check`, `menu`, `name`, `icon` or none of them. */
export function partOfTarget(target: EventTarget | null): string | null {
  const part = target instanceof Element ? target.closest<HTMLElement>('[data-part]') : null;
  return part?.dataset['part'] ?? null;
}
