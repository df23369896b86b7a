import { join, resolve } from 'node:path';
import { authMethods } from './auth-method.ts';
import { checkCaptchaHost } from './captcha-service.ts';
import * as parse from './parse-values.ts';
import { searchFormats } from './search-format.ts';

/** Folders that the values of options refer to. */
export interface Folders {
  /** Relative paths start here. */
  readonly cwd: string;
  /** The served folder as given by flags, environment and file. */
  readonly start: string;
  readonly data: string;
}

/** A configuration option, given as a flag, a variable or in a file. */
export interface Option {
  /** Name in the configuration file; the flag is `--name`, the variables `FILESTEAD_NAME` and `FB_NAME` in upper snake case. */
  readonly name: string;
  /** Name of flag and variable in the existing product, if it is not that of its configuration file. */
  readonly alias?: string;
  readonly short?: string;
  /** Placeholder of the value in `--help`; absent for switches. A number in YAML is read as `octal` if that is the placeholder. */
  readonly value?: string;
  /** Shown in `--help` and in docs/reference/configuration.md. */
  readonly description: string;
  /** Default value as text, also shown in `--help`. */
  readonly fallback: string;
  /** False for options that cannot be stored among the options in the database. */
  readonly isStorable?: false;
  /** Returns the value for {@link Config}. Throws an error with the expected format. */
  readonly parse: (text: string, folders: Folders) => unknown;
}

const plain = (text: string): string => text;
const path = (text: string, { cwd }: Folders): string => resolve(cwd, text);
const pathOrNull = (text: string, { cwd }: Folders): string | null =>
  text === '' ? null : resolve(cwd, text);
const positive = (text: string): number => parse.parseInteger(text, 1, 1_000_000);
/** Parses the value of an option that has no default of its own; undefined if it is not given. */
const unlessEmpty =
  <T>(parseText: (text: string) => T) =>
  (text: string): T | undefined =>
    text === '' ? undefined : parseText(text);

/** The log levels. */
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/**
 * Every option, under its key in {@link Config} and in the order of `--help` and of the reference. Names are those of
 * the existing product where the meaning is the same. Keys with the name of the option are combined with others in
 * config.ts.
 */
