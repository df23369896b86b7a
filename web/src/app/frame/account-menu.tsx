import { pageConfig } from '../../api/page-config.ts';
import { useNavigate } from '../../ui/navigation/router.tsx';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useInstall } from '../../features/installable/install-offer.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { useTheme } from '../../styles/theme.ts';
import { Avatar } from '../../ui/names/avatar.tsx';
import { BaseButton } from '../../ui/buttons/base-button.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator, MenuTrigger } from '../../ui/overlays/menu.tsx';
import { canSignOut, requestSignOut, useThemeOptions } from './account.ts';
import styles from './account-menu.module.css';

const themeIcons = { system: 'monitor', light: 'sun', dark: 'moon' } as const;

/** The row with the user's name; it opens a menu with help, theme, sign-out and the version. */
export function AccountMenu({
  isCollapsed,
  onHelp,
  onPalette,
}: {
  isCollapsed: boolean;
  onHelp: () => void;
  onPalette: () => void;
}) {
  const { t } = useTranslation('app');
  const user = useCurrentUser();
  const [theme, chooseTheme] = useTheme();
  const install = useInstall();
  const navigate = useNavigate();
  const themes = useThemeOptions().map(({ value, label }) => ({ value, label, icon: themeIcons[value] }));
  return (
    <MenuTrigger>
      <BaseButton
        className={styles.row}
        aria-label={t('frame.account', { name: user.username })}
        data-collapsed={isCollapsed || undefined}
      >
        <Avatar name={user.username} />
        {!isCollapsed && <bdi className={styles.name}>{user.username}</bdi>}
      </BaseButton>
      <Menu placement="top start">
        <MenuItem icon="history" onAction={() => void navigate('/history')}>
          {t('frame.history')}
        </MenuItem>
        <MenuItem icon="zap" shortcut="Shift+F1" onAction={onPalette}>
          {t('frame.commands')}
        </MenuItem>
        <MenuItem
          icon="help"
          shortcut="F1"
          description={
            pageConfig.Version === ''
              ? undefined
              : t('frame.version', { name: 'Filestead', version: pageConfig.Version })
          }
          onAction={onHelp}
        >
          {t('frame.help')}
        </MenuItem>
        {install && (
          <MenuItem icon="monitorDown" onAction={install}>
            {t('frame.install')}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuChoice
          label={t('frame.theme')}
          hasHeading
          value={theme}
          onChange={chooseTheme}
          options={themes}
        />
        {canSignOut && (
          <>
            <MenuSeparator />
            <MenuItem icon="logOut" onAction={requestSignOut}>
              {t('frame.signOut')}
            </MenuItem>
          </>
        )}
      </Menu>
    </MenuTrigger>
  );
}
