import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import type { Clock } from '../clock.ts';
import { isAppError } from '../errors.ts';
import { type ClientSink, blocksOfLines, singleLines } from './line-sinks.ts';
import type { LineSink } from './run-program.ts';

/** Close codes of RFC 6455 §7.4.1. */
const closeNormal = 1000;
const closeUnsupportedData = 1003;
const closePolicyViolation = 1008;
const closeServerError = 1011;

/** Time within which a client has to send its command line. */
const firstMessageMs = 30_000;
/** Interval of pings. A client that has not responded when the next one is due is disconnected. */
const pingMs = 20_000;

/** Pings the client and terminates the connection when it does not respond, so that dropped connections are noticed. */
function terminateWhenUnresponsive(socket: WebSocket, clock: Clock): void {
  let hasResponded = true;
  socket.on('pong', () => {
    hasResponded = true;
  });
  const stop = clock.every(pingMs, () => {
    if (!hasResponded) return socket.terminate();
    hasResponded = false;
    socket.ping();
  });
  socket.once('close', stop);
}

/**
 * Serves one connection. The first text message that is not blank is the command line. Later messages confirm a block in
 * block mode, and are ignored otherwise. The signal of `run` is aborted when the client disconnects; `run` throws an
 * `AppError` to refuse the command. The connection is closed when the command has ended.
 */
export function serveSocket(
  socket: WebSocket,
  connection: Duplex,
  { isInBlocks, clock }: { isInBlocks: boolean; clock: Clock },
  run: (line: string, sink: LineSink, signal: AbortSignal) => Promise<void>,
): void {
  const disconnected = new AbortController();
  let sink: ClientSink | null = null;
  const cancelTimeout = clock.after(firstMessageMs, () => socket.close(closePolicyViolation));
  socket.once('close', () => {
    cancelTimeout();
    disconnected.abort();
  });
  terminateWhenUnresponsive(socket, clock);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (sink) return sink.confirmed();
    if (isBinary) return socket.close(closeUnsupportedData);
    const line = data.toString('utf8');
    if (line.trim() === '') return;
    cancelTimeout();
    const lines = isInBlocks ? blocksOfLines(socket) : singleLines(socket, connection);
    sink = lines;
    const end = (code: number): void => {
      lines.end();
      socket.close(code);
    };
    run(line, lines, disconnected.signal).then(
      () => end(closeNormal),
      (error: unknown) => end(isAppError(error) ? closePolicyViolation : closeServerError),
    );
  });
}
