import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { announcedLength, hasBody } from './request-body.ts';

/** An unread rest up to this size is read and discarded, and the connection is kept. */
const smallRestBytes = 256 * 1024;
/**
 * Maximum number of bytes read from a larger rest, so that the client receives the response before the
 * connection closes.
 */
const maxDrainedBytes = 32 * 1024 * 1024;
/** Time limit for reading the rest, in milliseconds. */
const maxDrainMs = 3_000;

/** Responses whose client waits for `100 Continue` before sending its body. */
const waiting = new WeakSet<ServerResponse>();

/** Handles `Expect: 100-continue` by sending `100 Continue` when the body is first read. */
export function deferContinue(request: Readable, response: ServerResponse): void {
  waiting.add(response);
  const onListener = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return;
    request.off('newListener', onListener);
    if (waiting.delete(response) && !response.headersSent) response.writeContinue();
  };
  request.on('newListener', onListener);
}

/** Yields `text`, then reads and discards the rest of the request within the limits above. */
async function* sendThenDrain(
  request: FastifyRequest,
  text: string | Buffer,
): AsyncGenerator<string | Buffer> {
  yield text;
  const { raw } = request;
  if (raw.destroyed) return;
  await new Promise<void>((resolve) => {
    let drained = 0;
    const timer = setTimeout(resolve, maxDrainMs);
    raw.on('data', (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > maxDrainedBytes) resolve();
    });
    for (const event of ['end', 'close', 'error']) raw.once(event, resolve);
    raw.once('close', () => clearTimeout(timer));
    raw.resume();
  });
  raw.pause();
}

/**
 * Prevents responses sent before the body was read from breaking the connection or reading the whole body.
 */
export function handleUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const { raw } = request;
    if (!hasBody(raw) || raw.complete) return payload;
    if (waiting.has(reply.raw)) {
      reply.header('connection', 'close');
      return payload;
    }
    const length = announcedLength(raw);
    if (length > 0 && length <= smallRestBytes) return payload;
    reply.header('connection', 'close');
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    reply.header('content-length', Buffer.byteLength(payload));
    return Readable.from(sendThenDrain(request, payload), { objectMode: false });
  });
}
