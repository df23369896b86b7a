import type { FileEntry } from '../../features/files/entries/entry.ts';
import type { FolderHost } from '../../features/files/folder/folder-host.ts';

/** Loads the code of favourites and tags, with its texts, when it is needed. */
export async function markActions() {
  const [actions, { loadTexts }] = await Promise.all([
    import('./mark-actions.ts'),
    import('../../i18n/i18n.ts'),
  ]);
  await loadTexts('marks');
  return actions;
}

/** The functions about favourites and tags that screens with entries pass to the listing. */
export const markHost: Pick<FolderHost, 'toggleFavorite' | 'editTags'> = {
  toggleFavorite: (entries: readonly FileEntry[]) =>
    void markActions().then(({ toggleFavorite }) => toggleFavorite(entries)),
  editTags: (entries: readonly FileEntry[]) => void markActions().then(({ editTags }) => editTags(entries)),
};
