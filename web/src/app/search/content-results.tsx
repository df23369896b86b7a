import { parentOf } from '@filestead/contract/paths/virtual-path';
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { highlightedTerms } from '../../features/search/search-query.ts';
import { HighlightedText } from '../../features/search/highlighted-name.tsx';
import { SnippetText } from '../../features/search/snippet-text.tsx';
import type { FoundContent, FoundContents } from '../../features/search/use-contents.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatDate, formatPercent, pluralValues } from '../../i18n/format.ts';
import { pathText } from '../../i18n/path-text.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { useDelayedFlag } from '../../ui/hooks/use-delayed-flag.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind } from '../../ui/names/file-kind.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import type { ContentsVisit } from './results-session.ts';
import { isFiltered, searchAddress, type Search } from './search-address.ts';
import { useNoResultsTitle, WiderSearch } from './wider-search.tsx';
import styles from './content-results.module.css';

/** Functions of the list of files. */
export interface ContentList {
  /** Focuses the file that was opened last, or the first one where there are no names. Returns false if there is none. */
  focus(): boolean;
}

interface ContentResultsProps {
  ref: Ref<ContentList>;
  contents: FoundContents;
  visit: ContentsVisit;
  /** Whether there are no names above: the results take the whole page. */
  isOnly: boolean;
  search: Search;
  onChange: (search: Search) => void;
  /** Called before a file is opened. */
  onOpen: () => void;
}

/** Whether a search in contents has anything to show below the names. */
const hasResults = ({ phase, files, percent }: FoundContents): boolean =>
  files.length > 0 || phase === 'failed' || (phase === 'done' && percent !== 100);

/** The files whose text matches a search, each with the part that matches. */
export function ContentResults(props: ContentResultsProps) {
  const { ref, contents, visit, isOnly, search, onChange, onOpen } = props;
  const { t } = useTranslation('search');
  const { files } = contents;
  const list = useRef<HTMLUListElement>(null);
  useImperativeHandle(ref, () => ({
    focus: () => {
      const opened = files.findIndex(({ path }) => path === visit.openedPath);
      const row = opened >= 0 || isOnly ? rowsOf(list.current)[Math.max(0, opened)] : undefined;
      row?.focus();
      return row !== undefined;
    },
  }));
  const section = useScrollPosition(visit, files.length > 0);
  if (!isOnly && !hasResults(contents)) return null;
  const terms = highlightedTerms(search.query);
  const note = <ContentsNote contents={contents} />;
  return (
    <>
      <section
        ref={section}
        className={styles.section}
        data-only={isOnly || undefined}
        aria-label={t('contents.group')}
      >
        <h2 className={search.part === 'contents' ? 'visually-hidden' : styles.heading}>
          {t('contents.group')}
        </h2>
        {files.length > 0 && (
          <ul ref={list} className={styles.list}>
            {files.map((file) => (
              <li key={file.path}>
                <ContentRow
                  file={file}
                  terms={terms}
                  address={searchAddress(search, file.path)}
                  onOpen={() => {
                    visit.recordOpened(file.path);
                    onOpen();
                  }}
                />
              </li>
            ))}
          </ul>
        )}
        {isOnly && files.length === 0 && (
          <div role="status">
            <NoContents contents={contents} search={search} onChange={onChange} />
          </div>
        )}
        {!isOnly && note}
      </section>
      {isOnly && files.length > 0 && <ContentsFooter contents={contents} />}
    </>
  );
}

/** The links of the files in a list. */
const rowsOf = (list: Element | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>(`.${styles.name}`) ?? []),
];

