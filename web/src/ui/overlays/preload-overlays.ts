import { dialogOverlay } from './lazy-dialog-overlay.ts';
import { menuOverlay } from './lazy-menu-overlay.ts';

/** Fetches the code of menus and dialogs while the browser is idle, so that the first one opens at once. */
export function preloadOverlays(): void {
  const preload = () => {
    // A failure is reported when an overlay is opened.
    Promise.all([menuOverlay.load(), dialogOverlay.load()]).catch(() => undefined);
  };
  if ('requestIdleCallback' in window) requestIdleCallback(preload, { timeout: 4000 });
  else setTimeout(preload, 1000);
}
