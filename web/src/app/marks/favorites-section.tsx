import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { onFilesChange } from '../../features/files/entries/changes.ts';
import { isEntryDrag, takeDragged } from '../../features/files/clipboard/dragged-entries.ts';
import { useFolderTree } from '../../features/files/tree/tree-store.ts';
import { FavoritesList } from '../../features/marks/favorites-list.tsx';
import { applyOrder, keepMarksOf, loadMarks, useMarks } from '../../features/marks/marks-store.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { fileAddress } from '../routes/file-address.ts';
import { FavoritesSpace, rememberFavoritesHeight } from './favorites-space.tsx';
import { markActions } from './mark-host.ts';

/** The delay before favorites are loaded again after a change of files, in ms. */
const reloadAfterMs = 1000;

/** Loads favorites and tags, and again when files change or the user returns to the page. Failures are tried again then. */
export function useLoadedMarks(userId: number): void {
  useEffect(() => {
    keepMarksOf(userId);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = (): void => void loadMarks().catch(() => undefined);
    const loadLater = (): void => {
      clearTimeout(timer);
      timer = setTimeout(load, reloadAfterMs);
    };
    load();
    const stopFiles = onFilesChange(loadLater);
    // Changes by others that open folders show.
    const stopTree = useFolderTree.subscribe(loadLater);
    window.addEventListener('focus', loadLater);
    return () => {
      clearTimeout(timer);
      stopFiles();
      stopTree();
      window.removeEventListener('focus', loadLater);
    };
  }, [userId]);
}

export interface FavoritesSectionProps {
  /** The shown folder; absent outside the files. */
  folder: VirtualPath | undefined;
  className: string | undefined;
}

/** The favorites of the sidebar, with their heading. Nothing while there are none. */
export function FavoritesSection({ folder, className }: FavoritesSectionProps) {
  const { t } = useTranslation('app');
  const { id } = useCurrentUser();
  const favorites = useMarks((state) => (state.userId === id ? state.favorites : null));
  const [announcement, setAnnouncement] = useState('');
  const section = useRef<HTMLDivElement>(null);
  useLoadedMarks(id);
  const count = favorites?.length;
  useLayoutEffect(() => {
    if (count !== undefined) rememberFavoritesHeight(section.current?.offsetHeight ?? 0);
  }, [count]);
  if (favorites === null) return <FavoritesSpace />;
  if (favorites.length === 0) return null;
  return (
    <div ref={section} style={{ display: 'flow-root' }}>
      <div className={className}>
        <h2 id="favorites-heading">{t('marks.favorites')}</h2>
      </div>
      <FavoritesList
        labelledBy="favorites-heading"
        favorites={favorites}
        current={folder}
        addressOf={fileAddress}
        isEntryDrag={isEntryDrag}
        onDropEntries={() => {
          const entries = takeDragged();
          void markActions().then((actions) => actions?.addFavorites(entries));
        }}
        onOrder={(paths) =>
          void applyOrder(paths).catch((error: unknown) =>
            markActions().then((actions) => actions?.reportFailure(error)),
          )
        }
        onRemove={({ path }) => {
          const entry = { path: path as VirtualPath, name: nameOf(path as VirtualPath) };
          void markActions().then((actions) => actions?.toggleFavorite([entry]));
        }}
        announce={setAnnouncement}
      />
      <div role="status" className="visually-hidden">
        {announcement}
      </div>
    </div>
  );
}
