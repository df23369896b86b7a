import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { constants, createGzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isYieldDue, yieldToEventLoop } from '../../scheduling/event-loop.ts';
import { accepts } from '../request/accepts.ts';
import { waitForDrain } from './wait-for-drain.ts';
import { hijackReply } from './hijack-reply.ts';

/** Approximate size in bytes above which responses are compressed. */
const compressAboveBytes = 4096;
/** Approximate size in bytes above which short responses are streamed. Compressing this much takes about 0.3 ms. */
const shortBytes = 64 * 1024;

/** Options of {@link sendChunks}. */
export interface SendChunksOptions {
  /** All pieces are available at once and probably small: they are sent together, which costs less than a stream. */
  readonly isShort?: boolean;
}

/** Whether the client accepts gzip. */
const acceptsGzip = (acceptEncoding: string | undefined): boolean => accepts(acceptEncoding, 'gzip', '*');

/** Writes the pieces, no faster than the client reads, and yields to other requests in between. */
async function writePieces(
  response: ServerResponse,
  sink: Writable,
  pieces: AsyncGenerator<string>,
  flush: () => void,
): Promise<void> {
  let isFirst = true;
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if (piece === '') continue;
    const hasCapacity = sink.write(piece);
    if (isFirst) flush();
    isFirst = false;
    if (!hasCapacity) await waitForDrain(sink, response);
    if (isYieldDue()) await yieldToEventLoop();
  }
  if (!response.destroyed) sink.end();
}

/**
 * Collects pieces up to `maxBytes`. Returns the whole response if it ends before that.
 */
async function startOf(
  pieces: AsyncGenerator<string>,
  maxBytes: number,
): Promise<{ text: string; isWhole: boolean }> {
  let text = '';
  while (text.length <= maxBytes) {
    const next = await pieces.next();
    if (next.done === true) return { text, isWhole: true };
    text += next.value;
  }
  return { text, isWhole: false };
}

async function* startingWith(text: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield text;
  yield* rest;
}

/**
 * Sends a text generated in pieces: small texts at once, larger ones as a stream. Texts above {@link compressAboveBytes}
 * are compressed if the client accepts gzip. Pieces are generated no faster than the client reads; when it disconnects,
 * `pieces` is ended. A failure midway closes the connection, so that a partial response is not mistaken for the whole.
 */
export async function sendChunks(
  request: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  pieces: AsyncGenerator<string>,
  { isShort = false }: SendChunksOptions = {},
): Promise<void> {
  const { text, isWhole } = await startOf(pieces, isShort ? shortBytes : compressAboveBytes);
  const varies = reply.getHeader('vary');
  reply
    .type(contentType)
    .header('vary', `${varies === undefined ? '' : `${String(varies)}, `}accept, accept-encoding`);
  const usesGzip = text.length > compressAboveBytes && acceptsGzip(request.headers['accept-encoding']);
  if (usesGzip) reply.header('content-encoding', 'gzip');
  if (isWhole) {
    const body = usesGzip ? gzipSync(text, { level: 1 }) : text;
    await reply.send(body);
    return;
  }
  const response = hijackReply(reply, reply.statusCode);
  if (request.method === 'HEAD') {
    await pieces.return(undefined);
    response.end();
    return;
  }
  try {
    if (!usesGzip) {
      await writePieces(response, response, startingWith(text, pieces), () => undefined);
      return;
    }
    const gzip = createGzip({ level: 1, chunkSize: 64 * 1024 });
    gzip.pipe(response);
    response.once('close', () => gzip.destroy());
    gzip.once('error', () => response.destroy());
    await writePieces(response, gzip, startingWith(text, pieces), () => gzip.flush(constants.Z_SYNC_FLUSH));
  } catch (error) {
    response.destroy();
    throw error;
  }
}
