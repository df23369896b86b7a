import type { ServerResponse } from 'node:http';
import { readFully } from '../../storage/read-fully.ts';
import type { OpenFile } from '../../storage/storage.ts';
import type { ByteRange } from '../request/byte-range.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { closeWhenIdle } from './close-when-idle.ts';

/** Files up to this size (bytes) are read at once and sent together with their headers. */
const wholeBytes = 64 * 1024;
/**
 * After this number of bytes a transfer switches to large buffers; if none is free, it continues with small
 * ones.
 */
const largeAfterBytes = 2 * 1024 * 1024;
const smallPool = createBufferPool(256 * 1024, Infinity, 16);
const largePool = createBufferPool(1024 * 1024, 32, 8);

/** The file became shorter than announced. The connection is closed, so that the client notices. */
export class FileShrankError extends Error {
  override readonly name = 'FileShrankError';
}

/**
 * Resolves to true when the bytes were passed to the operating system, and to false when the connection is
 * closed.
 */
export function writeChunk(response: ServerResponse, chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const cancelTimeout = closeWhenIdle(response);
    const onClose = (): void => {
      cancelTimeout();
      resolve(false);
    };
    response.once('close', onClose);
    response.write(chunk, (error) => {
      cancelTimeout();
      response.off('close', onClose);
      resolve(!error);
    });
  });
}

/** Takes two buffers from a pool; null if it has fewer. */
function takePair(pool: BufferPool): [Buffer, Buffer] | null {
  const first = pool.take();
  if (!first) return null;
  const second = pool.take();
  if (second) return [first, second];
  pool.release(first);
  return null;
}

/**
 * Sends `total` bytes from `start` with two buffers in turn: one is sent while the next one is read. Resolves
 * to false if the client has disconnected.
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
      const expectedBytes = Math.min(pool.bufferBytes, total - position);
      const [filled, isConnected] = await Promise.all([
        readFully(file, reading.subarray(0, expectedBytes), start + position),
        underWay,
      ]);
      isIdle = isConnected;
      if (!isConnected) return false;
      if (filled < expectedBytes) throw new FileShrankError();
      position += filled;
      isIdle = false;
      underWay = writeChunk(response, reading.subarray(0, filled));
      [reading, sending] = [sending, reading];
    }
    isIdle = await underWay;
    return isIdle;
  } finally {
    // A buffer that the socket may still use is left to the garbage collector.
    for (const buffer of [reading, sending]) {
      if (isIdle) pool.release(buffer);
      else pool.forget();
    }
  }
}

/** Sends a range of `file` without ending the response. Resolves to false if the client has disconnected. */
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
 * Like {@link sendBytes} for several ranges, each preceded by its own head, with `end` after the last one.
 */
export async function sendParts(
  response: ServerResponse,
  file: OpenFile,
  parts: readonly { readonly head: string; readonly range: ByteRange }[],
  end: string,
): Promise<void> {
  try {
    for (const { head, range } of parts) {
      if (!(await writeChunk(response, Buffer.from(head)))) return;
      if (!(await sendPart(response, file, range))) return;
    }
    response.end(end);
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/**
 * Sends a range of `file` as the body of a response whose headers, including `Content-Length`, are set, and
 * ends the response. Reads at most two buffers ahead of a slow client. Does not close the file. Stops
 * silently if the client disconnects; closes the connection and rethrows if reading fails.
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
