import { resolve } from 'node:path';
import { SettingsChange } from '@filestead/contract/settings';
import * as z from 'zod/mini';
import { authMethods } from '../../config/auth-method-names.ts';
import { AuthMethod, signInMethodOf } from '../../config/auth-method.ts';
import { readStoredOptions } from '../../database/read-stored-options.ts';
import { type CommandCall, type OptionValues, type Terminal, CliError } from '../command.ts';
import { configOf } from '../common-options.ts';
import {
  type OpenData,
  hasDatabase,
  prepareDataFolder,
  assertDatabase,
  withChanges,
  withData,
} from '../open-data.ts';
import { firstIssueOf } from '../records/parse-record.ts';
import { parseOption, profileChange } from '../users/user-options.ts';
import {
  authOptions,
  configOptions,
  isCompatibilityOption,
  settingOptions,
  storableOptions,
} from './config-options.ts';
import { describeConfig } from './config-record.ts';
import { storeSettings } from './store-settings.ts';

/** Options for the location of the data. These commands store `--root` instead of using it. */
const placeFlags = ['database', 'data', 'config', 'newInstallation'];

/**
 * Returns the stored form of a start-up option: relative paths are resolved, so that they do not depend on
 * the current folder.
 */
export function storedText(name: string, text: string, cwd: string): string {
  const option = storableOptions.find((known) => known.name === name);
  const isTarget = name === 'log' && !['', 'stdout', 'stderr', 'none'].includes(text);
  const isPath = option?.value === 'file' || option?.value === 'folder' || isTarget;
  return isPath && text !== '' ? resolve(cwd, text) : text;
}

function serverOptionsOf(options: OptionValues, { cwd }: Terminal): Record<string, string> {
  const given: Record<string, string> = {};
  for (const { name } of storableOptions) {
    const text = options.text(name);
    if (text !== undefined) given[name] = storedText(name, text, cwd);
  }
  return given;
}

/** Returns the value of a setting given as an option; undefined if it was not given. */
function settingValue(options: OptionValues, { name, type }: (typeof settingOptions)[number]): unknown {
  const text = options.text(name);
  if (text === undefined) return undefined;
  if (type === 'switch') return options.isOn(name);
  if (type === 'words') return text.split(' ').filter((word) => word !== '');
  if (type === 'text') return text;
  return parseOption(name, z.int(), text.trim() === '' ? Number.NaN : Number(text));
}

/** Returns a copy of `record` with another value at the path of keys. */
function withValue(record: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const fields = Object.entries(typeof record === 'object' && record !== null ? record : {});
  const found = fields.find(([name]) => name === key)?.[1];
  return { ...Object.fromEntries(fields), [key]: withValue(found, rest, value) };
}

async function changeSettings({ options }: CommandCall, data: OpenData): Promise<void> {
  const { current } = data.settings;
  const { scope: _scope, ...defaults } = profileChange(options, current.defaults);
  let changed: unknown = { ...current, defaults: { ...current.defaults, ...defaults } };
  const scope = options.text('scope');
  if (scope !== undefined) changed = withValue(changed, ['defaults', 'scope'], scope);
  for (const option of settingOptions) {
    const value = settingValue(options, option);
    if (value !== undefined) changed = withValue(changed, option.path, value);
  }
  const result = z.safeParse(SettingsChange, changed);
  if (!result.success) throw new CliError(`--${firstIssueOf(result.error)}`);
  await storeSettings(data, result.data);
}

async function changeAuthMethod({ options }: CommandCall, { database }: OpenData): Promise<boolean> {
  if (!authOptions.some(({ name }) => options.names.includes(name))) return false;
  const current = await database.settings.readAuthMethod();
  const method = options.text('auth.method');
  const captcha = { host: '', key: '', secret: '', ...current.recaptcha };
  const given = {
    method: method === undefined ? undefined : parseOption('auth.method', z.enum(authMethods), method),
    header: options.text('auth.header'),
    command: options.text('auth.command'),
    createUsers: options.isOn('auth.createUsers'),
    logoutPage: options.text('auth.logoutPage'),
    recaptcha: options.names.some((name) => name.startsWith('recaptcha.'))
      ? {
          host: options.text('recaptcha.host') ?? captcha.host,
          key: options.text('recaptcha.key') ?? captcha.key,
          secret: options.text('recaptcha.secret') ?? captcha.secret,
        }
      : undefined,
  };
  const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const next = z.parse(AuthMethod, { ...current, ...changed });
  signInMethodOf(next, { recaptcha: {} });
  await database.settings.writeAuthMethod(next);
  return true;
}

/** Stores the given options in one transaction and prints the resulting configuration. */
async function applyChange(call: CommandCall): Promise<void> {
  const { options, terminal } = call;
  const given = serverOptionsOf(options, terminal);
  const givenAuth = authOptions.filter(({ name }) => options.names.includes(name)).map(({ name }) => name);
  const checked = [...Object.keys(given), ...givenAuth];
  // Runs the server's own checks as if it were started with the options to be stored.
  const config = await configOf(call, {
    flags: [...placeFlags, ...checked.filter((name) => name !== 'root')],
    readStored: (path) => ({ ...readStoredOptions(path), ...given }),
  });
  prepareDataFolder(config);
  const { text, isStartNeeded } = await withChanges(config, async (data) => {
    const { serverOptions } = data.database;
    const stored = await serverOptions.read();
    if (Object.keys(given).length > 0) await serverOptions.write({ ...stored, ...given });
    await changeSettings(call, data);
    const hasNewAuth = await changeAuthMethod(call, data);
    return { text: await describeConfig(data), isStartNeeded: hasNewAuth || Object.keys(given).length > 0 };
  });
  terminal.print(text);
  for (const name of options.names.filter(isCompatibilityOption))
    terminal.warn(`--${name} has no effect in Filestead.`);
  if (isStartNeeded)
    terminal.warn('Start-up options and the authentication method take effect at the next start.');
}

/** `config init`: creates a database without users. Refuses an existing one. */
export async function initConfig(call: CommandCall): Promise<void> {
  const config = await configOf(call, { flags: placeFlags });
  if (hasDatabase(config)) throw new CliError(`the database ${config.database} exists already`);
  await applyChange(call);
}

/** `config set`: changes the given options only. */
export async function setConfig(call: CommandCall): Promise<void> {
  assertDatabase(await configOf(call, { flags: placeFlags }));
  if (!configOptions.some(({ name }) => call.options.names.includes(name))) {
    throw new CliError('nothing to change was given; see: filestead help config set');
  }
  await applyChange(call);
}

/** `config cat`: prints the stored configuration. */
export async function showConfig(call: CommandCall): Promise<void> {
  const config = await configOf(call);
  assertDatabase(config);
  call.terminal.print(await withData(config, describeConfig));
}
