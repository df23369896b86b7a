import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundledForTests } from '../../src/programs/test-script.ts';

const run = promisify(execFile);
const top = fileURLToPath(new URL('../../..', import.meta.url));
const killSwitch = new URL('./kill-switch.mjs', import.meta.url).href;
const startTimeoutMs = 60_000;

/** The administrator's password on every server that is started here. */
export const password = 'a password for tests';

/** A build of the server that belongs to one run of tests. */
export interface Build {
  /** The script that Node runs. */
  readonly main: string;
  remove(): void;
}

/**
 * Returns the bundle of the current source that the run of the tests has made; outside of tests builds one where its packages are
 * found, apart from the output of `npm run build`.
 */
export async function buildServer(): Promise<Build> {
  const bundled = bundledForTests('main');
  if (bundled !== undefined) return { main: bundled, remove: () => undefined };
  const cache = join(top, 'server', 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'filestead-faults-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const outdir = join(folder, 'server', 'dist');
  await run(process.execPath, [join(top, 'scripts', 'build-server.mjs'), outdir]);
  return {
    main: join(outdir, 'main.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface StartServer {
  readonly main: string;
  readonly root: string;
  readonly data: string;
  /** Further flags. */
  readonly args?: readonly string[];
  /** Load the module that ends the process at a call. */
  readonly hasSwitch?: boolean;
  /** A command that runs the server, for instance one that sets limits. */
  readonly wrapper?: readonly string[];
}

/** The product in a separate process, as users start it. */
export interface RealServer {
  /** Without a trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** The output and log so far. */
  output(): string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<number | null>;
  /**
   * Sets the point at which the process ends: the number `at` of the calls from now on (1 is the first), or none for `Infinity`;
   * null stops counting. Resolves to the calls since the last call of this function.
   */
  arm(at: number | null): Promise<string[]>;
  /** Kills the process and its children. */
  kill(): Promise<void>;
  /** Asks the process to end. */
  stop(): Promise<void>;
}

/** Starts `main`, without waiting for it. */
export function spawnServer({
  main,
  root,
  data,
  args = [],
  hasSwitch,
  wrapper = [],
}: StartServer): ChildProcess {
  const flags = {
    root,
    data,
    address: '127.0.0.1',
    port: '0',
    password,
    loginAttemptsPerName: '100000',
    loginAttemptsPerAddress: '100000',
    sessionsPerUser: '1000',
    // The threads of the catalogue start a second after the first request and open files, which tests that count calls and
    // descriptors would notice.
    catalogue: 'off',
  };
  const line = [
    ...wrapper,
    process.execPath,
    ...(hasSwitch === true ? ['--import', killSwitch] : []),
    main,
    ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    ...args,
  ];
  return spawn(line[0] ?? '', line.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    env: { PATH: process.env.PATH ?? '', HOME: data, NODE_ENV: 'production' },
  });
}

const endOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', (code) => resolve(code));
  });

/** Collects the output of a process. */
export function collectOutput(child: ChildProcess): () => string {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part));
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (text += part));
  return () => text;
}

/** Starts the server and waits until it listens. Otherwise throws an error with its output. */
export async function startRealServer(start: StartServer): Promise<RealServer> {
  const child = spawnServer(start);
  const output = collectOutput(child);
  const ended = endOf(child);
  const { pid = 0 } = child;
  const kill = async (): Promise<void> => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The process has ended already.
    }
    await ended;
  };
  const url = await new Promise<string>((resolve, reject) => {
    const timeout = setTimeout(
      () => reject(new Error(`the server did not start in time: ${output()}`)),
      startTimeoutMs,
    );
    const findUrl = (): void => {
      const [, found] = / at (http:\/\/[\d.:]+)/.exec(output()) ?? [];
      if (found === undefined) return;
      clearTimeout(timeout);
      resolve(found);
    };
    child.stdout?.on('data', findUrl);
    child.once('close', () => {
      clearTimeout(timeout);
      reject(new Error(`the server did not start: ${output()}`));
    });
  }).catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  return {
    url,
    pid,
    output,
    ended,
    arm: (at) =>
      new Promise((resolve, reject) => {
        child.once('message', (message: { counted: string[] }) => resolve(message.counted));
        // Infinity cannot be sent in a message.
        child.send({ arm: at === Infinity ? undefined : at }, (error) => {
          if (error !== null) reject(error);
        });
      }),
    kill,
    async stop() {
      child.kill('SIGTERM');
      const timeout = setTimeout(() => void kill(), 20_000);
      await ended;
      clearTimeout(timeout);
    },
  };
}
