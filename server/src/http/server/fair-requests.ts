import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ConnectionBurst } from '../../scheduling/connection-burst.ts';
import { ShortRequests } from './short-requests.ts';

/**
 * Maximum time in ms for which requests are started per iteration of the event loop, before connections and
 * responses are served.
 */
const maxBatchMs = 4;

type IncomingRequest = readonly [request: IncomingMessage, response: ServerResponse];

/** Groups requests by client before anything is verified: requests of one user have the same credentials. */
const clientOf = ({ headers, socket }: IncomingMessage): string =>
  String(headers['x-auth'] ?? headers.cookie ?? headers.authorization ?? socket.remoteAddress);

/**
 * Passes requests on immediately while there are few. When many arrive together, they are started in short
 * batches, a limited number of them at a time, in turns between clients, so that a single request does not
 * wait behind hundreds of another client; new connections are accepted first. Requests of one client keep their
 * order, and those whose client has disconnected are dropped.
 */
export function scheduleFairly(listener: RequestListener, burst: ConnectionBurst): RequestListener {
  /** Waiting requests by client. A client that was served moves to the end. */
  const waiting = new Map<string, IncomingRequest[]>();
  let spentMs = 0;
  let isMeasured = false;
  let isScheduled = false;
  const short = new ShortRequests();

  const begin = ([request, response]: IncomingRequest): void => {
    if (request.socket.destroyed || response.destroyed) return;
    const startMs = performance.now();
    short.begin(response);
    try {
      listener(request, response);
    } finally {
      spentMs += performance.now() - startMs;
    }
  };
  const nextCall = (): IncomingRequest | undefined => {
    const [first] = waiting;
    if (first === undefined) return undefined;
    const [client, queue] = first;
    const call = queue.shift();
    waiting.delete(client);
    if (queue.length > 0) waiting.set(client, queue);
    return call;
  };
  const runBatch = (): void => {
    isScheduled = false;
    spentMs = 0;
    while (!short.isFull) {
      const call = nextCall();
      if (call === undefined) break;
      begin(call);
      if (spentMs >= maxBatchMs) break;
    }
    schedule();
  };
  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return;
    isScheduled = true;
    const burstEnd = burst.settled();
    if (burstEnd !== null) void burstEnd.then(runBatch);
    else if (short.isFull) short.whenFree(() => setImmediate(runBatch));
    else setImmediate(runBatch);
  };
  /** Measures the time spent in the current iteration of the event loop. */
  const measureIteration = (): void => {
    if (isMeasured) return;
    isMeasured = true;
    spentMs = 0;
    setImmediate(() => {
      isMeasured = false;
    });
  };

  return (request, response) => {
    measureIteration();
    const call: IncomingRequest = [request, response];
    if (waiting.size === 0 && spentMs < maxBatchMs && !burst.isActive && !short.isFull) {
      begin(call);
      return;
    }
    const client = clientOf(request);
    const queue = waiting.get(client);
    if (queue === undefined) waiting.set(client, [call]);
    else queue.push(call);
    schedule();
  };
}
