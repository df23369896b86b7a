import { useEffect, useState } from 'react';

/** Prevents flashing: a placeholder appears after 200 ms and then stays for at least 300 ms. */
const appearsAfterMs = 200;
const minShownMs = 300;

/**
 * Follows `isLoading` with a delay, so that fast responses show no placeholder and a shown one stays long enough to be
 * seen.
 */
export function useDelayedFlag(isLoading: boolean): boolean {
  const [shownAtMs, setShownAtMs] = useState<number | null>(null);
  useEffect(() => {
    if (isLoading === (shownAtMs !== null)) return undefined;
    const waitMs = shownAtMs === null ? appearsAfterMs : Math.max(0, shownAtMs + minShownMs - Date.now());
    const timer = setTimeout(() => setShownAtMs(isLoading ? Date.now() : null), waitMs);
    return () => clearTimeout(timer);
  }, [isLoading, shownAtMs]);
  return shownAtMs !== null;
}
