import { isAtOrBelow, rootPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { displayName } from '../../i18n/display-name.ts';
import { formatDate, formatPercent, pluralValues } from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { locationText } from '../../i18n/path-text.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useDelayedFlag } from '../../ui/hooks/use-delayed-flag.ts';
import { FolderOpen, History, Search, X } from '../../ui/icons.ts';
import { Kbd } from '../../ui/keyboard/kbd.tsx';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { IconPicture } from '../../ui/names/icon-picture.tsx';
import { isWalking, type FoundEntry } from './find-entries.ts';
import { HighlightedName } from './highlighted-name.tsx';
import { forgetSearch, recentSearches, storeSearch } from './recent-searches.ts';
import styles from './search-panel.module.css';
import type { SearchContext } from './search-context.ts';
import { hasType, highlightedTerms, searchTypes, toggleType } from './search-query.ts';
import { SnippetText } from './snippet-text.tsx';
import { useContents, type FoundContent } from './use-contents.ts';
import { useFound } from './use-found.ts';

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

/** A choice in the panel. */
type Option =
  | { readonly kind: 'entry'; readonly entry: FoundEntry }
  | { readonly kind: 'content'; readonly file: FoundContent }
  | { readonly kind: 'all' }
  | { readonly kind: 'recent'; readonly query: string };

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

function Group({
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
function AllWords({ query, total, hasMore }: AllWordsProps) {
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

function EntryWords({ entry, terms, pictureUrl }: EntryWordsProps) {
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

function ContentWords({ file, terms }: { file: FoundContent; terms: readonly string[] }) {
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
function RevealButton({ name, onReveal }: { name: string; onReveal: () => void }) {
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
function RecentWords({ query, onForget }: { query: string; onForget: () => void }) {
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

/** The buttons that restrict the search to file types. */
function TypeButtons({ query, onQuery }: Pick<SearchPanelProps, 'query' | 'onQuery'>) {
  const { t } = useTranslation('search');
  return (
    <div className={styles.types} role="group" aria-label={t('types')}>
      {searchTypes.map((type) => (
        <button
          key={type}
          type="button"
          className={styles.type}
          aria-pressed={hasType(query, type)}
          onClick={() => onQuery(toggleType(query, type))}
        >
          <FileIcon kind={type} size={16} />
          {t(`type.${type}`)}
        </button>
      ))}
    </div>
  );
}

/** The sign of the key Enter, whose name is long in some languages. */
const enterSign = '↵';

/** The keys of the panel, as many as fit in one line. */
function KeyHints() {
  const { t } = useTranslation('search');
  return (
    <p className={styles.keys} aria-hidden="true">
      <span>
        <Kbd shortcut="ArrowUp" />
        <Kbd shortcut="ArrowDown" />
        {t('keys.choose')}
      </span>
      <span>
        <Kbd shortcut={enterSign} />
        {t('keys.open')}
      </span>
      <span>
        <Kbd shortcut={`Mod+${enterSign}`} />
        {t('keys.reveal')}
      </span>
      <span>
        <Kbd shortcut="Escape" />
        {t('keys.back')}
      </span>
    </p>
  );
}

interface ActiveOptionParts extends SearchPanelProps {
  options: readonly Option[];
  act: (option: Option, isReveal: boolean) => void;
  forget: (query: string) => void;
}

/** The option that Enter chooses: none at first, then moved by the arrow keys and the pointer. */
function useActiveOption(parts: ActiveOptionParts): {
  active: number | null;
  setActive: (index: number) => void;
} {
  const { id, query, field, options } = parts;
  const [chosen, setChosen] = useState<{ query: string; index: number } | null>(null);
  const index = chosen?.query === query && chosen.index < options.length ? chosen.index : null;
  const latest = useRef({ parts, index });
  useEffect(() => {
    latest.current = { parts, index };
  });
  useEffect(() => {
    const input = field.current;
    if (index === null) input?.removeAttribute('aria-activedescendant');
    else {
      input?.setAttribute('aria-activedescendant', `${id}-${index}`);
      document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' });
    }
    return () => input?.removeAttribute('aria-activedescendant');
  }, [field, id, index]);
  useEffect(() => {
    const input = field.current;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      const { parts: current, index: at } = latest.current;
      const option = at === null ? undefined : current.options[at];
      const move = (to: number | null) => setChosen(to === null ? null : { query: current.query, index: to });
      const last = current.options.length - 1;
      if (event.key === 'ArrowDown') move(at === null ? 0 : Math.min(at + 1, last));
      else if (event.key === 'ArrowUp') move(at === null || at === 0 ? null : at - 1);
      else if (event.key === 'Enter' && option) current.act(option, event.ctrlKey || event.metaKey);
      else if (event.key === 'Delete' && option?.kind === 'recent') current.forget(option.query);
      else return;
      event.preventDefault();
    };
    input?.addEventListener('keydown', onKeyDown);
    return () => input?.removeEventListener('keydown', onKeyDown);
  }, [field]);
  return { active: index, setActive: (next) => setChosen({ query, index: next }) };
}
