import { useCallback, useState, type RefCallback, type UIEvent } from 'react';

/** Rows rendered beyond the visible ones, so that short scrolling shows no gap. */
const overscanRows = 3;

/** The rendered part of a list of rows of equal height. */
export interface RowWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** Returns the visible rows of `rowHeightPx` after scrolling by `scrollTopPx`, with a few around them. */
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

/** Renders only the visible rows of a scroll container: give it `ref` and `onScroll`. */
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
