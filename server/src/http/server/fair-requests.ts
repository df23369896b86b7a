import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ConnectionBurst } from '../../scheduling/connection-burst.ts';

/** So long, in ms, requests are begun in one turn of the event loop before connections and answers get theirs. */
const turnMs = 4;

type Call = readonly [request: IncomingMessage, response: ServerResponse];

/** Who asks, as far as that can be told before anything was checked: the same person has the same credentials. */
const callerOf = ({ headers, socket }: IncomingMessage): string =>
  String(headers['x-auth'] ?? headers.cookie ?? headers.authorization ?? socket.remoteAddress);

/**
 * Passes requests on at once while they are few. When many come together they are begun in short turns, one caller after
 * the other, so that whoever asks once does not wait behind hundreds of requests of somebody else; connections that are
 * just arriving are accepted before. Requests of one caller keep their order; those whose client has left are dropped.
 */
export function scheduleFairly(listener: RequestListener, burst: ConnectionBurst): RequestListener {
  /** By caller; whose turn it was goes to the end. */
  const waiting = new Map<string, Call[]>();
  let spentMs = 0;
  let isTurnCounted = false;
  let isScheduled = false;

  const begin = ([request, response]: Call): void => {
    if (request.socket.destroyed || response.destroyed) return;
    const startMs = performance.now();
    try {
      listener(request, response);
    } finally {
      spentMs += performance.now() - startMs;
    }
  };
  const nextCall = (): Call | undefined => {
    const [first] = waiting;
    if (first === undefined) return undefined;
    const [caller, calls] = first;
    const call = calls.shift();
    waiting.delete(caller);
    if (calls.length > 0) waiting.set(caller, calls);
    return call;
  };
  const turn = (): void => {
    isScheduled = false;
    spentMs = 0;
    for (let call = nextCall(); call !== undefined; call = nextCall()) {
      begin(call);
      if (spentMs >= turnMs) break;
    }
    schedule();
  };
  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return;
    isScheduled = true;
    const over = burst.settled();
    if (over === null) setImmediate(turn);
    else void over.then(turn);
  };
  /** What is spent counts until the end of the present turn. */
  const countTurn = (): void => {
    if (isTurnCounted) return;
    isTurnCounted = true;
    spentMs = 0;
    setImmediate(() => {
      isTurnCounted = false;
    });
  };

  return (request, response) => {
    countTurn();
    const call: Call = [request, response];
    if (waiting.size === 0 && spentMs < turnMs && !burst.isActive) {
      begin(call);
      return;
    }
    const caller = callerOf(request);
    const calls = waiting.get(caller);
    if (calls === undefined) waiting.set(caller, [call]);
    else calls.push(call);
    schedule();
  };
}
