import { isDeepStrictEqual } from 'node:util';
import {
  type Settings,
  type SettingsResponse,
  type SettingsChange,
  type UserDefaults,
  commandEvents,
  defaultsOrder,
} from '@filestead/contract/settings';
import { inOrder, preferencesOr } from '@filestead/contract/user-fields';
import { parsePath } from '@filestead/contract/paths/virtual-path';
import { normalisePermissions } from '../access/normalise-permissions.ts';
import { normaliseRules } from '../access/rules/compile-rules.ts';
import type { GlobalSettings } from '../access/global-settings.ts';

/** Default parent of home folders (docs/reference/filebrowser-api.md §1.14). */
const defaultHomeBasePath = '/users';

type Commands = Settings['commands'];

/** Returns the commands with an entry for every event. */
const allEvents = (commands: Commands): Commands => ({
  ...Object.fromEntries(commandEvents.map((event) => [event, []])),
  ...commands,
});

/** Whether a change of the settings affects the commands that the server runs, or their shell. */
export function changesCommands(
  current: Pick<Settings, 'shell' | 'commands'>,
  wanted: Pick<Settings, 'shell' | 'commands'>,
): boolean {
  return !(
    isDeepStrictEqual(wanted.shell, current.shell) &&
    isDeepStrictEqual(allEvents(wanted.commands), allEvents(current.commands))
  );
}

type Theme = Settings['branding']['theme'];

/**
 * Returns the theme to store. Existing clients send an empty theme for light; a theme that follows the system
 * is kept unless another is chosen.
 */
function storedTheme({ theme, followsSystem }: SettingsChange['branding'], current: Theme): Theme {
  if (theme !== '') return theme;
  return (followsSystem ?? current === '') ? '' : 'light';
}

/** Returns the branding for administrators; the inverse of {@link storedTheme}. */
export const presentBranding = (branding: Settings['branding']): SettingsResponse['branding'] => ({
  ...branding,
  theme: branding.theme === 'dark' ? 'dark' : '',
  followsSystem: branding.theme === '',
});

/**
 * Replaces the settings: drops empty rules, makes paths canonical, and adds missing events. Fields that older
 * clients do not send keep their value. Throws `bad_request`, `invalid_path`, `invalid_rule`.
 */
export async function updateSettings(settings: GlobalSettings, wanted: SettingsChange): Promise<void> {
  const base = wanted.userHomeBasePath.trim();
  const userHomeBasePath = base === '' ? defaultHomeBasePath : parsePath(base).path;
  parsePath(wanted.defaults.scope.trim());
  const confirmed = wanted.confirmedDefaultScope?.trim();
  const perm = normalisePermissions(wanted.defaults.perm, settings.current.defaults.perm);
  const rules = await normaliseRules(wanted.rules);
  const { current } = settings;
  const { defaults, branding } = wanted;
  await settings.replace({
    signup: wanted.signup,
    createUserDir: wanted.createUserDir,
    userHomeBasePath,
    confirmedDefaultScope:
      confirmed === undefined
        ? current.confirmedDefaultScope
        : confirmed === ''
          ? ''
          : parsePath(confirmed).path,
    defaults: inOrder(defaultsOrder, {
      scope: defaults.scope,
      ...preferencesOr<UserDefaults>(defaults, (name) => current.defaults[name]),
      perm,
      commands: defaults.commands,
    }),
    rules,
    branding: {
      name: branding.name,
      disableExternal: branding.disableExternal,
      files: branding.files,
      theme: storedTheme(branding, current.branding.theme),
      color: branding.color ?? current.branding.color,
      disableUsedPercentage: branding.disableUsedPercentage ?? current.branding.disableUsedPercentage,
      reportURL: branding.reportURL ?? current.branding.reportURL,
    },
    shell: wanted.shell,
    commands: allEvents(wanted.commands),
    hideLoginButton: wanted.hideLoginButton ?? current.hideLoginButton,
    minimumPasswordLength: wanted.minimumPasswordLength ?? current.minimumPasswordLength,
    tus: {
      chunkSize: wanted.tus?.chunkSize ?? current.tus.chunkSize,
      retryCount: wanted.tus?.retryCount ?? current.tus.retryCount,
    },
    requireCurrentPassword: wanted.requireCurrentPassword ?? current.requireCurrentPassword,
    shareDefaults: {
      duration: wanted.shareDefaults?.duration ?? current.shareDefaults.duration,
      unit: wanted.shareDefaults?.unit ?? current.shareDefaults.unit,
    },
  });
}
