/** Keeps the best items that are offered, up to a number. */
export class BoundedHeap<T> {
  readonly #max: number;
  readonly #isWorse: (a: T, b: T) => boolean;
  /** A heap with the worst item at its top. */
  readonly #items: T[] = [];

  constructor(max: number, isWorse: (a: T, b: T) => boolean) {
    this.#max = max;
    this.#isWorse = isWorse;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The worst kept item when the heap is full; undefined while there is room. */
  get worst(): T | undefined {
    return this.#items.length < this.#max ? undefined : this.#items[0];
  }

  /** Whether {@link BoundedHeap.push} would keep the item. */
  accepts(item: T): boolean {
    const { worst } = this;
    return worst === undefined || this.#isWorse(worst, item);
  }

  /** Adds an item, and drops the worst one when there are too many. */
  push(item: T): void {
    const items = this.#items;
    if (items.length < this.#max) {
      items.push(item);
      this.#siftUp(items.length - 1);
      return;
    }
    if (!this.accepts(item)) return;
    items[0] = item;
    this.#siftDown();
  }

  /** All kept items, in no particular order. */
  items(): readonly T[] {
    return this.#items;
  }

  #siftUp(from: number): void {
    const items = this.#items;
    const item = items[from] as T;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = items[above] as T;
      if (!this.#isWorse(item, parent)) break;
      items[at] = parent;
      at = above;
    }
    items[at] = item;
  }

  #siftDown(): void {
    const items = this.#items;
    const item = items[0] as T;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && this.#isWorse(items[below + 1] as T, items[below] as T)) below += 1;
      const worse = items[below] as T;
      if (!this.#isWorse(worse, item)) break;
      items[at] = worse;
      at = below;
    }
    items[at] = item;
  }
}
