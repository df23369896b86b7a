import { useEffect } from 'react';
import { preloadOverlays } from '../../ui/overlays/preload-overlays.ts';

const inputEvents = ['pointermove', 'pointerdown', 'keydown'] as const;

/** Fetches menus and dialogs at the first user input, so that the page itself loads quickly. */
export function usePreloadedOverlays(): void {
  useEffect(() => {
    const started = new AbortController();
    const start = () => {
      started.abort();
      preloadOverlays();
    };
    for (const name of inputEvents)
      document.addEventListener(name, start, { signal: started.signal, passive: true });
    return () => started.abort();
  }, []);
}
