import { isDeepStrictEqual } from 'node:util';
import {
  type Settings,
  type SettingsAnswer,
  type SettingsChange,
  commandEvents,
} from '@filestead/contract/settings';
import { parsePath } from '@filestead/contract/paths/virtual-path';
import { normalisePermissions } from '../access/normalise-permissions.ts';
import { normaliseRules } from '../access/rules/compile-rules.ts';
import type { GlobalSettings } from '../access/global-settings.ts';

/** Where homes are made unless the administrator says otherwise (docs/reference/filebrowser-api.md §1.14). */
const defaultHomeBasePath = '/users';

type Commands = Settings['commands'];

/** The commands with every event that there is. */
const allEvents = (commands: Commands): Commands => ({
  ...Object.fromEntries(commandEvents.map((event) => [event, []])),
  ...commands,
});

/** Whether the server would run something else, or in another way, after a change. */
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
 * The theme that a client means. For existing clients an empty one is light; one that was the system's choice stays that while
 * nobody chooses another.
 */
function storedTheme({ theme, followsSystem }: SettingsChange['branding'], current: Theme): Theme {
  if (theme !== '') return theme;
  return (followsSystem ?? current === '') ? '' : 'light';
}

/** Branding as administrators see it; the inverse of {@link storedTheme}. */
export const presentBranding = (branding: Settings['branding']): SettingsAnswer['branding'] => ({
  ...branding,
  theme: branding.theme === 'dark' ? 'dark' : '',
  followsSystem: branding.theme === '',
});

/**
 * Replaces the settings: empty rules dropped, paths made canonical, every event with its list. What older clients do not
 * know keeps its value when it is missing. Throws `bad_request`, `invalid_path`, `invalid_rule`.
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
    defaults: {
      scope: defaults.scope,
      locale: defaults.locale,
      viewMode: defaults.viewMode,
      singleClick: defaults.singleClick,
      redirectAfterCopyMove: defaults.redirectAfterCopyMove ?? current.defaults.redirectAfterCopyMove,
      sorting: defaults.sorting,
      perm,
      commands: defaults.commands,
      hideDotfiles: defaults.hideDotfiles,
      dateFormat: defaults.dateFormat,
      aceEditorTheme: defaults.aceEditorTheme ?? current.defaults.aceEditorTheme,
    },
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
