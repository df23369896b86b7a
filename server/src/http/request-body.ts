import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

/** A JSON body must have arrived after so long. */
const jsonBodyTimeoutMs = 30_000;
/** A streamed body may pause for so long before the client counts as gone. */
const streamPauseMs = 120_000;

const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

/**
 * Whether no page in a browser can have sent a request with a body: browsers add at least one of these headers. Programs
 * name any media type for JSON, or none (curl, http.client and requests of Python, fetch of Node, C#).
 */
export const isFromProgram = (headers: IncomingHttpHeaders): boolean =>
  headers.origin === undefined && headers['sec-fetch-site'] === undefined && headers.referer === undefined;

/** Whether the request announces a body. */
export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || announcedLength(request) > 0;

/** The `Content-Length` in bytes; 0 when there is none. */
export const announcedLength = (request: IncomingMessage): number =>
  Number(request.headers['content-length'] ?? 0);

async function readAll(raw: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => raw.destroy(), jsonBodyTimeoutMs);
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw new AppError('payload_too_large');
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks, length);
}

/**
 * Reads a JSON body; `undefined` when it is empty. `anyType` accepts every content type: existing clients send JSON as
 * text, which is harmless where no foreign page can have sent the request.
 * Throws `unsupported_media_type`, `payload_too_large`, `bad_request`.
 */
export async function readJson(
  request: FastifyRequest,
  { maxBytes, anyType }: { maxBytes: number; anyType: boolean },
): Promise<unknown> {
  const { raw } = request;
  if (!hasBody(raw)) return undefined;
  if (!anyType && !jsonType.test(raw.headers['content-type'] ?? '')) {
    throw new AppError('unsupported_media_type', 'send the body as application/json');
  }
  if (announcedLength(raw) > maxBytes) throw new AppError('payload_too_large');
  const bytes = await readAll(raw, maxBytes);
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw new AppError('bad_request', 'the body is not JSON', { cause: error });
  }
}

/**
 * The bytes of a streamed body. Leaving early keeps the connection usable for the answer. Throws `payload_too_large`,
 * before the first byte when the length was announced; ends with an error when the client leaves or pauses for too long.
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
    if (!raw.complete) throw new Error('the client left before the body was whole');
  } finally {
    raw.setTimeout(0);
    raw.socket.off('timeout', onPause);
  }
}
