import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, type TestContext } from 'vitest';
import { openSqlite } from '../../src/database/sqlite/open-sqlite.ts';
import { Client } from './client.ts';
import {
  type Build,
  buildServer,
  collectOutput,
  password,
  type RealServer,
  spawnServer,
  startRealServer,
} from './real-server.ts';
import { Mounts } from '../fixtures/mounts.ts';

let build: Build;
let top: string;
let root: string;
let data: string;
let file: string;
let servers: RealServer[];
let mounts: Mounts;
beforeAll(async () => {
  build = await buildServer();
});
afterAll(() => build.remove());
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'filestead-database-')));
  [root, data] = [join(top, 'root'), join(top, 'data')];
  file = join(data, 'filestead.db');
  mkdirSync(root);
  mkdirSync(data, { mode: 0o700 });
  servers = [];
  mounts = new Mounts();
});
afterEach(async () => {
  for (const server of servers) await server.kill();
  mounts.release();
  rmSync(top, { recursive: true, force: true });
});

async function start(...args: string[]): Promise<{ server: RealServer; client: Client }> {
  const server = await startRealServer({ main: build.main, root, data, args });
  servers.push(server);
  const client = new Client();
  client.url = server.url;
  client.token = await client.signIn();
  return { server, client };
}

/** Starts a server that is expected to fail. Returns its exit status and output. */
async function failToStart(): Promise<[number | null, string]> {
  const child = spawnServer({ main: build.main, root, data });
  const output = collectOutput(child);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return [status, output()];
}

/** Runs a command of the built program. Returns its exit status and output. */
function command(...args: string[]): { status: number | null; output: string } {
  const line = [build.main, ...args, '--data', data, '--root', root];
  const { status, stdout, stderr } = spawnSync(process.execPath, line, { encoding: 'utf8', cwd: top });
  return { status, output: stdout + stderr };
}

const json = { accept: 'application/json' };
const createShare = (client: Client): Promise<Response> =>
  client.send('POST', '/share/a.txt', { json: {}, headers: json });
const health = async ({ url }: Client): Promise<number> => (await fetch(`${url}/health`)).status;
async function refusal(response: Promise<Response>): Promise<[number, unknown]> {
  const { status, body } = await response.then(async (got) => ({
    status: got.status,
    body: await got.json(),
  }));
  return [status, (body as { code?: string }).code];
}

/** The users of a copy of the database's file alone. */
function usersOfCopy(): unknown[] {
  const copy = join(top, 'copy.db');
  copyFileSync(file, copy);
  const connection = openSqlite(copy);
  try {
    return connection.prepare('select username from users order by id').all();
  } finally {
    connection.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
  }
}

