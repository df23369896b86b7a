import type { ListingLayout } from './listing-geometry.ts';
import type { ListingModel } from './listing-model.ts';
import type { WindowTracker } from '../rows/window-tracker.ts';

/**
 * Keeps the entry at the top of the viewport in place, or the next one that still exists, when entries are added or removed above it, or the columns
 * change.
 */
export class ScrollAnchor {
  /** The entries in the viewport, the top one first. */
  #ids: readonly number[] = [];
  #offsetPx = 0;
  #sorting: unknown = null;
  /** The geometry at the last call of {@link restore}. */
  #geometry: ListingLayout | null = null;
  #orderVersion = -1;

  /**
   * Records the entry at the top; called after scrolling. At the very top nothing is kept, so that new entries appear
   * there.
   */
  record(model: ListingModel, geometry: ListingLayout, tracker: WindowTracker): void {
    this.#sorting = model.sorting;
    this.#ids = [];
    if (tracker.virtualPx <= 0 || geometry.count === 0) return;
    const row = geometry.rowAt(tracker.virtualPx + geometry.measures.stickyPx);
    const end = geometry.rowAt(tracker.virtualPx + tracker.viewportPx);
    const { first, last } = geometry.positionsOf(row, end);
    this.#ids = Array.from(model.order.subarray(first, last + 1));
    this.#offsetPx = geometry.topOf(first) - tracker.virtualPx;
  }

  /**
   * Returns the new scroll position, or null when it need not change. A new sort order shows other entries at the
   * same position.
   */
  restore(
    model: ListingModel,
    geometry: ListingLayout,
    tracker: WindowTracker,
    orderVersion: number,
  ): number | null {
    const isPlaced = this.#geometry === geometry && this.#orderVersion === orderVersion;
    this.#geometry = geometry;
    this.#orderVersion = orderVersion;
    if (isPlaced) return null;
    if (model.sorting !== this.#sorting) return null;
    // If the top entry is gone, the next one takes its place.
    const id = this.#ids.find((each) => model.position(each) !== null);
    const position = id === undefined ? null : model.position(id);
    if (position === null) return null;
    const virtualPx = geometry.topOf(position) - this.#offsetPx;
    return Math.abs(virtualPx - tracker.virtualPx) < 1 ? null : virtualPx;
  }
}
