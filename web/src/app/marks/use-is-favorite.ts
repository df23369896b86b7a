import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect } from 'react';
import { loadMarks, useMarks } from '../../features/marks/marks-store.ts';

/** Returns whether an entry is a favorite; false while the favorites are unknown. Loads them on pages without a sidebar. */
export function useIsFavorite(path: VirtualPath): boolean {
  const isLoaded = useMarks(({ favorites }) => favorites !== null);
  useEffect(() => {
    // Without a connection the star stays empty.
    if (!isLoaded) loadMarks().catch(() => undefined);
  }, [isLoaded]);
  return useMarks(({ favorites }) => favorites?.some((one) => one.path === path) === true);
}
