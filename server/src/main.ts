import { chmodSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { type FoundCommand, findCommand } from './cli/find-command.ts';
import { type Config, readConfig } from './config.ts';
import { prepareFolders } from './data-folder.ts';
import { readStoredOptions } from './database/read-stored-options.ts';
import type { Tls } from './http/http-server.ts';
import { explainError } from './explain-error.ts';
import { openLog } from './open-log.ts';
import { ConfigError } from './options.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { version } from './version.ts';

/** The built web application lies here both for the bundled server and for its source. */
const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url));

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

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
      `cert and key: ${certFile} and ${keyFile} are no certificate with its key in PEM form`,
      {
        cause: error,
      },
    );
  }
  return tls;
}

/** Removes a socket that no server listens on any more; anything else at its path is left alone. */
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

function greet({ url, firstAdministrator }: RunningServer, root: string): void {
  const lines = ['', `  Filestead ${version} serves ${root}`, `  at ${url}`];
  if (firstAdministrator !== null) {
    const { username, password } = firstAdministrator;
    lines.push('', `  User name:  ${username}`);
    lines.push(
      password === null ? '  Password:   as configured' : `  Password:   ${password}`,
      ...(password === null
        ? []
        : ['', '  The password is shown only this once. Change it after signing in.']),
    );
  }
  print([...lines, ''].join('\n'));
}

/** Stops the server at the first signal, gently; at the second at once. */
function stopOnSignals(server: RunningServer, graceMs: number, onStopped: () => void): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143);
    isStopping = true;
    server.stop(graceMs).then(
      () => {
        onStopped();
        process.exit(0);
      },
      (error: unknown) => {
        server.app.log.fatal({ err: error }, 'the server did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** Runs a command of the command line, whose code is loaded only then. */
async function runCommand(found: FoundCommand): Promise<void> {
  const { runCommandLine } = await import('./cli/run-command-line.ts');
  process.exitCode = await runCommandLine(found, {
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    stdin: process.stdin,
    print,
    warn: (text) => process.stderr.write(`${text}\n`),
  });
}

async function run(): Promise<void> {
  const config = await readConfig({
    args: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    readStored: readStoredOptions,
  });
  const folders = prepareFolders(config);
  const tls = readTls(config);
  if (config.socket !== null) await removeStaleSocket(config.socket);
  const log = openLog(config);
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
    onSocket: (path) => chmodSync(path, config.socketMode),
  });
  greet(server, folders.root);
  stopOnSignals(server, config.shutdownGraceMs, () => log.info('stopped'));
}

const command = findCommand(process.argv.slice(2));
try {
  await (command === undefined ? run() : runCommand(command));
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode);
  process.stderr.write(`filestead: ${explainError(error)}\n`);
  process.exit(1);
}
