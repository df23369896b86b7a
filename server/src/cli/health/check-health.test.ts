import { writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSelfSigned } from '../../../test/fixtures/self-signed.ts';
import { type TestCli, openCli } from '../../../test/run-cli.ts';

let cli: TestCli;
const servers: Server[] = [];
beforeEach(async () => {
  cli = await openCli();
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await cli.remove();
});

/** Listens on a free port of loopback or on a path, and returns the port. */
async function listen(server: Server, path?: string): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => {
    if (path === undefined) server.listen(0, '127.0.0.1', resolve);
    else server.listen(path, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? (address satisfies AddressInfo).port : 0;
}

/** A server whose health check responds with `status`; other paths are not found. */
const healthServer = (status: number, path = '/health/ready', body = ''): Server =>
  createServer((request, response) => {
    response.statusCode = request.url === path ? status : 404;
    response.end(body);
  });

test('healthcheck exits with 0 for a server that is ready', async () => {
  const port = await listen(healthServer(200));
  expect(await cli.run(['healthcheck', '--port', String(port)])).toMatchObject({ status: 0, out: 'ready' });
});

test('healthcheck exits with 1 and the reason for a server that is not ready', async () => {
  const reasons = { reasons: ['root_unavailable', 'disk_space_low', '\u001b[2J'] };
  const port = await listen(healthServer(503, '/health/ready', JSON.stringify(reasons)));
  const { status, out, err } = await cli.run(['healthcheck', '--port', String(port)]);
  expect({ status, out, err }).toEqual({
    status: 1,
    out: '',
    err: 'filestead: /health/ready answers 503: root_unavailable, disk_space_low',
  });
  const silent = await listen(healthServer(503));
  expect(await cli.run(['healthcheck', '--port', String(silent)])).toMatchObject({
    status: 1,
    err: 'filestead: /health/ready answers 503',
  });
});

test('healthcheck exits with 2 if nothing listens on the port or socket', async () => {
  const server = healthServer(200);
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await cli.run(['healthcheck', '--port', String(port)])).toMatchObject({
    status: 2,
    err: `filestead: nothing listens at 127.0.0.1 port ${port}`,
  });
  const socket = join(cli.folder, 'none.sock');
  expect(await cli.run(['healthcheck', '--socket', socket])).toMatchObject({
    status: 2,
    err: `filestead: nothing listens at socket ${socket}`,
  });
});

test('healthcheck reads base URL, port and address from the environment and the configuration file', async () => {
  const port = await listen(healthServer(200, '/files/health/ready'));
  await writeFile(join(cli.folder, 'own.yaml'), `port: ${port}\naddress: 0.0.0.0\n`);
  const args = ['healthcheck', '--config', 'own.yaml'];
  expect(await cli.run(args, { env: { FB_BASEURL: '/files' } })).toMatchObject({ status: 0 });
  expect(await cli.run(args)).toMatchObject({ status: 1, err: 'filestead: /health/ready answers 404' });
});

test('healthcheck supports a Unix socket and a certificate for another host', async () => {
  const socket = join(cli.folder, '..', 'health.sock');
  await listen(healthServer(200), socket);
  expect(await cli.run(['healthcheck', '--socket', socket])).toMatchObject({ status: 0 });

  const { cert, key } = makeSelfSigned();
  await writeFile(join(cli.folder, 'cert.pem'), cert);
  await writeFile(join(cli.folder, 'key.pem'), key);
  const port = await listen(createSecureServer({ cert, key }, (_request, response) => response.end()));
  const tls = ['--cert', 'cert.pem', '--key', 'key.pem'];
  expect(await cli.run(['healthcheck', '--port', String(port), ...tls])).toMatchObject({ status: 0 });
  expect(await cli.run(['healthcheck', '--port', String(port)])).toMatchObject({ status: 1 });
});

test('--wait retries until the server is ready', async () => {
  let requestCount = 0;
  const port = await listen(
    createServer((_request, response) => {
      requestCount += 1;
      response.statusCode = requestCount < 3 ? 503 : 200;
      response.end();
    }),
  );
  expect(await cli.run(['healthcheck', '--port', String(port), '--wait', '60'])).toMatchObject({ status: 0 });
  expect(requestCount).toBe(3);
});

test.each([
  [['--wait', 'soon'], '--wait: expected seconds'],
  [['--wait', '-1'], '--wait: expected seconds'],
  [['--port', '0'], '--port: specify the port'],
  [['--port', 'x'], '--port: expected a whole number'],
  [['--socket', 's', '--port', '1'], 'cannot be combined with port'],
])('healthcheck with %j exits with 1 and names the expected value', async (args, message) => {
  const { status, err } = await cli.run(['healthcheck', ...args]);
  expect({ status, err }).toEqual({ status: 1, err: expect.stringContaining(message) as string });
});
