import { existsSync, rmSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import type { Server } from 'node:http';
import { basename } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type SignInMethod, signInMethodOf } from '../config/auth-method.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { backupFolderOf } from '../database/database-file.ts';
import type { AppOptions } from './app/create-app.ts';
import { type Folders, lockFileOf } from './data-folder.ts';
import type { Database } from '../database/database.ts';
import {
  isMarkedInstallation,
  markInstallation,
  assertInstallation,
  describeUserLoss,
} from '../database/installation.ts';
import { lockData } from '../database/lock-data.ts';
import { type FirstAdministrator, createFirstAdministrator } from './first-administrator.ts';
import { type Tls, replaceTls } from '../http/server/http-server.ts';
import {
  dropInitialPassword,
  initialPasswordFile,
  readInitialPassword,
  saveInitialPassword,
} from './initial-password.ts';
import { version } from '../version.ts';
import { watchDatabase } from './watch-database.ts';

/** A listening server. */
export interface RunningServer {
  readonly app: FastifyInstance;
  readonly database: Database;
  /** URL for a browser on this machine; the path of the socket if it listens on one. */
  readonly url: string;
  /** The administrator announced by the first completed start; null at later ones. */
  readonly firstAdministrator: FirstAdministrator | null;
  /** File with the password of {@link firstAdministrator}; null if the administrator chose the password. */
  readonly passwordFile: string | null;
  /** Replaces certificate and key for new connections. */
  replaceTls(tls: Tls): void;
  /**
   * Stops accepting requests, lets running transfers finish for at most `graceMs`, then closes everything.
   */
  stop(graceMs: number): Promise<void>;
}

/** Interval at which a stopping server closes idle connections. */
const idleCheckMs = 100;

function urlOf(app: FastifyInstance, { socket, address, baseUrl, certFile }: Config): string {
  const bound = app.server.address();
  if (typeof bound === 'string' || bound === null) return `unix:${socket ?? bound ?? ''}`;
  const { port } = bound;
  const isEverywhere = ['0.0.0.0', '::'].includes(address);
  const host = isEverywhere ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  return `${certFile === null ? 'http' : 'https'}://${host}:${port}${baseUrl}/`;
}

/** Warns in the log about options that may unintentionally grant access. */
function warnOfOpenAccess(
  { address, socket, trustedProxies, umask, fileMode, folderMode }: Config,
  { method, header }: SignInMethod,
  log: FastifyInstance['log'],
): void {
  const isLocal = socket !== null || /^(?:127\.|::1$|localhost$)/.test(address);
  if (method === 'noauth' && !isLocal) {
    log.warn({ address }, 'noauth: every visitor of this address is signed in as the first user');
  }
  if (method === 'proxy' && trustedProxies.length === 0) {
    log.warn({ header }, 'proxy: no user can sign in until --trustedProxies names the proxy');
  }
  const open = [~(umask ?? 0o022), fileMode ?? 0, folderMode ?? 0].some((bits) => (bits & 0o002) !== 0);
  if (open) log.warn('--umask, --fileMode or --dirMode lets everybody on this machine write new files');
}

/** Warns in the log if this account may not write to the served folder. */
async function warnOfReadOnlyRoot(root: string, log: Logger): Promise<void> {
  const isWritable = await access(root, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (isWritable) return;
  log.warn(
    { root },
    'the served folder cannot be written: uploads and changes are refused; “filestead doctor” names the remedy',
  );
}

async function stopApp(app: FastifyInstance, graceMs: number): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), idleCheckMs);
  const grace = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(grace);
  }
}

/**
 * Creates the first administrator if there are no users. An earlier start may have created one and then
 * failed, for instance because its port was in use: the password is still in the file and is announced as
 * long as no start has completed.
 */
async function findFirstAdministrator(
  database: Database,
  { config, folders: { data } }: { config: Config; folders: Folders },
): Promise<{
  firstAdministrator: FirstAdministrator | null;
  passwordFile: string | null;
  isNew: boolean;
}> {
  let passwordFile: string | null = null;
  const created = await createFirstAdministrator(database, config, (password) => {
    passwordFile = saveInitialPassword(data, password);
  });
  if (created !== null) return { firstAdministrator: created, passwordFile, isNew: true };
  if (isMarkedInstallation({ data })) return { firstAdministrator: null, passwordFile: null, isNew: false };
  const saved = await readInitialPassword(data, database.users);
  return { firstAdministrator: saved, passwordFile: saved?.file ?? null, isNew: false };
}

/**
 * Removes the file with the first administrator's password if no administrator still has that password. Computes
 * hashes, so it runs when the server listens.
 */
