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

/** The share of its time in which the scanning thread may read the disk. */
const catalogueBudgets = ['25%', 'full'] as const;

/** The treatment of deletions that cannot be kept. */
const trashFallbacks = ['refuse', 'delete'] as const;

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
    description: 'the folder to serve',
    fallback: '.',
    parse: path,
  },
  data: {
    name: 'data',
    value: 'folder',
    description: 'folder for the database, caches and secrets; never served (empty: .filestead in the root)',
    fallback: '',
    isStorable: false,
    parse: (text, { cwd, start }) => (text === '' ? join(start, '.filestead') : resolve(cwd, text)),
  },
  database: {
    name: 'database',
    short: 'd',
    value: 'file',
    description: 'the database file (empty: filestead.db in the data folder)',
    fallback: '',
    isStorable: false,
    parse: (text, { cwd, data }) => (text === '' ? join(data, 'filestead.db') : resolve(cwd, text)),
  },
  address: {
    name: 'address',
    short: 'a',
    value: 'address',
    description: 'the address to listen on; 0.0.0.0 or :: for all addresses',
    fallback: '127.0.0.1',
    parse: (text) => (text === '' ? '::' : text),
  },
  port: {
    name: 'port',
    short: 'p',
    value: 'number',
    description: 'the port to listen on; 0 for any free port',
    fallback: '8080',
    parse: (text) => parse.parseInteger(text, 0, 65_535),
  },
  /** `''` or `/prefix`. */
  baseUrl: {
    name: 'baseURL',
    short: 'b',
    value: 'path',
    description: 'the path prefix at which a reverse proxy publishes Filestead, such as /files',
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
      'permission bits to remove from new files and folders (empty: inherited, or 022 if that makes them world-writable)',
    fallback: '',
    parse: parse.parseUmask,
  },
  /** Mode of users' new files; null to use the umask. */
  fileMode: {
    name: 'fileMode',
    value: 'octal',
    description:
      'permission bits of users’ new files, such as 0640, regardless of the umask (empty: as the umask allows)',
    fallback: '',
    parse: parse.parseFileMode,
  },
  /** Mode of users' new folders; null to use the umask. */
  folderMode: {
    name: 'dirMode',
    value: 'octal',
    description: 'permission bits of users’ new folders, such as 0750 or 2770 (empty: as the umask allows)',
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
    description: 'with --cert: time for which browsers use only HTTPS for this host; 0 cancels it',
    fallback: '8760h',
    parse: parse.parseDuration,
  },
  /** `stdout`, `stderr`, `none` or a file. */
  log: {
    name: 'log',
    short: 'l',
    value: 'target',
    description: 'log target: stdout, stderr, none or a file',
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
    description:
      'maximum size of the log file, such as 50MiB; a larger file is renamed to .1; 0 for no limit',
    fallback: '0',
    parse: parse.parseSize,
  },
  logLevel: {
    name: 'logLevel',
    value: 'level',
    description: 'minimum level of log entries: debug, info, warn, error or silent',
    fallback: 'info',
    parse: (text) => parse.parseChoice(text, logLevels),
  },
  username: {
    name: 'username',
    value: 'name',
    description: 'username of the administrator that the first start creates',
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
    description: 'password of that administrator, or its argon2 or bcrypt hash (empty: generated)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  /** Whether to start without users although the data folder was in use and its database is missing. */
  isNewInstallation: {
    name: 'newInstallation',
    description: 'start without users even if the data folder was in use and its database is missing',
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
    description: 'lifetime of a token, after which it must be renewed',
    fallback: '2h',
    parse: parse.parsePositiveDuration,
  },
  sessionIdleMs: {
    name: 'sessionIdle',
    value: 'duration',
    description: 'time without use after which a session ends',
    fallback: '168h',
    parse: parse.parsePositiveDuration,
  },
  sessionAbsoluteMs: {
    name: 'sessionAbsolute',
    value: 'duration',
    description: 'maximum duration of a session, even if it is used',
    fallback: '720h',
    parse: parse.parsePositiveDuration,
  },
  maxSessionsPerUser: {
    name: 'sessionsPerUser',
    value: 'number',
    description: 'maximum number of sessions per user; a further sign-in ends the oldest',
    fallback: '100',
    parse: positive,
  },
  loginAttemptsPerName: {
    name: 'loginAttemptsPerName',
    value: 'number',
    description: 'number of wrong passwords for one username before attempts from new addresses are delayed',
    fallback: '10',
    parse: positive,
  },
  loginAttemptsPerAddress: {
    name: 'loginAttemptsPerAddress',
    value: 'number',
    description: 'number of wrong passwords from one address before it must wait',
    fallback: '30',
    parse: positive,
  },
  loginWindowMs: {
    name: 'loginWindow',
    value: 'duration',
    description: 'period in which wrong passwords are counted',
    fallback: '5m',
    parse: parse.parsePositiveDuration,
  },
  shareTokenLifeMs: {
    name: 'shareTokenLife',
    value: 'duration',
    description: 'time after which a protected link asks for its password again',
    fallback: '6h',
    parse: parse.parsePositiveDuration,
  },
  maxSharesPerUser: {
    name: 'sharesPerUser',
    value: 'number',
    description: 'maximum number of links per user',
    fallback: '1000',
    parse: positive,
  },
  /** Null to use the value of the settings. */
  minimumPasswordLength: {
    name: 'minimumPasswordLength',
    value: 'number',
    description: 'minimum password length in characters (empty: from the settings)',
    fallback: '',
    parse: (text) => (text === '' ? null : parse.parseInteger(text, 1, 1024)),
  },
  'auth.method': {
    name: 'auth.method',
    value: 'method',
    description:
      'authentication method: json (password), proxy, hook or noauth (empty: the stored method, initially json)',
    fallback: '',
    isStorable: false,
    parse: unlessEmpty((text) => parse.parseChoice(text, authMethods)),
  },
  'auth.header': {
    name: 'auth.header',
    value: 'name',
    description: 'proxy: the header that contains the username (empty: the stored name)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  'auth.command': {
    name: 'auth.command',
    value: 'command',
    description: 'hook: the sign-in program with its arguments (empty: the stored command)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  'auth.createUsers': {
    name: 'auth.createUsers',
    description: 'proxy: create an account for an unknown username (empty: the stored value, initially off)',
    fallback: '',
    isStorable: false,
    parse: unlessEmpty(parse.parseSwitch),
  },
  'auth.logoutPage': {
    name: 'auth.logoutPage',
    value: 'address',
    description: 'page to open after signing out (empty: the stored address, initially the sign-in page)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  'recaptcha.host': {
    name: 'recaptcha.host',
    value: 'address',
    description:
      'address of the captcha service (empty: the stored address, initially https://www.google.com)',
    fallback: '',
    isStorable: false,
    parse: (text) => (text === '' ? '' : checkCaptchaHost(text)),
  },
  'recaptcha.key': {
    name: 'recaptcha.key',
    value: 'text',
    description: 'captcha: the site key (empty: the stored key)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  'recaptcha.secret': {
    name: 'recaptcha.secret',
    value: 'text',
    description: 'captcha: the secret key; best set in the environment or a file (empty: the stored key)',
    fallback: '',
    isStorable: false,
    parse: plain,
  },
  noauth: {
    name: 'noauth',
    description: 'sign everybody in as the first user without a password; the same as --auth.method=noauth',
    fallback: 'off',
    isStorable: false,
    parse: parse.parseSwitch,
  },
  signupsPerAddress: {
    name: 'signupsPerAddress',
    value: 'number',
    description: 'number of sign-up attempts from one address before it must wait',
    fallback: '10',
    parse: positive,
  },
  signupWindowMs: {
    name: 'signupWindow',
    value: 'duration',
    description: 'period in which sign-up attempts are counted',
    fallback: '1h',
    parse: parse.parsePositiveDuration,
  },
  maxUploadBytes: {
    name: 'maxUploadSize',
    value: 'size',
    description: 'maximum size of an upload, such as 20GiB; 0 for no limit',
    fallback: '0',
    parse: parse.parseSize,
  },
  watchFolders: {
    name: 'watchFolders',
    value: 'number',
    description:
      'maximum number of open folders watched for changes; others are polled (empty: a quarter of the system’s limit)',
    fallback: '',
    parse: unlessEmpty((text: string) => parse.parseInteger(text, 0, 1_000_000)),
  },
  keepsDeleted: {
    name: 'trash',
    value: 'on|off',
    description: 'on: deleted files and folders are kept in the trash; off: they are removed at once',
    fallback: 'on',
    parse: parse.parseSwitch,
  },
  trashFallback: {
    name: 'trashFallback',
    value: 'choice',
    description:
      'refuse or delete: what happens to a deletion that cannot be kept, such as on a disk without space for its record',
    fallback: 'refuse',
    parse: (text) => parse.parseChoice(text, trashFallbacks),
  },
  purgeDelayMs: {
    name: 'purgeDelay',
    value: 'duration',
    description:
      'time for which everything that users delete forever stays on the disk, such as 7d; it can be cancelled meanwhile',
    fallback: '0',
    isStorable: false,
    parse: parse.parseDuration,
  },
  keepAtLeastMs: {
    name: 'keepAtLeast',
    value: 'duration',
    description:
      'time for which deleted entries and versions are not removed early when a disk is full, such as 14d',
    fallback: '7d',
    isStorable: false,
    parse: parse.parseDuration,
  },
  enableExec: {
    name: 'enableExec',
    description: 'enable commands for users with the execute permission, and hooks',
    fallback: 'off',
    parse: parse.parseSwitch,
  },
  disableExec: {
    name: 'disableExec',
    description: 'File Browser’s option for the same: “false” is --enableExec, “true” overrides it',
    fallback: '',
    parse: unlessEmpty(parse.parseSwitch),
  },
  isExecUnsandboxed: {
    name: 'execUnsandboxed',
    description: 'run users’ commands without a sandbox, with all privileges of the server',
    fallback: 'off',
    parse: parse.parseSwitch,
  },
  commandTimeoutMs: {
    name: 'commandTimeout',
    value: 'duration',
    description: 'time limit of a user’s command',
    fallback: '10m',
    parse: parse.parsePositiveDuration,
  },
  commandOutputBytes: {
    name: 'commandOutput',
    value: 'size',
    description: 'output limit of a command, after which it is stopped',
    fallback: '16MiB',
    parse: parse.parseSize,
  },
  /** 0 means no limit. */
  commandMemoryBytes: {
    name: 'commandMemory',
    value: 'size',
    description: 'memory limit of each process of a command; 0 for no limit',
    fallback: '1GiB',
    parse: parse.parseSize,
  },
  commandsPerUser: {
    name: 'commandsPerUser',
    value: 'number',
    description: 'maximum number of concurrent commands per user',
    fallback: '8',
    parse: positive,
  },
  commandsAtOnce: {
    name: 'commandsAtOnce',
    value: 'number',
    description: 'maximum number of concurrent commands of all users',
    fallback: '32',
    parse: positive,
  },
  hookTimeoutMs: {
    name: 'hookTimeout',
    value: 'duration',
    description: 'time limit of a hook',
    fallback: '10m',
    parse: parse.parsePositiveDuration,
  },
  /** Names of variables of the server's environment that hooks and the sign-in program receive. */
  passedVariables: {
    name: 'programVariables',
    value: 'list',
    description: 'additional environment variables for hooks and the sign-in program, separated by commas',
    fallback: '',
    parse: (text) => parse.parseList(text).map(parse.checkVariable),
  },
  /** `scheme://host[:port]`, as browsers send them. */
  allowedOrigins: {
    name: 'allowedOrigins',
    value: 'list',
    description: 'additional origins, separated by commas, whose pages may open the command socket',
    fallback: '',
    parse: (text) => parse.parseList(text).map(parse.checkOrigin),
  },
  maxUploadsPerUser: {
    name: 'uploadsPerUser',
    value: 'number',
    description: 'maximum number of unfinished resumable uploads per user',
    fallback: '100',
    parse: positive,
  },
  uploadExpirationMs: {
    name: 'uploadExpiration',
    value: 'duration',
    description: 'time without data after which a resumable upload is discarded',
    fallback: '7d',
    parse: parse.parsePositiveDuration,
  },
  maxArchives: {
    name: 'archivesAtOnce',
    value: 'number',
    description: 'maximum number of concurrent archive downloads (folders or several files)',
    fallback: '32',
    parse: positive,
  },
  /** Format of search results for clients that do not request one. */
  searchFormat: {
    name: 'searchFormat',
    value: 'format',
    description: 'default format of search results: auto, array (File Browser 2.23) or ndjson (2.63)',
    fallback: 'auto',
    parse: (text) => parse.parseChoice(text, searchFormats),
  },
  hasCatalogue: {
    name: 'catalogue',
    value: 'on|off',
    description:
      'on: catalogue all names, sizes and times for ranked search and folder sizes; off: searches walk the folders',
    fallback: 'on',
    parse: parse.parseSwitch,
  },
  catalogueEntries: {
    name: 'catalogueEntries',
    value: 'number',
    description: 'maximum number of files and folders in the catalogue; each needs about 80 bytes of memory',
    fallback: '2000000',
    parse: (text) => parse.parseInteger(text, 1000, 50_000_000),
  },
  catalogueBudget: {
    name: 'catalogueBudget',
    value: 'share',
    description: 'share of one thread that may read the disk for the catalogue: 25% or full',
    fallback: '25%',
    parse: (text) => (parse.parseChoice(text, catalogueBudgets) === 'full' ? 'full' : 'quarter'),
  },
  scansNetwork: {
    name: 'catalogueNetwork',
    value: 'on|off',
    description: 'on: a served folder on a network or FUSE file system is catalogued too',
    fallback: 'off',
    parse: parse.parseSwitch,
  },
  sweepIntervalMs: {
    name: 'sweepInterval',
    value: 'duration',
    description: 'how often all folders are compared with the catalogue while a user is active',
    fallback: '5m',
    parse: (text) => Math.max(parse.parsePositiveDuration(text), 10_000),
  },
  jobsAtOnce: {
    name: 'jobsAtOnce',
    value: 'number',
    description: 'maximum number of concurrent jobs (copies, moves, deletions, checksums); others wait',
    fallback: '4',
    parse: positive,
  },
  jobsPerUser: {
    name: 'jobsPerUser',
    value: 'number',
    description: 'maximum number of concurrent jobs per user',
    fallback: '2',
    parse: positive,
  },
  /** Folder that contains the preview cache. */
  cache: {
    name: 'cacheDir',
    value: 'folder',
    description: 'folder for cached thumbnails and previews (empty: cache in the data folder)',
    fallback: '',
    parse: (text, { cwd, data }) => (text === '' ? join(data, 'cache') : resolve(cwd, text)),
  },
  /** 0 disables the cache. */
  maxCacheBytes: {
    name: 'cacheSize',
    value: 'size',
    description: 'maximum size of that cache; the least recently used files are removed; 0 disables it',
    fallback: '1GiB',
    parse: parse.parseSize,
  },
  imageProcessors: {
    name: 'imageProcessors',
    alias: 'imgProcessors',
    value: 'number',
    description: 'number of thumbnails and previews that are created concurrently',
    fallback: '4',
    parse: (text) => parse.parseInteger(text, 1, 64),
  },
  makesThumbnails: {
    name: 'disableThumbnails',
    description: 'send original images instead of thumbnails',
    fallback: 'off',
    parse: (text) => !parse.parseSwitch(text),
  },
  makesBigPictures: {
    name: 'disablePreviewResize',
    description: 'send original images instead of previews scaled to the screen',
    fallback: 'off',
    parse: (text) => !parse.parseSwitch(text),
  },
  /** 0 disables the check. */
  minFreeBytes: {
    name: 'minFreeSpace',
    value: 'size',
    description: 'free disk space, such as 1GiB, below which /health/ready answers 503; 0 disables the check',
    fallback: '0',
    parse: parse.parseSize,
  },
  /** Null to serve no metrics. */
  metricsAddress: {
    name: 'metricsAddress',
    value: 'host:port',
    description:
      'where to serve metrics for Prometheus, such as 127.0.0.1:9464; a port alone means this machine (empty: nowhere)',
    fallback: '',
    parse: (text) => (text === '' ? null : parse.parseHostAndPort(text)),
  },
  shutdownGraceMs: {
    name: 'shutdownGrace',
    value: 'duration',
    description: 'time that running transfers may take after the signal to stop',
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
