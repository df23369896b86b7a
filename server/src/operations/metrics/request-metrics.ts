import type { Socket } from 'node:net';
import { auditedEndpoints } from '@filestead/contract/audit';
import type { FastifyInstance } from 'fastify';
import { notesOf } from '../../http/server/audit.ts';
import type { Metric, Sample } from './metrics-text.ts';

/** Upper bounds of the histogram of response times, in seconds. */
const bucketsSeconds = [0.005, 0.02, 0.1, 0.3, 1, 3, 10, 60] as const;

/** Counts by label values. */
class Counter {
  readonly #counts = new Map<string, { readonly labels: Record<string, string>; value: number }>();

  add(labels: Record<string, string>): void {
    const key = Object.values(labels).join('\n');
    const entry = this.#counts.get(key);
    if (entry === undefined) this.#counts.set(key, { labels, value: 1 });
    else entry.value += 1;
  }

  get samples(): Sample[] {
    return [...this.#counts.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

/** Counts requests, response times, failed sign-ins and transferred bytes. No label names a user, a path or an address. */
export interface RequestMetrics {
  collect(): Metric[];
}

/** Adds hooks to `app` that count its requests. */
export function countRequests(app: FastifyInstance): RequestMetrics {
  const requests = new Counter();
  const loginFailures = new Counter();
  const buckets = bucketsSeconds.map(() => 0);
  let count = 0;
  let sumSeconds = 0;
  let running = 0;
  const sockets = new Set<Socket>();
  const closedBytes = { received: 0, sent: 0 };

  const watch = (socket: Socket): void => {
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      closedBytes.received += socket.bytesRead;
      closedBytes.sent += socket.bytesWritten;
    });
  };

  app.addHook('onRequest', (request, _reply, done) => {
    running += 1;
    watch(request.raw.socket);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    running -= 1;
    const seconds = reply.elapsedTime / 1000;
    count += 1;
    sumSeconds += seconds;
    const bucket = bucketsSeconds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    const { endpoint, reason } = notesOf(request);
    // The page and unknown addresses have no endpoint; their methods are whatever a client sends.
    const [route, method] = endpoint === null ? ['page', 'any'] : [endpoint.id, endpoint.method];
    const status = String(reply.statusCode);
    requests.add({ route, method, status });
    if (endpoint !== null && auditedEndpoints[endpoint.id] === 'session.sign_in' && reply.statusCode >= 400) {
      loginFailures.add({ reason: reason ?? status });
    }
    done();
  });

  const countBytes = (): { received: number; sent: number } => {
    let { received, sent } = closedBytes;
    for (const socket of sockets) {
      received += socket.bytesRead;
      sent += socket.bytesWritten;
    }
    return { received, sent };
  };
  return {
    collect() {
      let cumulative = 0;
      const bytes = countBytes();
      return [
        {
          name: 'http_requests_total',
          help: 'Answered requests by endpoint, method and status.',
          type: 'counter',
          samples: requests.samples,
        },
        {
          name: 'http_request_seconds',
          help: 'Time from the head of a request to the end of its response.',
          type: 'histogram',
          samples: [
            ...bucketsSeconds.map((bound, index) => ({
              suffix: '_bucket',
              labels: { le: String(bound) },
              value: (cumulative += buckets[index] ?? 0),
            })),
            { suffix: '_bucket', labels: { le: '+Inf' }, value: count },
            { suffix: '_sum', value: sumSeconds },
            { suffix: '_count', value: count },
          ],
        },
        {
          name: 'http_inflight',
          help: 'Requests that are being answered.',
          type: 'gauge',
          samples: [{ value: running }],
        },
        {
          name: 'bytes_total',
          help: 'Bytes of the connections that sent a request, headers included.',
          type: 'counter',
          samples: [
            { labels: { direction: 'received' }, value: bytes.received },
            { labels: { direction: 'sent' }, value: bytes.sent },
          ],
        },
        {
          name: 'login_failures_total',
          help: 'Sign-ins that were refused or failed, by error code.',
          type: 'counter',
          samples: loginFailures.samples,
        },
      ];
    },
  };
}
