import { type Settings as SettingsType, Settings, commandEvents } from '@filestead/contract/settings';
import * as z from 'zod/mini';
import type { SettingsRepository } from '../database/database.ts';
import { type CompiledRules, compileRules } from './rules/compile-rules.ts';

/** The settings in force, read once and kept beside their compiled rules. */
export interface GlobalSettings {
  readonly current: SettingsType;
  readonly rules: CompiledRules;
  /** The shortest password that is accepted, in characters: chosen at the start of the server, else in the settings. */
  readonly minimumPasswordLength: number;
  /** Stores other settings and puts them in force. Throws `invalid_rule`. */
  replace(settings: SettingsType): Promise<void>;
  /** Puts in force what is stored now, after somebody else has changed it. */
  reload(): Promise<void>;
  /** Calls `listener` after other settings were put in force. */
  onChange(listener: () => void): void;
}

/** What a fresh installation starts with (docs/reference/filebrowser-api.md §3.6): new users may do everything but administrate. */
export function firstSettings(): SettingsType {
  return z.parse(Settings, {
    defaults: {
      perm: {
        admin: false,
        execute: false,
        create: true,
        rename: true,
        modify: true,
        delete: true,
        share: true,
        download: true,
      },
    },
    branding: {},
    commands: Object.fromEntries(commandEvents.map((event) => [event, []])),
  });
}

/**
 * Reads the settings, storing the first ones when there are none. `minimumPasswordLength` is what was chosen at the start of
 * the server.
 */
export async function openGlobalSettings(
  repository: SettingsRepository,
  minimumPasswordLength: number | null = null,
): Promise<GlobalSettings> {
  const stored = await repository.read();
  let current = stored ?? firstSettings();
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
