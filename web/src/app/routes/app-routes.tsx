import { Suspense, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Navigate, Routes, useLocation, useSearchParams } from '../../ui/navigation/router.tsx';
import { pageConfig } from '../../api/page-config.ts';
import { LoginPage, type LogoutReason } from '../../features/sessions/login-page.tsx';
import { loadTexts } from '../../i18n/i18n.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { lazyPart } from '../../ui/overlays/lazy-part.ts';
import { FramedError } from './framed-error.tsx';
import { favoritesAddress, recentAddress, tagsAddress } from '../marks/mark-addresses.ts';
import { sharesAddress } from './file-address.ts';
import { RequireUser, RequireVisitor } from './guards.tsx';
import { usePageTitle } from './page-title.ts';
import { FilesScreen, loadBars, PublicScreen, screenOf } from './screens.tsx';
import { ToStart } from './start-address.tsx';

const SettingsRoutes = lazyWithTexts(
  async () => (await import('./settings-routes.tsx')).SettingsRoutes,
  'settings',
  'users',
  'sessions',
);

const TrashPage = lazyWithTexts(
  async () => (await import('../trash/trash-page.tsx')).TrashPage,
  'trash',
  'filters',
);

const SharedPage = lazyWithTexts(
  async () => (await import('../shares/shared-page.tsx')).SharedPage,
  'shares',
);

const HistoryPage = lazyWithTexts(
  async () => (await import('../history/history-page.tsx')).HistoryPage,
  'history',
  'filters',
);

const SpacePage = lazyWithTexts(async () => (await import('../space/space-page.tsx')).SpacePage, 'space');

const DuplicatesPage = lazyWithTexts(
  async () => (await import('../duplicates/duplicates-page.tsx')).DuplicatesPage,
  'space',
);

const SearchPage = lazyWithTexts(
  async () => (await import('../search/search-page.tsx')).SearchPage,
  'search',
);
const PhotosPage = lazyWithTexts(
  async () => (await import('../photos/photos-page.tsx')).PhotosPage,
  'photos',
);

const ArchivePage = lazyWithTexts(
  async () => (await import('../archives/archive-page.tsx')).ArchivePage,
  'previews',
);

const MarkedPage = lazyWithTexts(async () => (await import('../marks/marked-page.tsx')).MarkedPage, 'marks');
/** Fetches the code of Home without its texts, whose language may still be unknown. */
export const homeCode = () => import('../home/home-page.tsx');
/** Home with its texts, and on phones with the bars around it. */
export const homePart = lazyPart(async () => {
  const [{ HomePage }] = await Promise.all([homeCode(), loadTexts('home', 'marks', 'shares'), loadBars()]);
  return HomePage;
});
const HomeScreen = screenOf(homePart);
const YouPage = lazyWithTexts(async () => (await import('../you/you-page.tsx')).YouPage, 'settings');

/** The routes and their guards (docs/reference/behaviour.md §2). */
export function AppRoutes() {
  const { pathname } = useLocation();
  // Screens with further paths below their own.
  if (isBelow(pathname, '/files')) return <FilesRoute />;
  if (isBelow(pathname, '/share')) return <PublicScreen />;
  if (isBelow(pathname, '/trash') && pageConfig.EnableTrash) return <LazyScreen screen={TrashPage} />;
  if (isBelow(pathname, '/search')) return <LazyScreen screen={SearchPage} />;
  if (isBelow(pathname, '/photos')) return <LazyScreen screen={PhotosPage} />;
  if (isBelow(pathname.toLowerCase(), '/settings')) return <SettingsScreen />;
  if (isBelow(pathname, '/space')) return <LazyScreen screen={SpacePage} />;
  if (isBelow(pathname, '/duplicates')) return <LazyScreen screen={DuplicatesPage} />;
  if (isBelow(pathname, '/archive')) return <LazyScreen screen={ArchivePage} />;
  if (pathname === '/history') return <LazyScreen screen={HistoryPage} />;
  return <Routes paths={paths} otherwise={<ToFiles />} />;
}

const paths: Record<string, ReactNode> = {
  '/': (
    <RequireUser>
      <ToStart />
    </RequireUser>
  ),
  '/login': <LoginRoute />,
  [sharesAddress]: <LazyScreen screen={SharedPage} />,
  '/you': <LazyScreen screen={YouPage} />,
  '/home': <LazyScreen screen={HomeScreen} />,
  [recentAddress]: <LazyScreen screen={MarkedPage} />,
  [favoritesAddress]: <LazyScreen screen={MarkedPage} />,
  [tagsAddress]: <LazyScreen screen={MarkedPage} />,
  '/403': <FramedError status={403} />,
  '/404': <FramedError status={404} />,
  '/500': <FramedError status={500} />,
};

const isBelow = (pathname: string, prefix: string): boolean =>
  pathname === prefix || pathname.startsWith(`${prefix}/`);

const logoutReasons: readonly LogoutReason[] = ['inactivity', 'ended'];

function LoginRoute() {
  const { t } = useTranslation('app');
  const [parameters] = useSearchParams();
  usePageTitle(t('titles.login'));
  return (
    <RequireVisitor>
      <LoginPage
        reason={logoutReasons.find((reason) => reason === parameters.get('logout-reason'))}
        startsWithSignUp={parameters.has('signup')}
      />
    </RequireVisitor>
  );
}

function FilesRoute() {
  const { pathname, search } = useLocation();
  if (pathname === '/files') return <Navigate to={`/files/${search}`} replace />;
  return (
    <RequireUser>
      <FilesScreen />
    </RequireUser>
  );
}

function SettingsScreen() {
  return (
    <RequireUser>
      <Suspense fallback={null}>
        <SettingsRoutes unknown={<ToFiles />} />
      </Suspense>
    </RequireUser>
  );
}

/** A screen of a signed-in user, whose code is loaded on demand. */
function LazyScreen({ screen: Screen }: { screen: ComponentType }) {
  return (
    <RequireUser>
      <Suspense fallback={null}>
        <Screen />
      </Suspense>
    </RequireUser>
  );
}

/** Redirects any other path to the file of that path. */
function ToFiles() {
  const { pathname, search } = useLocation();
  return <Navigate to={`/files${pathname}${search}`} replace />;
}
