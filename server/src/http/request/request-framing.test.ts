import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({ files: { 'a.txt': 'a' }, config: { enableExec: 'on' } });
  token = await app.signIn('admin');
});
afterAll(() => app.close());

/**
 * Returns the statuses of all responses on a connection that sends `bytes`, and the text of the responses.
 */
async function responsesTo(bytes: string): Promise<{ statuses: number[]; text: string }> {
  const text = await app.rawRequest(bytes, { timeoutMs: 5_000 });
  return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)), text };
}

const next = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';

describe('the framing check', () => {
  test.each([
    ['two different Host headers', 'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['the same Host header twice', 'GET /health HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n'],
    ['no Host header in HTTP/1.1', 'GET /health HTTP/1.1\r\nAccept: */*\r\n\r\n'],
    ['a list in the Host header', 'GET /health HTTP/1.1\r\nHost: a, b\r\n\r\n'],
    ['a path in the Host header', 'GET /health HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    ['user information in the Host header', 'GET /health HTTP/1.1\r\nHost: admin@a\r\n\r\n'],
    [
      'HTTP/1.0 with Transfer-Encoding',
      'POST /api/login HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two different lengths',
      'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    ],
    [
      'the same length twice',
      'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}',
    ],
    ['a folded header line', 'GET /health HTTP/1.1\r\nHost: a\r\nX-Folded: a\r\n b\r\n\r\n'],
  ])('refuses a request with %s, and everything after it on the connection', async (_title, bytes) => {
    const { statuses, text } = await responsesTo(`${bytes}${next}`);
    expect(statuses).toEqual([400]);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    expect(text).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
    expect(text).not.toContain('"status"');
  });

  test.each([
    ['one Host header', 'GET /health HTTP/1.1\r\nHost: files.example.org:8080\r\nConnection: close\r\n\r\n'],
    ['an IPv6 address as host', 'GET /health HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n'],
    ['HTTP/1.0 without a Host header', 'GET /health HTTP/1.0\r\n\r\n'],
  ])('serves a request with %s', async (_title, bytes) => {
    expect((await responsesTo(bytes)).statuses).toEqual([200]);
  });
});

const handshake = (version: string, host: string): string =>
  `GET /api/command/ HTTP/${version}\r\n${host}X-Auth: ${token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

test('a WebSocket handshake over HTTP/1.1 is accepted', async () => {
  const text = await app.rawRequest(handshake('1.1', 'Host: x\r\n'), { timeoutMs: 1_000 });
  expect(text).toMatch(/^HTTP\/1\.1 101 /);
});

test.each([
  ['over HTTP/1.0', '1.0', 'Host: x\r\n'],
  ['with two Host headers', '1.1', 'Host: x\r\nHost: y\r\n'],
  ['without a Host header', '1.1', ''],
])('a WebSocket handshake %s is refused with 400', async (_title, version, host) => {
  expect((await responsesTo(handshake(version, host))).statuses).toEqual([400]);
});

test('an unencrypted response never sets Strict-Transport-Security', async () => {
  const response = await app.fetch('/health');
  expect(response.headers.has('strict-transport-security')).toBe(false);
});
