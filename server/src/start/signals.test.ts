import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Runs, openRuns, programArgs, programNode } from '../../test/run-main.ts';
import { makeSelfSigned } from '../../test/fixtures/self-signed.ts';

const password = 'a password for tests';
const bigBytes = 24 * 1024 * 1024;
const hasScript = spawnSync('script', ['--version']).status === 0;

let runs: Runs;
beforeEach(async () => {
  runs = await openRuns();
});
afterEach(() => runs.remove());

async function tokenOf(url: string): Promise<string> {
  const response = await fetch(`${url}api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  expect(response.status).toBe(200);
  return response.text();
}

/** Returns the number of matching lines in a file; 0 if there is no file. */
async function linesIn(file: string, pattern: RegExp): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => pattern.test(line)).length;
}

test('HUP reopens the log file without ending transfers or the server', async () => {
  const log = join(runs.folder, 'filestead.log');
  await writeFile(join(runs.root, 'big.bin'), Buffer.alloc(bigBytes, 7));
  const server = runs.run('--port', '0', '--password', password, '--log', log);
  const [, url = ''] = await server.waitFor(/at (http:\S+)/);
  const token = await tokenOf(url);
  const received = await new Promise<number>((resolve, reject) => {
    const download = request(`${url}api/raw/big.bin`, { headers: { 'x-auth': token } }, (response) => {
      let bytes = 0;
      response.once('readable', async () => {
        await rename(log, `${log}.1`);
        server.child.kill('SIGHUP');
        await expect.poll(() => linesIn(log, /the log was reopened/)).toBe(1);
        response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      });
      response.on('end', () => resolve(bytes));
      response.on('error', reject);
    });
    download.on('error', reject);
    download.end();
  });
  expect(received).toBe(bigBytes);
  expect((await stat(log)).mode & 0o777).toBe(0o600);
  expect(await linesIn(`${log}.1`, /listens on/)).toBe(1);
  expect((await fetch(`${url}health`)).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(await linesIn(log, /"stopped"/)).toBe(1);
});

test('no log line is lost when HUP arrives repeatedly, and a folder in place of the file does not stop the server', async () => {
  const log = join(runs.folder, 'filestead.log');
  const server = runs.run('--port', '0', '--password', password, '--log', log);
  const [, url = ''] = await server.waitFor(/at (http:\S+)/);
  for (let turn = 1; turn <= 20; turn += 1) {
    await rename(log, `${log}.${turn}`);
    server.child.kill('SIGHUP');
    const response = await fetch(`${url}api/renew`, { method: 'POST' }).catch((error: unknown) => {
      throw new Error(`turn ${turn}: ${server.output()}`, { cause: error });
    });
    expect(response.status).toBe(401);
    await expect.poll(() => linesIn(log, /the log was reopened/)).toBe(1);
  }
  let renewals = await linesIn(log, /api\/renew/);
  for (let turn = 1; turn <= 20; turn += 1) renewals += await linesIn(`${log}.${turn}`, /api\/renew/);
  expect(renewals).toBe(20);

  await rename(log, `${log}.kept`);
  spawnSync('mkdir', [log]);
  server.child.kill('SIGHUP');
  await expect.poll(() => linesIn(`${log}.kept`, /cannot be reopened/)).toBe(1);
  expect((await fetch(`${url}health`)).status).toBe(200);
});

/** Returns the certificate of a server, in PEM form without line ends. */
const certificateOf = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      resolve(raw.toString('base64'));
    });
    socket.on('error', reject);
  });
const bare = (pem: string): string => pem.replaceAll(/-----[^-]+-----|\s/g, '');

test('HUP reloads certificate and key, and keeps the previous ones if the new ones are unusable', async () => {
  const [first, second] = [makeSelfSigned(), makeSelfSigned()];
  const [cert, key] = [join(runs.folder, 'cert.pem'), join(runs.folder, 'key.pem')];
  const write = async (pair: { cert: string; key: string }): Promise<void> => {
    await writeFile(cert, pair.cert);
    await writeFile(key, pair.key);
  };
  await write(first);
  const server = runs.run('--port', '0', '--cert', cert, '--key', key);
  const [, port = ''] = await server.waitFor(/at https:\/\/127\.0\.0\.1:(\d+)/);
  expect(await certificateOf(Number(port))).toBe(bare(first.cert));
  await write(second);
  server.child.kill('SIGHUP');
  await server.waitFor(/certificate and key were reloaded/);
  expect(await certificateOf(Number(port))).toBe(bare(second.cert));
  await write({ cert: 'broken', key: 'broken' });
  server.child.kill('SIGHUP');
  await server.waitFor(/certificate and key cannot be reloaded/);
  expect(await certificateOf(Number(port))).toBe(bare(second.cert));
});

test.skipIf(!hasScript)(
  'the password is printed on a terminal, and closing the terminal stops the server',
  async () => {
    const words = [programNode, ...programArgs, '--port', '0', '--shutdownGrace', '0s'];
    const line = words.map((word) => `'${word}'`).join(' ');
    const terminal = runs.spawn('script', ['-qefc', `exec ${line}`, '/dev/null']);
    const [, url = ''] = await terminal.waitFor(/at (http:[^\s]+)/);
    await terminal.waitFor(/Password: +(?:\w{4}-){3}\w{4}/);
    const file = join(runs.root, '.filestead', 'initial-password');
    await expect.poll(() => existsSync(file)).toBe(false);
    terminal.child.kill('SIGKILL');
    await expect
      .poll(
        () =>
          fetch(`${url}health`).then(
            () => 'serves',
            () => 'gone',
          ),
        { timeout: 20_000 },
      )
      .toBe('gone');
  },
);

test.skipIf(!hasScript)('a server whose terminal was closed ends with status 0', async () => {
  const status = join(runs.folder, 'status');
  const words = [programNode, ...programArgs, '--port', '0', '--shutdownGrace', '0s'];
  const program = words.map((word) => `'${word}'`).join(' ');
  // The shell gets the signal, passes it on and outlives the terminal to record the status.
  const line = `${program} </dev/tty & trap "kill -HUP $!" HUP; wait $!; wait $!; echo $? > '${status}'`;
  const terminal = runs.spawn('script', ['-qefc', line, '/dev/null']);
  await terminal.waitFor(/at (http:[^\s]+)/);
  terminal.child.kill('SIGKILL');
  await expect.poll(() => readFile(status, 'utf8').catch(() => '')).toBe('0\n');
});

test.skipIf(!hasScript)(
  'the first start in a home folder prints on a terminal where the data will be, and the second does not',
  async () => {
    const note = /serves your home folder/;
    const data = `${runs.root}/.filestead`;
    for (const [args, isNoted] of [
      [['--data', `${runs.folder}/data`], false],
      [[], true],
      [[], false],
    ] as const) {
      const words = [programNode, ...programArgs, '--port', '0', '--shutdownGrace', '0s', ...args];
      const line = `HOME='${runs.root}' exec ${words.map((word) => `'${word}'`).join(' ')}`;
      const terminal = runs.spawn('script', ['-qefc', line, '/dev/null']);
      await terminal.waitFor(/at http:/);
      expect(note.test(terminal.output())).toBe(isNoted);
      expect(terminal.output().includes(`in ${data}; --data`)).toBe(isNoted);
      terminal.child.kill('SIGTERM');
      await terminal.ended;
    }
  },
);
