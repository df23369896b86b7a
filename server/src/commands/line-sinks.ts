import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import type { LineSink } from './run-program.ts';

/** Sends the output lines of a program to a client. */
export interface ClientSink extends LineSink {
  /** Sends the lines that are still buffered. */
  end(): void;
  /** Called when the client has sent a message while the program runs. */
  confirmed(): void;
}

/** Number of unsent bytes above which a program's output is not read. */
const maxBufferedBytes = 256 * 1024;
/** Number of characters at which a block is sent. A shorter one is sent when no more output is available. */
const blockLength = 32 * 1024;
/** Number of unconfirmed blocks at which a program's output is not read. */
const maxUnconfirmed = 4;

/** Lets writers wait until there is room. All of them continue when the connection closes. */
function openWaiters(socket: WebSocket): { wake(): void; wait(): Promise<void> } {
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  socket.once('close', wake);
  return { wake, wait: () => new Promise((resolve) => waiting.add(resolve)) };
}

/**
 * Sends one text message per line (docs/reference/filebrowser-api.md §1.15), and has room while the connection keeps up.
 * The messages of one turn of the event loop are written to `connection` together.
 */
export function singleLines(socket: WebSocket, connection: Duplex): ClientSink {
  const waiters = openWaiters(socket);
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
  return {
    write(line) {
      if (socket.readyState !== socket.OPEN) return true;
      cork();
      socket.send(line, () => {
        if (socket.bufferedAmount <= maxBufferedBytes / 4) waiters.wake();
      });
      return socket.bufferedAmount <= maxBufferedBytes;
    },
    drained: () =>
      socket.readyState === socket.OPEN && socket.bufferedAmount > 0 ? waiters.wait() : Promise.resolve(),
    end: () => undefined,
    confirmed: () => undefined,
  };
}

/**
 * Sends text messages of several lines, separated by line feeds. The client confirms each message. This is the only flow
 * control over messages that a page has received but not yet handled.
 */
export function blocksOfLines(socket: WebSocket): ClientSink {
  const waiters = openWaiters(socket);
  let lines: string[] = [];
  let length = 0;
  let unconfirmed = 0;
  let timer: NodeJS.Immediate | null = null;
  const flush = (): void => {
    if (timer) clearImmediate(timer);
    timer = null;
    if (lines.length === 0) return;
    const block = lines.join('\n');
    lines = [];
    length = 0;
    if (socket.readyState !== socket.OPEN) return;
    unconfirmed += 1;
    socket.send(block);
  };
  return {
    write(line) {
      lines.push(line);
      length += line.length + 1;
      if (length >= blockLength) flush();
      else timer ??= setImmediate(flush);
      return socket.readyState !== socket.OPEN || unconfirmed < maxUnconfirmed;
    },
    drained: () =>
      socket.readyState === socket.OPEN && unconfirmed >= maxUnconfirmed ? waiters.wait() : Promise.resolve(),
    end: flush,
    confirmed() {
      unconfirmed = Math.max(0, unconfirmed - 1);
      if (unconfirmed < maxUnconfirmed) waiters.wake();
    },
  };
}
