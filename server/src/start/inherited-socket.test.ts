import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Runs, openRuns, programArgs, programNode } from '../../test/run-main.ts';
import { inheritedSocket } from './inherited-socket.ts';

const hasActivation = spawnSync('systemd-socket-activate', ['--version']).status === 0;

let runs: Runs;
beforeEach(async () => {
  runs = await openRuns();
});
afterEach(() => runs.remove());

test.each([
  [{}, null],
  [{ LISTEN_PID: '12', LISTEN_FDS: '1' }, 3],
  [{ LISTEN_PID: '13', LISTEN_FDS: '1' }, null],
  [{ LISTEN_PID: '12' }, null],
  [{ LISTEN_PID: '12', LISTEN_FDS: '0' }, null],
])('the environment %j passes the descriptor %j to process 12', (env, descriptor) => {
  expect(inheritedSocket(env, 12)).toBe(descriptor);
});

test('several sockets are refused', () => {
  expect(() => inheritedSocket({ LISTEN_PID: '12', LISTEN_FDS: '2' }, 12)).toThrow('2 sockets');
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test.skipIf(!hasActivation)('the server listens on the socket of a service manager', async () => {
  const port = await freePort();
  const activation = ['--listen', `127.0.0.1:${port}`, programNode, ...programArgs, '--port', '1'];
  const server = runs.spawn('systemd-socket-activate', activation);
  await server.waitFor(/Listening on/);
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  await server.waitFor(new RegExp(`at http://127\\.0\\.0\\.1:${port}/`));
});
