import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { MarkedRow } from '@filestead/contract/endpoints/marks';
import { Fragment, Suspense, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Link } from '../../ui/navigation/router.tsx';
import { displayName } from '../../i18n/display-name.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../ui/names/file-kind.ts';
import styles from './favorites-list.module.css';
import { useFavoriteDrag, withPathAt, type FolderDropping } from './use-favorite-drag.ts';

interface FavoritesListProps {
  labelledBy: string;
  favorites: readonly MarkedRow[];
  /** The shown folder; absent outside the files. */
  current: VirtualPath | undefined;
  addressOf: (path: VirtualPath, isFolder: boolean) => string;
  /** Whether a drag carries entries that can become favorites. */
  isEntryDrag: (data: DataTransfer) => boolean;
  /** Renders a row with the props that accept drops on its folder. */
  renderDropTarget: (folder: VirtualPath, render: (dropping: FolderDropping) => ReactNode) => ReactNode;
  /** Adds the dragged entries. */
  onDropEntries: () => void;
  onOrder: (paths: readonly string[]) => void;
  onRemove: (row: MarkedRow) => void;
  /** Announces the new place of a favorite that was moved by key. */
  announce: (text: string) => void;
}

const FavoriteMenu = lazyWithTexts(async () => (await import('./favorite-menu.tsx')).FavoriteMenu, 'marks');

/**
 * The favorites. They are sorted by dragging, by their menu, or by Alt+Shift with the arrow keys, and removed by Delete. Entries that
 * are dropped on a folder go into it; those that are dropped between the rows are added.
 */
export function FavoritesList(props: FavoritesListProps) {
  const { labelledBy, favorites, current, addressOf, onOrder, renderDropTarget } = props;
  const { t } = useTranslation('app');
  const list = useRef<HTMLUListElement>(null);
  const [menu, setMenu] = useState<{ path: string; at: { x: number; y: number } | null } | null>(null);
  const order = favorites.map(({ path }) => path);
  const { isEntryDrag, onDropEntries } = props;
  const { dragged, paths, listProps, rowProps } = useFavoriteDrag({
    order,
    isEntryDrag,
    onDropEntries,
    onOrder,
  });
  const rows = paths.flatMap((path) => favorites.find((row) => row.path === path) ?? []);

  const move = (path: string, to: number): void => {
    onOrder(withPathAt(paths, path, to));
    const position = Math.max(1, Math.min(paths.length, to + 1));
    props.announce(
      t('marks.movedTo', { name: displayName(nameOf(path as VirtualPath)), position, total: paths.length }),
    );
  };
  const focus = (index: number): void => {
    const links = list.current?.querySelectorAll<HTMLElement>('a');
    links?.[Math.max(0, Math.min(links.length - 1, index))]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, row: MarkedRow, index: number): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && event.altKey && event.shiftKey) move(row.path, index + step);
    else if (step !== 0 && !event.altKey && !event.ctrlKey && !event.metaKey) focus(index + step);
    else if (event.key === 'Delete') props.onRemove(row);
    else return;
    event.preventDefault();
  };
  const menuRow = rows.find(({ path }) => path === menu?.path);
  const menuIndex = menuRow ? rows.indexOf(menuRow) : 0;
  return (
    <ul ref={list} className={styles.list} aria-labelledby={labelledBy} {...listProps}>
      {rows.map((row, index) => {
        const path = row.path as VirtualPath;
        const name = nameOf(path);
        const kind = { name, type: row.type, isFolder: row.dir };
        const renderRow = (dropping: FolderDropping | null) => (
          <li key={path} data-dragged={dragged === path || undefined}>
            <Link
              to={addressOf(path, row.dir)}
              className={styles.row}
              title={displayName(path)}
              data-gone={row.gone}
              aria-disabled={row.gone}
              aria-current={path === current ? 'page' : undefined}
              aria-keyshortcuts="Alt+Shift+ArrowUp Alt+Shift+ArrowDown Delete"
              {...rowProps(path, index, dropping)}
              onClick={(event) => {
                if (row.gone) event.preventDefault();
              }}
              onKeyDown={(event) => onKeyDown(event, row, index)}
              onContextMenu={(event) => {
                event.preventDefault();
                setMenu({ path, at: { x: event.clientX, y: event.clientY } });
              }}
            >
              <FileIcon kind={fileKind(kind)} size={18} extension={lowerCaseExtension(name)} />
              <bdi className={styles.name}>{displayName(name)}</bdi>
              {row.gone && <span className="visually-hidden">{t('marks.gone')}</span>}
            </Link>
          </li>
        );
        return row.dir && !row.gone ? (
          <Fragment key={path}>{renderDropTarget(path, renderRow)}</Fragment>
        ) : (
          renderRow(null)
        );
      })}
      {menu && menuRow && (
        <Suspense fallback={null}>
          <FavoriteMenu
            name={displayName(nameOf(menuRow.path as VirtualPath))}
            at={menu.at}
            isFirst={menuIndex === 0}
            isLast={menuIndex === rows.length - 1}
            onMove={(step) => move(menuRow.path, menuIndex + step)}
            onRemove={() => props.onRemove(menuRow)}
            onClose={() => setMenu({ ...menu, at: null })}
          />
        </Suspense>
      )}
    </ul>
  );
}
