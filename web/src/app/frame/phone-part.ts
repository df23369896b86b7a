import { lazyPart } from '../../ui/overlays/lazy-part.ts';

/** The bars of the mobile layout. */
export const phonePart = lazyPart(() => import('./phone-frame.tsx'));

/** The address of the page of the user on the phone. */
export const youAddress = '/you';
