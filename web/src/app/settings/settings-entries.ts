import { choicePreferences, switchPreferences } from '@filestead/contract/user-fields';
import { permissionNames } from '@filestead/contract/values/permissions';
import type { TFunction } from 'i18next';
import { pageConfig } from '../../api/page-config.ts';

/** The namespaces of the texts of all settings. */
export const settingsNamespaces = ['settings', 'users', 'sessions', 'app'] as const;
export type TranslateSettings = TFunction<typeof settingsNamespaces>;

/** A place in the settings: a page, one of its sections, or a setting in a section, by their titles and labels. */
export interface SettingPlace {
  readonly section?: string;
  readonly label?: string;
}

/** A place in the settings with its page and the texts by which it is found. */
export interface SettingEntry extends SettingPlace {
  readonly page: SettingsPageId;
  /** The help text. */
  readonly hint: string;
}

type Setting = readonly [label: string, hint?: string];

/** Returns the entries of a section: itself and its settings. */
const entriesOf = (
  page: SettingsPageId,
  [section, hint = '']: Setting,
  settings: readonly Setting[],
): SettingEntry[] => [
  { page, section, hint },
  ...settings.map(([label, settingHint = '']) => ({ page, section, label, hint: settingHint })),
];

/** The settings of the display of files, which users have and new users get. */
const displaySettings = (t: TranslateSettings): Setting[] => [
  ...choicePreferences.map((name): Setting => [t(`users:preferences.${name}`)]),
  [t('users:form.viewMode')],
  [t('users:form.sortBy')],
  [t('users:form.sortDirection')],
  ...switchPreferences.map((name): Setting => [
    t(`users:preferences.${name}`),
    t(`users:preferences.${name}Hint`),
  ]),
];

function profileEntries(t: TranslateSettings, hasPassword: boolean): SettingEntry[] {
  return [
    ...entriesOf('profile', [t('settings:profile.files')], displaySettings(t)),
    ...entriesOf(
      'profile',
      [t('settings:profile.look')],
      [[t('app:frame.theme')], [t('settings:profile.language')], [t('settings:profile.editorTheme')]],
    ),
    ...entriesOf(
      'profile',
      [t('settings:keyboard.title')],
      [[t('settings:keyboard.singleKeys'), t('settings:keyboard.singleKeysHint')]],
    ),
    ...(hasPassword
      ? entriesOf('profile', [t('settings:password.title'), t('settings:password.text')], [])
      : []),
    ...(pageConfig.NoAuth ? [] : entriesOf('profile', [t('sessions:title'), t('sessions:text')], [])),
  ];
}

function globalEntries(t: TranslateSettings): SettingEntry[] {
  const withHint = (...names: GlobalHinted[]): Setting[] =>
    names.map((name) => [t(`settings:global.${name}`), t(`settings:global.${name}Hint`)]);
  return [
    ...entriesOf(
      'global',
      [t('settings:global.accounts')],
      [
        ...withHint('signup', 'createUserDir'),
        [t('settings:global.userHomeBasePath')],
        [t('settings:global.minimumPasswordLength')],
        ...withHint('requireCurrentPassword'),
      ],
    ),
    ...entriesOf(
      'global',
      [t('settings:global.look'), t('settings:global.brandingHint')],
      [
        ...withHint('placeName', 'theme', 'files', 'color', 'reportURL', 'disableExternal'),
        [t('settings:global.disableUsedPercentage')],
        [t('settings:global.hideLoginButton')],
      ],
    ),
    ...entriesOf('global', [t('settings:global.rules'), t('settings:global.rulesHint')], []),
    ...entriesOf(
      'global',
      [t('settings:global.kept'), t('settings:global.keptHint')],
      withHint('trashDays', 'versionDays', 'keptSize', 'trashVisibility'),
    ),
    ...entriesOf(
      'global',
      [t('settings:global.links'), t('settings:global.newLinksHint')],
      [[t('settings:global.shareDuration')], [t('settings:global.shareUnit')]],
    ),
    ...entriesOf(
      'global',
      [t('settings:global.uploads'), t('settings:global.uploadsHint')],
      [...withHint('chunkSize'), [t('settings:global.retryCount')]],
    ),
    ...(pageConfig.EnableExec
      ? entriesOf(
          'global',
          [t('settings:global.shell')],
          [[t('settings:global.shellField'), t('settings:global.shellHint')]],
        )
      : []),
    ...entriesOf(
      'global',
      [t('settings:defaults.newUsers'), t('settings:defaults.text')],
      [
        [t('settings:defaults.scope'), t('settings:defaults.scopeHint')],
        [t('users:form.language')],
        ...displaySettings(t),
        ...permissionNames
          .filter((name) => name !== 'execute' || pageConfig.EnableExec)
          .map((name): Setting => [t(`users:permissions.${name}`), t(`users:permissions.hint.${name}`)]),
        ...(pageConfig.EnableExec
          ? [[t('users:form.commands'), t('users:form.commandsHint')] satisfies Setting]
          : []),
      ],
    ),
    ...(pageConfig.EnableExec
      ? entriesOf('global', [t('settings:commands.title'), t('settings:commands.text')], [])
      : []),
  ];
}

type GlobalHinted =
  | 'signup'
  | 'createUserDir'
  | 'requireCurrentPassword'
  | 'placeName'
  | 'theme'
  | 'files'
  | 'color'
  | 'reportURL'
  | 'disableExternal'
  | 'trashDays'
  | 'versionDays'
  | 'keptSize'
  | 'trashVisibility'
  | 'chunkSize';

/** The identifiers of the pages of the settings that the user may see. */
export type SettingsPageId = 'profile' | 'shares' | 'global' | 'users' | 'storage';

/** Returns all places of the given pages of the settings. */
export function settingEntries(
  t: TranslateSettings,
  pages: readonly SettingsPageId[],
  hasPassword: boolean,
): SettingEntry[] {
  return pages.flatMap((page): SettingEntry[] => [
    { page, hint: t(`settings:navHint.${page}`) },
    ...(page === 'profile' ? profileEntries(t, hasPassword) : []),
    ...(page === 'global' ? globalEntries(t) : []),
  ]);
}
