import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/**
 * Takes over a response from the framework and writes its head: the headers set on the reply, then `headers`.
 * The caller writes and ends the body.
 */
export function hijackReply(
  reply: FastifyReply,
  status: number,
  headers: OutgoingHttpHeaders = {},
): ServerResponse {
  const all: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) all[name] = value;
  reply.hijack();
  return reply.raw.writeHead(status, Object.assign(all, headers));
}
