import { type Settings as SettingsType, Settings, commandEvents } from '@filestead/contract/settings';
import { allPermissions } from '@filestead/contract/values/permissions';
import * as z from 'zod/mini';
import type { SettingsRepository } from '../database/database.ts';
import { type CompiledRules, compileRules } from './rules/compile-rules.ts';

/** The current settings, read once and kept in memory with their compiled rules. */
export interface GlobalSettings {
  readonly current: SettingsType;
  readonly rules: CompiledRules;
  /** Minimum length of passwords in characters: from the server's options, otherwise from the settings. */
  readonly minimumPasswordLength: number;
  /** Stores new settings and applies them. Throws `invalid_rule`. */
  replace(settings: SettingsType): Promise<void>;
  /** Applies the stored settings after another process has changed them. */
  reload(): Promise<void>;
  /** Registers `listener`, which is called after new settings were applied. */
  onChange(listener: () => void): void;
}

/**
 * The settings of a new installation (docs/reference/filebrowser-api.md §3.6): new users have every
 * permission but administration and execution.
 */
export function initialSettings(): SettingsType {
  return z.parse(Settings, {
    defaults: {
      perm: { ...allPermissions, admin: false, execute: false },
    },
    branding: {},
    commands: Object.fromEntries(commandEvents.map((event) => [event, []])),
  });
}

/**
 * Reads the settings, or stores the initial ones if there are none. `minimumPasswordLength` is the server's
 * option and overrides the setting.
 */
export async function openGlobalSettings(
  repository: SettingsRepository,
  minimumPasswordLength: number | null = null,
): Promise<GlobalSettings> {
  const stored = await repository.read();
  let current = stored ?? initialSettings();
  if (stored === null) await repository.write(current);
  let rules = await compileRules(current.rules);
  const listeners: (() => void)[] = [];
  return {
    get current() {
      return current;
    },
    get rules() {
      return rules;
    },
    get minimumPasswordLength() {
      return minimumPasswordLength ?? current.minimumPasswordLength;
    },
    async reload() {
      const found = await repository.read();
      if (found === null) return;
      const compiled = await compileRules(found.rules);
      current = found;
      rules = compiled;
    },
    async replace(settings) {
      const compiled = await compileRules(settings.rules);
      await repository.write(settings);
      current = settings;
      rules = compiled;
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.push(listener);
    },
  };
}