async function removeStalePassword(data: string, database: Database): Promise<void> {
  const file = initialPasswordFile(data);
  if (existsSync(file) && (await readInitialPassword(data, database.users)) === null)
    rmSync(file, { force: true });
}

/** Listens on the inherited socket, the configured Unix socket, or the configured address. */
async function listen(
  app: FastifyInstance,
  { address: host, port, socket: path }: Config,
  {
    inheritedSocket = null,
    onSocket,
  }: { inheritedSocket?: number | null; onSocket?: (path: string) => void },
): Promise<void> {
  const listenTextResolver = (address: string): string =>
    `Filestead ${version} listens on ${address.replace(/^https?:\/\//, '')}`;
  if (inheritedSocket !== null) {
    // The host only prevents Fastify from resolving a name; the descriptor is used.
    const target = { fd: inheritedSocket, host, listenTextResolver };
    await app.listen(target);
  } else if (path === null) {
    await app.listen({ host, port, listenTextResolver });
  } else {
    await app.listen({ path, listenTextResolver });
    onSocket?.(path);
  }
}

/** Loads the code of the server. The promise may be ignored when the start fails for another reason. */
function importApp() {
  const modules = Promise.all([import('../app.ts'), import('./open-served-disk.ts')]);
  modules.catch(() => undefined);
  return modules;
}

/** Opens database and storage, builds the app and listens. Releases everything if it fails. */
export async function startServer(parts: {
  config: Config;
  folders: Folders;
  tls: Tls | null;
  log: Logger;
  webFolder: string;
  /** Defaults to the system clock. */
  clock?: Clock;
  /** File descriptor of a socket to listen on instead of the configured address; none by default. */
  inheritedSocket?: number | null;
  /** Called when the Unix socket exists. */
  onSocket?: (path: string) => void;
}): Promise<RunningServer> {
  const { config, folders, log } = parts;
  const { openDatabase } = await import('../database/open-database.ts');
  const installation = {
    data: folders.data,
    database: config.database,
    isNewInstallation: config.isNewInstallation,
  };
  const unlock = lockData(lockFileOf(folders.data));
  const closers: (() => Promise<void>)[] = [async () => unlock()];
  /** Closes everything in reverse order, even if one of them fails. Throws the first error. */
  const closeAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const close of closers.splice(0).reverse()) {
      await close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    assertInstallation(installation, backupFolderOf(config.database));
    const appModules = importApp();
    const database = await openDatabase(config.database, {
      onIncomplete: (error) =>
        log.warn({ err: error }, 'the database was closed with its -wal file: keep both'),
      onCopied: (copy) => log.info({ copy }, 'the database was updated for this version after copying it'),
    });
    closers.push(() => database.close());
    const loss = config.isNewInstallation ? null : await describeUserLoss(database, installation);
    if (loss !== null) throw new Error(loss);
    const { firstAdministrator, passwordFile, isNew } = await findFirstAdministrator(database, parts);
    if (config.isNewInstallation && !isNew) {
      log.warn('--newInstallation has no effect here: there are users; start without it');
    }
    const [{ buildApp }, { openServedDisk }] = await appModules;
    const clock = parts.clock ?? systemClock;
    const disk = await openServedDisk({ config, folders, clock, log }, (close) => closers.push(close));
    const signIn = signInMethodOf(await database.settings.readAuthMethod(), config.auth);
    const servers = new Set<Server>();
    const options: AppOptions = {
      tls: parts.tls,
      signIn,
      rootName: basename(folders.root) || 'files',
      excludedPaths: folders.excluded,
      previewFolder: folders.previews,
      webFolder: parts.webFolder,
      onServer: (server) => servers.add(server),
      onPasswordReplaced: (formerHash) => dropInitialPassword(folders.data, formerHash),
    };
    const app = await buildApp({
      database,
      ...disk,
      logger: log,
      clock,
      config,
      options,
    });
    closers.push(() => app.close());
    await listen(app, config, parts);
    markInstallation(installation);
    warnOfOpenAccess(config, signIn, log);
    await warnOfReadOnlyRoot(folders.root, log);
    const staleCheck = removeStalePassword(folders.data, database).catch((error: unknown) =>
      log.warn({ err: error }, 'the file with the initial password could not be checked'),
    );
    closers.push(() => staleCheck);
    closers.push(watchDatabase(database, log, clock));
    return {
      app,
      database,
      url: urlOf(app, config),
      firstAdministrator,
      passwordFile,
      replaceTls(tls) {
        for (const server of servers) replaceTls(server, tls);
      },
      async stop(graceMs) {
        try {
          await stopApp(app, graceMs);
        } finally {
          await closeAll();
        }
      },
    };
  } catch (error) {
    // Errors while closing are less relevant than the one that caused it.
    await closeAll().catch(() => undefined);
    throw error;
  }
}
