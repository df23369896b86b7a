import { parentOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { markedTerms } from '../../features/search/search-query.ts';
import { MarkedText } from '../../features/search/marked-name.tsx';
import { SnippetText } from '../../features/search/snippet-text.tsx';
import type { FoundContent, FoundContents } from '../../features/search/use-contents.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatDate, formatPercent, pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind } from '../../ui/names/file-kind.ts';
import { Link } from '../../ui/navigation/router.tsx';
import styles from './content-results.module.css';

interface ContentResultsProps {
  contents: FoundContents;
  query: string;
  /** Returns the address of an opened file. */
  addressOf: (path: VirtualPath) => string;
  /** Called before a file is opened. */
  onOpen: () => void;
}

/** Whether a search in contents has anything to show. */
export const hasContentResults = ({ phase, files, percent }: FoundContents): boolean =>
  files.length > 0 || phase === 'failed' || (phase === 'done' && percent !== 100);

/** The files whose text matches a search, each with the part that matches. */
export function ContentResults({ contents, query, addressOf, onOpen }: ContentResultsProps) {
  const { t } = useTranslation('search');
  const { phase, files, hasMore, percent } = contents;
  if (!hasContentResults(contents)) return null;
  const terms = markedTerms(query);
  return (
    <section className={styles.section} aria-label={t('contents.group')}>
      <h2 className={styles.heading}>{t('contents.group')}</h2>
      {files.length > 0 && (
        <ul className={styles.list}>
          {files.map((file) => (
            <li key={file.path}>
              <ContentRow file={file} terms={terms} address={addressOf(file.path)} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      )}
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
    </section>
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
        <span className={styles.head}>
          <bdi className={styles.name}>
            <MarkedText text={name} terms={terms} />
          </bdi>
          <bdi className={styles.location}>{location === '' ? t('root') : location}</bdi>
          <span className={styles.date}>{formatDate(modifiedMs)}</span>
        </span>
        {snippet && <SnippetText snippet={snippet} className={styles.snippet} />}
      </span>
    </Link>
  );
}
