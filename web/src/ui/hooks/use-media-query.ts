import { phoneWidthPx } from '@filestead/contract/values/limits';
import { useCallback, useMemo, useSyncExternalStore } from 'react';

/** Whether `query` matches; renders again when that changes. */
export function useMediaQuery(query: string): boolean {
  // `matchMedia` costs as much as rendering a row of a listing.
  const list = useMemo(() => matchMedia(query), [query]);
  const subscribe = useCallback(
    (listener: () => void) => {
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [list],
  );
  return useSyncExternalStore(subscribe, () => list.matches);
}

/** Up to 736 px wide (docs/reference/behaviour.md §6). The style sheets use the same query: `(width <= 736px)`. */
const phoneQuery = `(width <= ${phoneWidthPx}px)`;

/** Whether the mobile layout is shown at the moment, for code outside of components. */
export const isPhoneNow = (): boolean => matchMedia(phoneQuery).matches;

/** Whether the mobile layout is shown. */
export function useIsPhone(): boolean {
  return useMediaQuery(phoneQuery);
}
