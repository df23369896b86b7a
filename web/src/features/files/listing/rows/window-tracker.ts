import { clamp, type ListingLayout } from '../model/listing-geometry.ts';

/**
 * The maximum rendered height, in px. Firefox drops transforms beyond about 8.9 million px and Chromium stops at 33.5
 * million; higher content is mapped onto this height.
 */
const maxHeightPx = 8_000_000;
/** A scroll by less than this many viewports moves 1:1 in capped content, a longer one by ratio. */
const directViewports = 3;
/** The distance from the lower edge at which entries are scrolled into view. */
const coveredPx = 8;

/** The range of rendered rows. */
export interface RowWindow {
  readonly firstRow: number;
  readonly lastRow: number;
  /** The offset to subtract from positions in the content to get rendered positions. */
  readonly shiftPx: number;
}

export const sameWindow = (a: RowWindow, b: RowWindow): boolean =>
  a.firstRow === b.firstRow && a.lastRow === b.lastRow && a.shiftPx === b.shiftPx;

/** Tracks the scroll position of a listing and determines which rows must be rendered, without access to the page. */
export class WindowTracker {
  #geometry: ListingLayout;
  #viewportPx: number;
  /** The position in the content at the upper edge of the viewport. */
  #virtualPx = 0;
  #lastTopPx = 0;
  /** Whether the next scroll event results from a programmatic move. */
  #isProgrammatic = false;
  #window: RowWindow;

  constructor(geometry: ListingLayout, viewportPx: number) {
    this.#geometry = geometry;
    this.#viewportPx = viewportPx;
    this.#window = this.#windowAround();
  }

  get window(): RowWindow {
    return this.#window;
  }
  get viewportPx(): number {
    return this.#viewportPx;
  }
  get virtualPx(): number {
    return this.#virtualPx;
  }
  /** The rendered height. */
  get physicalPx(): number {
    return Math.min(this.#geometry.heightPx, maxHeightPx);
  }

  #isCapped(): boolean {
    return this.#geometry.heightPx > maxHeightPx;
  }
  #virtualRangePx(): number {
    return Math.max(0, this.#geometry.heightPx - this.#viewportPx);
  }
  #physicalRangePx(): number {
    return Math.max(1, this.physicalPx - this.#viewportPx);
  }
  #shiftPx(): number {
    return this.#isCapped() ? this.#virtualPx - this.#lastTopPx : 0;
  }

  /** Applies new sizes of the content or the viewport. Returns the window, a new object if the old one does not fit. */
  reshape(geometry: ListingLayout, viewportPx: number): RowWindow {
    this.#geometry = geometry;
    this.#viewportPx = viewportPx;
    this.#virtualPx = clamp(this.#virtualPx, 0, this.#virtualRangePx());
    const next = this.#windowAround();
    if (!sameWindow(next, this.#window)) this.#window = next;
    return this.#window;
  }

  /** Applies the scroll position `topPx`. Returns the window, the same object while its spare rows suffice. */
  scrolled(topPx: number): RowWindow {
    this.#follow(topPx);
    const { firstRow, lastRow, shiftPx } = this.#window;
    const visible = this.#visible();
    const overscan = this.#overscanRows();
    const hasOverscan =
      (visible.firstRow - firstRow >= 1 || firstRow === 0) &&
      (lastRow - visible.lastRow >= 1 || lastRow === this.#geometry.rows - 1);
    const isNotTooLarge =
      visible.firstRow - firstRow <= 2 * overscan + 1 && lastRow - visible.lastRow <= 2 * overscan + 1;
    if (hasOverscan && isNotTooLarge && Math.abs(this.#shiftPx() - shiftPx) < 0.5) return this.#window;
    const next = this.#windowAround();
    if (!sameWindow(next, this.#window)) this.#window = next;
    return this.#window;
  }

  /** Returns the scroll position that shows the entry at `position` completely, or null if it is visible. */
  revealTop(position: number): number | null {
    const { stickyPx, gapPx } = this.#geometry.measures;
    const itemHeightPx = this.#geometry.itemHeightOf(position);
    const top = this.#geometry.topOf(position);
    const isFirstRow = this.#geometry.rowOf(position) === 0;
    const upper = isFirstRow ? 0 : top - stickyPx - gapPx;
    const lower = top + itemHeightPx + Math.max(gapPx, 4) + coveredPx - this.#viewportPx;
    if (this.#virtualPx > upper) return this.moveTo(upper);
    if (this.#virtualPx < lower) return this.moveTo(lower);
    return null;
  }

  /** Moves to `virtualPx` of the content. Returns the new `scrollTop`. */
  moveTo(virtualPx: number): number {
    this.#virtualPx = clamp(virtualPx, 0, this.#virtualRangePx());
    const topPx = this.#isCapped()
      ? Math.round((this.#virtualPx / Math.max(1, this.#virtualRangePx())) * this.#physicalRangePx())
      : this.#virtualPx;
    this.#isProgrammatic = true;
    return topPx;
  }

  #follow(topPx: number): void {
    if (!this.#isCapped()) {
      this.#virtualPx = topPx;
    } else if (this.#isProgrammatic) {
      // The position is already known, more precisely than the scroller reports it.
    } else if (topPx === this.#lastTopPx) {
      return;
    } else if (topPx <= 0) {
      this.#virtualPx = 0;
    } else if (topPx >= this.#physicalRangePx() - 1) {
      this.#virtualPx = this.#virtualRangePx();
    } else {
      const delta = topPx - this.#lastTopPx;
      const isDirect = Math.abs(delta) < directViewports * this.#viewportPx;
      const target = isDirect
        ? this.#virtualPx + delta
        : (topPx / this.#physicalRangePx()) * this.#virtualRangePx();
      this.#virtualPx = clamp(target, 0, this.#virtualRangePx());
    }
    this.#isProgrammatic = false;
    this.#lastTopPx = topPx;
  }

  #visible(): { firstRow: number; lastRow: number } {
    return {
      firstRow: this.#geometry.rowAt(this.#virtualPx),
      lastRow: this.#geometry.rowAt(this.#virtualPx + this.#viewportPx),
    };
  }

  /** Rows beyond each edge of the viewport: 8 of a list, 2 of tiles. */
  #overscanRows(): number {
    return this.#geometry.measures.itemHeightPx < 80 ? 8 : 2;
  }

  #windowAround(): RowWindow {
    const visible = this.#visible();
    const overscan = this.#overscanRows();
    return {
      firstRow: Math.max(0, visible.firstRow - overscan),
      lastRow: Math.min(this.#geometry.rows - 1, visible.lastRow + overscan),
      shiftPx: this.#shiftPx(),
    };
  }
}
