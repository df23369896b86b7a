import { nameOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import {
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { Link, useNavigate } from '../../ui/navigation/router.tsx';
import { FolderCover } from '../../features/files/covers/folder-cover.tsx';
import { picturesOf } from '../../features/files/covers/load-cover.ts';
import { saveFolderView } from '../../features/files/folder/folder-views.ts';
import { FolderDetails } from '../../features/files/folder/folder-view.tsx';
import { useFolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { DetailsButton, NewMenu } from '../../features/files/header/folder-header.tsx';
import { PhoneAddButton } from '../../features/files/header/phone-bars.tsx';
import { useMarks } from '../../features/marks/marks-store.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { expiryText } from '../../i18n/expiry.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatSize, pluralValues } from '../../i18n/format.ts';
import { locationText } from '../../i18n/path-text.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Search, Trash2, Upload } from '../../ui/icons.ts';
import { useReady } from '../../ui/hooks/use-loaded.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../ui/names/file-kind.ts';
import { hideImage } from '../../ui/names/pocket.tsx';
import { fileUploads } from '../files/file-uploads.ts';
import { type OwnFunctions, useFolderHost } from '../files/use-folder-host.tsx';
import { Frame } from '../frame/frame.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import { useLoadedMarks } from '../marks/favorites-section.tsx';
import { recentAddress } from '../marks/mark-addresses.ts';
import { fileAddress, spaceAddress, startOfSearch } from '../routes/file-address.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { scatteredFunctions } from '../scattered/scattered-functions.ts';
import { PlaceSearch } from '../search/place-search.tsx';
import styles from './home-page.module.css';
import { firstRecent, type Home, loadFolderSummary, usedFolders } from './load-home.ts';
import { markLoaded } from './mark-loaded.ts';
import { stripRows } from './photo-strip.ts';
import { RecentList } from './recent-list.tsx';
import { RecentSession } from './recent-session.ts';
import { useHome } from './use-home.ts';
import { useHomeKeys } from './use-home-keys.ts';
import { useNewActions } from './use-new-actions.ts';

const SpaceMap = lazyWithTexts(
  async () => (await import('../../features/space/space-map.tsx')).SpaceMap,
  'space',
);

const noPhotos: Home['photos'] = [];
const noRecent: Home['recent'] = [];

/** The place Home: folders and entries that the user works with. Each part appears once it is loaded, unless it is empty. */
export function HomePage() {
  const { t } = useTranslation(['home', 'app', 'shares', 'files', 'versions']);
  const user = useCurrentUser();
  const navigate = useNavigate();
  const listUser = useMemo(
    () => ({ ...user, viewMode: 'list' as const, sorting: { by: 'name', asc: false } as const }),
    [user],
  );
  const ownFunctions = useMemo(
    (): OwnFunctions => ({
      ...scatteredFunctions,
      chooseUploads: fileUploads.choose,
      openSearch: () => void navigate(startOfSearch('', rootPath)),
    }),
    [navigate],
  );
  const { host, prompts } = useFolderHost(listUser, ownFunctions);
  const [session] = useState(() => new RecentSession());
  const screen = useFolderScreen(session, host);
  const creating = useNewActions(host);
  useHomeKeys(screen, creating);
  const { home, isLoaded } = useHome(user.perm.share, user.perm.admin);
  useLoadedMarks(user.id);
  usePageTitle(t('title'));
  const favorites = useMarks((state) => (state.userId === user.id ? state.favorites : null)) ?? [];
  const folders = usedFolders(
    favorites.filter(({ dir, gone }) => dir && gone !== true).map(({ path }) => path as VirtualPath),
    home.recent ?? [],
  );
  const {
    unfinished = 0,
    recent = noRecent,
    photos = noPhotos,
    largest = [],
    map,
    kept,
    shares = [],
    shareCount = 0,
  } = home;
  const shownRecent = useMemo(() => firstRecent(recent), [recent]);
  useEffect(() => session.show(shownRecent), [session, shownRecent]);
  const pictures = useMemo(() => picturesIn(photos), [photos]);
  const sortBySize = (path: VirtualPath) =>
    saveFolderView(user.id, path, { sorting: { by: 'size', asc: false } });
  const openBySize = (path: VirtualPath) => {
    sortBySize(path);
    void navigate(fileAddress(path, true));
  };
  const canCreate = user.perm.create;
  const isEmpty =
    folders.length + unfinished + recent.length + photos.length + largest.length + shares.length === 0;
  return (
    <>
      <Frame
        header={<FrameTitle>{t('title')}</FrameTitle>}
        actions={
          <div className={styles.actions}>
            <PlaceSearch />
            <DetailsButton context={screen.context} commands={screen.commands} />
            <NewMenu {...creating} />
          </div>
        }
        phone={{
          title: t('title'),
          actions: (
            <IconButton
              label={t('files:search')}
              icon={<Search />}
              hasTooltip={false}
              onClick={() => void navigate(startOfSearch('', rootPath))}
            />
          ),
          add: <PhoneAddButton {...creating} />,
        }}
        usagePath={rootPath}
        onNewFolder={canCreate ? creating.commands.createFolder : undefined}
        onNewFile={canCreate ? creating.commands.createFile : undefined}
        details={<FolderDetails screen={screen} />}
      >
        <div className={styles.page}>
          {unfinished > 0 && (
            <Link to="/files/" className={styles.unfinished}>
              <Upload aria-hidden="true" />
              <span>{t('unfinished', pluralValues(unfinished))}</span>
            </Link>
          )}
          {isLoaded && isEmpty && (
            <EmptyState illustration="folder" title={t('empty.title')}>
              {t('empty.hint')}
            </EmptyState>
          )}
          <div className={styles.columns}>
            <div className={styles.main}>
              {folders.length > 0 && (
                <Part title={t('folders')}>
                  <ul className={styles.folders}>
                    {folders.map((path) => (
                      <li key={path}>
                        <Link
                          to={fileAddress(path, true)}
                          className={styles.folder}
                          title={displayName(path)}
                        >
                          <FolderCover path={path} isDelayed={!isLoaded} />
                          <bdi className={styles.name}>{displayName(nameOf(path))}</bdi>
                          <FolderNote path={path} isDelayed={!isLoaded} />
                        </Link>
                      </li>
                    ))}
                  </ul>
                </Part>
              )}
              {pictures.length > 0 && <Photos pictures={pictures} />}
              {recent.length > 0 && (
                <Part title={t('recent')} more={{ to: recentAddress, label: t('showAll') }}>
                  <RecentList rows={shownRecent} screen={screen} />
                </Part>
              )}
            </div>
            {(largest.length > 0 || shares.length > 0) && (
              <div className={styles.side}>
                {largest.length > 0 && (
                  <Part title={t('largest')} more={{ to: spaceAddress(rootPath), label: t('showAll') }}>
                    {map && (
                      <div className={styles.map}>
                        <Suspense fallback={null}>
                          <SpaceMap root={map} onOpen={({ path }) => openBySize(`/${path}` as VirtualPath)} />
                        </Suspense>
                      </div>
                    )}
                    <ul>
                      {largest.map(({ name, bytes }) => {
                        const path = `/${name}` as VirtualPath;
                        return (
                          <li key={name}>
                            <Link
                              to={fileAddress(path, true)}
                              className={styles.row}
                              onClick={() => sortBySize(path)}
                            >
                              <FileIcon kind="folder" size={24} />
                              <bdi className={styles.name}>{displayName(name)}</bdi>
                              <span className={styles.when}>{formatSize(bytes ?? 0)}</span>
                              <meter
                                className={styles.sizeMeter}
                                min={0}
                                max={largest[0]?.bytes ?? 1}
                                value={bytes ?? 0}
                                aria-label={formatSize(bytes ?? 0)}
                              />
                            </Link>
                          </li>
                        );
                      })}
                    </ul>
                    {kept && kept.deleted + kept.versions > 0 && (
                      <p className={styles.kept}>
                        <Trash2 aria-hidden="true" />
                        <span>
                          {t('app:frame.trash')} {formatSize(kept.deleted)}
                          {' · '}
                          {t('versions:listLabel')} {formatSize(kept.versions)}
                        </span>
                        <Link to="/settings/storage">{t('showAll')}</Link>
                      </p>
                    )}
                  </Part>
                )}
                {shares.length > 0 && (
                  <Part
                    title={t('shared')}
                    more={{ to: '/shared', label: t('all', pluralValues(shareCount)) }}
                  >
                    <ul>
                      {shares.map((share) => {
                        const isFolder = share.path.endsWith('/');
                        const path = (
                          isFolder && share.path !== '/' ? share.path.slice(0, -1) : share.path
                        ) as VirtualPath;
                        const name = nameOf(path);
                        return (
                          <li key={share.hash}>
                            <Link to="/shared" className={styles.row}>
                              <FileIcon
                                kind={fileKind({ name, type: isFolder ? '' : 'blob', isFolder })}
                                size={24}
                                extension={lowerCaseExtension(name)}
                              />
                              <span className={styles.shared}>
                                <bdi className={styles.name}>
                                  {displayName(name) || t('app:frame.myFiles')}
                                </bdi>
                                <span className={styles.when}>
                                  {t('shares:shared.visits', pluralValues(share.visits))}
                                  {' · '}
                                  {expiryText(share)}
                                </span>
                              </span>
                            </Link>
                          </li>
                        );
                      })}
                    </ul>
                  </Part>
                )}
              </div>
            )}
          </div>
        </div>
      </Frame>
      {prompts}
    </>
  );
}

interface PartProps {
  title: string;
  /** The link to the whole list. */
  more?: { to: string; label: string };
  children: ReactNode;
}

function Part({ title, more, children }: PartProps) {
  return (
    <section aria-label={title}>
      <div className={styles.header}>
        <h2>{title}</h2>
        {more && <Link to={more.to}>{more.label}</Link>}
      </div>
      {children}
    </section>
  );
}

/** The number of entries and the size of a folder; its location until they are known. */
function FolderNote({ path, isDelayed }: { path: VirtualPath; isDelayed: boolean }) {
  const { t } = useTranslation(['listing', 'app']);
  const load = useCallback((signal: AbortSignal) => loadFolderSummary(path, signal), [path]);
  const summary = useReady(isDelayed ? null : load);
  const isPhone = useIsPhone();
  return (
    <span className={styles.where} data-own-text="">
      {summary === null
        ? locationText(path, t('app:frame.myFiles'))
        : // On phones there is no room for the size.
          [
            t('itemCount', pluralValues(summary.entries)),
            ...(isPhone ? [] : [formatSize(summary.bytes)]),
          ].join(' · ')}
    </span>
  );
}

/** The height of a row of photos, on phones and elsewhere, and the gap between them, in px. */
const strip = { phoneRowPx: 128, rowPx: 112, gapPx: 4 };

/** Returns the photos that can be shown. */
const picturesIn = (photos: Home['photos']) => picturesOf(rootPath, photos, 'mosaic gallery');

/** The pictures that were changed last, uncropped: as many as fit into one row, on phones into two. */
function Photos({ pictures }: { pictures: ReturnType<typeof picturesIn> }) {
  const { t } = useTranslation('home');
  const isPhone = useIsPhone();
  const list = useRef<HTMLUListElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const measure = (): void => setWidthPx(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const ratios = pictures.map(({ ratio }) => ratio);
  const rows =
    widthPx === 0
      ? []
      : stripRows(ratios, widthPx, {
          gapPx: strip.gapPx,
          rowPx: isPhone ? strip.phoneRowPx : strip.rowPx,
          maxRows: isPhone ? 2 : 1,
        });
  return (
    <Part title={t('photos')} more={{ to: '/photos', label: t('showAll') }}>
      <ul ref={list} className={styles.photos}>
        {rows.flat().map((tile) => {
          const picture = pictures[tile.index];
          if (picture === undefined) return null;
          const { path, name, url } = picture;
          return (
            <li key={path}>
              <Link
                to={fileAddress(path, false)}
                state={{ isFromFolder: true }}
                className={styles.photo}
                style={{ inlineSize: `${tile.widthPx}px`, blockSize: `${tile.heightPx}px` }}
                aria-label={displayName(name)}
              >
                <img src={url} alt="" loading="lazy" onError={hideImage} onLoad={markLoaded} />
              </Link>
            </li>
          );
        })}
      </ul>
    </Part>
  );
}
