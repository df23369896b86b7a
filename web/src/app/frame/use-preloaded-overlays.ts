import { useEffect } from 'react';
import { onFirstInput, preloadOverlays } from '../../ui/overlays/preload-overlays.ts';

/** Fetches menus and dialogs after the first user input, so that the page itself loads quickly. */
export function usePreloadedOverlays(): void {
  useEffect(() => onFirstInput(preloadOverlays), []);
}
