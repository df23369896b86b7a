import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, type TestContext } from 'vitest';
import { openSqlite } from '../../src/database/sqlite/open-sqlite.ts';
import { Client } from './client.ts';
import {
  type Build,
  buildServer,
  collectOutput,
  type RealServer,
  spawnServer,
  startRealServer,
  type StartServer,
} from './real-server.ts';
import { contentOf, readTree } from './trees.ts';
import { Mounts } from '../fixtures/mounts.ts';

const MiB = 1024 * 1024;
let build: Build;
let top: string;
let root: string;
let data: string;
let servers: RealServer[];
let mounts: Mounts;
beforeAll(async () => {
  build = await buildServer();
});
afterAll(() => build.remove());
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'filestead-trouble-')));
  [root, data] = [join(top, 'root'), join(top, 'data')];
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

/** Mounts a separate disk at `folder`; the test is skipped if that is not permitted. */
function mountDisk(context: TestContext, folder: string, sizeMiB: number): void {
  mounts.required(context).tmpfs(folder, `size=${sizeMiB}m,mode=0700`);
}

async function start(more: Partial<StartServer> = {}): Promise<{ server: RealServer; client: Client }> {
  const server = await startRealServer({ main: build.main, root, data, ...more });
  servers.push(server);
  const client = new Client();
  client.url = server.url;
  client.token = await client.signIn();
  return { server, client };
}

/** Returns the status and error code of a response. */
async function statusAndCode(request: Promise<Response>): Promise<[number, string]> {
  const { status, body } = await request.then(async (response) => ({
    status: response.status,
    body: await response.text(),
  }));
  const [, code = ''] = /"code":"([a-z_]+)"/.exec(body) ?? [];
  return [status, code];
}
const json = { accept: 'application/json' };

/** Sends a body without a length. */
const sendUnannounced = (
  client: Client,
  method: string,
  path: string,
  content: Uint8Array,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'x-auth': client.token, 'transfer-encoding': 'chunked' };
    const sending = request(`${client.url}/api${path}`, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sending.on('error', reject);
    for (let at = 0; at < content.length; at += 64 * 1024)
      sending.write(content.subarray(at, at + 64 * 1024));
    sending.end();
  });

const temporaryFiles = (): string[] => readTree(root).temporary;
const openFiles = ({ pid }: RealServer): number => readdirSync(`/proc/${pid}/fd`).length;

test('uploads to a full disk answer 507, existing files are kept, and later uploads succeed', async (context) => {
  mountDisk(context, root, 6);
  const old = contentOf('old', MiB);
  writeFileSync(join(root, 'a.bin'), old);
  const big = contentOf('big', 8 * MiB);
  const { server, client } = await start();
  const full: [number, string] = [507, 'storage_full'];
  expect(await statusAndCode(client.send('POST', '/resources/b.bin', { body: big, headers: json }))).toEqual(
    full,
  );
  expect(await statusAndCode(client.send('PUT', '/resources/a.bin', { body: big, headers: json }))).toEqual(
    full,
  );
  expect(await sendUnannounced(client, 'POST', '/resources/b.bin', big)).toBe(507);
  expect(await sendUnannounced(client, 'PUT', '/resources/a.bin', big)).toBe(507);
  expect(server.output()).toContain('the disk or the operating system reported an error');
  // Four copies do not fit beside the original.
  mkdirSync(join(root, 'four'));
  for (const name of ['1', '2', '3']) writeFileSync(join(root, 'four', name), old);
  const copy = client.send('PATCH', '/resources/four?action=copy&destination=%2Fcopy', { headers: json });
  expect(await statusAndCode(copy)).toEqual(full);
  await expect(client.job('copy', [{ from: '/four', to: '/copy' }])).rejects.toThrow(
    'the job ended as failed',
  );
  const length = { 'tus-resumable': '1.0.0', 'upload-length': String(big.length), ...json };
  expect(await statusAndCode(client.send('POST', '/tus/c.bin', { headers: length }))).toEqual(full);
  expect([...readTree(root).tree.keys()].toSorted()).toEqual(['a.bin', 'four', 'four/1', 'four/2', 'four/3']);
  expect(temporaryFiles()).toEqual([]);
  expect(readFileSync(join(root, 'a.bin')).equals(old)).toBe(true);
  expect((await client.send('POST', '/resources/small.txt', { body: 'fits' })).status).toBe(200);
  expect((await client.send('DELETE', '/resources/four')).status).toBe(200);
  expect((await client.send('PUT', '/resources/a.bin', { body: old.subarray(9) })).status).toBe(200);
});

