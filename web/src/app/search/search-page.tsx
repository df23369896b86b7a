import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isFindSort } from '@filestead/contract/values/find-sorts';
import {
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { isContentsOn } from '../../api/contents.ts';
import { useLocation, useNavigate, useNavigationType, useSearchParams } from '../../ui/navigation/router.tsx';
import { showView } from '../../features/files/actions/change-view.ts';
import { FolderHeader, NewMenu } from '../../features/files/header/folder-header.tsx';
import { PhoneMenu, PhoneSelectionTop } from '../../features/files/header/phone-bars.tsx';
import { saveFolderView, useFolderView } from '../../features/files/folder/folder-views.ts';
import { FolderDetails, FolderView } from '../../features/files/folder/folder-view.tsx';
import type { FolderUser } from '../../features/files/folder/folder-host.ts';
import { useFolderScreen, type FolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { useFolderStatus } from '../../features/files/folder/use-folder-session.ts';
import { isWalking } from '../../features/search/find-entries.ts';
import { storeSearch } from '../../features/search/recent-searches.ts';
import { SearchBox, type SearchBoxHandle } from '../../features/search/search-box.tsx';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useCover } from '../files/use-cover.ts';
import { type OwnFunctions, useFolderHost } from '../files/use-folder-host.tsx';
import { FramedError } from '../routes/framed-error.tsx';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import { useNewActions } from '../home/use-new-actions.ts';
import { useLoadedMarks } from '../marks/favorites-section.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { scatteredFunctions } from '../scattered/scattered-functions.ts';
import { useAddressText } from '../../ui/hooks/use-address-text.ts';
import { usePageTitle } from '../routes/page-title.ts';
import type { ContentList } from './content-results.tsx';
import { PhoneSearchBar } from './phone-search-bar.tsx';
import type { ResultsSession } from './results-session.ts';
import { openedFileOf, requestOf, searchAddress, searchOf, type Search } from './search-address.ts';
import styles from './search-page.module.css';
import { isKeptVisit, useVisit } from './search-visits.ts';
import { useResultParts } from './use-result-parts.tsx';

const OpenedFile = lazy(async () => ({ default: (await import('../files/opened-file.tsx')).OpenedFile }));

/** The delay before the typed query is written into the address, in ms. */
const addressDelayMs = 200;
/** The key under which the view of results is remembered; no folder has it. */
const viewKey = 'search:' as VirtualPath;

/** The page of search results: an ordinary listing of entries from several folders. */
export function SearchPage() {
  const { pathname } = useLocation();
  const file = openedFileOf(pathname);
  return file === undefined ? <FramedError status={404} /> : <Results file={file} />;
}

function Results({ file }: { file: VirtualPath | null }) {
  const { t } = useTranslation(['search', 'files']);
  const { key: visit } = useLocation();
  const account = useCurrentUser();
  const session = useVisit(visit);
  useLoadedMarks(account.id);
  const { search, typed, setText, show } = useTypedSearch(file);
  usePageTitle(typed.query.trim(), t('title'));
  const hasContents = isContentsOn() && account.perm.download;
  const hasNames = typed.part !== 'contents' || !hasContents;
  useRequestedNames(session, { search, typed, hasNames });
  const user = useUserOfResults(search, hasNames);
  const searchBox = useRef<SearchBoxHandle>(null);
  const { host, prompts } = useFolderHost(user, useResultFunctions({ session, typed, show, searchBox }));
  const creating = useNewActions(host);
  const screen = useFolderScreen(session, host);
  const { listing, context, commands, dropDragged } = screen;
  useScrollPosition(screen, session);
  const status = useFolderStatus(session).kind;
  const contentList = useRef<ContentList>(null);
  const results = useFocusableResults(contentList, listing);
  const { isCovered, uncover, regainFocus, setFailed } = useCover(file !== null, visit, results);
  useInitialFocus(searchBox, visit, file === null);
  const scattered = useResultParts({
    session,
    screen,
    search: typed,
    hasContents,
    contentList,
    onChange: show,
    onQuery: setText,
  });
  // A search that begins in the field of another page is remembered, too.
  const submitted = useRef(search.query);
  useEffect(() => storeSearch(account.id, submitted.current), [account.id]);
  const submit = () => {
    storeSearch(account.id, typed.query);
    show(typed);
    results.current?.focus();
  };
  const box = { text: typed.query, onText: setText };
  return (
    <>
      <Frame
        header={<FrameTitle>{t('title')}</FrameTitle>}
        actions={
          <div className={styles.actions}>
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
            <NewMenu {...creating} />
          </div>
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

/**
 * Returns the search of the address, and the one with the typed query, which is written into the address after a delay. `show` replaces
 * the search of the address.
 */
function useTypedSearch(file: VirtualPath | null) {
  const navigate = useNavigate();
  const { state } = useLocation() as { state: unknown };
  const [parameters] = useSearchParams();
  const search = useMemo(() => searchOf(parameters), [parameters]);
  const show = useCallback(
    (next: Search) => void navigate(searchAddress(next, file), { replace: true, state }),
    [navigate, file, state],
  );
  const write = (query: string) => show({ ...search, query });
  const [text, setText] = useAddressText(search.query, write, addressDelayMs);
  const typed = useMemo(() => ({ ...search, query: text }), [search, text]);
  return { search, typed, setText, show };
}

/** Returns the user with the view of results and their sorting. Matches in the text have their excerpts in a list. */
function useUserOfResults({ sort, isReversed }: Search, hasNames: boolean): FolderUser {
  const account = useCurrentUser();
  const view = useFolderView(account.id, viewKey);
  const viewMode = hasNames ? (view?.viewMode ?? 'list') : 'list';
  return useMemo(() => {
    const sorting = sort === 'rank' ? ({ by: 'name', asc: false } as const) : { by: sort, asc: isReversed };
    return { ...account, viewMode, sorting };
  }, [account, viewMode, sort, isReversed]);
}

interface ResultFunctionsInput {
  session: ResultsSession;
  typed: Search;
  show: (search: Search) => void;
  searchBox: RefObject<SearchBoxHandle | null>;
}

/** Returns the functions that results have of their own. Opening one stores the query as a recent search. */
function useResultFunctions({ session, typed, show, searchBox }: ResultFunctionsInput): OwnFunctions {
  const navigate = useNavigate();
  const { id } = useCurrentUser();
  return useMemo(
    () => ({
      ...scatteredFunctions,
      saveView: (change) => {
        if (change.viewMode) saveFolderView(id, viewKey, { viewMode: change.viewMode });
        const { sorting } = change;
        if (sorting && isFindSort(sorting.by)) show({ ...typed, sort: sorting.by, isReversed: sorting.asc });
      },
      openFolder: (path, reveal) => {
        storeSearch(id, typed.query);
        void navigate(fileAddress(path, true), reveal === undefined ? {} : { state: { reveal } });
      },
      // Closing the file navigates back to this page.
      openFile: (path) => {
        storeSearch(id, typed.query);
        session.contents.recordOpened(null);
        void navigate(searchAddress(typed, path), { state: { isFromFolder: true } });
      },
      openSearch: () => searchBox.current?.focus(),
    }),
    [id, typed, session, show, navigate, searchBox],
  );
}

/** Searches for names while they are typed, or only once the query is in the address where the server walks the folders. */
function useRequestedNames(
  session: ResultsSession,
  { search, typed, hasNames }: { search: Search; typed: Search; hasNames: boolean },
): void {
  const request = useMemo(
    () => (hasNames ? requestOf(isWalking() ? search : typed) : null),
    [search, typed, hasNames],
  );
  useEffect(() => session.search(request), [session, request]);
}

type Focusable = RefObject<{ focus(): void } | null>;

/** Returns the part of the results to which the focus returns: a file among the matches in the text, otherwise the listing. */
function useFocusableResults(contentList: RefObject<ContentList | null>, listing: Focusable): Focusable {
  return useMemo(
    () => ({
      current: {
        focus: () => {
          if (contentList.current?.focus() !== true) listing.current?.focus();
        },
      },
    }),
    [contentList, listing],
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
function useInitialFocus(box: RefObject<SearchBoxHandle | null>, visit: string, isUncovered: boolean): void {
  const type = useNavigationType();
  const first = useRef({ isNew: type !== 'pop' || !isKeptVisit(visit), isUncovered });
  useEffect(() => {
    if (first.current.isNew && first.current.isUncovered) box.current?.focus({ isAtEnd: true });
  }, [box]);
}
