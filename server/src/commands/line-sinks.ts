import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import type { LineSink } from './run-program.ts';

/** Lines of a program on their way to a client. */
export interface ClientSink extends LineSink {
  /** Sends what is still gathered. */
  end(): void;
  /** The client has sent a message while the program runs. */
  confirmed(): void;
}

/** While so many bytes wait for the client, a program's output is not read. */
const maxWaitingBytes = 256 * 1024;
/** A block is sent when it has so many characters, or when nothing more comes at the moment. */
const blockLength = 32 * 1024;
/** While so many blocks are not confirmed, a program's output is not read. */
const maxUnconfirmed = 4;

/** Those who wait for room; all go on when the connection has closed. */
function waitingRoom(socket: WebSocket): { wake(): void; wait(): Promise<void> } {
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  socket.once('close', wake);
  return { wake, wait: () => new Promise((resolve) => waiting.add(resolve)) };
}

/**
 * One text message for each line (docs/reference/filebrowser-api.md §1.15); has room while the connection keeps up. The messages of one turn of
 * the event loop leave in one write to `connection`.
 */
export function singleLines(socket: WebSocket, connection: Duplex): ClientSink {
  const room = waitingRoom(socket);
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
        if (socket.bufferedAmount <= maxWaitingBytes / 4) room.wake();
      });
      return socket.bufferedAmount <= maxWaitingBytes;
    },
    drained: () =>
      socket.readyState === socket.OPEN && socket.bufferedAmount > 0 ? room.wait() : Promise.resolve(),
    end: () => undefined,
    confirmed: () => undefined,
  };
}

/**
 * Text messages of many lines with a line feed between them. The client confirms each one, so that it gets no more than
 * it deals with: what a page has received but not yet handled counts nowhere else.
 */
export function blocksOfLines(socket: WebSocket): ClientSink {
  const room = waitingRoom(socket);
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
      socket.readyState === socket.OPEN && unconfirmed >= maxUnconfirmed ? room.wait() : Promise.resolve(),
    end: flush,
    confirmed() {
      unconfirmed = Math.max(0, unconfirmed - 1);
      if (unconfirmed < maxUnconfirmed) room.wake();
    },
  };
}
