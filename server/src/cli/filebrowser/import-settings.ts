import { SettingsChange, canonicalScope, commandEvents, themes } from '@filestead/contract/settings';
import { sortKeys, viewModes } from '@filestead/contract/users';
import { knownLocale } from '@filestead/contract/values/locales';
import * as z from 'zod/mini';
import { authMethods } from '../../config/auth-method-names.ts';
import { type AuthMethod, signInMethodOf } from '../../config/auth-method.ts';
import { withoutUnusableShare } from '../../access/normalize-permissions.ts';
import { initialSettings } from '../../access/global-settings.ts';
import { type ParsedConfig, parseConfigRecord } from '../config/config-record.ts';
import { ConfigError } from '../../config/config-error.ts';
import { CliError } from '../command.ts';
import { isRecord, withKeysOf, withoutNulls } from '../records/parse-record.ts';
import { type Reporter, printableValue } from './report.ts';
import { importRules } from './import-rules.ts';
import type { SourceData } from './read-source.ts';
import { isModeSetting, shellWord } from './start-line.ts';

type Fields = Record<string, unknown>;

/** The keys that {@link repair} looks up, in the case of the API. */
const repairedKeys = {
  defaults: { viewMode: '', locale: '', sorting: { by: '' } },
  branding: { theme: '' },
  userHomeBasePath: '',
};

/** Returns a known `value`, otherwise `fallback` with a report. */
function choice(
  value: unknown,
  choices: readonly string[],
  { path, fallback, reporter }: { path: string; fallback: string; reporter: Reporter },
): unknown {
  if (value === undefined || [...choices, ''].some((known) => known === value)) return value;
  reporter.changed('setting', path, `“${printableValue(value)}” is not known; the default is used`);
  return fallback;
}

/** Replaces values that File Browser did not validate and that cannot be stored here. */
function repair(settings: Fields, reporter: Reporter): Fields {
  const { defaults, branding, rules: _rules, ...rest } = settings;
  const repaired: Fields = { ...rest };
  if (isRecord(defaults)) {
    const { viewMode, locale, sorting } = defaults;
    const fixed: Fields = { ...defaults };
    fixed.viewMode = choice(viewMode, viewModes, { path: 'defaults.viewMode', fallback: 'list', reporter });
    if (typeof locale === 'string' && knownLocale(locale) === null) {
      reporter.changed(
        'setting',
        'defaults.locale',
        `“${locale}” is not known; the browser’s language is used`,
      );
      fixed.locale = '';
    }
    if (isRecord(sorting)) {
      const by = choice(sorting.by, sortKeys, { path: 'defaults.sorting.by', fallback: 'name', reporter });
      fixed.sorting = { ...sorting, by };
    }
    repaired.defaults = withoutUndefined(fixed);
  }
  if (isRecord(branding)) {
    const theme = choice(branding.theme, themes, { path: 'branding.theme', fallback: '', reporter });
    repaired.branding = withoutUndefined({ ...branding, theme });
  }
  return repaired;
}

const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Reports differences in how the commands of events are run. */
function noteCommands({ commands }: ParsedConfig['settings'], reporter: Reporter): void {
  for (const [event, lines] of Object.entries(commands)) {
    if (lines.length === 0) continue;
    if (!commandEvents.some((known) => known === event)) {
      reporter.note('command', event, 'is not an event of Filestead; it is kept but never run');
      continue;
    }
    const count = lines.length === 1 ? 'a command' : `${lines.length} commands`;
    reporter.note('command', event, `has ${count}, run only when the server is started with --enableExec`);
    if (lines.some((line) => line.includes('$'))) {
      reporter.note(
        'command',
        event,
        'uses variables in its text; see the manual on commands for how they are passed',
      );
    }
  }
}

/**
 * Reports which files accounts created without an administrator will see, now that the default scope must be
 * confirmed.
 */
function noteDefaultScope({ settings, authMethod }: ParsedConfig, reporter: Reporter): void {
  const { signup, createUserDir, defaults } = settings;
  const createsAccounts = signup || authMethod?.method === 'proxy' || authMethod?.method === 'hook';
  if (!createsAccounts || createUserDir) return;
  const scope = canonicalScope(defaults.scope) ?? '/';
  reporter.note(
    'setting',
    'defaults.scope',
    `is not shown to new accounts without a home folder before you confirm it: filestead config set --confirmedDefaultScope=${shellWord(scope)}`,
  );
}

