import type { ServerResponse } from 'node:http';
import type { OpenFile } from '../../storage/storage.ts';
import type { ByteRange } from '../request/byte-range.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { closeWhenIdle } from './close-when-idle.ts';

/** Files up to this size (bytes) are read into memory at once and leave together with their headers. */
const wholeBytes = 64 * 1024;
/** After so many bytes a transfer asks for the large buffers; when all are lent it goes on with small ones. */
const largeAfterBytes = 2 * 1024 * 1024;
const smallPool = createBufferPool(256 * 1024, Infinity, 16);
const largePool = createBufferPool(1024 * 1024, 32, 8);

/** The file became shorter than it was when the answer was promised. The connection is cut: the client must notice. */
export class FileShrankError extends Error {
  override readonly name = 'FileShrankError';
}

/** Fills `buffer` from `position` on, as far as the file goes; resolves to the number of bytes. */
async function readFully(file: OpenFile, buffer: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const read = await file.read(filled === 0 ? buffer : buffer.subarray(filled), position + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

/** Resolves to true when the bytes have left this process, to false when the connection is gone. */
export function written(response: ServerResponse, chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const moved = closeWhenIdle(response);
    const onClose = (): void => {
      moved();
      resolve(false);
    };
    response.once('close', onClose);
    response.write(chunk, (error) => {
      moved();
      response.off('close', onClose);
      resolve(!error);
    });
  });
}

/** Two buffers of one pool, or null when it has none to lend. */
function takePair(pool: BufferPool): [Buffer, Buffer] | null {
  const first = pool.take();
  if (!first) return null;
  const second = pool.take();
  if (second) return [first, second];
  pool.giveBack(first);
  return null;
}

/**
 * Sends `total` bytes from `start` on with two buffers in turn: while one is on its way to the client the next one is read.
 * Resolves to false when the client has left.
 */
async function sendInTurns(
  response: ServerResponse,
  file: OpenFile,
  { start, total }: { start: number; total: number },
  pool: BufferPool,
): Promise<boolean> {
  const pair = takePair(pool);
  if (!pair) return sendInTurns(response, file, { start, total }, smallPool);
  let [reading, sending] = pair;
  let underWay = Promise.resolve(true);
  let isIdle = true;
  try {
    for (let position = 0; position < total;) {
      const wanted = Math.min(pool.bufferBytes, total - position);
      const [filled, isConnected] = await Promise.all([
        readFully(file, reading.subarray(0, wanted), start + position),
        underWay,
      ]);
      isIdle = isConnected;
      if (!isConnected) return false;
      if (filled < wanted) throw new FileShrankError();
      position += filled;
      isIdle = false;
      underWay = written(response, reading.subarray(0, filled));
      [reading, sending] = [sending, reading];
    }
    isIdle = await underWay;
    return isIdle;
  } finally {
    // A buffer that the socket may still hold is left to the garbage collector.
    for (const buffer of [reading, sending]) {
      if (isIdle) pool.giveBack(buffer);
      else pool.forget();
    }
  }
}

/** Sends a part of `file` without ending the response; resolves to false when the client has left. */
async function sendPart(
  response: ServerResponse,
  file: OpenFile,
  { first, last }: ByteRange,
): Promise<boolean> {
  const total = last - first + 1;
  const beginning = Math.min(total, largeAfterBytes);
  const rest = total - beginning;
  if (!(await sendInTurns(response, file, { start: first, total: beginning }, smallPool))) return false;
  return rest === 0 || sendInTurns(response, file, { start: first + beginning, total: rest }, largePool);
}

/**
 * The same as {@link sendBytes} for several parts, each after a text of its own, with `end` behind the last one.
 */
export async function sendParts(
  response: ServerResponse,
  file: OpenFile,
  parts: readonly { readonly head: string; readonly range: ByteRange }[],
  end: string,
): Promise<void> {
  try {
    for (const { head, range } of parts) {
      if (!(await written(response, Buffer.from(head)))) return;
      if (!(await sendPart(response, file, range))) return;
    }
    response.end(end);
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/**
 * Sends a part of `file` as the body of a response whose headers are set, `Content-Length` among them, and ends it. A slow
 * client is never read ahead for by more than two buffers. Does not close the file. When the client leaves, it stops
 * quietly; throws what reading throws, after cutting the connection.
 */
export async function sendBytes(response: ServerResponse, file: OpenFile, range: ByteRange): Promise<void> {
  const total = range.last - range.first + 1;
  try {
    if (total <= wholeBytes) {
      const buffer = Buffer.allocUnsafe(total);
      if ((await readFully(file, buffer, range.first)) < total) throw new FileShrankError();
      response.end(buffer);
      return;
    }
    if (await sendPart(response, file, range)) response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}
