import { join, resolve } from 'node:path';
import { type Option, path, pathOrNull, plain } from './option.ts';
import * as parse from './parse-values.ts';

/** The log levels. */
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** The options of the server itself: folders, addresses, TLS, logs and the first administrator. */
export const serverOptions = {
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
} as const satisfies Readonly<Record<string, Option>>;
