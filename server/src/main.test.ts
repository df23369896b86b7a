import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Runs, openRuns, programArgs, programNode } from '../test/run-main.ts';
import { Mounts } from '../test/fixtures/mounts.ts';
import { makeSelfSigned } from '../test/fixtures/self-signed.ts';
import { version } from './version.ts';

let runs: Runs;
let folder: string;
let run: Runs['run'];
beforeEach(async () => {
  runs = await openRuns();
  ({ folder, run } = runs);
});
afterEach(() => runs.remove());

async function signIn(url: string, username: string, password: string): Promise<Response> {
  return fetch(`${url}api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
}

/** Resolves once the server no longer accepts connections. */
async function untilRefused(url: string): Promise<void> {
  const isRefused = (): Promise<boolean> =>
    fetch(`${url}health`).then(
      () => false,
      () => true,
    );
  await expect.poll(isRefused).toBe(true);
}

const wrongSignInOver = (socketPath: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const login = request({ socketPath, path: '/api/login', method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    login.on('error', reject);
    login.end('{"username":"admin","password":"wrong"}');
  });

test('--help describes every option, --version prints the version, an error prints its reason', async () => {
  const help = run('--help');
  expect(await help.ended).toBe(0);
  for (const part of ['--root', '--baseURL', 'FB_BASE_URL', '--sessionIdle', 'default: 8080']) {
    expect(help.output().replaceAll(/\s+/g, ' ')).toContain(part);
  }
  const shown = run('--version');
  expect(await shown.ended).toBe(0);
  expect(shown.output()).toBe(`${version}\n`);
  const wrong = run('--port', 'x');
  expect(await wrong.ended).toBe(1);
  expect(wrong.output()).toBe('filestead: --port: expected a whole number from 0 to 65535\n');
  const unknown = run('--nonsense');
  expect(await unknown.ended).toBe(1);
  expect(unknown.output()).toMatch(/^filestead: unknown option '--nonsense'/);
  const missing = run('--root', 'nowhere');
  expect(await missing.ended).toBe(1);
  expect(missing.output()).toMatch(/^filestead: root: .* does not exist/);
});

test('the version is equal to that of the packages', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect((JSON.parse(text) as { version: string }).version).toBe(version);
});

test('the first start saves a password with mode 600, keeps its secrets private, and the second start knows the user', async () => {
  const first = run('--port', '0');
  const [, url = ''] = await first.waitFor(/at (http:\S+)/);
  const [, file = ''] = await first.waitFor(/Password: +in the file (\S+)/);
  expect(file).toBe(join(folder, 'root', '.filestead', 'initial-password'));
  expect(first.output()).toContain(`at ${url}          (data in ${join(folder, 'root', '.filestead')})\n`);
  const password = (await readFile(file, 'utf8')).trimEnd();
  expect(first.output()).not.toContain(password);
  expect(password).toMatch(/^(?:\w{4}-){3}\w{4}$/);
  const response = await signIn(url, 'admin', password);
  expect(response.status).toBe(200);
  const token = await response.text();
  const listing = await fetch(`${url}api/resources/`, { headers: { 'x-auth': token } });
  expect(((await listing.json()) as { items: unknown[] }).items).toEqual([]);
  for (const path of [
    '.filestead',
    '.filestead/initial-password',
    '.filestead/filestead.db',
    '.filestead%2Ffilestead.db',
  ]) {
    expect((await fetch(`${url}api/raw/${path}`, { headers: { 'x-auth': token } })).status).toBe(404);
  }
  const data = join(folder, 'root', '.filestead');
  expect((await stat(data)).mode & 0o777).toBe(0o700);
  for (const name of await readdir(data)) {
    expect((await stat(join(data, name))).mode & 0o077, name).toBe(0);
  }
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const second = run('--port', '0');
  const [, again = ''] = await second.waitFor(/at (http:\S+)/);
  expect(second.output()).not.toContain('Password');
  expect((await fetch(`${again}api/users`, { headers: { 'x-auth': token } })).status).toBe(200);
  expect((await signIn(again, 'admin', 'admin')).status).toBe(403);
  expect((await signIn(again, 'admin', password)).status).toBe(200);
});

test('a server that may not write to the served folder starts and warns once', async ({ skip }) => {
  const readOnly = join(folder, 'read-only');
  await mkdir(readOnly);
  const mounts = new Mounts();
  mounts.required({ skip }).tmpfs(readOnly, 'ro');
  try {
    const server = run('--port', '0', '--root', readOnly, '--data', join(folder, 'data'));
    const [, url = ''] = await server.waitFor(/at (http:\S+)/);
    const ready = (await (await fetch(`${url}health/ready`)).json()) as object;
    expect(ready).toEqual({ status: 'ready', reasons: [], notes: ['read_only'] });
    expect(
      server.output().match(/"level":"warn".*cannot be written: uploads and changes are refused/g),
    ).toHaveLength(1);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  } finally {
    mounts.release();
  }
});

test('a server with commands but without the program of their sandbox starts and warns once', async ({
  skip,
}) => {
  new Mounts().required({ skip });
  // In a mount namespace of its own, so that only this server lacks the program.
  const withoutSandbox = 'test ! -e /usr/bin/bwrap || mount --bind /dev/null /usr/bin/bwrap; exec "$@"';
  const program = [programNode, ...programArgs, '--port', '0', '--enableExec'];
  const server = runs.spawn('unshare', ['--mount', 'sh', '-c', withoutSandbox, 'sh', ...program]);
  const [, url = ''] = await server.waitFor(/at (http:\S+)/);
  expect((await fetch(`${url}health/ready`)).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(
    server
      .output()
      .match(/"level":"warn".*the sandbox \(bubblewrap\) is missing .*“filestead doctor” names/g),
  ).toHaveLength(1);
});

test('the first password survives a first start that cannot listen, and the next start announces it', async () => {
  const occupant = createServer();
  await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve));
  const { port } = occupant.address() as AddressInfo;
  const failed = run('--address', '127.0.0.1', '--port', String(port));
  expect(await failed.ended).toBe(1);
  expect(failed.output()).not.toContain('Password');
  occupant.close();
  const next = run('--port', '0');
  const [, file = ''] = await next.waitFor(/Username: +admin\n +Password: +in the file (\S+)/);
  const [, url = ''] = await next.waitFor(/at (http:\S+)/);
  const password = (await readFile(file, 'utf8')).trimEnd();
  expect((await signIn(url, 'admin', password)).status).toBe(200);
  next.child.kill('SIGTERM');
  expect(await next.ended).toBe(0);
  const later = run('--port', '0');
  await later.waitFor(/at (http:\S+)/);
  expect(later.output()).not.toContain('Password');
});

test('the file with the first password is removed when that password is changed, by the API, a command or before a start', async () => {
  const file = join(folder, 'root', '.filestead', 'initial-password');
  const next = 'another password for tests';
  for (const way of ['api', 'command', 'elsewhere'] as const) {
    const server = run('--port', '0');
    const [, url = ''] = await server.waitFor(/at (http:\S+)/);
    const password = (await readFile(file, 'utf8')).trimEnd();
    const token = await (await signIn(url, 'admin', password)).text();
    const change = (id: number, username: string): Promise<Response> =>
      fetch(`${url}api/users/${id}`, {
        method: 'PUT',
        headers: { 'x-auth': token, 'content-type': 'application/json' },
        body: JSON.stringify({ what: 'user', which: ['password'], data: { id, username, password: next } }),
      });
    if (way === 'api') {
      const data = { username: 'bob', password: 'a password of bob', perm: {}, scope: '.' };
      const created = await fetch(`${url}api/users`, {
        method: 'POST',
        headers: { 'x-auth': token, 'content-type': 'application/json' },
        body: JSON.stringify({ what: 'user', which: [], data }),
      });
      expect(created.status).toBe(201);
      expect((await change(2, 'bob')).status).toBe(200);
      expect((await readFile(file, 'utf8')).trimEnd()).toBe(password);
      expect((await change(1, 'admin')).status).toBe(200);
    } else if (way === 'command') {
      expect(await run('users', 'update', 'admin', '--password', next).ended).toBe(0);
    } else {
      await copyFile(file, `${file}.kept`);
      expect(await run('users', 'update', 'admin', '--password', next).ended).toBe(0);
      server.child.kill('SIGTERM');
      await server.ended;
      await rename(`${file}.kept`, file);
      await run('--port', '0').waitFor(/at http/);
      await expect.poll(() => existsSync(file)).toBe(false);
    }
    await expect(stat(file)).rejects.toThrow('ENOENT');
    await runs.remove();
    await mkdir(join(folder, 'root'), { recursive: true });
  }
});

test('a running transfer finishes before the server stops, and no new connection is accepted', async () => {
  await writeFile(join(folder, 'root', 'big.bin'), Buffer.alloc(24 * 1024 * 1024, 7));
  const server = run('--port', '0', '--password', 'a password for tests');
  const [, url = ''] = await server.waitFor(/at (http:\S+)/);
  const token = await (await signIn(url, 'admin', 'a password for tests')).text();
  const received = await new Promise<number>((resolve, reject) => {
    const download = request(`${url}api/raw/big.bin`, { headers: { 'x-auth': token } }, (response) => {
      let bytes = 0;
      response.once('readable', () => {
        server.child.kill('SIGTERM');
        // Reads nothing more before the server has stopped accepting connections.
        untilRefused(url).then(() => response.on('data', (chunk: Buffer) => (bytes += chunk.length)), reject);
      });
      response.on('end', () => resolve(bytes));
      response.on('error', reject);
    });
    download.on('error', reject);
    download.end();
  });
  expect(received).toBe(24 * 1024 * 1024);
  expect(await server.ended).toBe(0);
  await expect(fetch(`${url}health`)).rejects.toThrow();
});

// The transfer never ends by itself, and the default of the grace time is as long as the limit of this test.
test.each([
  ['after the grace time', '1s', 1],
  ['at once by a second signal', '60s', 2],
] as const)(
  'a transfer that does not end is cut off %s',
  { timeout: 30_000 },
  async (_title, grace, signals) => {
    await writeFile(join(folder, 'root', 'big.bin'), Buffer.alloc(24 * 1024 * 1024, 7));
    const server = run('--port', '0', '--password', 'a password for tests', '--shutdownGrace', grace);
    const [, url = ''] = await server.waitFor(/at (http:\S+)/);
    const token = await (await signIn(url, 'admin', 'a password for tests')).text();
    const stalled = request(`${url}api/raw/big.bin`, { headers: { 'x-auth': token } });
    stalled.on('error', () => undefined);
    stalled.end();
    await new Promise((resolve) => stalled.once('response', resolve));
    server.child.kill('SIGTERM');
    if (signals === 2) {
      await untilRefused(url);
      server.child.kill('SIGTERM');
    }
    expect(await server.ended).toBe(signals === 2 ? 143 : 0);
    stalled.destroy();
  },
);

test('a Unix socket has its permission bits, and a stale one is replaced', async () => {
  const path = join(folder, 'socket');
  for (const turn of [1, 2]) {
    const server = run('--socket', path, '--socketPerm', '0600');
    await server.waitFor(/at unix:/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request({ socketPath: path, path: '/health' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
    expect(await wrongSignInOver(path)).toBe(403);
    server.child.kill(turn === 1 ? 'SIGKILL' : 'SIGTERM');
    await server.ended;
  }
});

test('a socket and a port of the command line win over the stored ones, and exclude each other', async () => {
  const path = join(folder, 'socket');
  const [withPort, withSocket] = [join(folder, 'with-port'), join(folder, 'with-socket')];
  for (const [data, ...stored] of [
    [withPort, '--port', '1', '--address', '0.0.0.0'],
    [withSocket, '--socket', join(folder, 'stored')],
  ] as const)
    expect(await run('config', 'init', '--data', data, ...stored).ended).toBe(0);
  for (const [data, given, listening] of [
    [withPort, ['--socket', path], / at unix:/],
    [withSocket, ['--port', '0'], / at http:\/\/127\.0\.0\.1:\d+\//],
  ] as const) {
    const server = run('--data', data, ...given);
    await server.waitFor(listening);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  }
  const both = run('--socket', path, '--port', '0');
  expect(await both.ended).toBe(1);
  expect(both.output()).toContain('--socket: cannot be combined with port');
});

test('the server uses TLS with a certificate and its key, and explains unusable ones', async () => {
  const { cert, key } = makeSelfSigned();
  const write = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const [certFile, keyFile] = [await write('cert.pem', cert), await write('key.pem', key)];
  const options = ['--root', join(folder, 'root'), '--data', join(folder, 'data'), '--port', '0'];
  const { waitFor } = run(...options, '--cert', certFile, '--key', keyFile);
  const [, port = ''] = await waitFor(/ at https:\/\/127\.0\.0\.1:(\d+)\//);
  let hsts: string | undefined;
  const get = (ca: string | undefined, more: SecureContextOptions = {}): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const probe = secureRequest({ port, host: '127.0.0.1', path: '/health', ca, agent: false, ...more });
      probe.on('response', (response) => {
        response.resume();
        hsts = response.headers['strict-transport-security'];
        resolve(response.statusCode);
      });
      probe.on('error', reject);
      probe.end();
    });
  expect(await get(cert)).toBe(200);
  expect(hsts).toBe('max-age=31536000');
  await expect(get(undefined)).rejects.toThrow('self-signed');
  await expect(get(cert, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })).rejects.toThrow();

  const other = await write('other.pem', makeSelfSigned().key);
  const broken = await write('broken.pem', 'no certificate');
  for (const [given, itsKey] of [
    [certFile, other],
    [broken, keyFile],
    [certFile, broken],
    [certFile, join(folder, 'missing.pem')],
  ] as const) {
    const { ended, output } = run(...options, '--cert', given, '--key', itsKey);
    expect(await ended).toBe(1);
    expect(output()).toMatch(/^filestead: cert and key: /m);
    expect(output()).toContain(given);
  }
});
