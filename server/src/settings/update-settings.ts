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
import { completePermissions, normalizePermissions } from '../access/normalize-permissions.ts';
import { normalizeRules } from '../access/rules/compile-rules.ts';
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
  change: Pick<Settings, 'shell' | 'commands'>,
): boolean {
  return !(
    isDeepStrictEqual(change.shell, current.shell) &&
    isDeepStrictEqual(allEvents(change.commands), allEvents(current.commands))
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

/** Returns the canonical form of a confirmed default scope; empty for none, and undefined if it was not sent. */
function confirmedScope(sent: string | undefined): string | undefined {
  const scope = sent?.trim();
  return scope === undefined || scope === '' ? scope : parsePath(scope).path;
}

/**
 * Replaces the settings: drops empty rules, makes paths canonical, and adds missing events. Fields that older
 * clients do not send keep their value. Throws `bad_request`, `invalid_path`, `invalid_rule`.
 */
export async function updateSettings(settings: GlobalSettings, change: SettingsChange): Promise<void> {
  const base = change.userHomeBasePath.trim();
  const userHomeBasePath = base === '' ? defaultHomeBasePath : parsePath(base).path;
  parsePath(change.defaults.scope.trim());
  const { perm: formerPerm } = settings.current.defaults;
  const perm = completePermissions(normalizePermissions(change.defaults.perm, formerPerm), formerPerm);
  const rules = await normalizeRules(change.rules);
  const { current } = settings;
  const { defaults, branding } = change;
  await settings.replace({
    signup: change.signup,
    createUserDir: change.createUserDir,
    userHomeBasePath,
    confirmedDefaultScope: confirmedScope(change.confirmedDefaultScope) ?? current.confirmedDefaultScope,
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
    shell: change.shell,
    commands: allEvents(change.commands),
    hideLoginButton: change.hideLoginButton ?? current.hideLoginButton,
    minimumPasswordLength: change.minimumPasswordLength ?? current.minimumPasswordLength,
    tus: {
      chunkSize: change.tus?.chunkSize ?? current.tus.chunkSize,
      retryCount: change.tus?.retryCount ?? current.tus.retryCount,
    },
    requireCurrentPassword: change.requireCurrentPassword ?? current.requireCurrentPassword,
    shareDefaults: {
      duration: change.shareDefaults?.duration ?? current.shareDefaults.duration,
      unit: change.shareDefaults?.unit ?? current.shareDefaults.unit,
    },
    trashDays: change.trashDays ?? current.trashDays,
    versionDays: change.versionDays ?? current.versionDays,
    keptSize: change.keptSize ?? current.keptSize,
    trashVisibility: change.trashVisibility ?? current.trashVisibility,
  });
}
