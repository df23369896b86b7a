import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { sendLive } from '../http/response/send-live.ts';

/** Interval of the empty lines that show that a search without results is still running (docs/reference/filebrowser-api.md §6.2). */
const heartbeatMs = 5_000;

/** Sends the rows of a search as NDJSON while they are found. */
export const sendRows = (
  rows: AsyncGenerator<string>,
  { request, reply, clock }: { request: FastifyRequest; reply: FastifyReply; clock: Clock },
): Promise<void> =>
  sendLive(request, reply, {
    contentType: 'application/x-ndjson; charset=utf-8',
    pieces: rows,
    heartbeat: '\n',
    heartbeatMs,
    clock,
  });
