import type { Clock } from '../../clock.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { waitForDrain } from './wait-for-drain.ts';
import { hijackReply } from './hijack-reply.ts';

/** A text that is read while it is being generated. */
export interface LiveText {
  readonly contentType: string;
  readonly pieces: AsyncGenerator<string>;
  /** Sent after `heartbeatMs` without data, so that proxies do not close the connection. */
  readonly heartbeat: string;
  readonly heartbeatMs: number;
  readonly clock: Clock;
}

/**
 * Sends a text whose pieces are sent as soon as they are generated, no faster than the client reads.
 * When the client disconnects, `pieces` is ended. A failure midway closes the connection, so that a partial
 * response is not mistaken for the whole.
 */
export async function sendLive(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, pieces, heartbeat, heartbeatMs, clock }: LiveText,
): Promise<void> {
  // Disables buffering in proxies.
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
      if (piece !== '' && !response.write(piece)) await waitForDrain(response, response);
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    stopBeat();
  }
}