export const optionTable = {
  root: {
    name: 'root',
    short: 'r',
    value: 'folder',
    description: 'the folder that is served',
    fallback: '.',
    parse: path,
  },
  data: {
    name: 'data',
    value: 'folder',
    description: 'folder of the database, caches and secrets; never served (empty: .filestead in the root)',
    fallback: '',
    isStorable: false,
    parse: (text, { cwd, start }) => (text === '' ? join(start, '.filestead') : resolve(cwd, text)),
  },
  database: {
    name: 'database',
    short: 'd',
    value: 'file',
    description: 'the database (empty: filestead.db in the data folder)',
    fallback: '',
    isStorable: false,
    parse: (text, { cwd, data }) => (text === '' ? join(data, 'filestead.db') : resolve(cwd, text)),
  },
  address: {
    name: 'address',
    short: 'a',
    value: 'address',
    description: 'the address to listen on; 0.0.0.0 or :: for all',
    fallback: '127.0.0.1',
    parse: (text) => (text === '' ? '::' : text),
  },
  port: {
    name: 'port',
    short: 'p',
    value: 'number',
    description: 'the port; 0 for any free one',
    fallback: '8080',
    parse: (text) => parse.parseInteger(text, 0, 65_535),
  },
  /** `''` or `/prefix`. */
  baseUrl: {
    name: 'baseURL',
    short: 'b',
    value: 'path',
    description: 'the path below which a reverse proxy shows Filestead, such as /files',
    fallback: '',
    parse: parse.parseBaseUrl,
  },
  /** Null if the server listens on a port. */
  socket: {
    name: 'socket',
    value: 'file',
    description: 'listen on a Unix socket instead of a port',
    fallback: '',
    parse: pathOrNull,
  },
  socketMode: {
    name: 'socketPerm',
    value: 'octal',
    description: 'permission bits of the socket',
    fallback: '0660',
    parse: parse.parseMode,
  },
  /** Null to keep the inherited umask. */
  umask: {
    name: 'umask',
    value: 'octal',
    description:
      'bits that new files and folders do not get (empty: as inherited; 022 if that lets all write)',
    fallback: '',
    parse: parse.parseUmask,
  },
  /** Mode of users' new files; null to use the umask. */
  fileMode: {
    name: 'fileMode',
    value: 'octal',
    description: 'permission bits of new files of users, such as 0640, whatever the umask (empty: by umask)',
    fallback: '',
    parse: parse.parseFileMode,
  },
  /** Mode of users' new folders; null to use the umask. */
  folderMode: {
    name: 'dirMode',
    value: 'octal',
    description: 'permission bits of new folders of users, such as 0750 or 2770 (empty: by umask)',
    fallback: '',
    parse: parse.parseFolderMode,
  },
  certFile: {
    name: 'cert',
    short: 't',
    value: 'file',
    description: 'TLS certificate (PEM)',
    fallback: '',
    parse: pathOrNull,
  },
  keyFile: {
    name: 'key',
    short: 'k',
    value: 'file',
    description: 'TLS key (PEM)',
    fallback: '',
    parse: pathOrNull,
  },
  /** 0 makes browsers forget it. */
  hstsMs: {
    name: 'hsts',
    value: 'duration',
    description: 'with --cert: how long browsers use only HTTPS for this host; 0 makes them forget it',
    fallback: '8760h',
    parse: parse.parseDuration,
  },
  /** `stdout`, `stderr`, `none` or a file. */
  log: {
    name: 'log',
    short: 'l',
    value: 'target',
    description: 'stdout, stderr, none, or a file',
    fallback: 'stdout',
    parse: (text, { cwd }) => {
      if (text === '') return 'none';
      return ['stdout', 'stderr', 'none'].includes(text) ? text : resolve(cwd, text);
    },
  },
  /** 0 never rotates the log file. */
  maxLogBytes: {
    name: 'logMaxSize',
    value: 'size',
    description: 'a log file larger than this, such as 50MiB, is renamed to .1 and begun anew; 0 for never',
    fallback: '0',
    parse: parse.parseSize,
  },
  logLevel: {
    name: 'logLevel',
    value: 'level',
    description: 'debug, info, warn, error or silent',
    fallback: 'info',
    parse: (text) => parse.parseChoice(text, logLevels),
  },
  username: {
    name: 'username',
    value: 'name',
    description: 'name of the administrator that the first start creates',
    fallback: 'admin',
    isStorable: false,
    parse: (text) => {
      if (text.trim() === '' || text.trim() !== text) throw new Error('expected a name');
      return text;
    },
  },
  /** Empty to generate one. */
  password: {
    name: 'password',
    value: 'text',
    description: 'password of that administrator, or an argon2 or bcrypt hash of it (empty: a generated one)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  /** Whether to start without users although the data folder was in use and its database is missing. */
  isNewInstallation: {
    name: 'newInstallation',
    description: 'begin without users although the data folder was in use and its database is gone',
    fallback: 'off',
    isStorable: false,
    parse: parse.parseSwitch,
  },
  trustedProxies: {
    name: 'trustedProxies',
    value: 'list',
    description: 'addresses or networks, separated by commas, whose X-Forwarded headers are trusted',
    fallback: '',
    parse: (text) => parse.parseList(text).map(parse.checkNetwork),
  },
  followExternalSymlinks: {
    name: 'followExternalSymlinks',
    description: 'follow symbolic links that lead out of a user’s scope',
    fallback: 'off',
    parse: parse.parseSwitch,
  },
  acceptsTokenInQuery: {
    name: 'tokenInQuery',
    value: 'on|off',
    description: 'accept the token as ?auth= for reading files, as existing clients send it',
    fallback: 'on',
    parse: parse.parseSwitch,
  },
  tokenLifeMs: {
    name: 'tokenExpirationTime',
    value: 'duration',
    description: 'life of a token until it must be renewed',
    fallback: '2h',
    parse: parse.parsePositiveDuration,
  },
  sessionIdleMs: {
    name: 'sessionIdle',
    value: 'duration',
    description: 'a session that is not used for this long ends',
    fallback: '168h',
    parse: parse.parsePositiveDuration,
  },
  sessionAbsoluteMs: {
    name: 'sessionAbsolute',
    value: 'duration',
    description: 'a session ends after this long, used or not',
    fallback: '720h',
    parse: parse.parsePositiveDuration,
  },
  maxSessionsPerUser: {
    name: 'sessionsPerUser',
    value: 'number',
    description: 'most sessions of one user; the oldest ends when there would be more',
    fallback: '100',
    parse: positive,
  },
  loginAttemptsPerName: {
    name: 'loginAttemptsPerName',
    value: 'number',
    description: 'wrong passwords for one name until attempts from new addresses are slowed down',
    fallback: '10',
    parse: positive,
  },
  loginAttemptsPerAddress: {
    name: 'loginAttemptsPerAddress',
    value: 'number',
    description: 'wrong passwords from one address until it must wait',
    fallback: '30',
    parse: positive,
  },
  loginWindowMs: {
    name: 'loginWindow',
    value: 'duration',
    description: 'how long wrong passwords count',
    fallback: '5m',
    parse: parse.parsePositiveDuration,
  },
  shareTokenLifeMs: {
    name: 'shareTokenLife',
    value: 'duration',
    description: 'a protected link asks for its password again after this long',
    fallback: '6h',
    parse: parse.parsePositiveDuration,
  },
  maxSharesPerUser: {
    name: 'sharesPerUser',
    value: 'number',
    description: 'most links of one user; more are refused until some end',
    fallback: '1000',
    parse: positive,
  },
  /** Null to use the value of the settings. */
  minimumPasswordLength: {
    name: 'minimumPasswordLength',
    value: 'number',
    description: 'shortest password that is accepted, in characters (empty: as in the settings)',
    fallback: '',
    parse: (text) => (text === '' ? null : parse.parseInteger(text, 1, 1024)),
  },
  'auth.method': {
    name: 'auth.method',
    value: 'method',
    description:
      'how people sign in: json (password), proxy, hook or noauth (empty: as stored, json at first)',
    fallback: '',
    isStorable: false,
    parse: unlessEmpty((text) => parse.parseChoice(text, authMethods)),
  },
  'auth.header': {
    name: 'auth.header',
    value: 'name',
    description: 'proxy: the header that names the user (empty: as stored)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  'auth.command': {
    name: 'auth.command',
    value: 'command',
    description: 'hook: the program that decides, with its arguments (empty: as stored)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  'auth.createUsers': {
    name: 'auth.createUsers',
    description: 'proxy: make an account for a name that has none (empty: as stored, off at first)',
    fallback: '',
    isStorable: false,
    parse: unlessEmpty(parse.parseSwitch),
  },
  'auth.logoutPage': {
    name: 'auth.logoutPage',
    value: 'address',
    description: 'where a browser goes after signing out (empty: as stored, the sign-in page at first)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  'recaptcha.host': {
    name: 'recaptcha.host',
    value: 'address',
    description: 'captcha service (empty: as stored, https://www.google.com at first)',
    fallback: '',
    isStorable: false,
    parse: (text) => (text === '' ? '' : checkCaptchaHost(text)),
  },
  'recaptcha.key': {
    name: 'recaptcha.key',
    value: 'text',
    description: 'captcha: the key for the page (empty: as stored)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  'recaptcha.secret': {
    name: 'recaptcha.secret',
    value: 'text',
    description: 'captcha: the key for the server; better in the environment or a file (empty: as stored)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  noauth: {
    name: 'noauth',
    description: 'everybody is the first user, without a password; the same as --auth.method=noauth',
    fallback: 'off',
    isStorable: false,
    parse: parse.parseSwitch,
  },
  signupsPerAddress: {
    name: 'signupsPerAddress',
    value: 'number',
    description: 'attempts to sign up from one address until it must wait',
    fallback: '10',
    parse: positive,
  },
  signupWindowMs: {
    name: 'signupWindow',
    value: 'duration',
    description: 'how long attempts to sign up count',
    fallback: '1h',
    parse: parse.parsePositiveDuration,
  },
  maxUploadBytes: {
    name: 'maxUploadSize',
    value: 'size',
    description: 'largest upload, such as 20GiB; 0 for no limit',
    fallback: '0',
    parse: parse.parseSize,
  },
  enableExec: {
    name: 'enableExec',
    description: 'let users with the execute permission run their commands, and run the commands of events',
    fallback: 'off',
    parse: parse.parseSwitch,
  },
  disableExec: {
    name: 'disableExec',
    description: 'the switch of File Browser for the same: “false” is --enableExec, “true” overrides it',
    fallback: '',
    parse: unlessEmpty(parse.parseSwitch),
  },
  isExecUnsandboxed: {
    name: 'execUnsandboxed',
    description: 'run the commands of users without a sandbox, with all privileges of the server',
    fallback: 'off',
    parse: parse.parseSwitch,
  },
  commandTimeoutMs: {
    name: 'commandTimeout',
    value: 'duration',
    description: 'a command of a user is stopped after this long',
    fallback: '10m',
    parse: parse.parsePositiveDuration,
  },
  commandOutputBytes: {
    name: 'commandOutput',
    value: 'size',
    description: 'a command is stopped when it has written this much',
    fallback: '16MiB',
    parse: parse.parseSize,
  },
  /** 0 means no limit. */
  commandMemoryBytes: {
    name: 'commandMemory',
    value: 'size',
    description: 'most memory for the data of each process of a command; 0 for no limit',
    fallback: '1GiB',
    parse: parse.parseSize,
  },
  commandsPerUser: {
    name: 'commandsPerUser',
    value: 'number',
    description: 'most commands of one user at the same time',
    fallback: '8',
    parse: positive,
  },
  commandsAtOnce: {
    name: 'commandsAtOnce',
    value: 'number',
    description: 'most commands of all users at the same time',
    fallback: '32',
    parse: positive,
  },
  hookTimeoutMs: {
    name: 'hookTimeout',
    value: 'duration',
    description: 'a command of an event is stopped after this long',
    fallback: '10m',
    parse: parse.parsePositiveDuration,
  },
  /** Names of variables of the server's environment that hooks and the sign-in program receive. */
  passedVariables: {
    name: 'programVariables',
    value: 'list',
    description:
      'further variables of the environment, separated by commas, for commands of events and the sign-in program',
    fallback: '',
    parse: (text) => parse.parseList(text).map(parse.checkVariable),
  },
  /** `scheme://host[:port]`, as browsers send them. */
  allowedOrigins: {
    name: 'allowedOrigins',
    value: 'list',
    description: 'further origins, separated by commas, whose pages may open the command socket',
    fallback: '',
    parse: (text) => parse.parseList(text).map(parse.checkOrigin),
  },
  maxUploadsPerUser: {
    name: 'uploadsPerUser',
    value: 'number',
    description: 'most unfinished resumable uploads of one user',
    fallback: '100',
    parse: positive,
  },
  uploadExpirationMs: {
    name: 'uploadExpiration',
    value: 'duration',
    description: 'a resumable upload that is not continued for this long is given up',
    fallback: '24h',
    parse: parse.parsePositiveDuration,
  },
  maxArchives: {
    name: 'archivesAtOnce',
    value: 'number',
    description: 'most archives (downloads of folders or several files) that are sent at once',
    fallback: '32',
    parse: positive,
  },
  /** Format of search results for clients that do not request one. */
  searchFormat: {
    name: 'searchFormat',
    value: 'format',
    description: 'format of search results for clients that name none: auto, array (2.23) or ndjson (2.63)',
    fallback: 'auto',
    parse: (text) => parse.parseChoice(text, searchFormats),
  },
  jobsAtOnce: {
    name: 'jobsAtOnce',
    value: 'number',
    description: 'most jobs (copies, moves, deletions, checksums) that run at once; others wait',
    fallback: '4',
    parse: positive,
  },
  jobsPerUser: {
    name: 'jobsPerUser',
    value: 'number',
    description: 'most of them for one user',
    fallback: '2',
    parse: positive,
  },
  /** Folder that contains the preview cache. */
  cache: {
    name: 'cacheDir',
    value: 'folder',
    description: 'folder of the cached thumbnails and previews (empty: cache in the data folder)',
    fallback: '',
    parse: (text, { cwd, data }) => (text === '' ? join(data, 'cache') : resolve(cwd, text)),
  },
  /** 0 disables the cache. */
  maxCacheBytes: {
    name: 'cacheSize',
    value: 'size',
    description: 'most room for them; the least recently used are removed; 0 keeps none',
    fallback: '1GiB',
    parse: parse.parseSize,
  },
  imageProcessors: {
    name: 'imageProcessors',
    alias: 'imgProcessors',
    value: 'number',
    description: 'thumbnails and previews that are made at the same time',
    fallback: '4',
    parse: (text) => parse.parseInteger(text, 1, 64),
  },
  makesThumbnails: {
    name: 'disableThumbnails',
    description: 'send images themselves instead of thumbnails',
    fallback: 'off',
    parse: (text) => !parse.parseSwitch(text),
  },
  makesBigPictures: {
    name: 'disablePreviewResize',
    description: 'send images themselves instead of previews that fit the screen',
    fallback: 'off',
    parse: (text) => !parse.parseSwitch(text),
  },
  shutdownGraceMs: {
    name: 'shutdownGrace',
    value: 'duration',
    description: 'how long running transfers may continue after the signal to stop',
    fallback: '30s',
    parse: parse.parseDuration,
  },
} as const satisfies Readonly<Record<string, Option>>;

/** The value of every option by its key. */
export type OptionValues = {
  readonly [Key in keyof typeof optionTable]: ReturnType<(typeof optionTable)[Key]['parse']>;
};

/** Name of a configuration option. */
export type OptionName = (typeof optionTable)[keyof typeof optionTable]['name'];

/** An option of the table. */
export type KnownOption = Option & { readonly name: OptionName };

/** All options in their order. */
export const options: readonly KnownOption[] = Object.values(optionTable);