test('changes on a read-only disk are rejected with a reason, reading continues, and changes succeed later', async (context) => {
  mountDisk(context, root, 8);
  writeFileSync(join(root, 'a.txt'), 'old');
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd', 'b.txt'), 'b');
  const { server, client } = await start();
  expect(spawnSync('mount', ['-o', 'remount,ro', root]).status).toBe(0);
  const attempts: [string, string, string?][] = [
    ['POST', '/resources/new.txt', 'new'],
    ['POST', '/resources/a.txt?override=true', 'new'],
    ['PUT', '/resources/a.txt', 'new'],
    ['POST', '/resources/folder/'],
    ['DELETE', '/resources/a.txt'],
    ['DELETE', '/resources/d'],
    ['PATCH', '/resources/a.txt?action=rename&destination=%2Fc.txt'],
    ['PATCH', '/resources/d?action=rename&destination=%2Fe'],
    ['PATCH', '/resources/d?action=copy&destination=%2Fe'],
  ];
  for (const [method, path, body] of attempts) {
    const response = await client.send(method, path, {
      headers: json,
      ...(body === undefined ? {} : { body }),
    });
    expect([response.status, await response.json()], `${method} ${path}`).toMatchObject([
      403,
      { code: 'forbidden', detail: 'the disk is read-only' },
    ]);
  }
  expect(server.output()).toContain('EROFS');
  expect(await (await client.call('GET', '/raw/a.txt')).text()).toBe('old');
  expect((await client.call('GET', '/raw/d?algo=tar')).status).toBe(200);
  expect(spawnSync('mount', ['-o', 'remount,rw', root]).status).toBe(0);
  expect((await client.send('PUT', '/resources/a.txt', { body: 'new' })).status).toBe(200);
  expect((await client.send('PATCH', '/resources/d?action=rename&destination=%2Fe')).status).toBe(200);
  const names = [...readTree(root).tree.keys()].filter((name) => !name.startsWith('.filestead-trash'));
  expect(names.toSorted()).toEqual(['a.txt', 'e', 'e/b.txt']);
  expect(temporaryFiles()).toEqual([]);
});

test('reading continues with a full data folder, changes are answered 507, and nothing is left incomplete', async (context) => {
  mountDisk(context, data, 3);
  writeFileSync(join(root, 'a.txt'), 'old');
  const { server, client } = await start();
  // To the last byte: a freed page is allocated again.
  const filler = join(data, 'filler');
  const piece = Buffer.alloc(4096, 1);
  const fill = (): void => {
    try {
      for (;;) writeFileSync(filler, piece, { flag: 'a' });
    } catch {
      // It is full.
    }
  };
  fill();
  const settings = await client.json<Record<string, unknown>>('/settings');
  const statuses: number[] = [];
  for (let turn = 0; turn < 30; turn += 1) {
    fill();
    const branding = { name: `${'x'.repeat(40)} ${turn}` };
    statuses.push((await client.send('PUT', '/settings', { json: { ...settings, branding } })).status);
    statuses.push((await client.send('POST', '/resources/b.txt?override=true', { body: 'b' })).status);
  }
  expect(new Set(statuses)).not.toContain(500);
  expect(statuses).toContain(507);
  expect(await (await client.call('GET', '/raw/a.txt')).text()).toBe('old');
  expect((await client.call('GET', '/resources/')).status).toBe(200);
  expect(temporaryFiles()).toEqual([]);
  rmSync(filler);
  expect((await client.send('PUT', '/settings', { json: settings })).status).toBe(200);
  expect((await client.send('PUT', '/resources/a.txt', { body: 'new' })).status).toBe(200);
  expect(server.output()).not.toContain('unexpected error');
});

