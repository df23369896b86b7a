/** Thrown for anything wrong with a flag, a variable or the configuration file; its message is for the administrator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** A configuration option, given as a flag, a variable or in a file. */
export interface Option {
  /** Name in the configuration file; the flag is `--name`, the variables `FILESTEAD_NAME` and `FB_NAME` in upper snake case. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value in `--help`; absent for switches. */
  readonly value?: string;
  readonly description: string;
  /** Default value as text, also shown in `--help`. */
  readonly fallback: string;
}

/** Everything that can be configured. Names are those of the existing product where the meaning is the same. */
export const options = [
  { name: 'root', short: 'r', value: 'folder', description: 'the folder that is served', fallback: '.' },
  {
    name: 'data',
    value: 'folder',
    description: 'where database, caches and secrets lie; never served (empty: .filestead in the root)',
    fallback: '',
  },
  {
    name: 'database',
    short: 'd',
    value: 'file',
    description: 'the database (empty: filestead.db in the data folder)',
    fallback: '',
  },
  {
    name: 'address',
    short: 'a',
    value: 'address',
    description: 'the address to listen on; 0.0.0.0 or :: for all',
    fallback: '127.0.0.1',
  },
  {
    name: 'port',
    short: 'p',
    value: 'number',
    description: 'the port; 0 for any free one',
    fallback: '8080',
  },
  {
    name: 'baseURL',
    short: 'b',
    value: 'path',
    description: 'the path below which a reverse proxy shows Filestead, such as /files',
    fallback: '',
  },
  { name: 'socket', value: 'file', description: 'listen on a Unix socket instead of a port', fallback: '' },
  { name: 'socketPerm', value: 'octal', description: 'permission bits of the socket', fallback: '0660' },
  {
    name: 'umask',
    value: 'octal',
    description:
      'bits that new files and folders do not get (empty: as inherited; 022 if that lets all write)',
    fallback: '',
  },
  {
    name: 'fileMode',
    value: 'octal',
    description: 'permission bits of new files of users, such as 0640, whatever the umask (empty: by umask)',
    fallback: '',
  },
  {
    name: 'dirMode',
    value: 'octal',
    description: 'permission bits of new folders of users, such as 0750 or 2770 (empty: by umask)',
    fallback: '',
  },
  { name: 'cert', short: 't', value: 'file', description: 'TLS certificate (PEM)', fallback: '' },
  { name: 'key', short: 'k', value: 'file', description: 'TLS key (PEM)', fallback: '' },
  {
    name: 'hsts',
    value: 'duration',
    description: 'with --cert: browsers use HTTPS only for this host for so long; 0 makes them forget it',
    fallback: '8760h',
  },
  {
    name: 'log',
    short: 'l',
    value: 'target',
    description: 'stdout, stderr, none, or a file',
    fallback: 'stdout',
  },
  {
    name: 'logLevel',
    value: 'level',
    description: 'debug, info, warn, error or silent',
    fallback: 'info',
  },
  {
    name: 'username',
    value: 'name',
    description: 'name of the administrator made at the first start',
    fallback: 'admin',
  },
  {
    name: 'password',
    value: 'text',
    description: 'its password, or an argon2 or bcrypt hash of it (empty: one is made up)',
    fallback: '',
  },
  {
    name: 'newInstallation',
    description: 'begin without users although the data folder was in use and its database is gone',
    fallback: 'off',
  },
  {
    name: 'trustedProxies',
    value: 'list',
    description: 'addresses or networks, separated by commas, whose X-Forwarded headers are believed',
    fallback: '',
  },
  {
    name: 'followExternalSymlinks',
    description: 'follow symbolic links that lead out of a user’s scope',
    fallback: 'off',
  },
  {
    name: 'tokenInQuery',
    value: 'on|off',
    description: 'accept the token as ?auth= for reading files, as existing clients send it',
    fallback: 'on',
  },
  {
    name: 'tokenExpirationTime',
    value: 'duration',
    description: 'life of a token until it must be renewed',
    fallback: '2h',
  },
  {
    name: 'sessionIdle',
    value: 'duration',
    description: 'a session ends when it is not used for so long',
    fallback: '168h',
  },
  {
    name: 'sessionAbsolute',
    value: 'duration',
    description: 'a session ends after so long, used or not',
    fallback: '720h',
  },
  {
    name: 'sessionsPerUser',
    value: 'number',
    description: 'most sessions of one user; the oldest ends when there would be more',
    fallback: '100',
  },
  {
    name: 'loginAttemptsPerName',
    value: 'number',
    description: 'wrong passwords for one name until attempts from new addresses are slowed down',
    fallback: '10',
  },
  {
    name: 'loginAttemptsPerAddress',
    value: 'number',
    description: 'wrong passwords from one address until it must wait',
    fallback: '30',
  },
  { name: 'loginWindow', value: 'duration', description: 'how long they count', fallback: '5m' },
  {
    name: 'shareTokenLife',
    value: 'duration',
    description: 'a protected link asks for its password again after so long',
    fallback: '6h',
  },
  {
    name: 'sharesPerUser',
    value: 'number',
    description: 'most links of one user; more are refused until some end',
    fallback: '1000',
  },
  {
    name: 'minimumPasswordLength',
    value: 'number',
    description: 'shortest password that is accepted, in characters (empty: as in the settings)',
    fallback: '',
  },
  {
    name: 'auth.method',
    value: 'method',
    description:
      'how people sign in: json (password), proxy, hook or noauth (empty: as stored, json at first)',
    fallback: '',
  },
  {
    name: 'auth.header',
    value: 'name',
    description: 'proxy: the header that names the user (empty: as stored)',
    fallback: '',
  },
  {
    name: 'auth.command',
    value: 'command',
    description: 'hook: the program that decides, with its arguments (empty: as stored)',
    fallback: '',
  },
  {
    name: 'auth.createUsers',
    value: 'on|off',
    description: 'proxy: make an account for a name that has none (empty: as stored, off at first)',
    fallback: '',
  },
  {
    name: 'auth.logoutPage',
    value: 'address',
    description: 'where a browser goes after signing out (empty: as stored, the sign-in page at first)',
    fallback: '',
  },
  {
    name: 'recaptcha.host',
    value: 'address',
    description: 'captcha service (empty: as stored, https://www.google.com at first)',
    fallback: '',
  },
  {
    name: 'recaptcha.key',
    value: 'text',
    description: 'captcha: the key for the page (empty: as stored)',
    fallback: '',
  },
  {
    name: 'recaptcha.secret',
    value: 'text',
    description: 'captcha: the key for the server; better in the environment or a file (empty: as stored)',
    fallback: '',
  },
  {
    name: 'noauth',
    description: 'everybody is the first user, without a password; the same as --auth.method=noauth',
    fallback: 'off',
  },
  {
    name: 'signupsPerAddress',
    value: 'number',
    description: 'attempts to sign up from one address until it must wait',
    fallback: '10',
  },
  { name: 'signupWindow', value: 'duration', description: 'how long they count', fallback: '1h' },
  {
    name: 'maxUploadSize',
    value: 'size',
    description: 'largest upload, such as 20GiB; 0 for no limit',
    fallback: '0',
  },
  {
    name: 'enableExec',
    description: 'let users with the execute permission run their commands, and run the commands of events',
    fallback: 'off',
  },
  {
    name: 'disableExec',
    description: 'the switch of File Browser for the same: “false” is --enableExec, “true” wins over it',
    fallback: '',
  },
  {
    name: 'execUnsandboxed',
    description: 'run the commands of users without a sandbox, with all that the server may do',
    fallback: 'off',
  },
  {
    name: 'commandTimeout',
    value: 'duration',
    description: 'a command of a user is stopped after so long',
    fallback: '10m',
  },
  {
    name: 'commandOutput',
    value: 'size',
    description: 'a command is stopped when it has written so much',
    fallback: '16MiB',
  },
  {
    name: 'commandMemory',
    value: 'size',
    description: 'most memory for the data of each process of a command; 0 for no limit',
    fallback: '1GiB',
  },
  {
    name: 'commandsPerUser',
    value: 'number',
    description: 'most commands of one user at the same time',
    fallback: '8',
  },
  {
    name: 'commandsAtOnce',
    value: 'number',
    description: 'most commands of all users at the same time',
    fallback: '32',
  },
  {
    name: 'hookTimeout',
    value: 'duration',
    description: 'a command of an event is stopped after so long',
    fallback: '10m',
  },
  {
    name: 'programVariables',
    value: 'list',
    description:
      'further variables of the environment, separated by commas, for commands of events and the sign-in program',
    fallback: '',
  },
  {
    name: 'allowedOrigins',
    value: 'list',
    description: 'further origins, separated by commas, whose pages may open the command socket',
    fallback: '',
  },
  {
    name: 'uploadsPerUser',
    value: 'number',
    description: 'most unfinished resumable uploads of one user',
    fallback: '100',
  },
  {
    name: 'uploadExpiration',
    value: 'duration',
    description: 'a resumable upload that nobody goes on with is given up after so long',
    fallback: '24h',
  },
  {
    name: 'archivesAtOnce',
    value: 'number',
    description: 'most archives (downloads of folders or several files) that are sent at once',
    fallback: '32',
  },
  {
    name: 'searchFormat',
    value: 'format',
    description: 'form of search results for clients that name none: auto, array (2.23) or ndjson (2.63)',
    fallback: 'auto',
  },
  {
    name: 'jobsAtOnce',
    value: 'number',
    description: 'most jobs (copies, moves, deletions, checksums) that run at once; others wait',
    fallback: '4',
  },
  {
    name: 'jobsPerUser',
    value: 'number',
    description: 'most of them for one user',
    fallback: '2',
  },
  {
    name: 'cacheDir',
    value: 'folder',
    description: 'where small pictures of files are kept (empty: cache in the data folder)',
    fallback: '',
  },
  {
    name: 'cacheSize',
    value: 'size',
    description: 'most room for them; the least recently used make way; 0 keeps none',
    fallback: '1GiB',
  },
  {
    name: 'imageProcessors',
    value: 'number',
    description: 'small pictures that are made at the same time',
    fallback: '4',
  },
  {
    name: 'disableThumbnails',
    description: 'send images themselves instead of thumbnails',
    fallback: 'off',
  },
  {
    name: 'disablePreviewResize',
    description: 'send images themselves instead of previews that fit the screen',
    fallback: 'off',
  },
  {
    name: 'shutdownGrace',
    value: 'duration',
    description: 'how long running transfers may go on after the signal to stop',
    fallback: '30s',
  },
] as const satisfies readonly Option[];

