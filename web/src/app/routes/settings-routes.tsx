import type { LocaleCode } from '@filestead/contract/values/locales';
import { preferencesOf } from '@filestead/contract/user-fields';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Navigate, Routes, useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { pageConfig } from '../../api/page-config.ts';
import { settingsQuery } from '../../api/settings-query.ts';
import { SessionList } from '../../features/sessions/session-list.tsx';
import { SessionsOfUser } from '../../features/sessions/sessions-of-user.tsx';
import {
  endSessionBy,
  forgetSession,
  refreshOwnUser,
  updateOwnUser,
  useCurrentUser,
} from '../../features/sessions/session-store.ts';
import { GlobalPage } from '../../features/settings/global-page.tsx';
import { ProfilePage } from '../../features/settings/profile-page.tsx';
import { DisplayFields } from '../../features/users/display-fields.tsx';
import { RulesEditor } from '../../features/users/rules/rules-editor.tsx';
import { TemplateFields } from '../../features/users/template-fields.tsx';
import { UserPage } from '../../features/users/user-page.tsx';
import { UsersBar, UsersPage } from '../../features/users/users-page.tsx';
import { userQuery } from '../../features/users/users-queries.ts';
import { showLocale } from '../../i18n/i18n.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { FramedError } from './framed-error.tsx';
import { useUndoKeys } from '../history/use-undo-keys.ts';
import { SignUpNote } from '../settings/sign-up-note.tsx';
import { canChangePassword } from '../settings/can-change-password.ts';
import { shareHost } from '../shares/share-host.ts';
import { RequireAdministrator } from './guards.tsx';
import { ThemeField } from './theme-field.tsx';
import { SettingsFrame, SettingsIndex } from '../frame/settings-frame.tsx';

const SharesPage = lazyWithTexts(
  async () => (await import('../../features/shares/pages/shares-page.tsx')).SharesPage,
  'shares',
);

const StoragePage = lazyWithTexts(
  async () => (await import('../../features/storage/storage-page.tsx')).StoragePage,
  'storage',
);

/**
 * The routes of the settings with their guards (docs/reference/behaviour.md §2). `unknown` handles every other path.
 */
export function SettingsRoutes({ unknown }: { unknown: ReactNode }) {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } }),
  );
  const { pathname } = useLocation();
  const [, user = null] = /^\/settings\/users\/([^/]+)\/*$/iu.exec(pathname) ?? [];
  return (
    <QueryClientProvider client={queries}>
      <Routes paths={pages} otherwise={user === null ? unknown : <NamedUserRoute id={user} />} />
    </QueryClientProvider>
  );
}

const pages: Record<string, ReactNode> = {
  '/settings': <SettingsStart />,
  '/settings/profile': <ProfileRoute />,
  '/settings/shares': <SharesRoute />,
  '/settings/global': (
    <RequireAdministrator>
      <GlobalRoute />
    </RequireAdministrator>
  ),
  '/settings/users': (
    <RequireAdministrator>
      <UsersRoute />
    </RequireAdministrator>
  ),
  '/settings/users/new': (
    <RequireAdministrator>
      <UserRoute key="new" id={null} />
    </RequireAdministrator>
  ),
  '/settings/storage': (
    <RequireAdministrator>
      <StorageRoute />
    </RequireAdministrator>
  ),
};

/** The phone shows the list of pages first; wider screens always show it beside the page. */
function SettingsStart() {
  return useIsPhone() ? <SettingsIndex /> : <Navigate to="/settings/profile" replace />;
}

function ProfileRoute() {
  const { t } = useTranslation('settings');
  const user = useCurrentUser();
  const locale = user.locale as LocaleCode | '';
  return (
    <SettingsFrame title={t('nav.profile')}>
      <ProfilePage
        user={{ username: user.username, isAdmin: user.perm.admin }}
        preferences={{ ...preferencesOf(user), locale }}
        hasPassword={canChangePassword(user)}
        theme={<ThemeField />}
        save={async (change, currentPassword) => {
          await updateOwnUser(change, currentPassword);
          // Further notices use the new language; if its texts cannot be fetched, the page keeps the old one.
          if (change.locale !== undefined) await showLocale(change.locale).catch(() => undefined);
        }}
        DisplayFields={DisplayFields}
      >
        {!pageConfig.NoAuth && <SessionList hasExactDates={user.dateFormat} />}
      </ProfilePage>
    </SettingsFrame>
  );
}

function SharesRoute() {
  const { t } = useTranslation('settings');
  const { perm } = useCurrentUser();
  useUndoKeys();
  if (!perm.share) return <Navigate to="/403" replace />;
  return (
    <SettingsFrame title={t('nav.shares')} isWide>
      <Suspense fallback={null}>
        <SharesPage isAdmin={perm.admin} host={shareHost} />
      </Suspense>
    </SettingsFrame>
  );
}

function GlobalRoute() {
  const { t } = useTranslation('settings');
  return (
    <SettingsFrame title={t('nav.global')}>
      <GlobalPage RulesEditor={RulesEditor} TemplateFields={TemplateFields} />
    </SettingsFrame>
  );
}

function StorageRoute() {
  const { t } = useTranslation('settings');
  return (
    <SettingsFrame title={t('nav.storage')}>
      <Suspense fallback={null}>
        <StoragePage />
      </Suspense>
    </SettingsFrame>
  );
}

function UsersRoute() {
  const { t } = useTranslation('settings');
  const { id, dateFormat } = useCurrentUser();
  const isPhone = useIsPhone();
  const [query, setQuery] = useState('');
  const { data: settings } = useQuery(settingsQuery);
  const bar = <UsersBar query={query} onQuery={setQuery} />;
  return (
    <SettingsFrame title={t('nav.users')} actions={bar} isWide>
      {isPhone && bar}
      <UsersPage
        ownId={id}
        hasExactDates={dateFormat}
        query={query}
        note={settings && <SignUpNote isOn={settings.signup} />}
      />
    </SettingsFrame>
  );
}

function NamedUserRoute({ id }: { id: string }) {
  const isId = /^[1-9]\d{0,14}$/u.test(id);
  return (
    <RequireAdministrator>
      {isId ? <UserRoute key={id} id={Number(id)} /> : <FramedError status={404} />}
    </RequireAdministrator>
  );
}

/** The page of a new user (`id` null) or an existing one. */
function UserRoute({ id }: { id: number | null }) {
  const { t } = useTranslation('users');
  const navigate = useNavigate();
  const currentUser = useCurrentUser();
  const { data } = useQuery({ ...userQuery(id ?? 0), enabled: id !== null });
  const title =
    id === null ? t('newUser') : data === undefined ? t('someUser') : t('user', { name: data.username });
  return (
    <SettingsFrame title={title} parent={{ name: t('back'), to: '/settings/users' }}>
      <UserPage
        id={id}
        ownId={currentUser.id}
        onCreated={(path) => void navigate(path)}
        onLeave={() => void navigate('/settings/users')}
        // Without it the old values are shown until the next renewal of the token.
        onOwnUserSaved={() => void refreshOwnUser().catch(() => undefined)}
        endOwnSessionBy={endSessionBy}
        onOwnUserDeleted={forgetSession}
      >
        {data !== undefined && data.id !== currentUser.id && !pageConfig.NoAuth && (
          <SessionsOfUser id={data.id} username={data.username} hasExactDates={currentUser.dateFormat} />
        )}
      </UserPage>
    </SettingsFrame>
  );
}
