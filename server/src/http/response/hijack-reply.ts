import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/**
 * Takes an answer out of the framework's hands and writes its head: what was set on the reply, then `headers`. The body is
 * the caller's to write and end.
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
