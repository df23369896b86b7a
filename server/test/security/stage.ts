import { randomBytes } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Permissions } from '@filestead/contract/values/permissions';
import type { Share } from '@filestead/contract/shares';
import type { User } from '@filestead/contract/users';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSqlite } from '../../src/database/sqlite/open-sqlite.ts';
import { cpuTimeOfMs } from '../cpu-time.ts';
import { type StartApp, type TestApp, type TestUser, startApp, testPassword } from '../start-app.ts';
import { type CaseId, cases } from './cases.ts';
import { type Snapshot, changesBetween, snapshot } from './disk-snapshot.ts';
import { type Canary, type ReceivedResponse, examine } from './examine.ts';
import { type RawResponse, bytesOf, exchange, parseResponse } from './raw-client.ts';

/** The sender of a request; `''` is a visitor without a session. */
export type Sender = string;

export interface RequestParts {
  /** Sent in addition to the sender's `X-Auth`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly timeoutMs?: number;
  /** Runs after the first bytes of the response, and before any others are read. */
  readonly whilePaused?: () => Promise<void>;
}

/** A running server with its users and secrets, and a record of all its responses. */
export interface Stage {
  readonly app: TestApp;
  readonly port: number;
  /** The folder that contains `root`, `data` and `out`. */
  readonly folder: string;
  /** The paths that the running test may change, relative to {@link folder}. */
  readonly allowed: string[];
  /** Sends a request unchanged, and keeps the response for the examination after the test. */
  request(who: Sender, method: string, target: string, sent?: RequestParts): Promise<RawResponse>;
  /** As {@link request}, but resolves to the status only. */
  status(who: Sender, method: string, target: string, sent?: RequestParts): Promise<number>;
  token(who: Sender): string;
  /** Signs `who` in again. */
  signIn(who: Sender): Promise<string>;
  /** A user with exactly these permissions and a tree like that of alice, below `users/<name>`. */
  addUser(name: string, perm: Partial<Permissions>, more?: Partial<TestUser>): Promise<User>;
  /** Writes a file with its own canary, relative to {@link folder}, and returns the canary. */
  plant(path: string, readers?: readonly Sender[]): Promise<string>;
  /** The canary in a file that was planted. */
  canary(path: string): string;
  /** Allows `who` to see the entries at or below `path` from now on. */
  letRead(who: Sender, path: string): void;
  /** Forbids all readers except administrators to see the entries at or below `path` from now on. */
  deny(path: string): void;
  share(who: Sender, path: string, json?: object): Promise<Share>;
  /** Adds a string that must never be sent or logged, such as a password or key. */
  keepSecret(text: string): void;
}

/** The files of alice; each contains a canary. */
export const aliceFiles = [
  'a.txt',
  'b.txt',
  '.dot/hidden.txt',
  'docs/a.txt',
  'docs/ok.txt',
  'docs/secret/deny.txt',
  'docs/pub/open.txt',
  'docs2/x.txt',
  'private/secret.txt',
] as const;
const outsideFiles = ['canary-out.txt', 'w.txt', 'dir/f.txt', 'dir/sub/f.txt', 'dir/victim.txt'];

/** A picture of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==',
  'base64',
);

/** Secrets of the database. */
function storedSecrets(database: string): string[] {
  const connection = openSqlite(database);
  try {
    const column = (sql: string): string[] =>
      connection
        .prepare(sql)
        .all()
        .map((row) => String(Object.values(row as object)[0]));
    return [
      ...column('SELECT password_hash FROM users'),
      ...column('SELECT value FROM secrets'),
      ...column('SELECT hash FROM tokens'),
      ...column('SELECT cookie_hash FROM tokens'),
    ];
  } finally {
    connection.close();
  }
}

/** The folder of deleted entries, in the served one. */
const trashFolder = '.filestead-trash';

