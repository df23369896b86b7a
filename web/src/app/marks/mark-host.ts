import type { FileEntry } from '../../features/files/entries/entry.ts';
import type { FolderHost } from '../../features/files/folder/folder-host.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { lazyPart, loadOrReport } from '../../ui/overlays/lazy-part.ts';

/** The code of favorites and tags, with its texts. */
const code = lazyPart(() => loadTexts('marks').then(() => import('./mark-actions.ts')));

/** Loads the code of favorites and tags. If it cannot be fetched, the user gets a notice, and null is returned. */
export const markActions = () => loadOrReport(code);

/** The functions about favorites and tags that screens with entries pass to the listing. */
export const markHost: Pick<FolderHost, 'toggleFavorite' | 'editTags'> = {
  toggleFavorite: (entries: readonly FileEntry[]) =>
    void markActions().then((actions) => actions?.toggleFavorite(entries)),
  editTags: (entries: readonly FileEntry[]) =>
    void markActions().then((actions) => actions?.editTags(entries)),
};
