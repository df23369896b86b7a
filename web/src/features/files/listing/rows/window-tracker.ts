import { clamp, type ListingLayout } from '../model/listing-geometry.ts';

/**
 * The maximum rendered height, in px. Firefox drops transforms beyond about 8.9 million px and Chromium stops at 33.5
 * million; higher content is mapped onto this height.
 */
const maxHeightPx = 8_000_000;
/** A scroll by less than this many viewports moves 1:1 in capped content, a longer one by ratio. */
const directViewports = 3;
/** Rows of a list beyond each edge of the viewport, so that scrolling ahead of the page shows no gap. */
const overscanRows = 8;
/** The same for tiles, which are higher. */
const overscanTileRows = 2;
/** Rows that are added at once beyond those needed: of more, the frame would take too long on a slow processor. */
const stepRows = 3;
/** The items from this height on count as tiles, in px. */
const tilePx = 80;
/** The distance from the lower edge at which entries are scrolled into view. */
const coveredPx = 8;

/** A range of rows, both inclusive. */
interface RowRange {
  firstRow: number;
  lastRow: number;
}

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
  /** The first visible row at the last scroll position. */
  #seenRow = 0;
  #window: RowWindow = { firstRow: 0, lastRow: -1, shiftPx: 0 };

  constructor(geometry: ListingLayout, viewportPx: number) {
    this.#geometry = geometry;
    this.#viewportPx = viewportPx;
    this.#replaceWindow(this.#around(1));
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

  /** Whether the window has its spare rows beyond both edges of the viewport; else {@link fill} adds them. */
  get isFull(): boolean {
    const full = this.#around(this.#overscanRows());
    return this.#window.firstRow <= full.firstRow && this.#window.lastRow >= full.lastRow;
  }

  /** Applies new sizes of the content or the viewport. Returns the window, a new object if the old one does not fit. */
  reshape(geometry: ListingLayout, viewportPx: number): RowWindow {
    if (geometry === this.#geometry && viewportPx === this.#viewportPx) return this.#window;
    this.#geometry = geometry;
    this.#viewportPx = viewportPx;
    this.#virtualPx = clamp(this.#virtualPx, 0, this.#virtualRangePx());
    return this.#replaceWindow(this.#around(1));
  }

  /**
   * Applies the scroll position `topPx`. Returns the window, the same object while its spare rows suffice. Rows that are
   * not needed yet are added in steps, by this method in the direction of scrolling and by {@link fill}.
   */
  scrolled(topPx: number): RowWindow {
    this.#follow(topPx);
    const { firstRow, lastRow, shiftPx } = this.#window;
    const overscan = this.#overscanRows();
    const visible = this.#around(0);
    const needed = this.#neededAfter(visible);
    const isCovered = firstRow <= needed.firstRow && lastRow >= needed.lastRow;
    const isTooLarge =
      visible.firstRow - firstRow > 2 * overscan + 1 || lastRow - visible.lastRow > 2 * overscan + 1;
    if (isCovered && !isTooLarge && Math.abs(this.#shiftPx() - shiftPx) < 0.5) return this.#window;
    return this.#replaceWindow(needed);
  }

  /** Adds some of the spare rows that the window lacks. Returns the window, the same object if it lacks none. */
  fill(): RowWindow {
    const { firstRow, lastRow } = this.#window;
    const full = this.#around(this.#overscanRows());
    const after = clamp(full.lastRow - lastRow, 0, stepRows);
    const before = clamp(firstRow - full.firstRow, 0, stepRows - after);
    if (after + before === 0) return this.#window;
    return this.#replaceWindow({ firstRow: firstRow - before, lastRow: lastRow + after });
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

  /** Returns the rows in the viewport with some before and after them. */
  #around(before: number, after = before): RowRange {
    return {
      firstRow: Math.max(0, this.#geometry.rowAt(this.#virtualPx) - before),
      lastRow: Math.min(
        this.#geometry.rows - 1,
        this.#geometry.rowAt(this.#virtualPx + this.#viewportPx) + after,
      ),
    };
  }

  /** Returns the rows that are needed when `visible` ones have been scrolled into view, with a step of spare ones in that direction. */
  #neededAfter(visible: RowRange): RowRange {
    const { firstRow, lastRow } = this.#window;
    const movedRows = visible.firstRow - this.#seenRow;
    this.#seenRow = visible.firstRow;
    // After a jump nothing tells in which direction the next rows are needed.
    if (Math.abs(movedRows) > visible.lastRow - visible.firstRow) return this.#around(1);
    const overscan = this.#overscanRows();
    const spare = Math.min(overscan, Math.abs(movedRows) + 1);
    const needed = this.#around(movedRows < 0 ? spare : 1, movedRows > 0 ? spare : 1);
    const full = this.#around(overscan);
    const step = Math.min(stepRows, overscan);
    if (movedRows > 0 && full.lastRow - lastRow >= step)
      needed.lastRow = Math.max(needed.lastRow, Math.min(full.lastRow, lastRow + step));
    if (movedRows < 0 && firstRow - full.firstRow >= step)
      needed.firstRow = Math.min(needed.firstRow, Math.max(full.firstRow, firstRow - step));
    return needed;
  }

  #overscanRows(): number {
    return this.#geometry.measures.itemHeightPx < tilePx ? overscanRows : overscanTileRows;
  }

  /** Makes a window of the needed rows and of those of the old one that are near. Returns it, or the old one if it is equal. */
  #replaceWindow(needed: RowRange): RowWindow {
    const old = this.#window;
    const full = this.#around(this.#overscanRows());
    const isNear = old.firstRow <= needed.lastRow + 1 && old.lastRow >= needed.firstRow - 1;
    const next = {
      firstRow: isNear ? Math.min(needed.firstRow, Math.max(old.firstRow, full.firstRow)) : needed.firstRow,
      lastRow: isNear ? Math.max(needed.lastRow, Math.min(old.lastRow, full.lastRow)) : needed.lastRow,
      shiftPx: this.#shiftPx(),
    };
    if (!sameWindow(next, old)) this.#window = next;
    return this.#window;
  }
}
