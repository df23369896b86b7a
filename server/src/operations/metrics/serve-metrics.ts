import { createHash, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, createServer } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { type Metric, metricsText, metricsType } from './metrics-text.ts';

/** Address and access of a listener for monitoring. */
export interface MetricsListener {
  readonly host: string;
  readonly port: number;
  /** The secret that requests must contain; null if everybody who reaches the address may read the metrics. */
  readonly token: string | null;
}

/** A listener for monitoring. */
export interface MetricsServer {
  /** URL of the metrics. */
  readonly url: string;
  /** Whether other machines may be able to reach it. */
  readonly isPublic: boolean;
  close(): Promise<void>;
}

/** The addresses of this machine that others do not reach. */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Time limit of a request to the listener. */
const requestTimeoutMs = 10_000;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a request contains the secret; the comparison takes the same time for every guess. */
const isAuthorized = ({ headers }: IncomingMessage, token: string | null): boolean =>
  token === null || timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`));

/** Serves `GET /metrics` at an address of its own, where nothing else is served. Throws an error for the administrator if it cannot listen. */
export async function serveMetrics(
  { host, port, token }: MetricsListener,
  collect: () => Promise<Metric[]>,
): Promise<MetricsServer> {
  let collecting: Promise<string> | null = null;
  // Simultaneous requests share one collection.
  const read = (): Promise<string> =>
    (collecting ??= collect()
      .then(metricsText)
      .finally(() => (collecting = null)));
  const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    request.resume();
    if (request.url?.replace(/\?.*/, '') !== '/metrics' || !isRead) {
      response.writeHead(isRead ? 404 : 405, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('Metrics are at /metrics.\n');
      return;
    }
    if (!isAuthorized(request, token)) {
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'www-authenticate': 'Bearer' };
      response.writeHead(401, headers).end('The token of the metrics is missing or wrong.\n');
      return;
    }
    read().then(
      (text) =>
        response.writeHead(200, { 'content-type': metricsType, 'cache-control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const code = 'code' in error ? String(error.code) : error.message;
      const text = `metrics: cannot listen on ${host}, port ${port} (${code}); choose another --metricsAddress`;
      reject(new Error(text, { cause: error }));
    });
    server.listen(port, host, () => resolve());
  });
  const bound = server.address() as AddressInfo;
  const shownHost = bound.address.includes(':') ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${shownHost}:${bound.port}/metrics`,
    isPublic: !loopback.check(bound.address, bound.family === 'IPv6' ? 'ipv6' : 'ipv4'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
