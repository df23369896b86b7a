import { parentOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { formatNumber } from '../../i18n/format.ts';
import { displayName } from '../../i18n/display-name.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind } from '../../ui/names/file-kind.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { FolderOpen, Search } from '../../ui/icons.ts';
import { forgetSearches, recentSearches, storeSearch } from './recent-searches.ts';
import styles from './search-panel.module.css';
import { hasType, markTerms, searchTypes, toTerms, toggleType } from './search-query.ts';
import { type FoundEntry, type SearchState, useSearch } from './use-search.ts';

/**
 * The number of results that are rendered at first, and added when the end of the list comes near
 * (docs/reference/behaviour.md §9).
 */
const pageSize = 50;

export interface SearchPanelProps {
  /** The folder to search. */
  folder: VirtualPath;
  userId: number;
  query: string;
  onQuery: (query: string) => void;
  field: RefObject<HTMLInputElement | null>;
  /** The element that contains field and panel, in which the arrow keys move. */
  area: RefObject<HTMLElement | null>;
  onClose: () => void;
  onOpen: (path: VirtualPath, isFolder: boolean) => void;
  /** Opens the folder that contains the entry and selects it. */
  onReveal: (path: VirtualPath) => void;
  onEverywhere: (() => void) | null;
}

/** The results of a search while it is typed; recent searches while the field is empty. */
export function SearchPanel(props: SearchPanelProps) {
  const { folder, userId, query, onQuery, field, area, onClose, onOpen, onReveal, onEverywhere } = props;
  const { t } = useTranslation('search');
  const search = useSearch(folder, query);
  const choose = (act: () => void) => {
    storeSearch(userId, query);
    onClose();
    act();
  };
  const setAndFocus = (next: string) => {
    onQuery(next);
    field.current?.focus();
  };
  const searchEverywhere = () => {
    // The pressed button disappears.
    field.current?.focus();
    onEverywhere?.();
  };
  const { startNow } = search;
  const latestStart = useRef(startNow);
  useEffect(() => {
    latestStart.current = startNow;
  });
  useEffect(() => {
    const container = area.current;
    const onKeyDown = (event: KeyboardEvent) => {
      const direction = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const isSubmit = event.key === 'Enter' && event.target === field.current;
      if (isSubmit) latestStart.current();
      if (isSubmit || (direction !== 0 && moveFocus(container, field.current, direction)))
        event.preventDefault();
    };
    container?.addEventListener('keydown', onKeyDown);
    return () => container?.removeEventListener('keydown', onKeyDown);
  }, [area, field]);
  return (
    <>
      <div className={styles.types} role="group" aria-label={t('types')}>
        {searchTypes.map((type) => (
          <button
            key={type}
            type="button"
            className={styles.type}
            aria-pressed={hasType(query, type)}
            onClick={() => setAndFocus(toggleType(query, type))}
          >
            <FileIcon kind={type} size={20} />
            {t(`type.${type}`)}
          </button>
        ))}
      </div>
      {query.trim() === '' ? (
        <RecentSearches userId={userId} onChoose={setAndFocus} />
      ) : (
        <Results
          key={`${folder}\0${query}`}
          folder={folder}
          query={query}
          search={search}
          onEverywhere={onEverywhere && searchEverywhere}
          onOpen={({ path, isFolder }) => choose(() => onOpen(path, isFolder))}
          onReveal={({ path }) => choose(() => onReveal(path))}
        />
      )}
    </>
  );
}

/** Moves the focus to the next or previous result; the field precedes the first one. */
function moveFocus(panel: HTMLElement | null, field: HTMLElement | null, direction: 1 | -1): boolean {
  const focusTargets = [field, ...(panel?.querySelectorAll<HTMLElement>('[data-result]') ?? [])];
  const index = focusTargets.indexOf(document.activeElement as HTMLElement | null);
  const next = index < 0 ? null : focusTargets[index + direction];
  if (!next) return false;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Shows recent searches and hints while the field is empty. */
function RecentSearches({ userId, onChoose }: { userId: number; onChoose: (query: string) => void }) {
  const { t } = useTranslation('search');
  const [recent, setRecent] = useState(() => recentSearches(userId));
  return (
    <div className={styles.beginning}>
      {recent.length > 0 && (
        <section className={styles.recent}>
          <div className={styles.heading}>
            <h2>{t('recent')}</h2>
            <Button
              size="small"
              variant="quiet"
              onClick={() => {
                forgetSearches(userId);
                setRecent([]);
              }}
            >
              {t('forgetRecent')}
            </Button>
          </div>
          <ul>
            {recent.map((query) => (
              <li key={query}>
                <button type="button" className={styles.query} data-result onClick={() => onChoose(query)}>
                  <Search />
                  <bdi>{query}</bdi>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className={styles.hint}>{t('hint')}</p>
      <p className={styles.hint}>
        {t('hintWords', { type: isolateBidi('type:image'), case: isolateBidi('case:sensitive') })}
      </p>
    </div>
  );
}

interface ResultsProps {
  folder: VirtualPath;
  query: string;
  search: SearchState & { startNow: () => void; stop: () => void };
  onEverywhere: (() => void) | null;
  onOpen: (entry: FoundEntry) => void;
  onReveal: (entry: FoundEntry) => void;
}

function Results({ folder, query, search, onEverywhere, onOpen, onReveal }: ResultsProps) {
  const { t } = useTranslation('search');
  const { results, phase } = search;
  const [limit, setLimit] = useState(pageSize);
  const terms = toTerms(query);
  const isEmpty = results.length === 0 && phase === 'done';
  const folderName = segmentsOf(folder).at(-1);
  if (isEmpty) {
    return (
      <div className={styles.empty} role="status">
        <EmptyState
          illustration="search"
          title={
            folderName === undefined
              ? t('noneEverywhere', { query: query.trim() })
              : t('none', { query: query.trim(), folder: folderName })
          }
          actions={onEverywhere && <Button onClick={onEverywhere}>{t('everywhere')}</Button>}
        >
          {t('noneHint')}
        </EmptyState>
      </div>
    );
  }
  return (
    <>
      <Status search={search} />
      <ul className={styles.results} aria-label={t('results')}>
        {results.slice(0, limit).map((entry) => (
          <Result
            key={entry.path}
            entry={entry}
            folder={folder}
            terms={terms}
            onOpen={() => onOpen(entry)}
            onReveal={() => onReveal(entry)}
          />
        ))}
      </ul>
      {results.length > limit && <EndSentinel key={limit} onReached={() => setLimit(limit + pageSize)} />}
    </>
  );
}

function Status({ search }: { search: ResultsProps['search'] }) {
  const { t } = useTranslation('search');
  const { phase, results, startNow, stop } = search;
  const count = { count: results.length, number: formatNumber(results.length) };
  if (phase === 'failed') {
    return (
      <div className={styles.status} data-tone="warning" role="alert">
        <span>
          {t('failed')} {results.length > 0 && t('failedHint')}
        </span>
        <Button size="small" variant="quiet" onClick={startNow}>
          {t('retry')}
        </Button>
      </div>
    );
  }
  const text = {
    idle: t('searching'),
    searching: results.length === 0 ? t('searching') : t('searchingFound', count),
    stopped: t('stopped', count),
    done: t('found', count),
  }[phase];
  return (
    <div className={styles.status}>
      {/* During a search the number changes too often to be announced. */}
      <span role="status" aria-live={phase === 'searching' ? 'off' : 'polite'}>
        {text}
      </span>
      {phase === 'searching' && (
        <Button size="small" variant="quiet" onClick={stop}>
          {t('stop')}
        </Button>
      )}
    </div>
  );
}

interface ResultProps {
  entry: FoundEntry;
  folder: VirtualPath;
  terms: readonly string[];
  onOpen: () => void;
  onReveal: () => void;
}

function Result({ entry, folder, terms, onOpen, onReveal }: ResultProps) {
  const { t } = useTranslation('search');
  const { name, path, isFolder } = entry;
  const location = segmentsOf(parentOf(path)).slice(segmentsOf(folder).length).join(' / ');
  return (
    <li className={styles.result}>
      <button type="button" className={styles.open} data-result onClick={onOpen}>
        <FileIcon kind={fileKind({ name, type: isFolder ? '' : 'blob', isFolder })} />
        <span className={styles.words}>
          <bdi className={styles.name} title={displayName(name)}>
            {markTerms(name, terms).map(({ at, text, isHit }) =>
              isHit ? <mark key={at}>{displayName(text)}</mark> : <span key={at}>{displayName(text)}</span>,
            )}
          </bdi>
          {location !== '' && (
            <span className={styles.location}>
              <bdi>{displayName(location)}</bdi>
            </span>
          )}
        </span>
      </button>
      <IconButton
        size="small"
        label={t('showInFolder', { name: displayName(name) })}
        icon={<FolderOpen />}
        onClick={onReveal}
      />
    </li>
  );
}

/** Calls `onReached` when the end of the list comes near. */
function EndSentinel({ onReached }: { onReached: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  const reached = useRef(onReached);
  useEffect(() => {
    reached.current = onReached;
  });
  useEffect(() => {
    const element = mark.current;
    if (!element) return undefined;
    // 100 px before the end (docs/reference/filebrowser-api.md §8.5).
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && reached.current(),
      { root: element.closest('[data-search-scroller]'), rootMargin: '100px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return <div ref={mark} className={styles.more} />;
}