/** Returns the authentication method if it can be used; null, with a report, otherwise. */
function importAuthMethod(authMethod: AuthMethod | null, reporter: Reporter): AuthMethod | null {
  if (authMethod === null) return null;
  const { method } = authMethod;
  try {
    signInMethodOf(authMethod, { recaptcha: {} });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    reporter.skipped('sign-in', method, `${error.message}; usernames and passwords are used`);
    return null;
  }
  const notes: Partial<Record<AuthMethod['method'], string>> = {
    proxy: 'no user can sign in until the server is started with --trustedProxies, which names the proxy',
    hook: 'the program gets name and password in its environment, never in its arguments',
    noauth: 'every visitor of the server is signed in as its first user',
  };
  const note = notes[method];
  if (note !== undefined) reporter.note('sign-in', method, note);
  return authMethod;
}

/** Returns a copy without the value at the path of keys. */
function without(record: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (Array.isArray(record)) {
    return rest.length === 0
      ? record.filter((_, index) => index !== key)
      : record.map((entry: unknown, index) => (index === key ? without(entry, rest) : entry));
  }
  if (!isRecord(record)) return record;
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, inner]) => {
      if (name !== key) return [[name, inner]];
      return rest.length === 0 ? [] : [[name, without(inner, rest)]];
    }),
  );
}

/** Settings with more errors than this are not those of File Browser. */
const maxInvalidValues = 1_000;

/** Removes and reports the values that cannot be stored here. */
function withoutInvalidValues(settings: unknown, reporter: Reporter): unknown {
  let checked = settings;
  for (let turn = 0; turn < maxInvalidValues; turn += 1) {
    const [issue] = z.safeParse(SettingsChange, checked).error?.issues ?? [];
    if (issue === undefined || issue.path.length === 0) return checked;
    reporter.skipped('setting', issue.path.join('.'), issue.message);
    checked = without(checked, issue.path);
  }
  return checked;
}

/** Imports the settings of a source; null if there are none or they cannot be parsed. */
export async function importSettings(source: SourceData, reporter: Reporter): Promise<ParsedConfig | null> {
  if (source.settings === undefined || source.settings === null) return null;
  const given = withoutNulls(withKeysOf(source.settings, repairedKeys));
  if (!isRecord(given)) {
    reporter.skipped('setting', 'all', 'they are not readable');
    return null;
  }
  const rules = await importRules(given.rules, '', reporter);
  const method = typeof given.authmethod === 'string' ? given.authmethod : given.authMethod;
  const isKnownMethod = authMethods.some((known) => known === method);
  if (method !== undefined && !isKnownMethod) {
    reporter.skipped(
      'sign-in',
      printableValue(method),
      'this authentication method does not exist; usernames and passwords are used',
    );
  }
  const { authmethod: _lower, authMethod: _camel, ...rest } = repair(given, reporter);
  const validSettings = withoutInvalidValues(withKeysOf(rest, initialSettings()), reporter) as Fields;
  const record = {
    settings: { ...validSettings, ...(isKnownMethod ? { authMethod: method } : {}), rules },
    server: source.server ?? {},
    auther: source.auther ?? {},
  };
  let parsed: ParsedConfig;
  try {
    parsed = parseConfigRecord(record, { method: 'json' });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    reporter.skipped('setting', 'all', error.message);
    return null;
  }
  parsed = { ...parsed, authMethod: importAuthMethod(parsed.authMethod, reporter) };
  for (const path of parsed.unknown) reporter.skipped('setting', path, 'is not known');
  for (const path of parsed.ignored) {
    if (!isModeSetting(path)) reporter.skipped('setting', path, 'has no effect in Filestead');
  }
  const { defaults } = parsed.settings;
  if (withoutUnusableShare(defaults.perm) !== defaults.perm) {
    reporter.changed('setting', 'defaults.perm', 'share has no effect without download; it is off now');
    defaults.perm = withoutUnusableShare(defaults.perm);
  }
  // File Browser has no such permission.
  defaults.perm.purge ??= defaults.perm.delete;
  noteCommands(parsed.settings, reporter);
  noteDefaultScope(parsed, reporter);
  return parsed;
}
