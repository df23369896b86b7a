import { clearRecents, switchRecents } from '@filestead/contract/endpoints/marks';
import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Sorting } from '@filestead/contract/users';
import type { ColumnKey } from '@filestead/contract/values/listing-columns';
import { keyOfTag } from '@filestead/contract/values/tag-key';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { locationText } from '../../i18n/path-text.ts';
import { Link, useLocation, useNavigate, useSearchParams } from '../../ui/navigation/router.tsx';
import { call } from '../../api/call.ts';
import { FolderDetails, FolderView } from '../../features/files/folder/folder-view.tsx';
import type { ScatteredParts } from '../../features/files/folder/scattered-parts.ts';
import { useFolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { useFolderStatus } from '../../features/files/folder/use-folder-session.ts';
import { saveFolderView, useFolderView } from '../../features/files/folder/folder-views.ts';
import { PhoneListHead, PhoneSelectionTop } from '../../features/files/header/phone-bars.tsx';
import { loadMarks, useMarks } from '../../features/marks/marks-store.ts';
import { TagMark } from '../../features/marks/entry-marks.tsx';
import type { SearchBoxHandle } from '../../features/search/search-box.tsx';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { displayName } from '../../i18n/display-name.ts';
import { pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ListFooter } from '../../ui/list-footer.tsx';
import { type OwnFunctions, useFolderHost } from '../files/use-folder-host.tsx';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import { youAddress } from '../you/you-address.ts';
import { startOfSearch } from '../routes/file-address.ts';
import { scatteredFunctions } from '../scattered/scattered-functions.ts';
import { PlaceSearch } from '../search/place-search.tsx';
import { usePageTitle } from '../routes/page-title.ts';
import { useLoadedMarks } from './favorites-section.tsx';
import { markActions } from './mark-host.ts';
import styles from './marked-page.module.css';
import { type MarkedList, MarkedSession } from './marked-session.tsx';
import { favoritesAddress, tagAddress, tagsAddress } from './mark-addresses.ts';

/** The order of recent entries, which have none of their own. */
const recentFirst: Sorting = { by: 'modified', asc: false };

/** The page of recent entries, of favorites, or of the entries with a tag: an ordinary listing. */
export function MarkedPage() {
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const tag = parameters.get('tag') ?? '';
  const kind = pathname === tagsAddress ? 'tag' : pathname === favoritesAddress ? 'favorites' : 'recent';
  return <Marked key={`${kind} ${tag}`} list={kind === 'tag' ? { kind, tag } : { kind }} />;
}

function Marked({ list }: { list: MarkedList }) {
  const { t } = useTranslation(['marks', 'app', 'listing']);
  const navigate = useNavigate();
  const account = useCurrentUser();
  const [session] = useState(() => new MarkedSession(list));
  useLoadedMarks(account.id);
  const isRecent = list.kind === 'recent';
  const searchBox = useRef<SearchBoxHandle>(null);
  const title =
    list.kind === 'tag'
      ? list.tag || t('tags')
      : list.kind === 'recent'
        ? t('recent')
        : t('app:marks.favorites');
  usePageTitle(title);
  const user = useMemo(
    () => ({ ...account, viewMode: 'list' as const, sorting: { by: 'name', asc: false } as const }),
    [account],
  );
  const ownFunctions = useMemo(
    (): OwnFunctions => ({
      ...scatteredFunctions,
      openSearch: () => {
        if (searchBox.current) searchBox.current.focus();
        else void navigate(startOfSearch('', rootPath));
      },
    }),
    [navigate],
  );
  const { host, prompts } = useFolderHost(user, ownFunctions);
  const { sorting, sort, clickColumn } = useOrder(session, list);
  const folderScreen = useFolderScreen(session, host);
  const screen = useMemo(() => ({ ...folderScreen, sort: clickColumn }), [folderScreen, clickColumn]);
  const { model } = session;
  const count = useSyncExternalStore(model.subscribe, () => model.count);
  const status = useFolderStatus(session).kind;
  const scattered = useMemo(
    (): ScatteredParts => ({
      look: {
        // It would repeat the title of the page.
        heading: '',
        headers: { kind: t('location'), ...(isRecent && { modified: t('lastUsed') }) },
        name: renderName,
        location: ({ path }) => renderLocation(path, t('app:frame.myFiles')),
        dateOf: isRecent ? ({ path }) => session.usedAtMs(path) : undefined,
      },
      sorting,
      name: title,
      top: null,
      emptyState: <NothingMarked list={list} />,
      footer: (
        <ListFooter>
          <p role="status">{t('listing:itemCount', pluralValues(count))}</p>
        </ListFooter>
      ),
    }),
    [title, list, isRecent, session, sorting, count, t],
  );
  const columns = (['name', 'size', 'modified'] as const).map((key: ColumnKey) => ({
    key,
    name: isRecent && key === 'modified' ? t('lastUsed') : t(`listing:columns.${key}.sort`),
  }));
  const phoneHead = host.isPhone && count > 0 && (
    <PhoneListHead
      screen={screen}
      order={{ sorting, sort, own: list.kind === 'recent' ? null : t(`ownOrder.${list.kind}`), columns }}
      end={<p className={styles.count}>{t('listing:itemCount', pluralValues(count))}</p>}
    />
  );
  const clear = async (): Promise<void> => {
    try {
      await call(clearRecents);
      await session.reload();
    } catch (error) {
      void markActions().then((actions) => actions?.reportFailure(error));
    }
  };
  const actions = (
    <div className={styles.actions}>
      <PlaceSearch handle={searchBox} />
      {isRecent && <RecordingButton onChanged={() => void session.reload()} />}
      {isRecent && count > 0 && <Button onClick={() => void clear()}>{t('clearRecents')}</Button>}
    </div>
  );
  return (
    <>
      <Frame
        header={<FrameTitle>{title}</FrameTitle>}
        actions={actions}
        phone={{
          title,
          back: { name: t('app:frame.you'), to: youAddress },
          ...(screen.context.count > 0 && { topBar: <PhoneSelectionTop screen={screen} /> }),
        }}
        usagePath={rootPath}
        details={status !== 'failed' && <FolderDetails screen={screen} />}
        regainFocus={() => screen.listing.current?.focus()}
      >
        {list.kind === 'tag' && <Tags current={list.tag} />}
        {phoneHead}
        <FolderView
          screen={screen}
          isCovered={false}
          scattered={scattered}
          renderFailure={(error, retry) => (
            <ErrorScreen status={statusOfError(error)} onRetry={retry} headingLevel={2} />
          )}
        />
      </Frame>
      {prompts}
    </>
  );
}

/**
 * Returns the order of the entries, which is remembered for each kind of list. `clickColumn` is for the headings of columns, of which
 * the third click restores the own order.
 */
function useOrder(session: MarkedSession, { kind }: MarkedList) {
  const { id } = useCurrentUser();
  const key = `${kind}:` as VirtualPath;
  const stored = useFolderView(id, key)?.sorting ?? null;
  const sorting = stored ?? (kind === 'recent' ? recentFirst : null);
  useLayoutEffect(() => session.sort(sorting), [session, sorting]);
  const sort = useCallback(
    (next: Sorting | null) => saveFolderView(id, key, { sorting: next ?? undefined }),
    [id, key],
  );
  const clickColumn = useCallback(
    (next: Sorting) => {
      const isThird = kind !== 'recent' && sorting?.by === next.by && sorting.asc && !next.asc;
      sort(isThird ? null : next);
    },
    [kind, sorting, sort],
  );
  return { sorting, sort, clickColumn };
}

const renderName = ({ name }: { name: string }) => <bdi>{displayName(name)}</bdi>;

/** Renders the folder that contains the entry at `path`. */
function renderLocation(path: string, root: string) {
  return locationText(`/${path}` as VirtualPath, root);
}

/** Switches the recording of recent entries on or off. */
function RecordingButton({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation('marks');
  const isOn = useMarks((state) => state.recents);
  const change = async (): Promise<void> => {
    try {
      await call(switchRecents, { body: { on: !isOn } });
      await loadMarks();
      onChanged();
    } catch (error) {
      void markActions().then((actions) => actions?.reportFailure(error));
    }
  };
  return (
    <Button variant="quiet" onClick={() => void change()}>
      {t(isOn ? 'stopRecording' : 'startRecording')}
    </Button>
  );
}

/** The tags of the user as links to their entries. */
function Tags({ current }: { current: string }) {
  const { t } = useTranslation('marks');
  const tags = useMarks((state) => state.tags);
  if (tags.length === 0) return null;
  return (
    <nav className={styles.tags} aria-label={t('tags')}>
      {tags.map((tag) => (
        <Link
          key={tag}
          to={tagAddress(tag)}
          className={styles.tag}
          aria-current={keyOfTag(tag) === keyOfTag(current) ? 'page' : undefined}
        >
          <TagMark tag={tag} />
        </Link>
      ))}
    </nav>
  );
}

function NothingMarked({ list }: { list: MarkedList }) {
  const { t } = useTranslation('marks');
  const isOn = useMarks((state) => state.recents);
  const navigate = useNavigate();
  const tags = useMarks((state) => state.tags);
  const isChoosing = list.kind === 'tag' && list.tag === '';
  useEffect(() => {
    const [first] = tags;
    if (isChoosing && first !== undefined) void navigate(tagAddress(first), { replace: true });
  }, [isChoosing, tags, navigate]);
  const state = list.kind === 'recent' && !isOn ? 'recentOff' : list.kind;
  return (
    <EmptyState illustration="folder" title={t(`empty.${state}.title`)}>
      {t(`empty.${state}.hint`)}
    </EmptyState>
  );
}
