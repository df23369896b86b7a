import { nameOf, parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { Link } from '../../../ui/navigation/router.tsx';
import { displayName } from '../../../i18n/display-name.ts';
import { useLocale } from '../../../i18n/use-locale.ts';
import { ChevronDown, ChevronRight } from '../../../ui/icons.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { useFolderDrop, type FolderDrop } from '../clipboard/use-folder-drop.ts';
import styles from './folder-tree.module.css';
import { followChanges, setExpanded, treeRows, useFolderTree, type TreeRow } from './tree-store.ts';

interface FolderTreeProps {
  /** The id of the heading. */
  labelledBy: string;
  rootLabel: string;
  /** The shown folder; absent outside the files. */
  current: VirtualPath | undefined;
  drop: FolderDrop | undefined;
  addressOf: (folder: VirtualPath) => string;
}

/** The tree of folders. Its rows are links and accept drops. One row is a tab stop; the arrow keys move between rows. */
export function FolderTree({ labelledBy, rootLabel, current, drop, addressOf }: FolderTreeProps) {
  const { direction } = useLocale();
  const state = useFolderTree();
  const rows = useMemo(() => treeRows(state), [state]);
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<VirtualPath | null>(null);
  useEffect(followChanges, []);
  useEffect(() => setExpanded(rootPath, true), []);
  const isShown = (path: VirtualPath | null | undefined): path is VirtualPath =>
    path != null && rows.some((row) => row.path === path);
  const tabStop = isShown(focused) ? focused : isShown(current) ? current : rootPath;

  const focusRow = (path: VirtualPath | undefined): void => {
    if (path === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-folder="${CSS.escape(path)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = rows.findIndex(({ path }) => path === tabStop);
    const row = rows[index];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const inward = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const outward = direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    if (event.key === 'ArrowDown') focusRow(rows[index + 1]?.path);
    else if (event.key === 'ArrowUp') focusRow(rows[index - 1]?.path);
    else if (event.key === 'Home') focusRow(rows[0]?.path);
    else if (event.key === 'End') focusRow(rows.at(-1)?.path);
    else if (event.key === inward && !row.isExpanded && row.isExpandable) setExpanded(row.path, true);
    else if (event.key === inward && row.isExpanded) focusRow(rows[index + 1]?.path);
    else if (event.key === outward && row.isExpanded) setExpanded(row.path, false);
    else if (event.key === outward && row.path !== rootPath) focusRow(parentOf(row.path));
    else return;
    event.preventDefault();
  };
  return (
    <ul ref={list} role="tree" aria-labelledby={labelledBy} className={styles.tree} onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <FolderRow
          key={row.path}
          row={row}
          label={row.path === rootPath ? rootLabel : displayName(nameOf(row.path))}
          address={addressOf(row.path)}
          isCurrent={row.path === current}
          isTabStop={row.path === tabStop}
          drop={row.path === current ? undefined : drop}
          onFocus={() => setFocused(row.path)}
        />
      ))}
    </ul>
  );
}

interface FolderRowProps {
  row: TreeRow;
  label: string;
  address: string;
  isCurrent: boolean;
  isTabStop: boolean;
  drop: FolderDrop | undefined;
  onFocus: () => void;
}

function FolderRow({ row, label, address, isCurrent, isTabStop, drop, onFocus }: FolderRowProps) {
  const { path, level, isExpanded, isExpandable } = row;
  const dropping = useFolderDrop(path, drop);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const toggle = (event: MouseEvent): void => {
    event.preventDefault();
    setExpanded(path, !isExpanded);
  };
  return (
    <li role="none">
      <Link
        ref={link}
        to={address}
        role="treeitem"
        className={styles.row}
        style={{ paddingInlineStart: `${4 + (level - 1) * 16}px` }}
        title={label}
        draggable={false}
        tabIndex={isTabStop ? 0 : -1}
        aria-level={level}
        aria-expanded={isExpandable ? isExpanded : undefined}
        aria-selected={isCurrent}
        aria-current={isCurrent ? 'page' : undefined}
        data-folder={path}
        onFocus={onFocus}
        {...dropping}
      >
        <span className={styles.twist} aria-hidden="true" onClick={isExpandable ? toggle : undefined}>
          {isExpandable && (isExpanded ? <ChevronDown /> : <ChevronRight />)}
        </span>
        <FileIcon kind="folder" size={18} />
        <bdi className={styles.name}>{label}</bdi>
      </Link>
    </li>
  );
}