test('thumbnails are sent even if their cache is full', async (context) => {
  const cache = join(top, 'cache');
  mkdirSync(cache);
  mountDisk(context, cache, 1);
  const picture = sharp({ create: { width: 900, height: 700, channels: 3, background: '#3a6ea5' } });
  writeFileSync(join(root, 'a.jpg'), await picture.jpeg().toBuffer());
  const { server, client } = await start({ args: [`--cacheDir=${cache}`] });
  expect(() => writeFileSync(join(cache, 'filler'), Buffer.alloc(2 * MiB))).toThrow('ENOSPC');
  const response = await client.call('GET', '/preview/thumb/a.jpg');
  expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBeGreaterThan(0);
  await expect.poll(() => server.output()).toContain('a preview could not be stored in the cache');
});

test('uploads above the file size limit of the system are answered 413, and existing files are kept', async (context) => {
  if (process.platform !== 'linux') return context.skip('limits are set by a shell of Linux');
  writeFileSync(join(root, 'a.bin'), 'old');
  // In units of 512 bytes.
  const { client } = await start({ wrapper: ['sh', '-c', 'ulimit -f 8192; exec "$0" "$@"'] });
  const big = contentOf('big', 6 * MiB);
  expect(await statusAndCode(client.send('PUT', '/resources/a.bin', { body: big, headers: json }))).toEqual([
    413,
    'payload_too_large',
  ]);
  expect(readFileSync(join(root, 'a.bin'), 'utf8')).toBe('old');
  expect(temporaryFiles()).toEqual([]);
  expect((await client.send('PUT', '/resources/a.bin', { body: 'new' })).status).toBe(200);
});

test('answers 503 without a file descriptor, changes nothing, and recovers when connections end', async (context) => {
  if (process.platform !== 'linux') return context.skip('limits are set by a shell of Linux');
  writeFileSync(join(root, 'a.txt'), 'old');
  const { server, client } = await start({ wrapper: ['sh', '-c', 'ulimit -n 80; exec "$0" "$@"'] });
  await client.call('GET', '/resources/');
  const sockets: Socket[] = [];
  for (let count = 0; count < 120; count += 1) {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(client.url).port) });
    socket.on('error', () => undefined);
    sockets.push(socket);
  }
  /** Reads the body, so that the connection stays open. */
  const statusOf = async (sent: Promise<Response>): Promise<number> => {
    const response = await sent;
    await response.arrayBuffer();
    return response.status;
  };
  // The connection of this client is open already; only its files are missing. A busy machine accepts the other connections later.
  await expect.poll(() => statusOf(client.send('GET', '/raw/a.txt'))).toBe(503);
  for (let turn = 0; turn < 20; turn += 1) {
    for (const work of [
      () => client.send('GET', '/raw/a.txt'),
      () => client.send('PUT', '/resources/a.txt', { body: 'new' }),
      () => client.send('GET', '/resources/'),
    ]) {
      expect(await statusOf(work())).toBe(503);
    }
  }
  for (const socket of sockets) socket.destroy();
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old');
  await expect.poll(() => openFiles(server)).toBeLessThan(70);
  expect((await client.send('PUT', '/resources/a.txt', { body: 'newer' })).status).toBe(200);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('newer');
  expect(temporaryFiles()).toEqual([]);
});

/** Starts a server that must not start; its exit status and what it printed. */
async function failToStart(): Promise<[number | null, string]> {
  const child = spawnServer({ main: build.main, root, data });
  const output = collectOutput(child);
  const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(late);
  return [status, output()];
}

test('a second server on the same data does not start, and the first continues', async () => {
  const { client } = await start();
  const [status, output] = await failToStart();
  expect([status, output]).toEqual([
    1,
    expect.stringMatching(/^filestead: another server uses this data folder/),
  ]);
  expect((await client.send('POST', '/resources/a.txt', { body: 'a' })).status).toBe(200);
});

