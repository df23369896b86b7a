import { useCallback, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link, useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { pageConfig } from '../../api/page-config.ts';
import { previewKindOf } from '../../features/previews/preview-entry.ts';
import { useSession } from '../../features/sessions/session-store.ts';
import { PublicPage } from '../../features/shares/public/public-page.tsx';
import { previewedOver, type PublicPreviews } from '../../features/shares/public/public-previews.ts';
import { publicLocationOf } from '../../features/shares/share-address.ts';
import { useTheme } from '../../styles/theme.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EllipsisVertical, Folder } from '../../ui/icons.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator, MenuTrigger } from '../../ui/overlays/menu.tsx';
import { useThemeOptions } from '../frame/account.ts';
import { ErrorPage } from '../frame/error-screen.tsx';
import { usePageTitle } from './page-title.ts';
import { PublicPreviewer } from '../files/public-previewer.tsx';
import styles from './share-routes.module.css';

const previews: PublicPreviews = {
  canPreview: (item) => previewKindOf(item) !== 'none',
  render: (previewed) => <PublicPreviewer previewed={previewed} />,
};

/** The page of a share: open to everyone, signed in or not. */
export function PublicShareRoute() {
  const { t } = useTranslation('shares');
  const { pathname, state } = useLocation();
  const [name, setName] = useState('');
  const onName = useCallback((next: string) => setName(next), []);
  usePageTitle(name, t('public.title'));
  const location = publicLocationOf(pathname);
  if (location === null) return <ErrorPage status={404} />;
  return (
    <PublicPage
      location={location}
      over={previewedOver(state)}
      previews={previews}
      menu={
        <>
          <VisitorLinks />
          <VisitorMenu />
        </>
      }
      onName={onName}
    />
  );
}

/** Returns whether visitors are offered to sign in and to sign up. */
function useVisitorOffers(): { hasLogin: boolean; hasSignUp: boolean } {
  const { user } = useSession();
  const hasLogin = user === null && pageConfig.LoginPage && !pageConfig.HideLoginButton;
  return { hasLogin, hasSignUp: hasLogin && pageConfig.Signup };
}

/** Login and Sign up in the header; on the phone, which has no room for them there, in a line below. */
function VisitorLinks() {
  const { t } = useTranslation('shares');
  const { hasLogin, hasSignUp } = useVisitorOffers();
  if (!hasLogin) return null;
  return (
    <nav className={styles.links} aria-label={t('public.account')}>
      <Link to="/login">{t('public.login')}</Link>
      {hasSignUp && <Link to="/login?signup">{t('public.signUp')}</Link>}
    </nav>
  );
}

/** The user's link back to the files, and the theme. */
function VisitorMenu() {
  const { t } = useTranslation('shares');
  const { user } = useSession();
  const navigate = useNavigate();
  const [theme, chooseTheme] = useTheme();
  const themes = useThemeOptions();
  return (
    <MenuTrigger>
      <IconButton label={t('public.menu')} icon={<EllipsisVertical />} />
      <Menu placement="bottom end">
        {user !== null && (
          <MenuItem icon={<Folder />} onAction={() => void navigate('/files/')}>
            {t('public.myFiles')}
          </MenuItem>
        )}
        {user !== null && <MenuSeparator />}
        <MenuChoice
          label={t('frame.theme', { ns: 'app' })}
          hasHeading
          value={theme}
          onChange={chooseTheme}
          options={themes}
        />
      </Menu>
    </MenuTrigger>
  );
}
