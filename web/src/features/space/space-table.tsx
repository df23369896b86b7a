import { useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { displayName } from '../../i18n/display-name.ts';
import { formatNumber, formatPercent, formatSize } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { SizeBar } from '../../ui/feedback/size-bar.tsx';
import { ChevronRight } from '../../ui/icons.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind } from '../../ui/names/file-kind.ts';
import { LongName } from '../../ui/names/long-name.tsx';
import type { MapNode } from './map-tree.ts';
import styles from './space.module.css';

interface SpaceTableProps {
  root: MapNode;
  /** The shown name of the folder. */
  name: string;
  /** Opens a folder in the map, or shows a file in its folder. */
  onOpen: (node: MapNode) => void;
}

interface ShownRow {
  readonly node: MapNode;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
}

/** The content of the map as a tree: arrow keys move, expand and collapse, Enter opens. */
export function SpaceTable({ root, name, onOpen }: SpaceTableProps) {
  const { t } = useTranslation('space');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const rows = shownRows(root, expanded);
  const tabStop = rows.some(({ node }) => node.path === current) ? current : rows[0]?.node.path;
  const toggle = (path: string) => {
    const next = new Set(expanded);
    if (!next.delete(path)) next.add(path);
    setExpanded(next);
  };
  const focusRow = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    setCurrent(row.node.path);
    body.current?.querySelectorAll<HTMLElement>('[data-row]')[rows.indexOf(row)]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const row = rows[index];
    if (!row) return;
    const { node, level } = row;
    const isMirrored = document.documentElement.dir === 'rtl';
    const key =
      isMirrored && event.key === 'ArrowLeft'
        ? 'ArrowRight'
        : isMirrored && event.key === 'ArrowRight'
          ? 'ArrowLeft'
          : event.key;
    const isExpandable = node.children.length > 0;
    const isExpanded = expanded.has(node.path);
    if (key === 'ArrowDown') focusRow(index + 1);
    else if (key === 'ArrowUp') focusRow(index - 1);
    else if (key === 'Home') focusRow(0);
    else if (key === 'End') focusRow(rows.length - 1);
    else if (key === 'ArrowRight' && isExpandable) {
      if (isExpanded) focusRow(index + 1);
      else toggle(node.path);
    } else if (key === 'ArrowLeft' && isExpanded) toggle(node.path);
    else if (key === 'ArrowLeft')
      focusRow(rows.findLastIndex((other, at) => at < index && other.level < level));
    else if (key === 'Enter' && node.kind !== 'rest') onOpen(node);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.table} role="treegrid" aria-label={t('table', { folder: name })} ref={body}>
      <div role="row" className={styles.header}>
        <span role="columnheader">{t('name')}</span>
        <span role="columnheader" className={styles.number}>
          {t('files')}
        </span>
        <span role="columnheader" className={styles.number}>
          {t('size')}
        </span>
      </div>
      {rows.map(({ node, level, position, siblings }, index) => (
        <div
          key={node.path}
          data-row=""
          role="row"
          className={styles.row}
          aria-level={level}
          aria-posinset={position}
          aria-setsize={siblings}
          aria-expanded={node.children.length > 0 ? expanded.has(node.path) : undefined}
          tabIndex={node.path === tabStop ? 0 : -1}
          onKeyDown={(event) => onKeyDown(event, index)}
          onFocus={() => setCurrent(node.path)}
          onDoubleClick={() => node.kind !== 'rest' && onOpen(node)}
        >
          <span role="gridcell" className={styles.name} style={{ '--level': level - 1 } as CSSProperties}>
            <span
              className={styles.expand}
              data-expanded={expanded.has(node.path) || undefined}
              aria-hidden="true"
              onClick={() => node.children.length > 0 && toggle(node.path)}
            >
              {node.children.length > 0 && <ChevronRight />}
            </span>
            {node.kind === 'rest' ? (
              <span className={styles.rest}>{t('rest')}</span>
            ) : (
              <>
                <FileIcon
                  kind={fileKind({
                    name: node.name,
                    type: node.kind === 'folder' ? '' : 'blob',
                    isFolder: node.kind === 'folder',
                  })}
                  size={18}
                />
                <button type="button" tabIndex={-1} className={styles.open} onClick={() => onOpen(node)}>
                  <LongName name={displayName(node.name)} />
                </button>
              </>
            )}
          </span>
          <span role="gridcell" className={styles.number}>
            {node.kind === 'file' ? '' : formatNumber(node.files)}
          </span>
          <span role="gridcell" className={styles.number}>
            <bdi>{formatSize(node.bytes)}</bdi>
            <SizeBar fraction={fractionOf(node, root)} title={formatPercent(fractionOf(node, root))} />
          </span>
        </div>
      ))}
    </div>
  );
}

/** Returns the fraction of an entry in the size of the folder. */
const fractionOf = ({ bytes }: MapNode, root: MapNode): number => (root.bytes > 0 ? bytes / root.bytes : 0);

/** Returns the rows of expanded folders in their order. */
function shownRows(root: MapNode, expanded: ReadonlySet<string>): ShownRow[] {
  const rows: ShownRow[] = [];
  const add = (parent: MapNode, level: number): void => {
    for (const [index, node] of parent.children.entries()) {
      rows.push({ node, level, position: index + 1, siblings: parent.children.length });
      if (expanded.has(node.path)) add(node, level + 1);
    }
  };
  add(root, 1);
  return rows;
}
