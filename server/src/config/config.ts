import { resolve } from 'node:path';
import type { AuthOverrides, Recaptcha } from './auth-method.ts';
import { ConfigError } from './config-error.ts';
import {
  type ConfigSources,
  type GivenValues,
  findFile,
  fromEnvironment,
  fromFile,
  fromFlags,
  fromStored,
  defaultFiles,
} from './given-values.ts';
import type { Folders } from './option.ts';
import { type KnownOption, type OptionValues, optionTable } from './options.ts';

export type { ConfigSources } from './given-values.ts';

/** Keys of options that are only available in combination, see {@link CombinedValues}. */
type CombinedKey = 'enableExec' | 'disableExec' | 'noauth' | `${'auth' | 'recaptcha'}.${string}`;

/** Options of the authentication method that are texts. */
type TextOverride = `auth.${'header' | 'command' | 'logoutPage'}` | `recaptcha.${keyof Recaptcha}`;

/** Values that depend on several options or on where they were given. */
interface CombinedValues {
  /** Configuration files that were read, or would be read at the next start if they existed. */
  readonly configFiles: readonly string[];
  /** False if it is the folder in which the program was started. */
  readonly isRootChosen: boolean;
  /** False if it is the default folder inside the served one. */
  readonly isDataChosen: boolean;
  readonly isExecEnabled: boolean;
  /** Given options of the authentication method; others are stored. */
  readonly auth: AuthOverrides;
}

/** The validated configuration: the values of the options. Paths are absolute; times in milliseconds, sizes in bytes. */
export type Config = CombinedValues & {
  readonly [Key in keyof OptionValues as Key extends CombinedKey ? never : Key]: OptionValues[Key];
};

/** Parses one option; an error is reported with the source of the value. */
function readOption<Key extends keyof OptionValues>(
  key: Key,
  given: GivenValues,
  folders: Folders,
): OptionValues[Key] {
  const { name, fallback, parse }: KnownOption = optionTable[key];
  const { text, source } = given[name] ?? { text: fallback, source: name };
  try {
    return parse(text, folders) as OptionValues[Key];
  } catch (error) {
    throw new ConfigError(`${source}: ${error instanceof Error ? error.message : 'invalid'}`);
  }
}

/** Whether commands are enabled; off by default. `disableExec` of File Browser overrides `enableExec`. */
const execSwitch = ({ enableExec, disableExec }: OptionValues): boolean =>
  disableExec === undefined ? enableExec : !disableExec;

/**
 * Returns the given options of the authentication method. An empty text disables an option, one that is not given
 * leaves the stored value. `noauth` is File Browser's switch for one of the methods.
 */
function authOverrides(given: GivenValues, values: OptionValues): AuthOverrides {
  const textOf = (name: TextOverride): string | undefined =>
    given[name] === undefined ? undefined : values[name];
  return {
    method: values.noauth ? 'noauth' : values['auth.method'],
    header: textOf('auth.header'),
    command: textOf('auth.command'),
    createUsers: values['auth.createUsers'],
    logoutPage: textOf('auth.logoutPage'),
    recaptcha: {
      host: textOf('recaptcha.host'),
      key: textOf('recaptcha.key'),
      secret: textOf('recaptcha.secret'),
    },
  };
}

/** Options that have no meaning for a server that listens on a Unix socket. */
const networkOptions = ['address', 'port', 'cert', 'key'] as const;

/** Throws {@link ConfigError} for a Unix socket together with options of a network address. */
function assertOneListener(given: GivenValues): void {
  if ((given.socket?.text ?? '') === '') return;
  const conflicting = networkOptions.find((name) => given[name] !== undefined);
  if (conflicting !== undefined)
    throw new ConfigError(`${given.socket?.source ?? 'socket'}: cannot be combined with ${conflicting}`);
}

/**
 * Merges the options of two sources. If one source has a socket and the other a port or address, those of the stronger source win. Throws
 * {@link ConfigError} if one source contains both.
 */
function override(weaker: GivenValues, stronger: GivenValues): GivenValues {
  assertOneListener(stronger);
  const remaining = { ...weaker };
  if ((stronger.socket?.text ?? '') !== '') for (const name of networkOptions) delete remaining[name];
  else if (stronger.address !== undefined || stronger.port !== undefined) delete remaining.socket;
  return { ...remaining, ...stronger };
}

/** Throws {@link ConfigError} for options that exclude each other. */
function checkCombinations(given: GivenValues, config: Config): void {
  assertOneListener(given);
  if ((config.certFile === null) !== (config.keyFile === null)) {
    throw new ConfigError('cert and key: TLS needs both');
  }
  if (config.metricsToken !== null && config.metricsAddress === null) {
    throw new ConfigError('metricsToken: metrics are served only with --metricsAddress');
  }
  if (`${config.root}/`.startsWith(`${config.data.replace(/\/$/, '')}/`)) {
    throw new ConfigError(
      'data: must not be the served folder or contain it, because nothing would be left to serve',
    );
  }
}

/**
 * Reads and validates flags, environment, configuration file and stored options, in this order of precedence.
 * Throws {@link ConfigError}; and the errors of `commander` for `--help`, `--version` and unknown flags,
 * after printing.
 */
export async function readConfig(sources: ConfigSources): Promise<Config> {
  const { cwd } = sources;
  const { given: flags, file } = fromFlags(sources);
  const path = file === undefined ? findFile(sources) : resolve(cwd, file);
  const outside = [await fromFile(path), fromEnvironment(sources.env), flags].reduce(override, {});
  // The stored options are in the database, so its path cannot depend on them.
  const start = readOption('root', outside, { cwd, start: cwd, data: cwd });
  const data = readOption('data', outside, { cwd, start, data: cwd });
  const folders: Folders = { cwd, start, data };
  const database = readOption('database', outside, folders);
  const stored = override({}, fromStored(sources.readStored?.(database) ?? {}));
  const given = override(stored, outside);

  const keys = Object.keys(optionTable) as (keyof OptionValues)[];
  const values = Object.fromEntries(
    keys.map((key) => [key, readOption(key, given, folders)]),
  ) as unknown as OptionValues;
  const config: Config = {
    ...values,
    configFiles: [...(path === undefined ? [] : [path]), ...defaultFiles(sources)],
    isRootChosen: given.root !== undefined,
    isDataChosen: given.data !== undefined,
    isExecEnabled: execSwitch(values),
    auth: authOverrides(given, values),
  };
  checkCombinations(given, config);
  return config;
}
