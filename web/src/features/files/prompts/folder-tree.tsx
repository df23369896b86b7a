import {
  childOf,
  nameOf,
  parentOf,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import {
  useEffect,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { displayName } from '../../../i18n/display-name.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { useLocale } from '../../../i18n/use-locale.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { ChevronDown, ChevronRight } from '../../../ui/icons.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import styles from './destination-dialog.module.css';
import type { FolderTree } from './use-folder-tree.ts';

/** The maximum number of rendered folders in one folder; the others are found by name. */
const maxRows = 300;

interface FolderTreeViewProps {
  tree: FolderTree;
  picked: VirtualPath;
  onPick: (path: VirtualPath) => void;
  onConfirm: (path: VirtualPath) => void;
  /** Whether a folder can be neither chosen nor entered. */
  isClosed: (path: VirtualPath) => boolean;
  /** The folder in which the entries already are. */
  current: VirtualPath | null;
  /** The field for the name of a new folder, shown as the first row in `parent`. */
  newFolder: { readonly parent: VirtualPath; readonly row: ReactNode } | null;
  /** The number of requests to focus the picked folder. It has the focus from the start, so that Enter confirms. */
  focusRequests: number;
}

/** The folders of the user. A click picks one; the arrow, a double click and the arrow keys open it. */
export function FolderTreeView(props: FolderTreeViewProps) {
  const { tree, picked, onPick, onConfirm, focusRequests } = props;
  const { t } = useTranslation('files');
  const { direction } = useLocale();
  const list = useRef<HTMLDivElement>(null);
  const rows = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>('[role="treeitem"]:not([aria-disabled])') ?? []),
  ];
  const go = (row: HTMLElement | undefined) => {
    const path = row?.dataset['path'];
    if (path === undefined) return;
    onPick(path as VirtualPath);
    row?.focus();
  };
  // Scrolls to the picked folder when it was revealed, found or created. The focus follows unless it is in a field.
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(picked)}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    if (list.current?.contains(document.activeElement) && !isField(document.activeElement)) row?.focus();
  }, [picked]);
  // The row may arrive later than the request; until then the tree has the focus. Before the next frame, in which the
  // dialog would take the focus from an element that has been removed.
  const answered = useRef(-1);
  useLayoutEffect(() => {
    if (answered.current === focusRequests) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(picked)}"]`);
    if (row) answered.current = focusRequests;
    const dialog = list.current?.closest('[role="dialog"]');
    const isTyping = isField(document.activeElement) && dialog?.contains(document.activeElement) === true;
    if (!isTyping) (row ?? list.current)?.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const all = rows();
    const at = all.findIndex((row) => row.dataset['path'] === picked);
    const inward = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const outward = direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    if (event.key === 'ArrowDown') go(all[Math.min(at + 1, all.length - 1)]);
    else if (event.key === 'ArrowUp') go(all[Math.max(at - 1, 0)]);
    else if (event.key === 'Home') go(all[0]);
    else if (event.key === 'End') go(all.at(-1));
    else if (event.key === inward) {
      if (tree.isExpanded(picked)) go(all[at + 1]);
      else tree.expand(picked);
    } else if (event.key === outward) {
      if (tree.isExpanded(picked) && picked !== rootPath) tree.collapse(picked);
      else go(all.find((row) => row.dataset['path'] === parentOf(picked)));
    } else if (event.key === 'Enter') onConfirm(picked);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={list} className={styles.tree} role="tree" aria-label={t('transfer.tree')} tabIndex={-1}>
      <Row {...props} path={rootPath} level={1} onKeyDown={onKeyDown} />
    </div>
  );
}

const isField = (target: EventTarget | null): boolean => target instanceof HTMLInputElement;

interface RowProps extends FolderTreeViewProps {
  path: VirtualPath;
  level: number;
  onKeyDown: (event: KeyboardEvent) => void;
}

function Row(props: RowProps) {
  const { tree, picked, onPick, isClosed, current, newFolder, path, level, onKeyDown } = props;
  const { t } = useTranslation('files');
  const isDisabled = isClosed(path);
  const isExpanded = tree.isExpanded(path) && !isDisabled;
  const children = tree.childrenOf(path);
  const names = Array.isArray(children) ? (children as readonly string[]) : [];
  const hasNone = Array.isArray(children) && names.length === 0;
  const toggle = () => (isExpanded ? tree.collapse(path) : tree.expand(path));
  const depth = { '--depth': level - 1 } as CSSProperties;
  return (
    <>
      <div
        role="treeitem"
        className={styles.row}
        style={depth}
        data-path={path}
        aria-level={level}
        aria-selected={path === picked}
        aria-expanded={hasNone || isDisabled ? undefined : isExpanded}
        aria-disabled={isDisabled || undefined}
        tabIndex={path === picked && !isDisabled ? 0 : -1}
        onKeyDown={onKeyDown}
        onClick={() => {
          if (!isDisabled) onPick(path);
        }}
        onDoubleClick={() => {
          if (!isDisabled) tree.expand(path);
        }}
      >
        <span
          className={styles.twist}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            if (!isDisabled) toggle();
          }}
        >
          {!hasNone && !isDisabled && (isExpanded ? <ChevronDown /> : <ChevronRight />)}
        </span>
        <FileIcon kind="folder" />
        <bdi className={styles.name}>{path === rootPath ? t('root') : displayName(nameOf(path))}</bdi>
        {path === current && <span className={styles.here}>{t('transfer.here')}</span>}
      </div>
      {isExpanded && newFolder?.parent === path && (
        <div className={styles.newRow} style={{ '--depth': level } as CSSProperties}>
          <span className={styles.twist} />
          <FileIcon kind="folder" />
          {newFolder.row}
        </div>
      )}
      {isExpanded && children === 'loading' && (
        <div className={styles.note} style={depth}>
          <span className="visually-hidden">{t('transfer.loading')}</span>
          <Skeleton width="40%" />
        </div>
      )}
      {isExpanded && typeof children === 'object' && 'failure' in children && (
        <div role="alert" className={styles.note} style={depth}>
          {children.failure}
        </div>
      )}
      {isExpanded &&
        names
          .slice(0, maxRows)
          .map((name) => <Row key={name} {...props} path={childOf(path, name)} level={level + 1} />)}
      {isExpanded && names.length > maxRows && (
        <div className={styles.note} style={depth}>
          {t('transfer.tooMany', pluralValues(names.length - maxRows))}
        </div>
      )}
    </>
  );
}
