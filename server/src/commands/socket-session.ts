import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
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
/** While so many bytes wait for the client, a program's output is not read. */
const maxWaitingBytes = 256 * 1024;

/**
 * Text frames to a client; has room while the client keeps up. The frames of one turn of the event loop leave in one write
 * to `connection`.
 */
function sinkOf(socket: WebSocket, connection: Duplex): LineSink {
  const waiting = new Set<() => void>();
  let isCorked = false;
  const cork = (): void => {
    if (isCorked) return;
    isCorked = true;
    connection.cork();
    setImmediate(() => {
      isCorked = false;
      connection.uncork();
    });
  };
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  socket.once('close', wake);
  return {
    write(line) {
      if (socket.readyState !== socket.OPEN) return true;
      cork();
      socket.send(line, () => {
        if (waiting.size > 0 && socket.bufferedAmount <= maxWaitingBytes / 4) wake();
      });
      return socket.bufferedAmount <= maxWaitingBytes;
    },
    drained: () =>
      socket.readyState === socket.OPEN && socket.bufferedAmount > 0
        ? new Promise((resolve) => waiting.add(resolve))
        : Promise.resolve(),
  };
}

/** Takes a client for gone when it does not answer; dropped connections are noticed this way. */
function watch(socket: WebSocket): void {
  let hasAnswered = true;
  socket.on('pong', () => {
    hasAnswered = true;
  });
  const timer = setInterval(() => {
    if (!hasAnswered) return socket.terminate();
    hasAnswered = false;
    socket.ping();
  }, pingMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}

/**
 * Serves one connection: the first text message that is not blank is the command line, everything after it is ignored.
 * `run` is stopped by its signal when the client leaves. The connection ends with the command.
 */
export function serveSocket(
  socket: WebSocket,
  connection: Duplex,
  run: (line: string, sink: LineSink, signal: AbortSignal) => Promise<void>,
): void {
  const gone = new AbortController();
  let isStarted = false;
  const impatience = setTimeout(() => socket.close(closePolicyViolation), firstMessageMs);
  socket.once('close', () => {
    clearTimeout(impatience);
    gone.abort();
  });
  watch(socket);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isStarted) return;
    if (isBinary) return socket.close(closeUnsupportedData);
    const line = data.toString('utf8');
    if (line.trim() === '') return;
    isStarted = true;
    clearTimeout(impatience);
    run(line, sinkOf(socket, connection), gone.signal).then(
      () => socket.close(closeNormal),
      () => socket.close(closeServerError),
    );
  });
}
