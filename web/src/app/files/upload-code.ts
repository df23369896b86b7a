import { loadTexts } from '../../i18n/i18n.ts';
import { lazyPart } from '../../ui/overlays/lazy-part.ts';

/**
 * The code of uploads: queue, transport, rows and tray. The first rows do not need it, so it is fetched at the first
 * input, with the first file, or when there are uploads of an earlier page.
 */
export const uploadCode = lazyPart(() => loadTexts('uploads').then(() => import('./upload-area.tsx')));
