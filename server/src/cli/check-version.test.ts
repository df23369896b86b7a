import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestCli, openCli } from '../../test/run-cli.ts';
import { version } from '../version.ts';

let cli: TestCli;
let server: Server;
let address: string;
let document: string;
let status: number;
let requests: number;
beforeEach(async () => {
  cli = await openCli();
  [document, status, requests] = ['{}', 200, 0];
  server = createServer((_request, response) => {
    requests += 1;
    response.statusCode = status;
    response.end(document);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest`;
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await cli.remove();
});

test('version alone sends no request', async () => {
  expect(await cli.run(['version'], { env: { FILESTEAD_RELEASES: address } })).toMatchObject({
    status: 0,
    out: `Filestead ${version}`,
  });
  expect(requests).toBe(0);
});

test.each([
  ['{"version":"99.10.2"}', 'Filestead 99.10.2 is available; see docs/guides/upgrade.md'],
  ['{"tag_name":"v99.0.0","draft":false}', 'Filestead 99.0.0 is available; see docs/guides/upgrade.md'],
  [`{"version":"${version}"}`, 'This is the newest version.'],
  ['{"version":"0.0.9"}', 'This is the newest version.'],
])('version --check compares this version with %s', async (text, line) => {
  document = text;
  expect(await cli.run(['version', '--check', '--from', address])).toMatchObject({
    status: 0,
    out: `Filestead ${version}\n${line}`,
  });
  expect(await cli.run(['version', '--check'], { env: { FILESTEAD_RELEASES: address } })).toMatchObject({
    status: 0,
    out: `Filestead ${version}\n${line}`,
  });
});

test.each([
  ['{"version":"1.0.0; rm -rf"}', 'the document names no version'],
  ['<html>', 'the document names no version'],
  [' '.repeat(2 * 1024 * 1024), 'the document is larger than 1048576 bytes'],
])('version --check refuses the document %.30s', async (text, reason) => {
  document = text;
  expect(await cli.run(['version', '--check', '--from', address])).toMatchObject({
    status: 1,
    out: '',
    err: `filestead: the newest version could not be read from ${address}: ${reason}`,
  });
});

test('version --check explains a refused, a missing and an unreachable document', async () => {
  status = 404;
  expect(await cli.run(['version', '--check', '--from', address])).toMatchObject({
    status: 1,
    err: `filestead: the newest version could not be read from ${address}: the response is 404`,
  });
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  expect(await cli.run(['version', '--check', '--from', `http://127.0.0.1:${port}/`])).toMatchObject({
    status: 1,
    err: `filestead: the newest version could not be read from http://127.0.0.1:${port}/: nothing listens there`,
  });
  const { status: offline, err } = await cli.run([
    'version',
    '--check',
    '--from',
    'https://releases.invalid/',
  ]);
  expect(offline).toBe(1);
  expect(err).toMatch(
    /^filestead: the newest version could not be read from .*: its name .*; is this machine offline\?$/,
  );
});

test('version --check without an address names the option', async () => {
  expect(await cli.run(['version', '--check'])).toMatchObject({
    status: 1,
    err: 'filestead: this build names no address with the newest version; name one with --from or FILESTEAD_RELEASES',
  });
  expect(await cli.run(['version', '--check', '--from', 'file:///etc/passwd'])).toMatchObject({
    status: 1,
    err: 'filestead: --from: “file:///etc/passwd” is not an address; it begins with https://',
  });
});
