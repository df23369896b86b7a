import { isAtOrBelow, rootPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState, type RefObject } from 'react';
import { formatPercent, pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import { Search } from '../../../ui/icons.ts';
import { Kbd } from '../../../ui/keyboard/kbd.tsx';
import { isWalking, type FoundEntry } from '../find-entries.ts';
import { forgetSearch, recentSearches, storeSearch } from '../recent-searches.ts';
import { enterSign, KeyHints, TypeButtons } from './panel-foot.tsx';
import { AllWords, ContentWords, EntryWords, Group, RecentWords, RevealButton } from './panel-options.tsx';
import styles from './search-panel.module.css';
import type { SearchContext } from '../search-context.ts';
import { highlightedTerms } from '../search-query.ts';
import { useContents, type FoundContent } from '../use-contents.ts';
import { useFound } from '../use-found.ts';
import { useActiveOption, type Option } from './use-active-option.ts';

/** The number of results in the open folder, and in all other folders. */
const maxHere = 5;
const maxElsewhere = 5;
/** The number of files whose text matches. */
const maxContents = 3;
/** The number of results that are requested for all folders: those in the open folder are left out, and up to this number they are counted. */
const requestedEverywhere = 100;
/** The number of recent searches below results; all are shown while the field is empty. */
const maxRecentBelow = 3;

interface SearchPanelProps extends SearchContext {
  /** The id of the list, to which the field refers. */
  id: string;
  /** Called when the list is shown, and when it is removed. */
  onListed: (isListed: boolean) => void;
  query: string;
  /** Changes the query and focuses the field. */
  onQuery: (query: string) => void;
  field: RefObject<HTMLInputElement | null>;
  onClose: () => void;
  /** Opens the page of all results. */
  onSubmit: () => void;
}

/** The results of a search while it is typed, and recent searches. The focus stays in the field. */
export function SearchPanel(props: SearchPanelProps) {
  const { id, folder, folderName, userId, query, pictureOf } = props;
  const { onListed, onQuery, onClose, onOpen, onReveal, onSubmit } = props;
  const { t } = useTranslation('search');
  useEffect(() => {
    onListed(true);
    return () => onListed(false);
  }, [onListed]);
  const isRoot = folder === '/';
  const here = useFound({
    folder,
    query,
    near: folder,
    limit: isRoot && !isWalking() ? requestedEverywhere : maxHere,
    sort: 'rank',
  });
  const everywhere = useFound(
    isRoot || isWalking()
      ? null
      : { folder: rootPath, query, near: folder, limit: requestedEverywhere, sort: 'rank' },
  );
  const contents = useContents({ folder: rootPath, query, near: folder, limit: maxContents });
  const [recent, setRecent] = useState(() => recentSearches(userId));
  const isReading = useDelayedFlag(here.phase === 'searching' || everywhere.phase === 'searching');
  const isEmptyQuery = query.trim() === '';
  const entriesHere = here.entries.slice(0, maxHere);
  const elsewhere = everywhere.entries
    .filter(({ path }) => !isAtOrBelow(path, folder) || path === folder)
    .slice(0, maxElsewhere);
  const all = isRoot ? here : everywhere;
  // The number is unknown where the server walks the folders.
  const total = all.phase === 'done' && !isWalking() ? all.entries.length : 0;
  const isDone = here.phase !== 'searching' && everywhere.phase !== 'searching';
  const numNames = entriesHere.length + elsewhere.length;
  const numFound = numNames + contents.files.length;
  const shownRecent = (isEmptyQuery ? recent : recent.slice(0, maxRecentBelow)).filter(
    (other) => other !== query.trim(),
  );
  const options: Option[] = [
    ...[...entriesHere, ...elsewhere].map((entry) => ({ kind: 'entry', entry }) as const),
    ...contents.files.map((file) => ({ kind: 'content', file }) as const),
    ...(isEmptyQuery ? [] : [{ kind: 'all' } as const]),
    ...shownRecent.map((other) => ({ kind: 'recent', query: other }) as const),
  ];
  const act = (option: Option, isReveal: boolean) => {
    if (option.kind === 'recent') {
      onQuery(option.query);
    } else if (option.kind === 'all') {
      onSubmit();
    } else {
      storeSearch(userId, query);
      onClose();
      const { path, isFolder } = option.kind === 'entry' ? option.entry : { ...option.file, isFolder: false };
      if (isReveal) onReveal(path);
      else onOpen(path, isFolder);
    }
  };
  const forget = (forgotten: string) => {
    forgetSearch(userId, forgotten);
    setRecent(recentSearches(userId));
  };
  const { active, setActive } = useActiveOption({ ...props, options, act, forget });
  const optionProps = (index: number) => ({
    id: `${id}-${index}`,
    role: 'option',
    tabIndex: -1,
    'aria-selected': active === index,
    onPointerMove: () => setActive(index),
    // The focus stays in the field.
    onPointerDown: (event: React.PointerEvent) => event.preventDefault(),
    onMouseDown: (event: React.MouseEvent) => event.preventDefault(),
    onClick: (event: React.MouseEvent) => {
      const option = options[index];
      if (option) act(option, event.ctrlKey || event.metaKey);
    },
  });
  const terms = highlightedTerms(query);
  const entryOption = (entry: FoundEntry, index: number) => (
    <div key={entry.path} {...optionProps(index)} className={styles.option}>
      <EntryWords entry={entry} terms={terms} pictureUrl={pictureOf?.(entry) ?? null} />
      <RevealButton name={entry.name} onReveal={() => act({ kind: 'entry', entry }, true)} />
    </div>
  );
  const contentOption = (file: FoundContent, index: number) => (
    <div key={`content ${file.path}`} {...optionProps(index)} className={styles.option}>
      <ContentWords file={file} terms={terms} />
      <RevealButton name={file.name} onReveal={() => act({ kind: 'content', file }, true)} />
    </div>
  );
  const hasFailed = here.phase === 'failed' || everywhere.phase === 'failed';
  const nothing = isRoot
    ? t('noneEverywhere', { query: query.trim() })
    : t('none', { query: query.trim(), folder: folderName });
  return (
    <>
      <div id={id} role="listbox" aria-label={t('results')} className={styles.list}>
        {entriesHere.length > 0 && (
          <Group
            label={isRoot ? t('group.everywhere') : t('group.here', { folder: isolateBidi(folderName) })}
          >
            {entriesHere.map((entry, index) => entryOption(entry, index))}
          </Group>
        )}
        {elsewhere.length > 0 && (
          <Group label={t('group.everywhere')}>
            {elsewhere.map((entry, index) => entryOption(entry, entriesHere.length + index))}
          </Group>
        )}
        {contents.files.length > 0 && (
          <Group label={t('contents.group')}>
            {contents.files.map((file, index) => contentOption(file, numNames + index))}
          </Group>
        )}
        {!isEmptyQuery && (
          <div {...optionProps(numFound)} className={styles.option} data-line="">
            <Search aria-hidden="true" />
            <AllWords query={query.trim()} total={total} hasMore={all.hasMore} />
            {/* Not in a line of its own, whose end would move the buttons below. */}
            {isReading && numFound > 0 && (
              <span className={styles.date} aria-hidden="true">
                {t('reading')}
              </span>
            )}
            <Kbd shortcut={enterSign} />
          </div>
        )}
        {shownRecent.length > 0 && (
          <Group label={t('recent')} hasLine={!isEmptyQuery}>
            {shownRecent.map((other, index) => (
              <div
                key={other}
                {...optionProps(numFound + (isEmptyQuery ? 0 : 1) + index)}
                className={styles.option}
                data-line=""
              >
                <RecentWords query={other} onForget={() => forget(other)} />
              </div>
            ))}
          </Group>
        )}
      </div>
      {!isEmptyQuery && numFound === 0 && isDone && !hasFailed && (
        <p className={styles.note}>
          {isWalking() || isRoot ? nothing : t('noneEverywhere', { query: query.trim() })}
        </p>
      )}
      {contents.phase === 'done' && contents.percent !== 100 && (
        <p className={styles.note}>
          {contents.percent === null
            ? t('contents.listing')
            : t('contents.reading', { share: formatPercent(contents.percent / 100) })}
        </p>
      )}
      {isReading && numFound === 0 && <p className={styles.note}>{t('searching')}</p>}
      {hasFailed && (
        <p className={styles.note} data-tone="warning" role="alert">
          {t('failed')}
        </p>
      )}
      <TypeButtons query={query} onQuery={onQuery} />
      <KeyHints />
      <div role="status" className="visually-hidden">
        {isDone && !isEmptyQuery && (numFound > 0 ? t('found', pluralValues(numFound)) : nothing)}
      </div>
    </>
  );
}
