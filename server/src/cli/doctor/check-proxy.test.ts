import { existsSync } from 'node:fs';
import { type IncomingMessage, type Server, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Config, readConfig } from '../../config/config.ts';
import { proofHeader } from '../../operations/proof-header.ts';
import { createProof, isProof } from '../../database/proxy-proof.ts';
import { type StartApp, type TestApp, startApp } from '../../../test/start-app.ts';
import { checkProxy } from './check-proxy.ts';

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0).toReversed()) await one.close();
});

/** Starts a server, and reads its configuration as `doctor` does. */
async function start(given: StartApp['config'] = {}): Promise<{ app: TestApp; config: Config }> {
  const app = await startApp({ config: given });
  running.push(app);
  const options = Object.entries({ root: app.root, data: app.data, ...given });
  const args = options.map(([name, value]) => `--${name}=${value}`);
  return { app, config: await readConfig({ args, env: {}, cwd: app.root, home: app.root }) };
}

/** Settings of a proxy. */
interface ProxySettings {
  /** Whether whole requests and responses are collected before they are passed on. */
  readonly isBuffering?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** The largest body. */
  readonly maxBytes?: number;
  readonly passesUpgrades?: boolean;
}

const collect = async (message: IncomingMessage): Promise<Buffer> => Buffer.concat(await message.toArray());

/** Starts a reverse proxy in front of `target` and returns its address. */
async function startProxy(
  target: string,
  { isBuffering = false, headers = {}, maxBytes = Infinity, passesUpgrades = false }: ProxySettings = {},
): Promise<string> {
  const proxy: Server = createServer((incoming, outgoing) => {
    if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) {
      outgoing.writeHead(413, { connection: 'close' }).end('too large');
      return;
    }
    const { connection: _connection, upgrade: _upgrade, ...passed } = incoming.headers;
    const upstream = request(`${target}${incoming.url ?? ''}`, {
      method: incoming.method,
      headers: { ...passed, ...headers },
    });
    upstream.once('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      if (isBuffering) void collect(response).then((body) => outgoing.end(body));
      else response.pipe(outgoing);
    });
    if (isBuffering) void collect(incoming).then((body) => upstream.end(body));
    else incoming.pipe(upstream);
  });
  if (passesUpgrades) {
    proxy.on('upgrade', (incoming, socket) => {
      const upstream = request(`${target}${incoming.url ?? ''}`, { headers: incoming.headers });
      upstream.once('response', (response) => {
        const { statusCode = 502, headers: found } = response;
        const lines = Object.entries(found).map(([name, value]) => `${name}: ${String(value)}`);
        socket.end([`HTTP/1.1 ${statusCode} Refused`, ...lines, '', ''].join('\r\n'));
        response.resume();
      });
      upstream.end();
    });
  }
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  running.push({
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const textsOf = async (config: Config, url: string): Promise<string[]> =>
  (await checkProxy(config, url)).map(({ state, text, fix }) => `${state} ${text} → ${fix}`);

const forwarded = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http' };

test('a proxy that passes everything on is fine, and the proof is removed', async () => {
  const { app, config } = await start({ trustedProxies: '127.0.0.1' });
  const url = await startProxy(app.url, { headers: forwarded });
  expect(await textsOf(config, `${url}/`)).toEqual([
    `ok ${url}/: requests arrive whole, from 203.0.113.7 → null`,
  ]);
  expect(existsSync(join(app.data, 'doctor-proof'))).toBe(false);
});

test('everything that a proxy changes is named with its remedy', async () => {
  const { app, config } = await start({ baseURL: '/files' });
  const url = await startProxy(app.url.replace(/\/files$/, ''), {
    isBuffering: true,
    headers: { host: 'internal:8080' },
  });
  expect(await textsOf(config, url)).toEqual([
    expect.stringMatching(/^warn no X-Forwarded-For arrives from 127\.0\.0\.1: .* X-Forwarded-For /),
    expect.stringMatching(/^warn the request arrives for the host “internal:8080”: .* Host \$http_host;$/),
    expect.stringMatching(/^warn uploads are collected before .* proxy_request_buffering off;$/),
    expect.stringMatching(/^warn responses are collected before .* proxy_buffering off;$/),
    `warn ${url} leads to this server, whose links begin with /files → --baseURL /`,
  ]);
});

test('a proxy that is not trusted is named', async () => {
  const { app, config } = await start();
  const url = await startProxy(app.url, { headers: forwarded });
  expect(await textsOf(config, url)).toEqual([
    'warn X-Forwarded-For of 127.0.0.1 is not trusted: all visitors count as one address → --trustedProxies 127.0.0.1',
  ]);
});

test('a limit of the body is an error', async () => {
  const { app, config } = await start();
  const url = await startProxy(app.url, { maxBytes: 1024 * 1024 });
  expect(await textsOf(config, url)).toEqual([
    `error ${url}: bodies of 2 MiB are refused (413): uploads fail → in nginx: client_max_body_size 0;`,
  ]);
});

test('handshakes of WebSockets are tried if commands are enabled', async () => {
  const { app, config } = await start({ trustedProxies: '127.0.0.1', enableExec: 'on' });
  const [without, passing] = await Promise.all([
    startProxy(app.url, { headers: forwarded }),
    startProxy(app.url, { headers: forwarded, passesUpgrades: true }),
  ]);
  expect(await textsOf(config, without)).toEqual([
    expect.stringMatching(/^warn WebSocket handshakes do not arrive: .* Upgrade \$http_upgrade; /),
  ]);
  expect(await textsOf(config, passing)).toEqual([expect.stringMatching(/^ok /)]);
});

test('an address that leads elsewhere, to nothing or to a stopped server is an error', async () => {
  const { app, config } = await start();
  const other = await startProxy(`${app.url}/elsewhere`);
  expect(await textsOf(config, other)).toEqual([
    expect.stringMatching(/^error .* does not lead to this server: it answers 404 → check the address/),
  ]);
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  expect(await textsOf(config, `http://127.0.0.1:${port}`)).toEqual([
    expect.stringMatching(/^error http:\/\/127\.0\.0\.1:\d+ cannot be reached from here: /),
  ]);
  for (const address of ['files.example.org', 'ftp://files.example.org', 'https://a/?b']) {
    expect(await textsOf(config, address)).toEqual([
      `error --url: “${address}” is not an address → --url https://files.example.org`,
    ]);
  }
  const stopped = { ...config, data: join(app.root, 'none') };
  expect(await textsOf(stopped, 'http://127.0.0.1:1')).toEqual([
    'error http://127.0.0.1:1 was not tried: the server is not running → start the server',
  ]);
});

test('the report needs the current proof', async () => {
  const { app } = await start();
  const sendProof = (proof: string): Promise<Response> =>
    app.fetch('/health/proxy', { method: 'POST', headers: { [proofHeader]: proof }, body: 'x' });
  expect((await sendProof('')).status).toBe(404);
  expect((await sendProof('0'.repeat(64))).status).toBe(404);
  const proof = createProof(app.data);
  expect(isProof(app.data, proof.text)).toBe(true);
  expect((await sendProof('0'.repeat(64))).status).toBe(404);
  expect((await sendProof(proof.text.slice(1))).status).toBe(404);
  const response = await sendProof(proof.text);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ bodyBytes: 1, peer: '127.0.0.1', forwardedFor: null });
  proof.remove();
  expect((await sendProof(proof.text)).status).toBe(404);
});
