import { useTranslation } from '../../i18n/use-translation.ts';
import { useNavigate } from '../../ui/navigation/router.tsx';
import { pageConfig } from '../../api/page-config.ts';
import { chooseTheme } from '../../styles/theme.ts';
import {
  canSignOut,
  chooseLanguage,
  requestSignOut,
  useLanguageOptions,
  useThemeOptions,
} from '../frame/account.ts';
import { areSingleKeysOn, isSingleKey } from '../../ui/keyboard/single-keys.ts';
import { frameActions } from '../frame/frame-actions.ts';
import type { PaletteCommand } from './palette-command.ts';
import { useSettingsPages } from '../routes/settings-pages.tsx';
import { toggleSidebar } from '../frame/sidebar-state.ts';

/** The commands available on every screen. */
export function useGeneralCommands(onHelp: () => void): PaletteCommand[] {
  const { t } = useTranslation(['palette', 'app', 'settings']);
  const navigate = useNavigate();
  const pages = useSettingsPages();
  const themes = useThemeOptions();
  const languages = useLanguageOptions();
  const keyOf = (id: string): string | undefined =>
    frameActions
      .find((action) => action.id === id)
      ?.keys.find((key: string) => areSingleKeysOn() || !isSingleKey(key));
  const commands: PaletteCommand[] = [
    {
      id: 'my-files',
      label: t('app:frame.myFiles'),
      group: t('groups.go'),
      run: () => void navigate('/files/'),
    },
    ...(pageConfig.EnableTrash
      ? [
          {
            id: 'trash',
            label: t('app:frame.trash'),
            group: t('groups.go'),
            run: () => void navigate('/trash'),
          },
        ]
      : []),
    {
      id: 'history',
      label: t('app:frame.history'),
      group: t('groups.go'),
      run: () => void navigate('/history'),
    },
    ...pages.map(({ id }) => ({
      id: `settings ${id}`,
      label: t(`settings:nav.${id}`),
      group: t('settings:title'),
      run: () => void navigate(`/settings/${id}`),
    })),
    ...themes.map(({ value, label }) => ({
      id: `theme ${value}`,
      label: t('theme', { theme: label }),
      group: t('groups.look'),
      run: () => chooseTheme(value),
    })),
    ...languages.map(({ value, label }) => ({
      id: `language ${value}`,
      label: t('language', { language: label }),
      group: t('groups.look'),
      run: () => void chooseLanguage(value),
    })),
    {
      id: 'sidebar',
      label: t('keys.sidebar'),
      group: t('groups.look'),
      shortcut: keyOf('sidebar'),
      run: toggleSidebar,
    },
    {
      id: 'help',
      label: t('keys.help'),
      group: t('groups.general'),
      shortcut: keyOf('help'),
      run: onHelp,
    },
    ...(canSignOut
      ? [
          {
            id: 'sign-out',
            label: t('app:frame.signOut'),
            group: t('groups.general'),
            run: requestSignOut,
          },
        ]
      : []),
  ];
  return commands;
}
