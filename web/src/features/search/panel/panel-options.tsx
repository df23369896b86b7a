import type { ReactNode } from 'react';
import { displayName } from '../../../i18n/display-name.ts';
import { formatDate, pluralValues } from '../../../i18n/format.ts';
import { locationText } from '../../../i18n/path-text.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { FolderOpen, History, X } from '../../../ui/icons.ts';
import { IconPicture } from '../../../ui/names/icon-picture.tsx';
import type { FoundEntry } from '../find-entries.ts';
import { HighlightedName } from '../highlighted-name.tsx';
import { SnippetText } from '../snippet-text.tsx';
import type { FoundContent } from '../use-contents.ts';
import styles from './search-panel.module.css';

/** A group of options under a heading. */
export function Group({
  label,
  hasLine = false,
  children,
}: {
  label: string;
  hasLine?: boolean;
  children: ReactNode;
}) {
  return (
    <div role="group" aria-label={label} className={styles.group} data-line={hasLine || undefined}>
      <div className={styles.heading} aria-hidden="true">
        {label}
      </div>
      {children}
    </div>
  );
}

/** Stands for the query in a sentence that is split there. */
const queryMark = '\uFFFC';

interface AllWordsProps {
  query: string;
  /** The number of results; 0 if it is unknown. */
  total: number;
  /** Whether there are more than `total`. */
  hasMore: boolean;
}

/** The words of the option that shows all results: their number, as far as they were counted, and the query in bold. */
export function AllWords({ query, total, hasMore }: AllWordsProps) {
  const { t } = useTranslation('search');
  const values = { query: queryMark, ...pluralValues(total) };
  const counted = hasMore ? t('moreThan', values) : t('allCounted', values);
  const [before, after] = (total > 0 ? counted : t('allResults', values)).split(queryMark);
  return (
    <span className={styles.text}>
      {before}
      <bdi className={styles.query}>{displayName(query)}</bdi>
      {after}
    </span>
  );
}

interface EntryWordsProps {
  entry: FoundEntry;
  terms: readonly string[];
  pictureUrl: string | null;
}

/** A found entry: picture, name, location and date. */
export function EntryWords({ entry, terms, pictureUrl }: EntryWordsProps) {
  const { t } = useTranslation('search');
  const { name, path, isFolder, type, modifiedMs, isSimilar } = entry;
  return (
    <>
      <IconPicture
        entry={{ name, type: isFolder ? '' : (type ?? 'blob'), isFolder }}
        iconSize={24}
        url={pictureUrl}
        className={styles.picture}
      />
      <span className={styles.words}>
        <HighlightedName name={name} terms={terms} className={styles.name} />
        <span className={styles.location}>
          {isSimilar && <span className={styles.similar}>{t('similar')}</span>}
          <span data-own-text="">{locationText(path, t('root'))}</span>
        </span>
      </span>
      {modifiedMs !== null && <span className={styles.date}>{formatDate(modifiedMs)}</span>}
    </>
  );
}

/** A file whose text was found, with the passage. */
export function ContentWords({ file, terms }: { file: FoundContent; terms: readonly string[] }) {
  const { name, path, type, modifiedMs, snippet } = file;
  const { t } = useTranslation('search');
  return (
    <>
      <IconPicture
        entry={{ name, type, isFolder: false }}
        iconSize={24}
        url={null}
        className={styles.picture}
      />
      <span className={styles.words}>
        <span className={styles.nameLine}>
          <HighlightedName name={name} terms={terms} className={styles.name} />
          <span className={styles.above} data-own-text="">
            {locationText(path, t('root'))}
          </span>
        </span>
        {snippet && <SnippetText snippet={snippet} className={styles.snippet} />}
      </span>
      <span className={styles.date}>{formatDate(modifiedMs)}</span>
    </>
  );
}

/** The button of a result that shows it in its folder. The keyboard has a key for that. */
export function RevealButton({ name, onReveal }: { name: string; onReveal: () => void }) {
  const { t } = useTranslation('search');
  return (
    <span
      className={styles.reveal}
      title={t('showInFolder', { name: displayName(name) })}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onReveal();
      }}
    >
      <FolderOpen />
    </span>
  );
}

/** A recent search, with a button that removes it from the list. */
export function RecentWords({ query, onForget }: { query: string; onForget: () => void }) {
  const { t } = useTranslation('search');
  return (
    <>
      <History aria-hidden="true" />
      <bdi className={styles.text}>{query}</bdi>
      <span
        className={styles.reveal}
        title={t('forgetOne', { query })}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onForget();
        }}
      >
        <X />
      </span>
    </>
  );
}
