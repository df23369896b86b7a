import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allPermissions, type Permissions } from '@filestead/contract/values/permissions';
import { initialPreferences } from '@filestead/contract/user-fields';
import type { Rule } from '@filestead/contract/rules';
import type { Settings } from '@filestead/contract/settings';
import type { User } from '@filestead/contract/users';
import type { FastifyInstance } from 'fastify';
import { hashPassword } from '../src/access/sign-in/passwords.ts';
import { readConfig } from '../src/config/config.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { prepareFolders } from '../src/start/data-folder.ts';
import { createLogger } from '../src/start/open-log.ts';
import type { OptionName } from '../src/config/options.ts';
import { processRings } from '../src/storage/disk/ring/job-ring.ts';
import { startServer } from '../src/start/start-server.ts';
import { type TestClock, openTestClock } from './test-clock.ts';

/** The password of every user that a test creates without one. */
export const testPassword = 'a password for tests';

/** A hash of {@link testPassword} with the least possible work: the usual one takes more time than most tests. */
const testPasswordHash =
  '$argon2id$v=19$m=8,t=1,p=1$IyrlOgojFGqvhMVuf2nPVw$pZlbXRmvqFKuqnn7Ozucwa71upQfeTa4DYW+XC0UnQc';

/** Returns the hash of a password that a test chooses. */
const hashOf = async (password: string): Promise<string> =>
  password === testPassword ? testPasswordHash : hashPassword(password);

/** A user of a test; missing fields are those of an ordinary user. */
export interface TestUser {
  readonly username: string;
  readonly password?: string;
  /** Stored unchanged instead of a hash of the password. */
  readonly passwordHash?: string;
  /** Overrides of the default permissions, which are all except `admin` and `execute`. */
  readonly perm?: Partial<Permissions>;
  /** Its folder is created. */
  readonly scope?: string;
  readonly rules?: readonly Partial<Rule>[];
  readonly hideDotfiles?: boolean;
  readonly lockPassword?: boolean;
  readonly commands?: readonly string[];
}

export interface StartApp {
  /** Files below the root by their path; a path that ends with a slash is a folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly users?: readonly TestUser[];
  /** Saved through the API before the test starts. */
  readonly settings?: Partial<Settings>;
  /** Start-up options with their values as text. */
  readonly config?: Partial<Record<OptionName, string>>;
  /** Start the server in the served folder, without an option for it. */
  readonly startsInRoot?: boolean;
  /** Milliseconds by which the server's clock is ahead of the machine's. */
  readonly clockAheadMs?: number;
  /** Whether the server's clock is moved only with {@link TestApp.clock}. */
  readonly stopsClock?: boolean;
  /** Files of the built web application; none unless given. */
  readonly web?: Readonly<Record<string, string | Uint8Array>>;
}

export interface RequestOptions extends Omit<RequestInit, 'headers'> {
  /** Sent as `X-Auth`. */
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly json?: unknown;
}

/** A real server on a free loopback port over a temporary folder on a real disk. */
export interface TestApp {
  readonly instance: FastifyInstance;
  /** Without a trailing slash. */
  readonly url: string;
  /** The served folder on the disk. */
  readonly root: string;
  /** The data folder on the disk. */
  readonly data: string;
  /** The lines of the log. */
  readonly log: readonly string[];
  /** Moves the time of the server forward. */
  readonly clock: TestClock;
  /** Signs in over HTTP; the administrator is `admin`. */
  signIn(username: string, password?: string): Promise<string>;
  createUser(user: TestUser): Promise<User>;
  fetch(path: string, options?: RequestOptions): Promise<Response>;
  /** Sends raw bytes, for targets that no client would send, and returns the whole response. */
  rawRequest(bytes: string | Uint8Array, options?: { timeoutMs?: number }): Promise<string>;
  close(): Promise<void>;
}

const wholeRule = (rule: Partial<Rule>): Rule => ({
  regex: false,
  allow: false,
  path: '',
  regexp: null,
  ...rule,
});

async function writeFiles(root: string, files: NonNullable<StartApp['files']>): Promise<void> {
  const made = new Set<string>();
  for (const [path, content] of Object.entries(files)) {
    const target = join(root, path);
    const folder = path.endsWith('/') ? target : dirname(target);
    if (!made.has(folder)) await mkdir(folder, { recursive: true });
    made.add(folder);
    // Writing without a thread per call takes a third of the time for thousands of files.
    if (!path.endsWith('/')) writeFileSync(target, content);
  }
}