/** Name of a configuration option. */
export type OptionName = (typeof options)[number]['name'];

/** Options that locate the database or only apply to the first start, and therefore cannot be stored in it. */
const neverStored = new Set<OptionName>(['data', 'database', 'username', 'password', 'newInstallation']);

/** Options of the authentication method, which has its own record in the database. */
const ofSignIn = /^(?:auth\.|recaptcha\.|noauth$)/;

/** Whether the option may be stored among the options in the database. */
export const isStorable = (name: OptionName): boolean => !neverStored.has(name) && !ofSignIn.test(name);

/** Names in existing configurations that have no effect here and are ignored. */
export const ignoredNames: readonly string[] = [
  // A listing never opens a file here.
  'disableTypeDetectionByHeader',
  'redisCacheUrl',
  'disableImageResolutionCalc',
];

/** Names are compared without case and dashes: `--base-url` and `baseurl` are `baseURL`. */
const folded = (name: string): string => name.replaceAll(/[-_.]/g, '').toLowerCase();

/** Flags and variables whose name in the existing product is not that of its configuration file. */
export const otherNames: Readonly<Partial<Record<OptionName, string>>> = { imageProcessors: 'imgProcessors' };

/** The option that `name` means; undefined when there is none. */
export const optionNamed = (name: string): OptionName | undefined =>
  options.find((option) =>
    [option.name, otherNames[option.name]].some(
      (known) => known !== undefined && folded(known) === folded(name),
    ),
  )?.name;

/** Whether `name` is one of the existing product that has no meaning here. */
export const isIgnored = (name: string): boolean =>
  ignoredNames.some((known) => folded(known) === folded(name));

/** `baseURL` as `BASE_URL`, `auth.method` as `AUTH_METHOD`. */
export const variableName = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase();
