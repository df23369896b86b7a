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

/** A connection that brings no command line is closed after so long. */
const firstMessageMs = 30_000;
/** So often a client shows that it is still there, or is taken for gone. */
const pingMs = 20_000;

/** Takes a client for gone when it does not answer; dropped connections are noticed this way. */
function watch(socket: WebSocket, clock: Clock): void {
  let hasAnswered = true;
  socket.on('pong', () => {
    hasAnswered = true;
  });
  const stop = clock.every(pingMs, () => {
    if (!hasAnswered) return socket.terminate();
    hasAnswered = false;
    socket.ping();
  });
  socket.once('close', stop);
}

/**
 * Serves one connection: the first text message that is not blank is the command line. Messages after it are ignored, or
 * confirm a block where the client has asked for blocks of lines. `run` is stopped by its signal when the client leaves, and
 * throws an {@link AppError} to refuse. The connection ends with the command.
 */
export function serveSocket(
  socket: WebSocket,
  connection: Duplex,
  { isInBlocks, clock }: { isInBlocks: boolean; clock: Clock },
  run: (line: string, sink: LineSink, signal: AbortSignal) => Promise<void>,
): void {
  const gone = new AbortController();
  let sink: ClientSink | null = null;
  const stopImpatience = clock.after(firstMessageMs, () => socket.close(closePolicyViolation));
  socket.once('close', () => {
    stopImpatience();
    gone.abort();
  });
  watch(socket, clock);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (sink) return sink.confirmed();
    if (isBinary) return socket.close(closeUnsupportedData);
    const line = data.toString('utf8');
    if (line.trim() === '') return;
    stopImpatience();
    const lines = isInBlocks ? blocksOfLines(socket) : singleLines(socket, connection);
    sink = lines;
    const end = (code: number): void => {
      lines.end();
      socket.close(code);
    };
    run(line, lines, gone.signal).then(
      () => end(closeNormal),
      (error: unknown) => end(isAppError(error) ? closePolicyViolation : closeServerError),
    );
  });
}