function rawRequest(url: URL, bytes: string | Uint8Array, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: url.hostname, port: Number(url.port) }, () => socket.write(bytes));
    const finish = (): void => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.setTimeout(timeoutMs, finish);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', finish);
    socket.on('close', finish);
    socket.on('error', (error) => (chunks.length > 0 ? finish() : reject(error)));
  });
}

/** Starts the product as `main.ts` does, with an administrator `admin`. Close it after the test. */
export async function startApp(setup: StartApp = {}): Promise<TestApp> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'filestead-test-')));
  try {
    return await startIn(folder, setup);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

let emptyDatabase: Promise<Buffer> | null = null;

/** Returns the file of a database without users, which is made once: the steps to the current tables take longer than most tests. */
function readEmptyDatabase(): Promise<Buffer> {
  emptyDatabase ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'filestead-empty-'));
    try {
      const path = join(folder, 'filestead.db');
      await (await openDatabase(path)).close();
      return await readFile(path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  })();
  return emptyDatabase;
}

async function startIn(folder: string, setup: StartApp): Promise<TestApp> {
  const root = join(folder, 'root');
  const data = join(folder, 'data');
  await mkdir(root);
  await writeFiles(root, setup.files ?? {});
  await writeFiles(join(folder, 'web'), setup.web ?? {});

  const options: Partial<Record<OptionName, string>> = {
    root,
    data,
    port: '0',
    username: 'admin',
    password: testPasswordHash,
    loginAttemptsPerName: '1000',
    loginAttemptsPerAddress: '1000',
    signupsPerAddress: '1000',
    // Tests of the catalogue switch it on; in all others its threads would only cost time.
    catalogue: 'off',
    ...setup.config,
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const config = await readConfig({
    args,
    env: {},
    cwd: setup.startsInRoot === true ? root : folder,
    home: folder,
  });
  const log: string[] = [];
  const clock = openTestClock(setup.clockAheadMs, { isStopped: setup.stopsClock ?? false });
  // Until its first worker is ready, all reads take the general path.
  await Promise.all([processRings.quick.start(), processRings.flushes.start()]);
  const folders = prepareFolders(config);
  if (!existsSync(config.database))
    await writeFile(config.database, await readEmptyDatabase(), { mode: 0o600 });
  const server = await startServer({
    config,
    folders,
    tls: null,
    log: createLogger('debug', { write: (line) => void log.push(line) }),
    webFolder: join(folder, 'web'),
    clock,
  });
  const url = server.url.replace(/\/$/, '');

  const request = (path: string, { token, json, headers, ...init }: RequestOptions = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      redirect: 'manual',
      ...init,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      headers: {
        ...(token === undefined ? {} : { 'x-auth': token }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });

  const app: TestApp = {
    instance: server.app,
    url,
    root,
    data,
    log,
    clock,
    async signIn(username, password = testPassword) {
      const response = await request('/api/login', { method: 'POST', json: { username, password } });
      if (response.status !== 200) throw new Error(`${username} could not sign in: ${response.status}`);
      return response.text();
    },
    async createUser(user) {
      const { username, password = testPassword, scope = '/', rules = [] } = user;
      await mkdir(join(root, scope), { recursive: true });
      return server.database.users.create({
        username,
        passwordHash: user.passwordHash ?? (await hashOf(password)),
        scope,
        lockPassword: user.lockPassword ?? false,
        perm: { ...allPermissions, admin: false, execute: false, ...user.perm },
        commands: [...(user.commands ?? [])],
        rules: rules.map(wholeRule),
        ...initialPreferences,
        locale: 'en',
        hideDotfiles: user.hideDotfiles ?? false,
      });
    },
    fetch: request,
    rawRequest: (bytes, { timeoutMs = 2_000 } = {}) => rawRequest(new URL(url), bytes, timeoutMs),
    async close() {
      await server.stop(0);
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await prepare(app, setup);
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}

/** Creates the users of a setup and saves its settings. */
async function prepare(app: TestApp, setup: StartApp): Promise<void> {
  for (const user of setup.users ?? []) await app.createUser(user);
  if (setup.settings !== undefined) {
    const token = await app.signIn('admin');
    const current = (await (await app.fetch('/api/settings', { token })).json()) as Settings;
    const response = await app.fetch('/api/settings', {
      method: 'PUT',
      token,
      json: { ...current, ...setup.settings },
    });
    if (response.status !== 200) throw new Error(`the settings were refused: ${await response.text()}`);
  }
}
