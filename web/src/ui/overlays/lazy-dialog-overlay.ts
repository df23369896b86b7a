import { lazyPart } from './lazy-part.ts';

/** The code of dialogs, which no first paint needs. */
export const dialogOverlay = lazyPart(() => import('./dialog-overlay.tsx'));
