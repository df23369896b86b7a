import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { openFairQueue } from '../../scheduling/fair-queue.ts';
import { isYieldDue, yieldToEventLoop } from '../../scheduling/event-loop.ts';
import { AppError } from '../../errors.ts';
import { JsonScanner } from './json-scanner.ts';
import { parseJson, parseJsonInParts } from './parse-json.ts';
import { partyOf } from './party-of.ts';

/** Time limit for a JSON body, in milliseconds. */
const jsonBodyTimeoutMs = 30_000;
/** Maximum pause within a streamed body before the client is considered disconnected, in milliseconds. */
const streamPauseMs = 120_000;

const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

/**
 * Whether a request was certainly not sent by a page in a browser, because browsers add at least one of these
 * headers to requests with a body. Programs use any media type for JSON, or none (curl, http.client and
 * requests of Python, fetch of Node, C#).
 */
export const isFromProgram = (headers: IncomingHttpHeaders): boolean =>
  headers.origin === undefined && headers['sec-fetch-site'] === undefined && headers.referer === undefined;

/** Whether the request has a body according to its headers. */
export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || announcedLength(request) > 0;

/** The `Content-Length` in bytes; 0 if absent. */
export const announcedLength = (request: IncomingMessage): number =>
  Number(request.headers['content-length'] ?? 0);

/**
 * Bodies up to this size (bytes) are read and parsed at once, which takes a few milliseconds for any content.
 */
const smallBodyBytes = 64 * 1024;

/** Limits the larger bodies that are buffered and parsed concurrently, and those that wait unread. */
const largeBodies = openFairQueue({
  running: 3,
  waiting: 64,
  waitingPerParty: 16,
  refusal: 'too_many_requests',
});

/** Smaller chunks are merged, because each buffer costs about a hundred bytes in addition to its content. */
const minChunkBytes = 4 * 1024;

/**
 * Yields the chunks of a body; only the last one may be smaller than {@link minChunkBytes}. Throws
 * `payload_too_large`.
 */
async function* chunksOf(raw: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let length = 0;
  let tiny = Buffer.alloc(0);
  let used = 0;
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new AppError('payload_too_large');
    const isTiny = chunk.length < minChunkBytes;
    if (used > 0 && (!isTiny || used + chunk.length > tiny.length)) {
      yield tiny.subarray(0, used);
      used = 0;
    }
    if (!isTiny) {
      yield chunk;
      continue;
    }
    // A buffer that was yielded is not written to again.
    if (used === 0) tiny = Buffer.allocUnsafe(2 * minChunkBytes);
    used += chunk.copy(tiny, used);
  }
  if (used > 0) yield tiny.subarray(0, used);
}

/** Runs `read` and destroys the request if its body takes too long to arrive. */
async function inTime<T>(raw: IncomingMessage, read: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => raw.destroy(), jsonBodyTimeoutMs);
  try {
    return await read();
  } finally {
    clearTimeout(timer);
  }
}

/** Collects chunks until they exceed `enoughBytes`. Returns whether the body has ended. */
async function collect(
  body: AsyncGenerator<Buffer>,
  chunks: Buffer[],
  enoughBytes: number,
): Promise<boolean> {
  for (let length = 0; length <= enoughBytes;) {
    const next = await body.next();
    if (next.done === true) return true;
    chunks.push(next.value);
    length += next.value.length;
  }
  return false;
}

/** Reads the rest of the body after `chunks` and parses it, yielding to other requests in between. */
async function readLarge(
  body: AsyncGenerator<Buffer>,
  chunks: Buffer[],
  maxElements: number,
): Promise<unknown> {
  const scanner = new JsonScanner(maxElements);
  for (const chunk of chunks) scanner.scan(chunk);
  for await (const chunk of body) {
    scanner.scan(chunk);
    chunks.push(chunk);
    if (isYieldDue()) await yieldToEventLoop();
  }
  return parseJsonInParts(Buffer.concat(chunks), scanner.lists);
}

/** Limits of a JSON body. */
export interface JsonLimits {
  readonly maxBytes: number;
  /** Maximum number of members of all lists and objects together. */
  readonly maxElements: number;
}

/**
 * Reads a JSON body; `undefined` if it is empty. `anyType` accepts every content type: existing clients send
 * JSON as text, which is harmless if the request cannot come from a foreign page. Large bodies are read a few
 * at a time in turns between parties, and their depth and elements are checked while they arrive. Throws
 * `unsupported_media_type`, `payload_too_large`, `bad_request`, `too_many_requests`, and the reason of
 * `signal`.
 */
export async function readJson(
  request: FastifyRequest,
  { anyType, signal, maxBytes, maxElements }: JsonLimits & { anyType: boolean; signal: AbortSignal },
): Promise<unknown> {
  const { raw } = request;
  if (!hasBody(raw)) return undefined;
  if (!anyType && !jsonType.test(raw.headers['content-type'] ?? '')) {
    throw new AppError('unsupported_media_type', 'send the body as application/json');
  }
  if (announcedLength(raw) > maxBytes) throw new AppError('payload_too_large');
  const body = chunksOf(raw, maxBytes);
  const chunks: Buffer[] = [];
  try {
    if (await inTime(raw, () => collect(body, chunks, smallBodyBytes))) {
      return chunks.length === 0 ? undefined : parseJson(Buffer.concat(chunks));
    }
    const read = (): Promise<unknown> => inTime(raw, () => readLarge(body, chunks, maxElements));
    return await largeBodies.run(partyOf(request), read, signal);
  } finally {
    await body.return(undefined);
  }
}

/**
 * Yields the bytes of a streamed body. Ending the iteration early keeps the connection usable for the
 * response. Throws `payload_too_large`, before the first byte if the length was announced; fails if the
 * client disconnects or pauses for too long.
 */
export async function* streamBody(raw: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  const limit = maxBytes > 0 ? maxBytes : Number.POSITIVE_INFINITY;
  if (announcedLength(raw) > limit) throw new AppError('payload_too_large');
  let length = 0;
  const onPause = (): void => void raw.destroy(new Error('the client stopped sending'));
  raw.setTimeout(streamPauseMs, onPause);
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) throw new AppError('payload_too_large');
      yield chunk;
    }
    if (!raw.complete) throw new Error('the client disconnected before the body was complete');
  } finally {
    raw.setTimeout(0);
    raw.socket.off('timeout', onPause);
  }
}