/** Moves the focus from file to file with the arrow keys, Home and End. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const rows = rowsOf(event.currentTarget.closest('ul'));
  const at = rows.indexOf(event.currentTarget);
  const targets: Partial<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: rows.length - 1,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  rows[Math.min(Math.max(target, 0), rows.length - 1)]?.focus();
}

/** Keeps the scroll position of files that are left, and restores it once they are listed. */
function useScrollPosition(visit: ContentsVisit, isListed: boolean): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  const isRestored = useRef(false);
  useLayoutEffect(() => {
    const element = section.current;
    if (element === null || !isListed) return undefined;
    if (!isRestored.current) element.scrollTop = visit.scrolledPx;
    isRestored.current = true;
    return () => visit.keepScroll(element.scrollTop);
  }, [visit, isListed]);
  return section;
}

/** The footer of files that are listed in place of names. */
export function ContentsFooter({ contents }: { contents: FoundContents }) {
  return (
    <div className={styles.footer}>
      <ContentsNote contents={contents} />
    </div>
  );
}

/** The number of files, and the progress of reading documents. */
function ContentsNote({ contents: { phase, files, hasMore, percent } }: { contents: FoundContents }) {
  const { t } = useTranslation('search');
  return (
    <p className={styles.note} role="status">
      {phase === 'failed' && t('contents.failed')}
      {phase === 'done' &&
        files.length > 0 &&
        t(hasMore ? 'contents.more' : 'contents.found', pluralValues(files.length))}
      {phase === 'done' && percent !== 100 && <Progress percent={percent} />}
    </p>
  );
}

/** The percentage of the documents that have been read. */
function Progress({ percent }: { percent: number | null }) {
  const { t } = useTranslation('search');
  return (
    <span>
      {percent === null
        ? t('contents.listing')
        : t('contents.reading', { percent: formatPercent(percent / 100) })}
    </span>
  );
}

type NoContentsProps = Pick<ContentResultsProps, 'contents' | 'search' | 'onChange'>;

/** The place of the files while there are none. */
export function NoContents({ contents: { phase, percent, retry }, search, onChange }: NoContentsProps) {
  const { t } = useTranslation(['search', 'app']);
  const isWaiting = useDelayedFlag(phase === 'searching');
  const title = useNoResultsTitle(search);
  if (phase === 'searching') return isWaiting ? <p className={styles.note}>{t('searching')}</p> : null;
  if (phase === 'failed')
    return (
      <EmptyState
        illustration="search"
        title={t('contents.failed')}
        actions={<Button onClick={retry}>{t('app:errors.retry')}</Button>}
      />
    );
  if (phase === 'idle')
    return (
      <EmptyState illustration="search" title={t('contents.group')}>
        {t('contents.hint')}
      </EmptyState>
    );
  return (
    <EmptyState
      illustration="search"
      title={title}
      actions={(search.isHere || isFiltered(search)) && <WiderSearch search={search} onChange={onChange} />}
    >
      {percent !== 100 && <Progress percent={percent} />}
    </EmptyState>
  );
}

interface ContentRowProps {
  file: FoundContent;
  terms: readonly string[];
  address: string;
  onOpen: () => void;
}

function ContentRow({
  file: { path, name, type, modifiedMs, snippet },
  terms,
  address,
  onOpen,
}: ContentRowProps) {
  const { t } = useTranslation('search');
  const folder = parentOf(path);
  return (
    <div className={styles.row}>
      <FileIcon kind={fileKind({ name, type, isFolder: false })} size={24} />
      <div className={styles.words}>
        <div className={styles.header}>
          {/* Closing the file navigates back to this page. */}
          <Link
            to={address}
            state={{ isFromFolder: true }}
            className={styles.name}
            onClick={onOpen}
            onKeyDown={moveFocus}
          >
            <bdi>
              <HighlightedText text={name} terms={terms} />
            </bdi>
          </Link>
          <span className={styles.location}>
            <Link
              to={fileAddress(folder, true)}
              state={{ reveal: name }}
              title={t('showInFolder', { name: displayName(name) })}
            >
              <span data-own-text="">{pathText(folder, t('root'))}</span>
            </Link>
          </span>
          <span className={styles.date}>{formatDate(modifiedMs)}</span>
        </div>
        {snippet && <SnippetText snippet={snippet} className={styles.snippet} />}
      </div>
    </div>
  );
}
