/** The width that the current folder's name keeps at least, in px, before a folder above it is hidden. */
const minTitlePx = 240;
/** Set on the bar that contains the path when it needs more room; the search field of the bar then becomes an icon. */
const tightAttribute = 'data-path-tight';

/** Counts the folders above the current one whose breadcrumbs do not fit beside its name. */
export class CrumbOverflow {
  #count = 0;
  #measured = '';
  #measuredBar = '';
  readonly #listeners = new Set<() => void>();

  readonly getCount = (): number => this.#count;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Measures the rendered list, whose last item is the name of `path`; `maxHidden` is the number of folders above,
   * `hidden` of which are not rendered.
   */
  measure(list: HTMLElement | null, path: string, maxHidden: number, hidden: number): void {
    const bar = list?.closest('[data-top-bar]') ?? null;
    const barKey = `${bar?.clientWidth ?? 0} ${path}`;
    if (barKey !== this.#measuredBar) {
      this.#measuredBar = barKey;
      bar?.removeAttribute(tightAttribute);
    }
    const availablePx = list?.parentElement?.clientWidth ?? 0;
    const items = [...(list?.children ?? [])];
    const title = items.pop()?.firstElementChild;
    if (!title) return;
    const measureKey = `${availablePx} ${path}`;
    if (measureKey !== this.#measured) {
      const isSamePath = this.#measured.endsWith(` ${path}`);
      this.#measured = measureKey;
      if (hidden > 0 && !(isSamePath && bar?.hasAttribute(tightAttribute))) {
        // All folders are rendered again and then measured.
        this.#set(0);
        return;
      }
    }
    const othersPx = items.reduce((sum, item) => sum + item.getBoundingClientRect().width, 0);
    const isOverflowing = othersPx + Math.min(title.scrollWidth, minTitlePx) > availablePx;
    if (!isOverflowing || hidden >= maxHidden) return;
    // The nearest folder above is more important than the search field.
    const isOnlyNearestLeft = hidden >= maxHidden - 1;
    if (isOnlyNearestLeft && bar !== null && !bar.hasAttribute(tightAttribute)) {
      bar.setAttribute(tightAttribute, '');
      this.measure(list, path, maxHidden, hidden);
    } else this.#set(hidden + 1);
  }

  #set(count: number): void {
    this.#count = count;
    for (const listener of this.#listeners) listener();
  }
}
