import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Metric, metricsText, metricsType } from './metrics-text.ts';

/** The address of a listener. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A listener for monitoring. */
export interface MetricsServer {
  /** URL of the metrics. */
  readonly url: string;
  close(): Promise<void>;
}

/** Time limit of a request to the listener. */
const requestTimeoutMs = 10_000;

/** Serves `GET /metrics` at an address of its own, where nothing else is served. Throws an error for the administrator if it cannot listen. */
export async function serveMetrics(
  { host, port }: ListenAddress,
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
