import { type Settings, commandEvents } from '@filestead/contract/settings';
import { parsePath } from '@filestead/contract/virtual-path';
import { normaliseRules } from '../access/compile-rules.ts';
import type { GlobalSettings } from '../access/global-settings.ts';

/** Where homes are made unless the administrator says otherwise (existing API §1.14). */
const defaultHomeBasePath = '/users';

/** Replaces the settings: empty rules dropped, paths made canonical, every event with its list. Throws `invalid_rule`. */
export async function updateSettings(settings: GlobalSettings, wanted: Settings): Promise<void> {
  const base = wanted.userHomeBasePath.trim();
  await settings.replace({
    ...wanted,
    userHomeBasePath: base === '' ? defaultHomeBasePath : parsePath(base).path,
    rules: await normaliseRules(wanted.rules),
    commands: { ...Object.fromEntries(commandEvents.map((event) => [event, []])), ...wanted.commands },
  });
}
