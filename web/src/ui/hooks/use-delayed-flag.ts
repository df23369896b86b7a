import { useEffect, useState } from 'react';

/** Nothing flashes: a placeholder comes after 200 ms and then stays at least 300 ms (design, Motion). */
const appearsAfterMs = 200;
const staysMs = 300;

/** Follows `isLoading` late enough that quick answers show no placeholder, and long enough that a shown one can be seen. */
export function useDelayedFlag(isLoading: boolean): boolean {
  const [shownAtMs, setShownAtMs] = useState<number | null>(null);
  useEffect(() => {
    if (isLoading === (shownAtMs !== null)) return undefined;
    const waitMs = shownAtMs === null ? appearsAfterMs : Math.max(0, shownAtMs + staysMs - Date.now());
    const timer = setTimeout(() => setShownAtMs(isLoading ? Date.now() : null), waitMs);
    return () => clearTimeout(timer);
  }, [isLoading, shownAtMs]);
  return shownAtMs !== null;
}
