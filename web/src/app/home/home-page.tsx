import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isCatalogueOn } from '../../api/catalogue.ts';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useNavigate } from '../../ui/navigation/router.tsx';
import { FolderDetails } from '../../features/files/folder/folder-view.tsx';
import { useFolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { DetailsButton, NewMenu } from '../../features/files/header/folder-header.tsx';
import { PhoneAddButton } from '../../features/files/header/phone-bars.tsx';
import { useMarks } from '../../features/marks/marks-store.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { openTray, useTray } from '../../ui/feedback/tray/tray-store.ts';
import { Search, Upload } from '../../ui/icons.ts';
import { useDelayedFlag } from '../../ui/hooks/use-delayed-flag.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { useFolderHost } from '../files/use-folder-host.tsx';
import { Frame } from '../frame/frame.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import { useLoadedMarks } from '../marks/favorites-section.tsx';
import { recentAddress } from '../marks/mark-addresses.ts';
import { startOfSearch } from '../routes/file-address.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { useFunctionsOfPlace } from '../scattered/scattered-functions.ts';
import { PlaceSearch } from '../search/place-search.tsx';
import { HomeFolders } from './home-folders.tsx';
import styles from './home-page.module.css';
import { HomePart } from './home-part.tsx';
import { HomePhotos, picturesIn } from './home-photos.tsx';
import { HomeShares } from './home-shares.tsx';
import { HomeSpace, HomeSpaceSkeleton } from './home-space.tsx';
import { firstRecent, type Home, usedFolders } from './load-home.ts';
import { RecentList } from './recent-list.tsx';
import { RecentSession } from './recent-session.ts';
import { useHome } from './use-home.ts';
import { useHomeKeys } from './use-home-keys.ts';
import { useNewActions } from './use-new-actions.ts';

const noPhotos: Home['photos'] = [];
const noRecent: Home['recent'] = [];

/** The place Home: folders and entries that the user works with. Each part appears once it is loaded, unless it is empty. */
export function HomePage() {
  const { t } = useTranslation(['home', 'files']);
  const navigate = useNavigate();
  const { perm } = useCurrentUser();
  const { session, screen, creating, prompts } = useHomeScreen();
  // Requested first: a browser keeps back all but the first six requests, and the folders are at the top of the page.
  const favorites = useFavoriteFolders();
  // Loaded here, because the frame renders its content anew when the window becomes as narrow as a phone.
  const { home, isLoaded } = useHome(perm.share, perm.admin);
  const { recent = noRecent } = home;
  const shownRecent = useMemo(() => firstRecent(recent), [recent]);
  useEffect(() => session.show(shownRecent), [session, shownRecent]);
  usePageTitle(t('title'));
  const canCreate = perm.create;
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
        <Parts home={home} isLoaded={isLoaded} favorites={favorites}>
          <RecentList rows={shownRecent} screen={screen} />
        </Parts>
      </Frame>
      {prompts}
    </>
  );
}

/** Returns the screen of the recent entries, whose menus and details are those of the files, and the actions of New. */
function useHomeScreen() {
  const user = useCurrentUser();
  const listUser = useMemo(
    () => ({ ...user, viewMode: 'list' as const, sorting: { by: 'name', asc: false } as const }),
    [user],
  );
  const { host, prompts } = useFolderHost(listUser, useFunctionsOfPlace());
  const [session] = useState(() => new RecentSession());
  const screen = useFolderScreen(session, host);
  const creating = useNewActions(host);
  useHomeKeys(screen, creating);
  return { session, screen, creating, prompts };
}

/** Returns the folders that are favorites of the user; none until they are loaded. */
function useFavoriteFolders(): VirtualPath[] {
  const { id } = useCurrentUser();
  useLoadedMarks(id);
  const favorites = useMarks((state) => (state.userId === id ? state.favorites : null)) ?? [];
  return favorites.filter(({ dir, gone }) => dir && gone !== true).map(({ path }) => path as VirtualPath);
}

interface PartsProps {
  home: Partial<Home>;
  /** Whether all parts have been loaded. */
  isLoaded: boolean;
  favorites: readonly VirtualPath[];
  /** The list of recent entries. */
  children: ReactNode;
}

/** The parts of the page, in two columns where there is room. */
function Parts({ home, isLoaded, favorites, children }: PartsProps) {
  const { t } = useTranslation(['home', 'app']);
  const navigate = useNavigate();
  const { recent = noRecent, photos = noPhotos, largest = [] } = home;
  const { shares = [], shareCount = 0 } = home;
  const folders = usedFolders(favorites, recent);
  const pictures = useMemo(() => picturesIn(photos), [photos]);
  const isPhone = useIsPhone();
  const waitingUploads = useTray(({ summaries }) => summaries.uploads?.shortTitle);
  const isSizing = home.largest === undefined && !isLoaded && isCatalogueOn();
  const isSlow = useDelayedFlag(isSizing);
  // The shares are below the map, so that its place is reserved as soon as they are shown.
  const isMapExpected = isSizing && (isSlow || shares.length > 0);
  const isEmpty = folders.length + recent.length + photos.length + largest.length + shares.length === 0;
  const photosPart = pictures.length > 0 && <HomePhotos key="photos" pictures={pictures} />;
  const recentPart = recent.length > 0 && (
    <HomePart key="recent" title={t('recent')} more={{ to: recentAddress, label: t('showAll') }}>
      {children}
    </HomePart>
  );
  return (
    <div className={styles.page}>
      {waitingUploads !== undefined && (
        <div className={styles.unfinished}>
          <Upload aria-hidden="true" />
          <p>{waitingUploads}</p>
          <Button size="small" onClick={openTray}>
            {t('show')}
          </Button>
        </div>
      )}
      {isLoaded && isEmpty && waitingUploads === undefined && (
        <EmptyState
          illustration="folder"
          title={t('empty.title')}
          actions={<Button onClick={() => void navigate('/files/')}>{t('app:errors.goHome')}</Button>}
        >
          {t('empty.hint')}
        </EmptyState>
      )}
      <div className={styles.columns}>
        <div className={styles.main}>
          {folders.length > 0 && <HomeFolders folders={folders} isDelayed={!isLoaded} />}
          {/* A phone shows two parts at once, and recent entries are looked for more often than photos. */}
          {isPhone ? [recentPart, photosPart] : [photosPart, recentPart]}
        </div>
        {(largest.length > 0 || shares.length > 0 || isMapExpected) && (
          <div className={styles.side}>
            {largest.length > 0 && <HomeSpace home={home} />}
            {isMapExpected && <HomeSpaceSkeleton />}
            {shares.length > 0 && <HomeShares shares={shares} shareCount={shareCount} />}
          </div>
        )}
      </div>
    </div>
  );
}
