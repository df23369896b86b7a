import { hiddenCrumbs } from './hidden-crumbs.ts';

/** The width that the current folder's name keeps at least, in px, before a folder above it is hidden. */
const minTitlePx = 240;
/** The width of the button that opens the menu of hidden folders, and of the arrow after it, in px. */
const menuPx = 42;
/** Set on the bar that contains the path when it needs more room; the search field of the bar then becomes an icon. */
const tightAttribute = 'data-path-tight';

/** Set on the same bar to the width beside the path, which the search field may take while it has the focus. */
const freeProperty = '--path-free';

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
   * `hidden` of which are not rendered. However many folders there are, the list is rendered only a few times: React
   * allows 50 updates before the page is painted.
   */
  measure(list: HTMLElement | null, path: string, maxHidden: number, hidden: number): void {
    const bar = list?.closest<HTMLElement>('[data-top-bar]') ?? null;
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
    const widthsPx = items.map((item) => item.getBoundingClientRect().width);
    const totalPx = sum(widthsPx);
    const titlePx = title.scrollWidth;
    bar?.style.setProperty(freeProperty, `${availablePx - totalPx - titlePx}px`);
    const othersPx = availablePx - Math.min(titlePx, minTitlePx);
    if (hidden >= maxHidden || totalPx <= othersPx) return;
    // The widths of hidden folders are unknown.
    const count = hidden === 0 ? countHidden(widthsPx, othersPx) : hidden + 1;
    // The nearest folder above is more important than the search field.
    if (count === maxHidden && bar !== null && !bar.hasAttribute(tightAttribute)) {
      bar.setAttribute(tightAttribute, '');
      this.measure(list, path, maxHidden, hidden);
    } else this.#set(count);
  }

  #set(count: number): void {
    this.#count = count;
    for (const listener of this.#listeners) listener();
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns how many folders have to be hidden so that the others fit into `availablePx`. */
function countHidden(widthsPx: readonly number[], availablePx: number): number {
  const totalPx = sum(widthsPx) + menuPx;
  const fits = (count: number): boolean => totalPx - sum(hiddenCrumbs(widthsPx, count)) <= availablePx;
  let count = 1;
  while (count < widthsPx.length && !fits(count)) count++;
  return count;
}