async function openStage(
  setup: StartApp,
): Promise<Stage & { responses: ReceivedResponse[]; canaries: Canary[]; secrets: Set<string> }> {
  const app = await startApp(setup);
  const folder = dirname(app.root);
  const { port } = app.instance.server.address() as AddressInfo;
  const canaries: Canary[] = [];
  const responses: ReceivedResponse[] = [];
  const secrets = new Set<string>([testPassword]);
  const tokens = new Map<Sender, string>();

  const stage = {
    app,
    port,
    folder,
    responses,
    canaries,
    secrets,
    allowed: [] as string[],
    async request(
      who: Sender,
      method: string,
      target: string,
      { headers = {}, body, json, timeoutMs, whilePaused }: RequestParts = {},
    ) {
      const token = tokens.get(who);
      const payload = json === undefined ? body : JSON.stringify(json);
      const lines: [string, string][] = [
        ...(token === undefined ? [] : [['X-Auth', token] as [string, string]]),
        ...(json === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
        ...Object.entries(headers),
      ];
      const request = bytesOf({
        method,
        target,
        headers: lines,
        ...(payload === undefined ? {} : { body: payload }),
      });
      const response = parseResponse(
        await exchange(port, request, {
          ...(timeoutMs !== undefined && { timeoutMs }),
          ...(whilePaused && { whilePaused }),
        }),
      );
      responses.push({ who, request: `${method} ${target}`, response });
      return response;
    },
    async status(who: Sender, method: string, target: string, sent?: RequestParts) {
      return (await stage.request(who, method, target, sent)).status;
    },
    token(who: Sender): string {
      const token = tokens.get(who);
      if (token === undefined) throw new Error(`${who} has not signed in`);
      return token;
    },
    async signIn(who: Sender) {
      const token = await app.signIn(who);
      tokens.set(who, token);
      secrets.add(token);
      return token;
    },
    async addUser(name: string, perm: Partial<Permissions>, more: Partial<TestUser> = {}) {
      for (const file of aliceFiles) await stage.plant(`root/users/${name}/${file}`, ['admin', name]);
      const none = {
        create: false,
        rename: false,
        modify: false,
        delete: false,
        share: false,
        download: false,
        purge: false,
      };
      const user = await app.createUser({
        username: name,
        scope: `/users/${name}`,
        perm: { ...none, ...perm },
        ...more,
      });
      await stage.signIn(name);
      return user;
    },
    async plant(path: string, readers: readonly Sender[] = []) {
      const value = randomBytes(16).toString('hex');
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), value);
      const known = canaries.findIndex((canary) => canary.path === path);
      if (known >= 0) canaries.splice(known, 1);
      canaries.push({ value, path, readers: new Set(readers) });
      return value;
    },
    canary(path: string): string {
      const found = canaries.find((canary) => canary.path === path);
      if (found === undefined) throw new Error(`nothing was planted at ${path}`);
      return found.value;
    },
    letRead(who: Sender, path: string): void {
      for (const canary of canaries) {
        if (canary.path === path || canary.path.startsWith(`${path}/`)) canary.readers.add(who);
      }
    },
    deny(path: string): void {
      for (const canary of canaries) {
        if (canary.path !== path && !canary.path.startsWith(`${path}/`)) continue;
        for (const reader of canary.readers) if (reader !== 'admin') canary.readers.delete(reader);
      }
    },
    async share(who: Sender, path: string, json: object = {}) {
      const response = await stage.request(who, 'POST', `/api/share${path}`, { json });
      expect(response.status, response.text).toBe(200);
      return JSON.parse(response.text) as Share;
    },
    keepSecret(text: string): void {
      secrets.add(text);
    },
  };

  for (const file of outsideFiles) await stage.plant(`out/${file}`);
  await stage.plant('data/canary-data.txt');
  await stage.plant('root/canary-root.txt', ['admin']);
  await stage.plant('root/users/alice2/canary.txt', ['admin']);
  for (const name of ['alice', 'bob']) {
    for (const file of aliceFiles) await stage.plant(`root/users/${name}/${file}`, ['admin', name]);
    await writeFile(join(folder, `root/users/${name}/img.png`), pixel);
    await chmod(join(folder, `root/users/${name}/b.txt`), 0o600);
    await app.createUser({ username: name, scope: `/users/${name}` });
    await stage.signIn(name);
  }
  await stage.signIn('admin');
  // The store of deleted entries exists, so that its creation does not count as a change by an attack.
  expect(await stage.status('admin', 'POST', '/api/resources/deleted.txt', { body: 'deleted' })).toBe(200);
  expect(await stage.status('admin', 'DELETE', '/api/resources/deleted.txt')).toBe(200);
  for (const secret of storedSecrets(join(app.data, 'filestead.db'))) secrets.add(secret);
  return stage;
}

