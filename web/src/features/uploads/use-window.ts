import { useCallback, useState, type RefCallback, type UIEvent } from 'react';

/** Rows drawn beyond what is seen, so that scrolling a little shows no gap. */
const overscanRows = 3;

/** The part of a list of equally high rows that is worth drawing. */
export interface RowWindow {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
}

/** Rows of `rowHeightPx` that are seen when `scrollTopPx` has been scrolled away, with a few around them. */
export function windowOf(
  count: number,
  rowHeightPx: number,
  scrollTopPx: number,
  heightPx: number,
): RowWindow {
  const first = Math.floor(scrollTopPx / rowHeightPx) - overscanRows;
  const end = Math.ceil((scrollTopPx + heightPx) / rowHeightPx) + overscanRows;
  const last = Math.min(count, Math.max(0, end));
  return { first: Math.max(0, Math.min(first, last)), end: last };
}

/** Draws only the visible rows of a scrolling element: give it `ref` and `onScroll`. */
export function useWindow(count: number, rowHeightPx: number) {
  const [scrollTopPx, setScrollTopPx] = useState(0);
  const [heightPx, setHeightPx] = useState(0);
  const ref: RefCallback<HTMLElement> = useCallback((element) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setHeightPx(element.clientHeight));
    observer.observe(element);
    setHeightPx(element.clientHeight);
    return () => observer.disconnect();
  }, []);
  const onScroll = useCallback((event: UIEvent<HTMLElement>) => {
    setScrollTopPx(event.currentTarget.scrollTop);
  }, []);
  return { ref, onScroll, ...windowOf(count, rowHeightPx, scrollTopPx, heightPx) };
}