describe('the database file', () => {
  test('a clean stop leaves only the database file', async () => {
    const { server, client } = await start();
    const user = { id: 0, username: 'bob', password, scope: '/', locale: 'en' };
    await client.call('POST', '/users', { json: { what: 'user', which: [], data: user } });
    await server.stop();
    expect(usersOfCopy()).toMatchObject([{ username: 'admin' }, { username: 'bob' }]);
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  test('a command leaves only the database file, also beside a running server', async () => {
    const { server } = await start();
    expect(command('users', 'add', 'bob', password).status).toBe(0);
    expect(usersOfCopy()).toMatchObject([{ username: 'admin' }, { username: 'bob' }]);
    await server.stop();
    expect(command('users', 'add', 'carol', password).status).toBe(0);
    expect(usersOfCopy()).toHaveLength(3);
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });
});

describe('a lost database', () => {
  const losses: [string, () => void, RegExp][] = [
    ['is empty', () => writeFileSync(file, ''), /filestead\.db is empty \(0 bytes\)/],
    [
      'is missing',
      () => rmSync(file),
      /filestead\.db is missing, but this data folder has been in use since \d{4}-/,
    ],
    [
      'has no users',
      () => {
        const connection = openSqlite(file);
        connection.exec('delete from users');
        connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        connection.close();
      },
      /filestead\.db has no users, although it was in use/,
    ],
  ];
  for (const [name, lose, message] of losses) {
    test(`a database that ${name} ends the start and the commands with instructions, unless a new installation is requested`, async () => {
      const { server } = await start();
      await server.stop();
      lose();
      const [status, output] = await failToStart();
      expect(status).toBe(1);
      expect(output).toMatch(message);
      expect(output).toContain('--newInstallation');
      const listed = command('users', 'ls');
      expect(listed.status).toBe(1);
      expect(listed.output).toMatch(message);
      const { client } = await start('--newInstallation');
      expect(await client.json<unknown[]>('/users')).toHaveLength(1);
    });
  }

  test('a database that is missing beside its write-ahead log is not recreated, and the log is kept', async () => {
    const { server } = await start();
    await server.kill();
    rmSync(file);
    rmSync(join(data, 'installation.json'));
    const [status, output] = await failToStart();
    expect(status).toBe(1);
    expect(output).toContain('filestead.db-wal exists');
    expect(command('config', 'init').output).toContain('filestead.db-wal exists');
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    await start('--newInstallation');
    expect(readdirSync(`${file}-backups`).some((name) => name.startsWith('filestead.db-wal-'))).toBe(true);
  });

  test('a database that is removed or replaced under a running server is detected, and no change is written to it', async () => {
    writeFileSync(join(root, 'a.txt'), 'a');
    const { server, client } = await start();
    const moved = join(top, 'moved.db');
    expect(await health(client)).toBe(200);
    for (const [word, lose] of [
      ['removed', () => renameSync(file, moved)],
      ['replaced', () => copyFileSync(moved, file)],
    ] as const) {
      lose();
      expect(await health(client)).toBe(503);
      expect(await refusal(createShare(client))).toEqual([503, 'database_unavailable']);
      const response = await client.send('POST', '/users', {
        json: { what: 'user', which: [], data: { username: 'bob', password } },
        headers: json,
      });
      expect([response.status, await response.text()]).toEqual([503, expect.stringContaining(`was ${word}`)]);
      expect((await client.send('GET', '/resources/')).status).toBe(200);
      expect(server.output()).toContain(`the database file was ${word} while the server was running`);
    }
    renameSync(moved, file);
    expect(await health(client)).toBe(200);
    expect((await createShare(client)).status).toBe(200);
  });

  test('a server whose database was replaced leaves the new one and its log alone when it stops', async () => {
    const { server } = await start();
    rmSync(file);
    rmSync(`${file}-wal`);
    writeFileSync(file, 'another database');
    writeFileSync(`${file}-wal`, 'another log');
    await server.stop();
    expect([statSync(file).size, statSync(`${file}-wal`).size]).toEqual([16, 11]);
  });
});

/** Mounts a separate disk for the data; the test is skipped if that is not permitted. */
function mountData(context: TestContext, sizeMiB: number): void {
  mounts.required(context).tmpfs(data, `size=${sizeMiB}m,mode=0700`);
}

/** As {@link mountData}, with a file system that can be made to fail. */
function mountImage(context: TestContext): void {
  const image = join(top, 'disk.img');
  writeFileSync(image, Buffer.alloc(12 * 1024 * 1024));
  const { status } = spawnSync('mkfs.ext4', ['-q', image], { stdio: 'ignore' });
  if (status !== 0 || !mounts.image(image, data))
    context.skip('only root with loop devices may mount a disk of its own');
  chmodSync(data, 0o700);
}

/** Fills the data disk to the last byte. */
function fill(): void {
  const piece = Buffer.alloc(4096, 1);
  try {
    for (;;) writeFileSync(join(data, 'filler'), piece, { flag: 'a' });
  } catch {
    // It is full.
  }
}

/** Waits until the server has reserved space for a full disk, which it does in one go soon after its start. */
async function untilSpaceIsReserved(client: Client): Promise<void> {
  await expect.poll(() => statSync(`${file}-wal`).size).toBeGreaterThan(1024 * 1024);
  await client.send('GET', '/resources/');
}

describe('the disk of the database', () => {
  test('users can sign in, stay signed in and sign out on a full disk; other changes answer 507', async (context) => {
    mountData(context, 6);
    writeFileSync(join(root, 'a.txt'), 'a');
    const { server, client } = await start();
    await untilSpaceIsReserved(client);
    const statuses: number[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      fill();
      const token = await client.signIn();
      const renewed = await client.call('POST', '/renew', { token });
      await client.call('POST', '/logout', { token: await renewed.text() });
      expect((await client.send('GET', '/users', { token })).status).toBe(401);
      expect((await client.send('GET', '/resources/')).status).toBe(200);
    }
    // Large rules soon need more space than the database has reserved.
    const rules = Array.from({ length: 900 }, (_, index) => ({
      regex: false,
      allow: true,
      path: `/${'x'.repeat(200)}${index}`,
    }));
    for (let turn = 0; turn < 12; turn += 1) {
      const user = { id: 0, username: `bob${turn}`, password, scope: '/', locale: 'en', rules };
      const response = await client.send('POST', '/users', { json: { what: 'user', which: [], data: user } });
      statuses.push(response.status);
    }
    // Exactly the created users exist, and the space did not suffice for all.
    const isFull = statuses.indexOf(507);
    expect(isFull).toBeGreaterThan(0);
    const users = (await (await client.send('GET', '/users')).json()) as { username: string }[];
    const created = new Set(users.map(({ username }) => username));
    expect(statuses).toEqual(statuses.map((_, turn) => (created.has(`bob${turn}`) ? 201 : 507)));
    // Smaller ones fill what is left; a part of the space stays reserved for signing in.
    for (const [size, count] of [400, 100, 30, 10, 3].entries()) {
      let status = 201;
      for (let turn = 0; turn < 12 && status === 201; turn += 1) {
        const user = {
          id: 0,
          username: `eve${size}x${turn}`,
          password,
          scope: '/',
          rules: rules.slice(0, count),
        };
        status = (await client.send('POST', '/users', { json: { what: 'user', which: [], data: user } }))
          .status;
      }
    }
    for (let turn = 0; turn < 10; turn += 1) {
      fill();
      const token = await client.signIn();
      expect((await client.call('POST', '/logout', { token })).status).toBe(200);
    }
    expect(await (await client.call('GET', '/raw/a.txt')).text()).toBe('a');
    expect(server.output()).not.toMatch(/cannot rollback|unexpected error/);
    rmSync(join(data, 'filler'));
    const user = { id: 0, username: 'late', password, scope: '/', locale: 'en', rules };
    await client.call('POST', '/users', { json: { what: 'user', which: [], data: user } });
    expect(server.output()).not.toMatch(/cannot rollback|unexpected error/);
  });

  test('changes of the database are rejected with a reason on a failing disk, and reading continues', async (context) => {
    mountImage(context);
    writeFileSync(join(root, 'a.txt'), 'a');
    const { server, client } = await start();
    // From now on every write fails, also of files that are open, as after an I/O error.
    expect(spawnSync('mount', ['-o', 'remount,abort', data]).status).toBe(0);
    const settings = await client.json<Record<string, unknown>>('/settings');
    const response = client.send('PUT', '/settings', { json: { ...settings, signup: true }, headers: json });
    expect(await refusal(response)).toEqual([503, 'database_unavailable']);
    expect(
      await refusal(client.send('POST', '/login', { json: { username: 'admin', password }, headers: json })),
    ).toEqual([503, 'database_unavailable']);
    expect(await (await client.call('GET', '/raw/a.txt')).text()).toBe('a');
    expect(server.output()).not.toMatch(/cannot rollback|unexpected error/);
  });
});
