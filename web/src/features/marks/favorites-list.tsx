import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { MarkedRow } from '@filestead/contract/endpoints/marks';
import {
  Fragment,
  Suspense,
  useRef,
  useState,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { Link } from '../../ui/navigation/router.tsx';
import { displayName } from '../../i18n/display-name.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../ui/names/file-kind.ts';
import styles from './favorites-list.module.css';

/** The props of an element that represents a folder and accepts drops. */
export interface FolderDropping {
  readonly 'data-drop': true | undefined;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: () => void;
  readonly onDrop: (event: DragEvent) => void;
}

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

/** The type of the data of a dragged favorite. */
const dragType = 'application/x-filestead-favorite';

/** The part of the height of a row at each of its edges on which a drop adds a favorite, instead of going into the folder. */
const edge = 0.2;

const isAtEdge = ({ clientY, currentTarget }: DragEvent): boolean => {
  const { top, height } = currentTarget.getBoundingClientRect();
  const position = (clientY - top) / height;
  return position < edge || position > 1 - edge;
};

/**
 * The favorites. They are sorted by dragging, by their menu, or by Alt+Shift with the arrow keys, and removed by Delete. Entries that
 * are dropped on a folder go into it; those that are dropped between the rows are added.
 */
export function FavoritesList(props: FavoritesListProps) {
  const { labelledBy, favorites, current, addressOf, isEntryDrag, onDropEntries, onOrder, renderDropTarget } =
    props;
  const { t } = useTranslation('app');
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const [isTarget, setTarget] = useState(false);
  /** The order while a favorite is dragged. */
  const [preview, setPreview] = useState<readonly string[] | null>(null);
  const [menu, setMenu] = useState<{ path: string; at: { x: number; y: number } | null } | null>(null);
  const paths = preview ?? favorites.map(({ path }) => path);
  const rows = paths.flatMap((path) => favorites.find((row) => row.path === path) ?? []);

  const orderWith = (path: string, to: number): string[] => {
    const others = paths.filter((other) => other !== path);
    return others.toSpliced(Math.max(0, Math.min(others.length, to)), 0, path);
  };
  const move = (path: string, to: number): void => {
    onOrder(orderWith(path, to));
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
  const accepts = ({ dataTransfer }: DragEvent): boolean =>
    dataTransfer.types.includes(dragType) || isEntryDrag(dataTransfer);
  const onDragOver = (event: DragEvent, index: number | null): void => {
    if (!accepts(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (dragged === null) {
      // Users who may not copy drag entries to move them; adding a favorite does neither.
      event.dataTransfer.dropEffect = event.dataTransfer.effectAllowed === 'move' ? 'move' : 'copy';
      setTarget(true);
    } else if (index !== null && paths[index] !== dragged) setPreview(orderWith(dragged, index));
  };
  const dropping = {
    onDragOver: (event: DragEvent) => onDragOver(event, null),
    onDragLeave: () => setTarget(false),
    onDrop: (event: DragEvent) => {
      setTarget(false);
      if (!accepts(event)) return;
      event.preventDefault();
      if (dragged === null) onDropEntries();
      else if (preview !== null) onOrder(preview);
    },
  };
  const menuRow = rows.find(({ path }) => path === menu?.path);
  const menuIndex = menuRow ? rows.indexOf(menuRow) : 0;
  return (
    <ul
      ref={list}
      className={styles.list}
      aria-labelledby={labelledBy}
      data-drop={isTarget || undefined}
      {...dropping}
    >
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
              data-drop={dropping?.['data-drop']}
              draggable
              onClick={(event) => {
                if (row.gone) event.preventDefault();
              }}
              onKeyDown={(event) => onKeyDown(event, row, index)}
              onContextMenu={(event) => {
                event.preventDefault();
                setMenu({ path, at: { x: event.clientX, y: event.clientY } });
              }}
              onDragOver={(event) => {
                if (dropping !== null && dragged === null && !isAtEdge(event)) {
                  dropping.onDragOver(event);
                  if (event.isDefaultPrevented()) {
                    event.stopPropagation();
                    setTarget(false);
                    return;
                  }
                }
                if (dropping?.['data-drop']) dropping.onDragLeave();
                onDragOver(event, index);
              }}
              onDragLeave={dropping?.onDragLeave}
              onDrop={(event) => {
                if (!dropping?.['data-drop']) return;
                event.stopPropagation();
                setTarget(false);
                dropping.onDrop(event);
              }}
              onDragStart={(event) => {
                event.dataTransfer.setData(dragType, path);
                event.dataTransfer.effectAllowed = 'move';
                setDragged(path);
              }}
              onDragEnd={() => {
                setDragged(null);
                setPreview(null);
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
