import { SettingsChange } from '@filestead/contract/settings';
import * as z from 'zod/mini';
import { authMethods } from '../../config/auth-method-names.ts';
import { AuthMethod, signInMethodOf } from '../../config/auth-method.ts';
import { initialSettings } from '../../access/global-settings.ts';
import { CliError } from '../command.ts';
import type { OpenData } from '../open-data.ts';
import { isRecord, parsePart, unknownPaths, withKeysOf, withoutNulls } from '../records/parse-record.ts';
import { readServerRecord, writeServerRecord } from './server-record.ts';
import { storeSettings } from './store-settings.ts';

/** A configuration as it is exported (docs/reference/filebrowser-api.md §5.4). */
export interface ConfigRecord {
  readonly settings: Record<string, unknown>;
  readonly server: Record<string, string>;
  readonly auther: Record<string, unknown>;
}

/** Keys of the settings record without an effect here. The signing key is the server's own. */
const meaninglessSettings = new Set(['key', 'fileMode', 'dirMode', 'hideDotfiles']);

/** Values of existing records without a custom logout page. */
const usualLogoutPages = new Set<unknown>(['', '/login']);

/** Returns the stored configuration without the server's keys and the captcha's secret. */
export async function configRecordOf({ database, settings }: OpenData): Promise<ConfigRecord> {
  const { method, recaptcha, logoutPage, ...auth } = await database.settings.readAuthMethod();
  return {
    settings: {
      ...settings.current,
      authMethod: method,
      ...(logoutPage === undefined ? {} : { logoutPage }),
    },
    server: writeServerRecord(await database.serverOptions.read()),
    auther: {
      ...auth,
      ...(recaptcha === undefined ? {} : { recaptcha: { host: recaptcha.host, key: recaptcha.key } }),
    },
  };
}

/** Returns the stored configuration as text. */
export async function describeConfig(data: OpenData): Promise<string> {
  const { stringifyYaml } = await import('../../config/yaml.ts');
  return stringifyYaml(await configRecordOf(data)).trimEnd();
}

const Auther = z.object({
  header: z.optional(z.string()),
  command: z.optional(z.string()),
  createUsers: z.optional(z.boolean()),
  recaptcha: z.optional(
    z.object({
      host: z._default(z.string(), ''),
      key: z._default(z.string(), ''),
      secret: z._default(z.string(), ''),
    }),
  ),
});
const autherKeys = {
  header: '',
  command: '',
  createUsers: false,
  recaptcha: { host: '', key: '', secret: '' },
};

/** A parsed configuration record. */
export interface ParsedConfig {
  readonly settings: z.output<typeof SettingsChange>;
  /** Null if the record does not contain it. */
  readonly authMethod: AuthMethod | null;
  /** Null if the record does not contain them. */
  readonly serverOptions: Record<string, string> | null;
  /** Paths of fields without an effect here. */
  readonly ignored: readonly string[];
  /** Paths of unknown fields. */
  readonly unknown: readonly string[];
}

/** Removes empty texts, which existing databases contain for values that were never chosen. */
function withoutEmptyChoices(settings: Record<string, unknown>): Record<string, unknown> {
  const { defaults } = settings;
  if (!isRecord(defaults)) return settings;
  const { locale, ...rest } = defaults;
  return { ...settings, defaults: locale === '' || locale === undefined ? rest : defaults };
}

/**
 * Parses a record exported by Filestead or File Browser. Throws {@link CliError} with the path of an
 * error.
 */
export function parseConfigRecord(record: unknown, storedAuth: AuthMethod): ParsedConfig {
  if (!isRecord(record)) throw new CliError('expected an object with settings, server and auther');
  const keys = { settings: 0, server: 0, auther: 0 };
  const parts = Object.fromEntries(Object.entries(record).map(([key, value]) => [key.toLowerCase(), value]));
  const model = {
    ...initialSettings(),
    authMethod: '',
    logoutPage: '',
    key: '',
    fileMode: 0,
    dirMode: 0,
    hideDotfiles: false,
  };
  const given = withoutNulls(
    withKeysOf(parts.settings, { ...model, rules: [{ regex: 0, allow: 0, path: '', regexp: { raw: '' } }] }),
  );
  if (!isRecord(given)) throw new CliError('settings: expected an object');
  const { authMethod: method, logoutPage, ...rest } = given;
  const settings = withoutEmptyChoices(
    Object.fromEntries(Object.entries(rest).filter(([key]) => !meaninglessSettings.has(key))),
  );
  const auther = withoutNulls(withKeysOf(parts.auther ?? {}, autherKeys));
  const parsedSettings = parsePart(SettingsChange, settings, 'settings');
  const { recaptcha, ...auth } = parsePart(Auther, auther, 'auther');
  const keptSecret = recaptcha?.secret === '' ? storedAuth.recaptcha?.secret : recaptcha?.secret;
  const server = readServerRecord(parts.server);
  return {
    settings: parsedSettings,
    authMethod:
      method === undefined
        ? null
        : parsePart(
            AuthMethod,
            {
              method: parsePart(z.enum(authMethods), method, 'settings.authMethod'),
              ...auth,
              ...(recaptcha === undefined ? {} : { recaptcha: { ...recaptcha, secret: keptSecret ?? '' } }),
              ...(logoutPage === undefined || usualLogoutPages.has(logoutPage) ? {} : { logoutPage }),
            },
            'auther',
          ),
    serverOptions: parts.server === undefined ? null : server.options,
    ignored: [
      ...['fileMode', 'dirMode'].filter((key) => Object.hasOwn(rest, key)).map((key) => `settings.${key}`),
      ...server.ignored.map((key) => `server.${key}`),
    ],
    unknown: [
      ...Object.keys(parts).filter((key) => !Object.hasOwn(keys, key)),
      ...unknownPaths(settings, parsedSettings, 'settings'),
      ...unknownPaths(auther, { ...auth, recaptcha }, 'auther'),
      ...server.unknown.map((key) => `server.${key}`),
    ],
  };
}

/**
 * Stores a parsed record. Throws `invalid_rule`, `invalid_path`, and `ConfigError` for an invalid
 * authentication method.
 */
export async function storeConfig(data: OpenData, parsed: ParsedConfig): Promise<void> {
  const { database } = data;
  await storeSettings(data, parsed.settings);
  if (parsed.authMethod !== null) {
    signInMethodOf(parsed.authMethod, { recaptcha: {} });
    await database.settings.writeAuthMethod(parsed.authMethod);
  }
  if (parsed.serverOptions !== null) await database.serverOptions.write(parsed.serverOptions);
}
