import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { pageConfig } from '../api/page-config.ts';
import { previewKindOf } from '../features/previews/preview-entry.ts';
import { useSession } from '../features/sessions/session-store.ts';
import { PublicPage } from '../features/shares/public-page.tsx';
import { previewedOver, type PublicPreviews } from '../features/shares/public-previews.ts';
import { publicPlaceOf } from '../features/shares/share-address.ts';
import { useTheme } from '../styles/theme.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { EllipsisVertical, Folder, LogIn, User } from '../ui/icons.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator, MenuTrigger } from '../ui/menu.tsx';
import { useThemeOptions } from './account.ts';
import { ErrorPage } from './error-screen.tsx';
import { usePageTitle } from './page-title.ts';
import { PublicPreviewer } from './public-previewer.tsx';

const previews: PublicPreviews = {
  canPreview: (item) => previewKindOf(item) !== 'none',
  render: (previewed) => <PublicPreviewer previewed={previewed} />,
};

/** The page of a public link: open to anyone, whoever is signed in. */
export function PublicShareRoute() {
  const { t } = useTranslation('shares');
  const { pathname, state } = useLocation();
  const [name, setName] = useState('');
  const onName = useCallback((next: string) => setName(next), []);
  usePageTitle(name, t('public.title'));
  const place = publicPlaceOf(pathname);
  if (place === null) return <ErrorPage status={404} />;
  return (
    <PublicPage
      place={place}
      over={previewedOver(state)}
      previews={previews}
      menu={<VisitorMenu />}
      onName={onName}
    />
  );
}

/** The ways from a public page into the rest of the product, and the theme. */
function VisitorMenu() {
  const { t } = useTranslation('shares');
  const { user } = useSession();
  const navigate = useNavigate();
  const [theme, chooseTheme] = useTheme();
  const themes = useThemeOptions();
  const hasLogin = user === null && pageConfig.LoginPage && !pageConfig.HideLoginButton;
  const hasSignUp = hasLogin && pageConfig.Signup;
  return (
    <MenuTrigger>
      <IconButton label={t('public.menu')} icon={<EllipsisVertical />} />
      <Menu placement="bottom end">
        {user !== null && (
          <MenuItem icon={<Folder />} onAction={() => void navigate('/files/')}>
            {t('public.myFiles')}
          </MenuItem>
        )}
        {hasLogin && (
          <MenuItem icon={<LogIn />} onAction={() => void navigate('/login')}>
            {t('public.login')}
          </MenuItem>
        )}
        {hasSignUp && (
          <MenuItem icon={<User />} onAction={() => void navigate('/login?signup')}>
            {t('public.signUp')}
          </MenuItem>
        )}
        {(user !== null || hasLogin) && <MenuSeparator />}
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
