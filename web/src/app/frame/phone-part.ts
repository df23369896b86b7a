import { lazyPart } from '../../ui/overlays/lazy-part.ts';

/** The bars of the mobile layout. */
export const phonePart = lazyPart(() => import('./phone-frame.tsx'));
