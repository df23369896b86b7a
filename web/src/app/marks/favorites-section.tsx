import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { onFilesChange } from '../../features/files/entries/changes.ts';
import { isEntryDrag, takeDragged } from '../../features/files/clipboard/dragged-entries.ts';
import { useFolderDrop, type FolderDrop } from '../../features/files/clipboard/use-folder-drop.ts';
import { useFolderTree } from '../../features/files/tree/tree-store.ts';
import { FavoritesList } from '../../features/marks/favorites-list.tsx';
import type { FolderDropping } from '../../features/marks/use-favorite-drag.ts';
import { applyOrder, keepMarksOf, loadMarks, useMarks } from '../../features/marks/marks-store.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { fileAddress } from '../../ui/navigation/file-address.ts';
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
    // The folder tree changes when others change an open folder.
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
  /** The drops that the folders among the favorites accept. */
  drop: FolderDrop | undefined;
  className: string | undefined;
}

/** Renders the row of a folder that accepts drops. */
function DropTarget({
  folder,
  drop,
  render,
}: {
  folder: VirtualPath;
  drop: FolderDrop | undefined;
  render: (dropping: FolderDropping) => ReactNode;
}) {
  return render(useFolderDrop(folder, drop));
}

function addDragged(): void {
  const entries = takeDragged();
  void markActions().then((actions) => actions?.addFavorites(entries));
}

/** The favorites of the sidebar, with their heading. Nothing while there are none. */
export function FavoritesSection({ folder, drop, className }: FavoritesSectionProps) {
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
      <div
        className={className}
        onDragOver={(event) => {
          if (!isEntryDrag(event.dataTransfer)) return;
          event.preventDefault();
          event.dataTransfer.dropEffect = event.dataTransfer.effectAllowed === 'move' ? 'move' : 'copy';
        }}
        onDrop={(event) => {
          event.preventDefault();
          addDragged();
        }}
      >
        <h2 id="favorites-heading">{t('marks.favorites')}</h2>
      </div>
      <FavoritesList
        labelledBy="favorites-heading"
        favorites={favorites}
        current={folder}
        addressOf={fileAddress}
        isEntryDrag={isEntryDrag}
        renderDropTarget={(path, render) => (
          <DropTarget folder={path} drop={path === folder ? undefined : drop} render={render} />
        )}
        onDropEntries={addDragged}
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
