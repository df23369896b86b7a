import { lazyPart } from './lazy-part.ts';

/** Dialogs open with code that no first paint needs. */
export const dialogOverlay = lazyPart(() => import('./dialog-overlay.tsx'));
