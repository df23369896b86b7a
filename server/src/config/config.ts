import { BlockList, isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { type AuthOverrides, authMethods } from './auth-method.ts';
import { checkCaptchaHost } from './captcha-service.ts';
import {
  type ConfigSources,
  type GivenValues,
  findFile,
  fromEnvironment,
  fromFile,
  fromFlags,
  fromStored,
  usualFiles,
} from './given-values.ts';
import { canPassOn } from '../programs/program-environment.ts';
import { ConfigError, type Option, type OptionName, options } from './options.ts';
import * as parse from './parse-values.ts';
import { type SearchFormat, searchFormats } from './search-format.ts';

export type { ConfigSources } from './given-values.ts';

const optionList: readonly Option[] = options;

/** The log levels. */
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** The validated configuration. Paths are absolute; times in milliseconds, sizes in bytes. */
export interface Config {
  readonly root: string;
  /** Configuration files that were read, or would be read at the next start if they existed. */
  readonly configFiles: readonly string[];
  /** False if it is the folder in which the program was started. */
  readonly isRootChosen: boolean;
  readonly data: string;
  /** False if it is the default folder inside the served one. */
  readonly isDataChosen: boolean;
  readonly database: string;
  readonly address: string;
  readonly port: number;
  /** `''` or `/prefix`. */
  readonly baseUrl: string;
  /** Null if the server listens on a port. */
  readonly socket: string | null;
  readonly socketMode: number;
  /** Null to keep the inherited umask. */
  readonly umask: number | null;
  /** Mode of users' new files; null to use the umask. */
  readonly fileMode: number | null;
  /** Mode of users' new folders; null to use the umask. */
  readonly folderMode: number | null;
  readonly certFile: string | null;
  readonly keyFile: string | null;
  /** 0 makes browsers forget it. */
  readonly hstsMs: number;
  /** `stdout`, `stderr`, `none` or a file. */
  readonly log: string;
  readonly logLevel: (typeof logLevels)[number];
  readonly username: string;
  /** Empty to generate one. */
  readonly password: string;
  /** Whether to start without users although the data folder was in use and its database is missing. */
  readonly isNewInstallation: boolean;
  readonly trustedProxies: readonly string[];
  readonly followExternalSymlinks: boolean;
  readonly acceptsTokenInQuery: boolean;
  /** Format of search results for clients that do not request one. */
  readonly searchFormat: SearchFormat;
  readonly tokenLifeMs: number;
  readonly sessionIdleMs: number;
  readonly sessionAbsoluteMs: number;
  readonly maxSessionsPerUser: number;
  readonly loginAttemptsPerName: number;
  readonly loginAttemptsPerAddress: number;
  readonly loginWindowMs: number;
  readonly shareTokenLifeMs: number;
  /** Null to use the value of the settings. */
  readonly minimumPasswordLength: number | null;
  /** Given options of the authentication method; others are stored. */
  readonly auth: AuthOverrides;
  readonly signupsPerAddress: number;
  readonly signupWindowMs: number;
  readonly maxUploadBytes: number;
  readonly isExecEnabled: boolean;
  readonly isExecUnsandboxed: boolean;
  readonly commandTimeoutMs: number;
  readonly commandOutputBytes: number;
  /** 0 means no limit. */
  readonly commandMemoryBytes: number;
  readonly commandsPerUser: number;
  readonly commandsAtOnce: number;
  readonly hookTimeoutMs: number;
  /** Names of variables of the server's environment that hooks and the sign-in program receive. */
  readonly passedVariables: readonly string[];
  /** `scheme://host[:port]`, as browsers send them. */
  readonly allowedOrigins: readonly string[];
  readonly maxUploadsPerUser: number;
  readonly maxSharesPerUser: number;
  readonly uploadExpirationMs: number;
  readonly maxArchives: number;
  readonly jobsAtOnce: number;
  readonly jobsPerUser: number;
  /** Folder that contains the preview cache. */
  readonly cache: string;
  /** 0 disables the cache. */
  readonly maxCacheBytes: number;
  readonly imageProcessors: number;
  readonly makesThumbnails: boolean;
  readonly makesBigPictures: boolean;
  readonly shutdownGraceMs: number;
}

/** Throws unless `text` is an address or a network in CIDR notation. */
function checkNetwork(text: string): string {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  if (family === 0) throw new Error(`“${text}” is not an address or a network`);
  if (bits !== undefined) {
    const list = new BlockList();
    list.addSubnet(
      address,
      parse.parseInteger(bits, 0, family === 4 ? 32 : 128),
      family === 4 ? 'ipv4' : 'ipv6',
    );
  }
  return text;
}

/** Parses one option with `read`; an error is reported with the place where the value was given. */
type Reader = <T>(name: OptionName, read: (text: string) => T) => T;

function readerOf(given: GivenValues): Reader {
  return (name, read) => {
    const fallback = optionList.find((option) => option.name === name)?.fallback ?? '';
    const { text, source } = given[name] ?? { text: fallback, source: name };
    try {
      return read(text);
    } catch (error) {
      throw new ConfigError(`${source}: ${error instanceof Error ? error.message : 'invalid'}`);
    }
  };
}

const positive = (text: string): number => parse.parseInteger(text, 1, 1_000_000);

function positiveDuration(text: string): number {
  const duration = parse.parseDuration(text);
  if (duration <= 0) throw new Error('expected more than no time');
  return duration;
}

/**
 * Normalises an origin such as `https://files.example.org:8443`. Throws for URLs with a path and for other
 * schemes.
 */
function checkOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (!/^https?:/.test(origin) || !/^https?:\/\/[^/?#@]+\/?$/i.test(text)) {
    throw new Error(`“${text}” is not an origin such as https://files.example.org`);
  }
  return origin;
}

/** Returns the name of a variable that may be passed on to programs. Throws for others. */
function checkVariable(name: string): string {
  if (canPassOn(name)) return name;
  throw new Error(`“${name}” is not a variable that programs may get`);
}

/** Whether commands are enabled; off by default. `disableExec` of the existing product overrides `enableExec`. */
function execSwitch(read: Reader): boolean {
  const isDisabled = read('disableExec', (text) => (text === '' ? null : parse.parseSwitch(text)));
  return isDisabled === true ? false : isDisabled === false || read('enableExec', parse.parseSwitch);
}

/**
 * Reads the given options of the authentication method. `noauth` is the existing product's switch for one of
 * the methods.
 */
function readAuth(given: GivenValues, read: Reader): AuthOverrides {
  const optional = <T>(name: OptionName, parseText: (text: string) => T): T | undefined =>
    given[name] === undefined ? undefined : read(name, parseText);
  const plain = (text: string): string => text;
  const isOpen = read('noauth', parse.parseSwitch);
  const method = isOpen ? 'noauth' : optional('auth.method', (text) => parse.parseChoice(text, authMethods));
  const header = optional('auth.header', plain);
  const command = optional('auth.command', plain);
  const createUsers = optional('auth.createUsers', parse.parseSwitch);
  const logoutPage = optional('auth.logoutPage', plain);
  const host = optional('recaptcha.host', (text) => (text === '' ? '' : checkCaptchaHost(text)));
  const key = optional('recaptcha.key', plain);
  const secret = optional('recaptcha.secret', plain);
  return {
    ...(method === undefined ? {} : { method }),
    ...(header === undefined ? {} : { header }),
    ...(command === undefined ? {} : { command }),
    ...(createUsers === undefined ? {} : { createUsers }),
    ...(logoutPage === undefined ? {} : { logoutPage }),
    recaptcha: {
      ...(host === undefined ? {} : { host }),
      ...(key === undefined ? {} : { key }),
      ...(secret === undefined ? {} : { secret }),
    },
  };
}

/** Throws {@link ConfigError} for options that exclude each other. */
function checkCombinations(given: GivenValues, config: Config): void {
  if (config.socket !== null) {
    const other = (['address', 'port', 'cert', 'key'] as const).find((name) => given[name] !== undefined);
    if (other !== undefined)
      throw new ConfigError(`${given.socket?.source ?? 'socket'}: cannot be combined with ${other}`);
  }
  if ((config.certFile === null) !== (config.keyFile === null)) {
    throw new ConfigError('cert and key: TLS needs both');
  }
  if (`${config.root}/`.startsWith(`${config.data.replace(/\/$/, '')}/`)) {
    throw new ConfigError('data: must not be the served folder or hold it; nothing would be left to serve');
  }
}

/**
 * Reads and validates flags, environment, configuration file and stored options, in this order of precedence.
 * Throws {@link ConfigError}; and the errors of `commander` for `--help`, `--version` and unknown flags,
 * after printing.
 */
export async function readConfig(sources: ConfigSources): Promise<Config> {
  const { given: flags, file } = fromFlags(sources);
  const path = file === undefined ? findFile(sources) : resolve(sources.cwd, file);
  const outside: GivenValues = { ...(await fromFile(path)), ...fromEnvironment(sources.env), ...flags };
  const locate = readerOf(outside);
  const start = locate('root', (text) => resolve(sources.cwd, text));
  const data = locate('data', (text) =>
    text === '' ? join(start, '.filestead') : resolve(sources.cwd, text),
  );
  const database = locate('database', (text) =>
    text === '' ? join(data, 'filestead.db') : resolve(sources.cwd, text),
  );
  const given: GivenValues = { ...fromStored(sources.readStored?.(database) ?? {}), ...outside };
  const read = readerOf(given);
  const fileOrNull = (text: string): string | null => (text === '' ? null : resolve(sources.cwd, text));

  const config: Config = {
    root: read('root', (text) => resolve(sources.cwd, text)),
    configFiles: [...(path === undefined ? [] : [path]), ...usualFiles(sources)],
    isRootChosen: given.root !== undefined,
    data,
    isDataChosen: given.data !== undefined,
    database,
    address: read('address', (text) => (text === '' ? '::' : text)),
    port: read('port', (text) => parse.parseInteger(text, 0, 65_535)),
    baseUrl: read('baseURL', parse.parseBaseUrl),
    socket: read('socket', fileOrNull),
    socketMode: read('socketPerm', parse.parseMode),
    umask: read('umask', parse.parseUmask),
    fileMode: read('fileMode', parse.parseFileMode),
    folderMode: read('dirMode', parse.parseFolderMode),
    certFile: read('cert', fileOrNull),
    keyFile: read('key', fileOrNull),
    hstsMs: read('hsts', parse.parseDuration),
    log: read('log', (text) => {
      if (text === '') return 'none';
      return ['stdout', 'stderr', 'none'].includes(text) ? text : resolve(sources.cwd, text);
    }),
    logLevel: read('logLevel', (text) => parse.parseChoice(text, logLevels)),
    username: read('username', (text) => {
      if (text.trim() === '' || text.trim() !== text) throw new Error('expected a name');
      return text;
    }),
    password: read('password', (text) => text),
    isNewInstallation: read('newInstallation', parse.parseSwitch),
    trustedProxies: read('trustedProxies', (text) => parse.parseList(text).map(checkNetwork)),
    followExternalSymlinks: read('followExternalSymlinks', parse.parseSwitch),
    acceptsTokenInQuery: read('tokenInQuery', parse.parseSwitch),
    searchFormat: read('searchFormat', (text) => parse.parseChoice(text, searchFormats)),
    tokenLifeMs: read('tokenExpirationTime', positiveDuration),
    sessionIdleMs: read('sessionIdle', positiveDuration),
    sessionAbsoluteMs: read('sessionAbsolute', positiveDuration),
    maxSessionsPerUser: read('sessionsPerUser', positive),
    loginAttemptsPerName: read('loginAttemptsPerName', positive),
    loginAttemptsPerAddress: read('loginAttemptsPerAddress', positive),
    loginWindowMs: read('loginWindow', positiveDuration),
    shareTokenLifeMs: read('shareTokenLife', positiveDuration),
    minimumPasswordLength: read('minimumPasswordLength', (text) =>
      text === '' ? null : parse.parseInteger(text, 1, 1024),
    ),
    auth: readAuth(given, read),
    signupsPerAddress: read('signupsPerAddress', positive),
    signupWindowMs: read('signupWindow', positiveDuration),
    maxUploadBytes: read('maxUploadSize', parse.parseSize),
    isExecEnabled: execSwitch(read),
    isExecUnsandboxed: read('execUnsandboxed', parse.parseSwitch),
    commandTimeoutMs: read('commandTimeout', positiveDuration),
    commandOutputBytes: read('commandOutput', parse.parseSize),
    commandMemoryBytes: read('commandMemory', parse.parseSize),
    commandsPerUser: read('commandsPerUser', positive),
    commandsAtOnce: read('commandsAtOnce', positive),
    hookTimeoutMs: read('hookTimeout', positiveDuration),
    passedVariables: read('programVariables', (text) => parse.parseList(text).map(checkVariable)),
    allowedOrigins: read('allowedOrigins', (text) => parse.parseList(text).map(checkOrigin)),
    maxUploadsPerUser: read('uploadsPerUser', positive),
    maxSharesPerUser: read('sharesPerUser', positive),
    uploadExpirationMs: read('uploadExpiration', positiveDuration),
    maxArchives: read('archivesAtOnce', positive),
    jobsAtOnce: read('jobsAtOnce', positive),
    jobsPerUser: read('jobsPerUser', positive),
    cache: read('cacheDir', (text) => (text === '' ? join(data, 'cache') : resolve(sources.cwd, text))),
    maxCacheBytes: read('cacheSize', parse.parseSize),
    imageProcessors: read('imageProcessors', (text) => parse.parseInteger(text, 1, 64)),
    makesThumbnails: !read('disableThumbnails', parse.parseSwitch),
    makesBigPictures: !read('disablePreviewResize', parse.parseSwitch),
    shutdownGraceMs: read('shutdownGrace', parse.parseDuration),
  };
  checkCombinations(given, config);
  return config;
}
