import { dialogOverlay } from './lazy-dialog-overlay.ts';
import { menuOverlay } from './lazy-menu-overlay.ts';

/** A file that is dragged from another application causes no event of the pointer. */
const inputEvents = ['pointermove', 'pointerdown', 'keydown', 'dragenter'] as const;

/**
 * Calls `preload` when the browser is idle after the first user input, so that the page itself loads quickly. Returns the
 * function that stops waiting.
 */
export function onFirstInput(preload: () => void): () => void {
  const stop = new AbortController();
  const start = () => {
    stop.abort();
    if ('requestIdleCallback' in window) requestIdleCallback(preload, { timeout: 4000 });
    else setTimeout(preload, 1000);
  };
  for (const name of inputEvents)
    // The previewer keeps its keys from the page.
    document.addEventListener(name, start, { signal: stop.signal, passive: true, capture: true });
  return () => stop.abort();
}

/** Fetches the code of menus and dialogs, so that the first one opens at once. */
export function preloadOverlays(): void {
  // A failure is reported when an overlay is opened.
  Promise.all([menuOverlay.load(), dialogOverlay.load()]).catch(() => undefined);
}
