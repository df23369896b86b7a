import type { ListingLayout } from './listing-geometry.ts';
import type { ListingModel } from './listing-model.ts';
import type { WindowTracker } from '../rows/window-tracker.ts';

/**
 * Keeps the entry at the top of the viewport in place when entries are added or removed above it, or the columns
 * change.
 */
export class ScrollAnchor {
  #id: number | null = null;
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
    this.#id = null;
    if (tracker.virtualPx <= 0 || geometry.count === 0) return;
    const row = geometry.rowAt(tracker.virtualPx + geometry.measures.stickyPx);
    const position = geometry.positionsOf(row, row).first;
    this.#id = model.idAt(position);
    this.#offsetPx = geometry.topOf(position) - tracker.virtualPx;
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
    if (this.#id === null || model.sorting !== this.#sorting) return null;
    const position = model.position(this.#id);
    if (position === null) return null;
    const virtualPx = geometry.topOf(position) - this.#offsetPx;
    return Math.abs(virtualPx - tracker.virtualPx) < 1 ? null : virtualPx;
  }
}
