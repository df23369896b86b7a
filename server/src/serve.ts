import { chmodSync, existsSync, lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';
import type { Tls } from './http/server/http-server.ts';
import { type Folders, prepareFolders } from './start/data-folder.ts';
import { inheritedSocket } from './start/inherited-socket.ts';
import { type OpenLog, openLog } from './start/open-log.ts';
import { handleSignals } from './start/signals.ts';
import { type RunningServer, startServer } from './start/start-server.ts';
import { version } from './version.ts';

/** The folder of the built web application; the same path for the bundled server and for its source. */
const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url));

function readTls({ certFile, keyFile }: Config): Tls | null {
  if (certFile === null || keyFile === null) return null;
  let tls: Tls;
  try {
    tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  } catch (error) {
    throw new ConfigError(`cert and key: ${certFile} or ${keyFile} cannot be read`, { cause: error });
  }
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new ConfigError(
      `cert and key: ${certFile} and ${keyFile} are not a certificate with its key in PEM format`,
      {
        cause: error,
      },
    );
  }
  return tls;
}

/** Removes a socket that no server listens on. Any other file at that path is left alone. */
async function removeStaleSocket(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return;
  const isAlive = await new Promise<boolean>((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
  if (!isAlive) rmSync(path);
}

/**
 * Lines that introduce the administrator created at the first start; empty at later starts. With
 * `showsPassword` they contain the password itself.
 */
function welcome({ firstAdministrator, passwordFile }: RunningServer, showsPassword: boolean): string[] {
  if (firstAdministrator === null) return [];
  const { username, password } = firstAdministrator;
  const lines = ['', `  Username:   ${username}`];
  if (password === null) return [...lines, '  Password:   as configured'];
  if (!showsPassword) {
    const note =
      '  The file is for the owner of the data folder only, and is removed when the password is changed.';
    return [...lines, `  Password:   in the file ${passwordFile}`, '', note];
  }
  const note = '  The password is shown only this once. Change it after signing in.';
  return [...lines, `  Password:   ${password}`, '', note];
}

/**
 * Prints the address of the server and, at the first start, the administrator's credentials. A password that
 * was printed is removed from its file.
 */
function greet(server: RunningServer, { root, data }: Folders): void {
  // Output that is not a terminal is stored by a service manager or a container, where others may read it.
  const showsPassword = process.stdout.isTTY;
  const address = [`  Filestead ${version} serves ${root}`, `  at ${server.url}          (data in ${data})`];
  process.stdout.write(`${['', ...address, ...welcome(server, showsPassword), ''].join('\n')}\n`);
  if (showsPassword && server.passwordFile !== null) rmSync(server.passwordFile, { force: true });
}

/**
 * Warns before the first start when the served folder is the home folder, because the data would be stored
 * there; `--data` chooses another folder.
 */
function warnOfHomeFolder({ root, data, isDataChosen }: Config): void {
  if (isDataChosen || existsSync(data)) return;
  if (!existsSync(root) || realpathSync(root) !== realpathSync(homedir())) return;
  process.stderr.write(
    `filestead: this serves your home folder. Users, settings and keys will be in ${data}; --data chooses another folder.\n`,
  );
}

/**
 * Reopens the log file and reloads the certificate and key. A failure is logged and leaves the previous one
 * in use.
 */
function reload(config: Config, server: RunningServer, { log, reopen }: OpenLog): void {
  try {
    reopen();
    log.info('the log was reopened');
  } catch (error) {
    log.error({ err: error }, 'the log file cannot be reopened; the old one is still used');
  }
  try {
    const tls = readTls(config);
    if (tls === null) return;
    server.replaceTls(tls);
    log.info('certificate and key were reloaded');
  } catch (error) {
    log.error({ err: error }, 'certificate and key cannot be reloaded; the previous ones stay in use');
  }
}

/** Starts the server, which runs until a signal ends it. Throws an error that explains why it cannot start. */
export async function serve(config: Config): Promise<void> {
  const inherited = inheritedSocket(process.env, process.pid);
  if (process.stdout.isTTY) warnOfHomeFolder(config);
  const folders = prepareFolders(config);
  const tls = readTls(config);
  if (config.socket !== null && inherited === null) await removeStaleSocket(config.socket);
  const opened = openLog(config);
  const { log } = opened;
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
  const server = await startServer({
    config,
    folders,
    tls,
    log,
    webFolder,
    inheritedSocket: inherited,
    onSocket: (path) => chmodSync(path, config.socketMode),
  });
  handleSignals(server, log, {
    graceMs: config.shutdownGraceMs,
    reload: () => reload(config, server, opened),
  });
  greet(server, folders);
}