/**
 * Returns how long another user waits for a response because of the server's own work: the processor time until then, in
 * milliseconds. Threads that still work on earlier requests count too, hence the least of three.
 */
export async function waitingTimeMs(app: TestApp, target: string, token: string): Promise<number> {
  let least = Infinity;
  for (let probe = 0; probe < 3 && least > 500; probe++) {
    const timeMs = await cpuTimeOfMs(async () => {
      const response = await app.fetch(target, token === '' ? {} : { token });
      expect(response.status).toBe(200);
    });
    least = Math.min(least, timeMs);
  }
  return least;
}

/** The stage of a test file, see {@link prepareStage}. */
export interface Staging {
  /** The stage of the file, once its tests run. */
  readonly stage: () => Stage;
  /**
   * A test of the case `id`. After it every response, header, log line and archive member is searched for what its reader
   * may not see, and the disk is compared: only `changes` (relative to the test's folder) may differ.
   */
  readonly attack: (
    id: CaseId,
    work: (stage: Stage) => Promise<void>,
    options?: { changes?: readonly string[]; note?: string },
  ) => void;
}

/** The options of {@link prepareStage}. */
export interface StageOptions {
  /**
   * One server for all tests of the block, or one for each test: for tests that use up a limit, or change what the others
   * assume. In either case no test depends on the order.
   */
  readonly opensFor?: 'all tests' | 'each test';
  /** Called once for each server, before its first test. */
  readonly prepare?: (stage: Stage) => Promise<void> | void;
}

/** Prepares a server for the tests of a file or block, with users, files and canaries. */
export function prepareStage(
  setup: StartApp | (() => StartApp) = {},
  { opensFor = 'all tests', prepare }: StageOptions = {},
): Staging {
  let opened: Awaited<ReturnType<typeof openStage>> | undefined;
  let before: Snapshot = new Map();
  let loggedBefore = 0;
  const stage = (): Awaited<ReturnType<typeof openStage>> => {
    if (opened === undefined) throw new Error('the stage is not open yet');
    return opened;
  };
  const open = async (): Promise<void> => {
    opened = await openStage(typeof setup === 'function' ? setup() : setup);
    await prepare?.(opened);
  };
  const close = (): Promise<void> | undefined => opened?.app.close();
  if (opensFor === 'all tests') {
    beforeAll(open);
    afterAll(close);
  } else {
    beforeEach(open);
    // Registered before the examination, and hence called after it.
    afterEach(close);
  }
  beforeEach(() => {
    const { app, folder, responses, allowed } = stage();
    responses.length = 0;
    allowed.length = 0;
    loggedBefore = app.log.length;
    before = snapshot(folder, ['data']);
  });
  afterEach(async () => {
    const { app, folder, responses, allowed, canaries, secrets } = stage();
    expect(await waitingTimeMs(app, '/health', ''), 'others wait').toBeLessThan(1_000);
    // Deleted files that may change arrive in the trash; attacks that may change nothing must not reach it.
    const changeable = allowed.length === 0 ? [] : [...allowed, `root/${trashFolder}`];
    expect(changesBetween(before, snapshot(folder, ['data']), changeable)).toEqual([]);
    expect(examine({ responses, canaries, secrets, folder, log: app.log.slice(loggedBefore) })).toEqual([]);
  });
  return {
    stage,
    attack(id, work, { changes = [], note } = {}) {
      test(`${id} ${cases[id]}${note === undefined ? '' : `: ${note}`}`, async () => {
        stage().allowed.push(...changes);
        await work(stage());
      });
    },
  };
}
