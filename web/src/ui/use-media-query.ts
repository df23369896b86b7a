import { useCallback, useSyncExternalStore } from 'react';

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** The mobile layout: up to 736 px wide (product specification §6). Its twin in the style sheets is `(width <= 736px)`. */
export function useIsPhone(): boolean {
  return useMediaQuery('(width <= 736px)');
}
