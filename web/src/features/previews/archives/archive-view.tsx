import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatDate, formatDateExact, formatNumber, formatSize, pluralValues } from '../../../i18n/format.ts';
import { useLocale } from '../../../i18n/use-locale.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { lowerCaseExtension, fileKind } from '../../../ui/names/file-kind.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { ChevronDown, ChevronRight, Folder } from '../../../ui/icons.ts';
import { LongName } from '../../../ui/names/long-name.tsx';
import { LoadedDocument, type DocumentViewProps } from '../loading/loaded-document.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import type { ArchiveContents } from './archive-entries.ts';
import { buildArchiveTree, type ArchiveNode } from './archive-tree.ts';
import { ScrollArea } from '../scroll-area.tsx';
import styles from './archive-view.module.css';
import { readArchive } from './read-archive.ts';

/** The number of rows that are shown at first, and added by each press of “more”. */
const pageRows = 500;

/** Lists the contents of an archive as a tree of folders. Nothing is unpacked. */
export function ArchiveView({ url, name, size, renderProblem }: DocumentViewProps) {
  const load = useCallback(
    (signal: AbortSignal) => readArchive(url, { name, size, signal }),
    [url, name, size],
  );
  const loaded = useLoaded(load);
  return (
    <LoadedDocument loaded={loaded} name={name} renderProblem={renderProblem}>
      {(contents) => <Contents contents={contents} name={name} />}
    </LoadedDocument>
  );
}

interface Row {
  readonly node: ArchiveNode;
  readonly path: string;
  readonly depth: number;
}

/** Returns the visible rows: the children of all open folders, in order. */
function visibleRows(
  folder: ArchiveNode,
  open: ReadonlySet<string>,
  parentPath = '',
  depth = 0,
  rows: Row[] = [],
): Row[] {
  for (const node of folder.children) {
    const path = `${parentPath}/${node.name}`;
    rows.push({ node, path, depth });
    if (node.isFolder && open.has(path)) visibleRows(node, open, path, depth + 1, rows);
  }
  return rows;
}

function Contents({ contents, name }: { contents: ArchiveContents; name: string }) {
  const { t } = useTranslation('previews');
  const { languageTag } = useLocale();
  const tree = useMemo(() => {
    const { compare } = new Intl.Collator(languageTag, { numeric: true });
    return buildArchiveTree(contents.entries, compare);
  }, [contents, languageTag]);
  // A single top-level folder is open from the start.
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(tree.children.length === 1 ? tree.children.map((node) => `/${node.name}`) : []),
  );
  const [pages, setPages] = useState(1);
  const rows = useMemo(() => visibleRows(tree, open), [tree, open]);
  const files = contents.entries.reduce((count, entry) => count + Number(!entry.isFolder), 0);
  const toggle = (path: string) => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
  };
  if (rows.length === 0) return <EmptyState icon={<Folder />} title={t('archive.empty')} />;
  return (
    <div className={styles.view}>
      <p className={styles.bar} role="status">
        {contents.isPartial
          ? t('archive.partial', pluralValues(contents.entries.length))
          : t('archive.files', { count: files, number: formatNumber(files), size: formatSize(tree.size) })}
        {contents.isPartial &&
          contents.total !== undefined &&
          ` · ${t('position', {
            position: formatNumber(contents.entries.length),
            total: formatNumber(contents.total),
          })}`}
        {contents.isEncrypted === true && ` · ${t('archive.encrypted')}`}
      </p>
      <ScrollArea className={styles.scroller} label={name}>
        <table className={styles.table} aria-label={t('archive.contents')}>
          <thead>
            <tr>
              <th scope="col">{t('archive.name')}</th>
              <th scope="col" className={styles.size}>
                {t('archive.size')}
              </th>
              <th scope="col" className={styles.modified}>
                {t('archive.modified')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, pages * pageRows).map(({ node, path, depth }) => (
              <tr key={path}>
                <th scope="row">
                  <ArchiveName
                    node={node}
                    depth={depth}
                    isOpen={open.has(path)}
                    onToggle={() => toggle(path)}
                  />
                </th>
                <td className={styles.size}>{formatSize(node.size)}</td>
                <td className={styles.modified}>
                  {node.modifiedMs !== null && (
                    <time
                      dateTime={new Date(node.modifiedMs).toISOString()}
                      title={formatDateExact(node.modifiedMs)}
                    >
                      {formatDate(node.modifiedMs)}
                    </time>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > pages * pageRows && (
          <div className={styles.more}>
            <Button onClick={() => setPages(pages + 1)}>{t('table.more')}</Button>
          </div>
        )}
      </ScrollArea>
    </div>
  );
}

interface ArchiveNameProps {
  node: ArchiveNode;
  depth: number;
  isOpen: boolean;
  onToggle: () => void;
}

function ArchiveName({ node, depth, isOpen, onToggle }: ArchiveNameProps) {
  const indent = { paddingInlineStart: Math.min(depth, 8) * 24 };
  const content = (
    <>
      <FileIcon
        kind={fileKind({ name: node.name, type: node.isFolder ? '' : 'blob', isFolder: node.isFolder })}
        size={20}
        extension={lowerCaseExtension(node.name)}
      />
      <span className={styles.text}>
        <LongName name={displayName(node.name)} />
      </span>
    </>
  );
  if (!node.isFolder) {
    return (
      <span className={styles.name} style={indent}>
        <span className={styles.arrow} />
        {content}
      </span>
    );
  }
  return (
    <button type="button" className={styles.name} style={indent} aria-expanded={isOpen} onClick={onToggle}>
      <span className={styles.arrow}>{isOpen ? <ChevronDown /> : <ChevronRight />}</span>
      {content}
    </button>
  );
}
