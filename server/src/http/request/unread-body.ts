import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { announcedLength, hasBody } from './request-body.ts';

/** A rest of this size is simply read away, and the connection is kept. */
const smallRestBytes = 256 * 1024;
/** Of a larger rest at most so much is read, so that the client sees the answer before the connection closes. */
const maxDrainedBytes = 32 * 1024 * 1024;
/** And for at most so long. */
const maxDrainMs = 3_000;

/** Responses whose client waits for `100 Continue` before it sends its body. */
const waiting = new WeakSet<ServerResponse>();

/** Notes that the client sent `Expect: 100-continue`: it is told to go on when the body is first read, not before. */
export function deferContinue(request: Readable, response: ServerResponse): void {
  waiting.add(response);
  const onListener = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return;
    request.off('newListener', onListener);
    if (waiting.delete(response) && !response.headersSent) response.writeContinue();
  };
  request.on('newListener', onListener);
}

/** Sends `text`, then reads the rest of the request away within the bounds above, then ends. */
async function* answerThenDrain(
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

/** Keeps answers that come before the body was read from breaking the connection or from reading it all. */
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
    return Readable.from(answerThenDrain(request, payload), { objectMode: false });
  });
}
