import { parentOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { maxContentRows } from '@filestead/contract/values/limits';
import { useEffect, useMemo, useSyncExternalStore, type RefObject } from 'react';
import type { ScatteredParts } from '../../features/files/folder/scattered-parts.ts';
import type { FolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import type { ScatteredLook } from '../../features/files/listing/listing-options.ts';
import { HighlightedPath, HighlightedText } from '../../features/search/highlighted-name.tsx';
import { storeSearch } from '../../features/search/recent-searches.ts';
import { highlightedTerms } from '../../features/search/search-query.ts';
import { SnippetText } from '../../features/search/snippet-text.tsx';
import { useContents, type FoundContents } from '../../features/search/use-contents.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { type ContentList, ContentResults, ContentsFooter, NoContents } from './content-results.tsx';
import { EmptyResults } from './empty-results.tsx';
import type { ResultsSession } from './results-session.ts';
import { requestOf, type Search } from './search-address.ts';
import { SearchFilters } from './search-filters.tsx';
import { SearchFooter } from './search-footer.tsx';
import styles from './search-page.module.css';

/** The number of files whose text matches that are listed below the names; without names it is {@link maxContentRows}. */
const maxContentsBelow = 20;

interface ResultPartsInput {
  session: ResultsSession;
  screen: FolderScreen;
  search: Search;
  /** Whether the user may search the text of documents. */
  hasContents: boolean;
  contentList: RefObject<ContentList | null>;
  onChange: (search: Search) => void;
  onQuery: (query: string) => void;
}

/** Returns the parts of the listing that are different for results. */
export function useResultParts({
  session,
  screen,
  search,
  hasContents,
  contentList,
  onChange,
  onQuery,
}: ResultPartsInput): ScatteredParts {
  const { t } = useTranslation('search');
  const { id: userId } = useCurrentUser();
  const results = useSyncExternalStore(session.subscribe, session.getState);
  const { query, sort, isReversed } = search;
  const isOnlyContents = search.part === 'contents' && hasContents;
  const contents = useSearchContents(session, search, hasContents);
  const { files } = contents;
  const hasNoNames = !results.isSearching && session.model.count === 0;
  const isWhole = !isOnlyContents && hasNoNames && files.length > 0;
  const look = useResultLook(session, search, isOnlyContents);
  const sorting = useMemo(() => (sort === 'rank' ? null : { by: sort, asc: isReversed }), [sort, isReversed]);
  const hasRequest = requestOf(search) !== null;
  return useMemo(
    () => ({
      look,
      sorting,
      name: t('title'),
      top: (
        <SearchFilters
          search={search}
          hasContents={hasContents}
          onChange={onChange}
          isSearching={results.isSearching}
        />
      ),
      emptyState: isOnlyContents ? (
        <div role="status">
          <NoContents contents={contents} search={search} onChange={onChange} />
        </div>
      ) : (
        <EmptyResults
          search={search}
          hasContents={hasContents}
          userId={userId}
          isSearching={results.isSearching}
          hasRequest={hasRequest}
          onChange={onChange}
          onQuery={onQuery}
        />
      ),
      [isWhole ? 'instead' : 'below']: isOnlyContents ? (
        screen.host.isPhone && files.length > 0 && <ContentsFooter contents={contents} />
      ) : (
        <ContentResults
          ref={contentList}
          contents={contents}
          visit={session.contents}
          isOnly={isWhole}
          search={search}
          onChange={onChange}
          onOpen={() => storeSearch(userId, query)}
        />
      ),
      footer: isOnlyContents ? (
        files.length > 0 && <ContentsFooter contents={contents} />
      ) : isWhole ? null : (
        <SearchFooter screen={screen} results={results} />
      ),
    }),
    [
      look,
      sorting,
      search,
      query,
      contents,
      files,
      hasContents,
      contentList,
      isOnlyContents,
      isWhole,
      onChange,
      onQuery,
      results,
      session,
      screen,
      userId,
      hasRequest,
      t,
    ],
  );
}

/** Searches the text of documents, and lists the matching files in place of names where only they are searched. */
function useSearchContents(session: ResultsSession, search: Search, hasContents: boolean): FoundContents {
  const { part, sort, isReversed } = search;
  const request = requestOf(search);
  const isOnlyContents = part === 'contents' && hasContents;
  const contents = useContents(
    request === null || part === 'names' || !hasContents
      ? null
      : { ...request, limit: isOnlyContents ? maxContentRows : maxContentsBelow },
    session.contents.shown,
    session.contents.keep,
  );
  const { files, retry } = contents;
  useEffect(
    () => session.listContents(isOnlyContents ? { files, sort, isReversed, retry } : null),
    [session, isOnlyContents, files, sort, isReversed, retry],
  );
  return contents;
}

/** Returns the headings and the rendering of names, with the words of the query highlighted. */
function useResultLook(
  session: ResultsSession,
  { query, sort }: Search,
  isOnlyContents: boolean,
): ScatteredLook {
  const { t } = useTranslation('search');
  return useMemo(() => {
    const terms = highlightedTerms(query);
    return {
      heading: t(isOnlyContents ? 'contents.group' : sort === 'rank' ? 'bestMatches' : 'results'),
      headers: { kind: t('location') },
      name: ({ name, path }) => (
        <>
          <HighlightedText text={name} terms={terms} />
          {session.isSimilar(path) && <span className={styles.similar}>{t('similar')}</span>}
        </>
      ),
      location: ({ path }) => {
        const names = segmentsOf(parentOf(`/${path}` as VirtualPath));
        return names.length === 0 ? t('root') : <HighlightedPath names={names} terms={terms} />;
      },
      excerpt: isOnlyContents
        ? ({ path }) => {
            const snippet = session.snippetOf(path);
            return snippet && <SnippetText snippet={snippet} />;
          }
        : undefined,
    };
  }, [query, sort, session, isOnlyContents, t]);
}
