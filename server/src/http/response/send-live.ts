import type { Clock } from '../../clock.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { drained } from './drained.ts';
import { hijackReply } from './hijack-reply.ts';

/** A text that is worth reading while it grows. */
export interface LiveText {
  readonly contentType: string;
  readonly pieces: AsyncGenerator<string>;
  /** Sent when nothing was for `heartbeatMs`, so that nobody on the way takes the connection for dead. */
  readonly heartbeat: string;
  readonly heartbeatMs: number;
  readonly clock: Clock;
}

/**
 * Answers with a text whose pieces are sent the moment they are made, and made no faster than the client takes them. When
 * the client leaves, `pieces` is ended. A failure midway cuts the connection, so that nobody takes the part for the whole.
 */
export async function sendLive(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, pieces, heartbeat, heartbeatMs, clock }: LiveText,
): Promise<void> {
  // A proxy that gathers an answer before it passes it on is asked not to.
  const response = hijackReply(reply, 200, {
    'content-type': contentType,
    'x-accel-buffering': 'no',
    vary: 'accept',
  });
  if (request.method === 'HEAD') {
    await pieces.return(undefined);
    response.end();
    return;
  }
  response.flushHeaders();
  const beat = (): void => {
    if (!response.destroyed && response.writableLength === 0) response.write(heartbeat);
  };
  let stopBeat = clock.every(heartbeatMs, beat);
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return;
      stopBeat();
      stopBeat = clock.every(heartbeatMs, beat);
      if (piece !== '' && !response.write(piece)) await drained(response, response);
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    stopBeat();
  }
}
