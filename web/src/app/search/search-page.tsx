import { parentOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isFindSort } from '@filestead/contract/values/find-sorts';
import { maxContentRows } from '@filestead/contract/values/limits';
import {
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { isContentsOn } from '../../api/contents.ts';
import { useLocation, useNavigate, useNavigationType, useSearchParams } from '../../ui/navigation/router.tsx';
import { showView } from '../../features/files/actions/change-view.ts';
import { FolderHeader } from '../../features/files/header/folder-header.tsx';
import { PhoneMenu, PhoneSelectionTop } from '../../features/files/header/phone-bars.tsx';
import { saveFolderView, useFolderView } from '../../features/files/folder/folder-views.ts';
import { FolderDetails, FolderView } from '../../features/files/folder/folder-view.tsx';
import type { ScatteredParts } from '../../features/files/folder/scattered-parts.ts';
import { useFolderScreen, type FolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { useFolderStatus } from '../../features/files/folder/use-folder-session.ts';
import { isWalking } from '../../features/search/find-entries.ts';
import { HighlightedText, HighlightedPath } from '../../features/search/highlighted-name.tsx';
import { storeSearch } from '../../features/search/recent-searches.ts';
import { SearchBox, type SearchBoxHandle } from '../../features/search/search-box.tsx';
import { SnippetText } from '../../features/search/snippet-text.tsx';
import { highlightedTerms } from '../../features/search/search-query.ts';
import { useContents } from '../../features/search/use-contents.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useCover } from '../files/use-cover.ts';
import { type OwnFunctions, useFolderHost } from '../files/use-folder-host.tsx';
import { FramedError } from '../frame/framed-error.tsx';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import { useLoadedMarks } from '../marks/favorites-section.tsx';
import { fileAddress } from '../routes/file-address.ts';
import { scatteredFunctions } from '../scattered/scattered-functions.ts';
import { useAddressText } from '../../ui/hooks/use-address-text.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { type ContentList, ContentResults, ContentsFooter, NoContents } from './content-results.tsx';
import { PhoneSearchBar } from './phone-search-bar.tsx';
import { ResultsSession } from './results-session.ts';
import { openedFileOf, requestOf, searchAddress, searchOf, type Search } from './search-address.ts';
import { EmptyResults } from './empty-results.tsx';
import { SearchFilters } from './search-filters.tsx';
import { SearchFooter } from './search-footer.tsx';
import styles from './search-page.module.css';

const OpenedFile = lazy(async () => ({ default: (await import('../files/opened-file.tsx')).OpenedFile }));

/** The delay before the typed query is written into the address, in ms. */
const addressDelayMs = 200;
/** The number of visits whose results are kept, so that going back shows them as they were. */
const maxVisits = 20;
/** The number of files whose text matches, below the names and without them. */
const maxContents = 20;
const maxOnlyContents = maxContentRows;
/** The key under which the view of results is remembered; no folder has it. */
const viewKey = 'search:' as VirtualPath;

/** The results by the router's key of the visit. */
const visits = new Map<string, ResultsSession>();

function rememberVisit(key: string, session: ResultsSession): void {
  visits.delete(key);
  visits.set(key, session);
  const [oldest] = visits.keys();
  if (visits.size > maxVisits && oldest !== undefined) visits.delete(oldest);
}

/** The page of search results: an ordinary listing of entries from several folders. */
export function SearchPage() {
  const { pathname } = useLocation();
  const file = openedFileOf(pathname);
  return file === undefined ? <FramedError status={404} /> : <Results file={file} />;
}

function Results({ file }: { file: VirtualPath | null }) {
  const { t } = useTranslation(['search', 'files', 'app']);
  const navigate = useNavigate();
  const { key: visit, state } = useLocation() as { key: string; state: unknown };
  const [parameters] = useSearchParams();
  const account = useCurrentUser();
  const search = useMemo(() => searchOf(parameters), [parameters]);
  const [session] = useState(() => visits.get(visit) ?? new ResultsSession());
  useEffect(() => rememberVisit(visit, session), [visit, session]);
  useLoadedMarks(account.id);

  const show = useCallback(
    (next: Search) => void navigate(searchAddress(next, file), { replace: true, state }),
    [navigate, file, state],
  );
  const write = (query: string) => show({ ...search, query });
  const [text, setText] = useAddressText(search.query, write, addressDelayMs);
  usePageTitle(text.trim(), t('title'));
  const typed = useMemo(() => ({ ...search, query: text }), [search, text]);
  const hasContents = isContentsOn() && account.perm.download;
  const hasNames = typed.part !== 'contents' || !hasContents;
  const request = useMemo(
    () => (hasNames ? requestOf(isWalking() ? search : typed) : null),
    [search, typed, hasNames],
  );
  useEffect(() => session.search(request), [session, request]);

  const view = useFolderView(account.id, viewKey);
  // Matches in the text have their excerpts in a list.
  const viewMode = hasNames ? (view?.viewMode ?? 'list') : 'list';
  const sorting = useMemo(
    () => (search.sort === 'rank' ? null : { by: search.sort, asc: search.isReversed }),
    [search],
  );
  const user = useMemo(
    () => ({ ...account, viewMode, sorting: sorting ?? ({ by: 'name', asc: false } as const) }),
    [account, viewMode, sorting],
  );
  const searchBox = useRef<SearchBoxHandle>(null);
  const ownFunctions = useMemo((): OwnFunctions => {
    const remember = () => storeSearch(user.id, typed.query);
    return {
      ...scatteredFunctions,
      saveView: (change) => {
        if (change.viewMode) saveFolderView(user.id, viewKey, { viewMode: change.viewMode });
        const { sorting: next } = change;
        if (next && isFindSort(next.by)) show({ ...typed, sort: next.by, isReversed: next.asc });
      },
      openFolder: (path, reveal) => {
        remember();
        void navigate(fileAddress(path, true), reveal === undefined ? {} : { state: { reveal } });
      },
      // Closing the file navigates back to this page.
      openFile: (path) => {
        remember();
        session.contents.recordOpened(null);
        void navigate(searchAddress(typed, path), { state: { isFromFolder: true } });
      },
      openSearch: () => searchBox.current?.focus(),
    };
  }, [user.id, typed, session, show, navigate]);
  const { host, prompts } = useFolderHost(user, ownFunctions);
  const screen = useFolderScreen(session, host);
  const { listing } = screen;
  useScrollPosition(screen, session);
  const status = useFolderStatus(session).kind;
  const contentList = useRef<ContentList>(null);
  const results = useMemo(
    () => ({
      current: {
        focus: () => {
          if (contentList.current?.focus() !== true) listing.current?.focus();
        },
      },
    }),
    [listing],
  );
  const { isCovered, uncover, regainFocus, setFailed } = useCover(file !== null, visit, results);
  useInitialFocus(searchBox, visit, file === null);
  const scattered = useScattered({
    session,
    screen,
    search: typed,
    hasContents,
    contentList,
    onChange: show,
    onQuery: setText,
  });
  const { context, commands, dropDragged } = screen;
  const submit = () => {
    storeSearch(user.id, text);
    show(typed);
    results.current.focus();
  };
  const box = { text, onText: setText };
  return (
    <>
      <Frame
        header={<FrameTitle>{t('title')}</FrameTitle>}
        actions={
          <FolderHeader
            context={context}
            commands={commands}
            sorting={user.sorting}
            onSort={screen.sort}
            onView={(next) => showView(host, next)}
            onUseForAll={() => undefined}
            fixedView={scattered.instead === undefined && hasNames ? undefined : t('part.fixedView')}
            search={
              <SearchBox
                ref={searchBox}
                label={t('field')}
                controlled={box}
                onSubmit={submit}
                onLeave={regainFocus}
              />
            }
          />
        }
        phone={{
          title: t('title'),
          topBar:
            context.count > 0 ? (
              <PhoneSelectionTop screen={screen} />
            ) : (
              <PhoneSearchBar
                ref={searchBox}
                {...box}
                back={fileAddress(search.from, true)}
                onSubmit={submit}
              >
                <PhoneMenu screen={screen} />
              </PhoneSearchBar>
            ),
        }}
        usagePath={search.from}
        folderDrop={{ can: user.perm, onDrop: dropDragged, onRest: host.openFolder }}
        folderScreen={screen}
        details={status !== 'failed' && <FolderDetails screen={screen} />}
        isCovered={isCovered}
        regainFocus={regainFocus}
      >
        <FolderView
          screen={screen}
          isCovered={file !== null}
          scattered={scattered}
          renderFailure={(error, retry) => (
            <>
              {scattered.top}
              <ErrorScreen status={statusOfError(error)} onRetry={retry} headingLevel={2} />
            </>
          )}
        />
      </Frame>
      {file !== null && (
        <Suspense fallback={null}>
          <OpenedFile
            path={file}
            screen={screen}
            onUncover={uncover}
            onFailed={setFailed}
            addressOf={(opened) => searchAddress(typed, opened)}
          />
        </Suspense>
      )}
      {prompts}
    </>
  );
}

/** Keeps the scroll position of results that are left, and restores it. */
function useScrollPosition({ listing }: FolderScreen, session: ResultsSession): void {
  useLayoutEffect(
    () => () => {
      // The listing still exists when the page is left.
      session.scrolledPx = listing.current?.scrolledPx() ?? 0;
    },
    [listing, session],
  );
  useEffect(() => {
    if (session.scrolledPx > 0) listing.current?.scrollTo(session.scrolledPx);
  }, [listing, session]);
}

/** Focuses the field of a new search; after going back the listing has the focus. */
function useInitialFocus(
  box: React.RefObject<SearchBoxHandle | null>,
  visit: string,
  isUncovered: boolean,
): void {
  const type = useNavigationType();
  const first = useRef({ isNew: type !== 'pop' || !visits.has(visit), isUncovered });
  useEffect(() => {
    if (first.current.isNew && first.current.isUncovered) box.current?.focus({ isAtEnd: true });
  }, [box]);
}

interface ScatteredInput {
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
function useScattered({
  session,
  screen,
  search,
  hasContents,
  contentList,
  onChange,
  onQuery,
}: ScatteredInput): ScatteredParts {
  const { t } = useTranslation(['search', 'files']);
  const { id: userId } = useCurrentUser();
  const results = useSyncExternalStore(session.subscribe, session.getState);
  const { query, sort, isReversed } = search;
  const request = requestOf(search);
  const isOnlyContents = search.part === 'contents' && hasContents;
  const contents = useContents(
    request === null || search.part === 'names' || !hasContents
      ? null
      : { ...request, limit: isOnlyContents ? maxOnlyContents : maxContents },
    session.contents.shown,
    session.contents.keep,
  );
  const hasNoNames = !results.isSearching && session.model.count === 0;
  const { files, retry } = contents;
  useEffect(
    () => session.listContents(isOnlyContents ? { files, sort, isReversed, retry } : null),
    [session, isOnlyContents, files, sort, isReversed, retry],
  );
  const isWhole = !isOnlyContents && hasNoNames && files.length > 0;
  const look = useMemo(() => {
    const terms = highlightedTerms(query);
    return {
      heading: t(isOnlyContents ? 'contents.group' : sort === 'rank' ? 'bestMatches' : 'results'),
      locationHeader: t('location'),
      name: ({ name, path }: { name: string; path: string }) => (
        <>
          <HighlightedText text={name} terms={terms} />
          {session.isSimilar(path) && <span className={styles.similar}>{t('similar')}</span>}
        </>
      ),
      location: ({ path }: { path: string }) => {
        const names = segmentsOf(parentOf(`/${path}` as VirtualPath));
        return names.length === 0 ? t('root') : <HighlightedPath names={names} terms={terms} />;
      },
      excerpt: isOnlyContents
        ? ({ path }: { path: string }) => {
            const snippet = session.snippetOf(path);
            return snippet && <SnippetText snippet={snippet} />;
          }
        : undefined,
    };
  }, [query, sort, session, isOnlyContents, t]);
  const sorting = useMemo(() => (sort === 'rank' ? null : { by: sort, asc: isReversed }), [sort, isReversed]);
  const hasRequest = request !== null;
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