test('a damaged database ends the start with its name and a reason, and is not changed', async () => {
  const { server } = await start();
  await server.stop();
  const file = join(data, 'filestead.db');
  // The write-ahead log must be empty, because it would repair the database.
  const connection = openSqlite(file);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
  const whole = readFileSync(file);
  const damages: [string, Buffer, RegExp][] = [
    ['another file', Buffer.from('something else'.repeat(100)), /is not a database of Filestead/],
    ['cut short', whole.subarray(0, 5000), /the database .*filestead\.db is damaged/],
    [
      'overwritten inside',
      Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100, 0x5a)]),
      /the database .*filestead\.db is damaged/,
    ],
  ];
  for (const [name, content, reason] of damages) {
    writeFileSync(file, content);
    const [status, output] = await failToStart();
    expect([status, output], name).toEqual([1, expect.stringMatching(reason)]);
    expect(readFileSync(file).equals(content), name).toBe(true);
  }
  writeFileSync(file, whole);
  await start();
});

describe('with few watches of the operating system', () => {
  /** The number of folders that the programs of the user may watch; the server watches at most a quarter of them. */
  const systemLimit = 1_400;
  const folders = Array.from({ length: 80 }, (_, i) => `folder ${i}`);
  const inNamespace = ['unshare', '--user', '--map-root-user', 'bash', '-c'];
  const setLimit = `echo ${systemLimit} > /proc/sys/user/max_inotify_watches`;
  const watchAll =
    "const { readdirSync, watch } = require('fs'); for (const name of readdirSync('.')) watch(name); setInterval(() => {}, 1e6);";

  /** Starts the server after another program that watches `others` folders, and waits until its catalogue is complete. */
  async function startBeside(
    others: number,
    context: TestContext,
  ): Promise<{ server: RealServer; client: Client; rows: (path: string) => Promise<unknown[]> }> {
    const [command = '', ...args] = inNamespace;
    if (spawnSync(command, [...args, setLimit], { stdio: 'ignore' }).status !== 0)
      context.skip('user namespaces are not permitted');
    const taken = join(top, 'taken');
    mkdirSync(taken);
    for (let i = 0; i < others; i++) mkdirSync(join(taken, String(i)));
    for (const folder of folders) mkdirSync(join(root, folder));
    const script = `${setLimit} && cd "$1" && { "$0" -e "$2" & sleep 0.5; exec "\${@:3}"; }`;
    const wrapper = [...inNamespace, script, process.execPath, taken, watchAll];
    const started = await start({ wrapper, args: ['--catalogue=on', '--catalogueBudget=full'] });
    const rows = async (path: string): Promise<unknown[]> => {
      const response = await started.client.call('GET', path);
      return ((await response.json()) as { rows: unknown[] }).rows;
    };
    await expect.poll(() => rows('/totals/'), { timeout: 20_000 }).toHaveLength(folders.length);
    return { ...started, rows };
  }

  const watchesOf = ({ pid }: RealServer): number =>
    readdirSync(`/proc/${pid}/fdinfo`)
      .flatMap((name) => readFileSync(`/proc/${pid}/fdinfo/${name}`, 'utf8').split('\n'))
      .filter((line) => line.startsWith('inotify wd:')).length;

  test('the server leaves three quarters to other programs, and finds their changes at once', async (context) => {
    const { server, rows } = await startBeside(0, context);
    await expect.poll(() => watchesOf(server), { timeout: 20_000 }).toBeGreaterThan(folders.length);
    expect(watchesOf(server)).toBeLessThanOrEqual(systemLimit / 4);
    writeFileSync(join(root, 'folder 79', 'new.txt'), 'new');
    await expect.poll(() => rows('/find/?query=new.txt'), { timeout: 20_000 }).toHaveLength(1);
    expect(server.output()).not.toContain('refuses to watch');
  });

  test('with the catalogue off the server saves none and watches no folder', async () => {
    const { server, client } = await start();
    await client.call('GET', '/resources/');
    const off = await client.send('GET', '/find/?query=a');
    expect(off.status).toBe(409);
    expect(watchesOf(server)).toBe(0);
    await server.stop();
    expect(readdirSync(data)).not.toContain('catalogue');
  });

  test('the server works without them, and reports it in one line of the log', async (context) => {
    const { server, client } = await startBeside(systemLimit - 40, context);
    await expect.poll(() => server.output(), { timeout: 20_000 }).toContain('refuses to watch');
    const versions = { json: { folders: [{ path: '/' }] } };
    expect((await client.call('POST', '/live/versions', versions)).status).toBe(200);
    expect(server.output().split('refuses to watch')).toHaveLength(2);
    expect(watchesOf(server)).toBeLessThan(40);
  });
});
