import { nameOf, parentOf, segmentsOf } from '@filestead/contract/paths/virtual-path';
import { highlightedTerms } from '../../features/search/search-query.ts';
import { HighlightedText } from '../../features/search/highlighted-name.tsx';
import { SnippetText } from '../../features/search/snippet-text.tsx';
import type { FoundContent, FoundContents } from '../../features/search/use-contents.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatDate, formatPercent, pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { useDelayedFlag } from '../../ui/hooks/use-delayed-flag.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind } from '../../ui/names/file-kind.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { isFiltered, searchAddress, withoutFilters, type Search } from './search-address.ts';
import styles from './content-results.module.css';

interface ContentResultsProps {
  contents: FoundContents;
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
export function ContentResults({ contents, isOnly, search, onChange, onOpen }: ContentResultsProps) {
  const { t } = useTranslation('search');
  const { files } = contents;
  if (!isOnly && !hasResults(contents)) return null;
  const terms = highlightedTerms(search.query);
  const note = <ContentsNote contents={contents} />;
  return (
    <>
      <section className={styles.section} data-only={isOnly || undefined} aria-label={t('contents.group')}>
        <h2 className={search.part === 'contents' ? 'visually-hidden' : styles.heading}>
          {t('contents.group')}
        </h2>
        {files.length > 0 && (
          <ul className={styles.list}>
            {files.map((file) => (
              <li key={file.path}>
                <ContentRow
                  file={file}
                  terms={terms}
                  address={searchAddress(search, file.path)}
                  onOpen={onOpen}
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
      {isOnly && (files.length > 0 || contents.percent !== 100) && (
        <div className={styles.footer}>{note}</div>
      )}
    </>
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
      {phase === 'done' && percent !== 100 && (
        <span>
          {percent === null
            ? t('contents.listing')
            : t('contents.reading', { share: formatPercent(percent / 100) })}
        </span>
      )}
    </p>
  );
}

type NoContentsProps = Pick<ContentResultsProps, 'contents' | 'search' | 'onChange'>;

/** The place of the files while there are none. */
function NoContents({ contents: { phase, retry }, search, onChange }: NoContentsProps) {
  const { t } = useTranslation(['search', 'app']);
  const isWaiting = useDelayedFlag(phase === 'searching');
  if (phase === 'searching') return isWaiting ? <p className={styles.note}>{t('searching')}</p> : null;
  if (phase === 'failed')
    return (
      <EmptyState
        illustration="search"
        title={t('contents.failed')}
        actions={<Button onClick={retry}>{t('app:errors.retry')}</Button>}
      />
    );
  const { query, isHere, from } = search;
  if (phase === 'idle')
    return (
      <EmptyState illustration="search" title={t('contents.group')}>
        {t('contents.hint')}
      </EmptyState>
    );
  const folder = displayName(nameOf(from));
  const isNarrow = isHere || isFiltered(search);
  return (
    <EmptyState
      illustration="search"
      title={
        isHere ? t('none', { query: query.trim(), folder }) : t('noneEverywhere', { query: query.trim() })
      }
      actions={
        isNarrow && (
          <>
            {isHere && (
              <Button onClick={() => onChange({ ...search, isHere: false })}>{t('everywhere')}</Button>
            )}
            {isFiltered(search) && (
              <Button onClick={() => onChange(withoutFilters(search))}>{t('removeFilters')}</Button>
            )}
          </>
        )
      }
    />
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
  const location = segmentsOf(parentOf(path)).map(displayName).join(' / ');
  return (
    // Closing the file navigates back to this page.
    <Link to={address} state={{ isFromFolder: true }} className={styles.row} onClick={onOpen}>
      <FileIcon kind={fileKind({ name, type, isFolder: false })} size={24} />
      <span className={styles.words}>
        <span className={styles.header}>
          <bdi className={styles.name}>
            <HighlightedText text={name} terms={terms} />
          </bdi>
          <span className={styles.location}>
            <bdi>{location === '' ? t('root') : location}</bdi>
          </span>
          <span className={styles.date}>{formatDate(modifiedMs)}</span>
        </span>
        {snippet && <SnippetText snippet={snippet} className={styles.snippet} />}
      </span>
    </Link>
  );
}
