import { loadTexts } from '../../../i18n/i18n.ts';
import { lazyPart } from '../../../ui/overlays/lazy-part.ts';

/** The label of a drag over folders outside the listing, fetched by the first one. */
export const dropLabel = lazyPart(() => loadTexts('dragging').then(() => import('./drop-label.ts')));
