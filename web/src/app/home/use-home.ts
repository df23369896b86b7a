import { useEffect, useState } from 'react';
import { onFilesChange } from '../../features/files/entries/changes.ts';
import { useMarks } from '../../features/marks/marks-store.ts';
import { type Home, loadHome, loadLargest, loadRecent, recentAfter } from './load-home.ts';

/** The delay before the page is loaded again after a change of files, in ms. */
const reloadAfterMs = 1000;
/** The interval at which sizes are requested while the catalogue is being built, in ms. */
const buildingMs = 3000;

/**
 * Loads the parts of the home page. After a change of files all of them are loaded again, after a change of marks the recent entries. The
 * sizes are requested repeatedly until the catalogue has been built.
 */
export function useHome(canShare: boolean, isAdmin: boolean): { home: Partial<Home>; isLoaded: boolean } {
  const [home, setHome] = useState<Partial<Home>>({});
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const aborting = new AbortController();
    const { signal } = aborting;
    let reloadTimer: ReturnType<typeof setTimeout> | undefined;
    let sizesTimer: ReturnType<typeof setTimeout> | undefined;
    const show = (part: Partial<Home>): void => {
      setHome((known) => ({ ...known, ...part }));
      if (part.isBuilding !== true) return;
      clearTimeout(sizesTimer);
      sizesTimer = setTimeout(() => void loadSizes(), buildingMs);
    };
    const loadSizes = async (): Promise<void> => {
      const part = document.hidden ? { isBuilding: true } : await loadLargest(signal).catch(() => null);
      if (part !== null && !signal.aborted) show(part);
    };
    const load = async (): Promise<void> => {
      await loadHome({ canShare, isAdmin, signal }, show);
      if (!signal.aborted) setLoaded(true);
    };
    void load();
    const showMarks = async (): Promise<void> => {
      const part = await loadRecent(signal).catch(() => null);
      if (part !== null && !signal.aborted) show(part);
    };
    // The first load of the marks is no change: the page loads the recent entries at the same time.
    const stopMarks = useMarks.subscribe(({ version }, before) => {
      if (version !== before.version && before.favorites !== null) void showMarks();
    });
    const stop = onFilesChange((change) => {
      setHome(({ recent, ...parts }) =>
        recent === undefined ? parts : { ...parts, recent: recentAfter(recent, change) },
      );
      clearTimeout(reloadTimer);
      reloadTimer = setTimeout(() => void load(), reloadAfterMs);
    });
    return () => {
      aborting.abort();
      clearTimeout(reloadTimer);
      clearTimeout(sizesTimer);
      stop();
      stopMarks();
    };
  }, [canShare, isAdmin]);
  return { home, isLoaded };
}
