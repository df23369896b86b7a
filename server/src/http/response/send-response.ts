import { STATUS_CODES } from 'node:http';
import { errorStatus, type Problem } from '@filestead/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../errors.ts';
import { accepts } from '../request/accepts.ts';

/** Default headers of every API response. */
export const apiHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Sets the headers of an API response: not cached, not sniffed, not framed, no active content. */
export const setApiHeaders = (reply: FastifyReply): FastifyReply => reply.headers(apiHeaders);

/** Returns the reason phrase of a status. Node does not know the one of tus. */
const reasonPhraseOf = (status: number): string =>
  status === errorStatus.checksum_mismatch ? 'Checksum Mismatch' : (STATUS_CODES[status] ?? 'Unknown');

/** Returns a status line such as `404 Not Found` with a line break, as existing clients expect. */
export const statusLine = (status: number, reason?: string): string =>
  `${status} ${reasonPhraseOf(status)}${reason === undefined ? '' : ` (${reason})`}\n`;

/** Sends a line of plain text. */
export const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('text/plain; charset=utf-8').send(text);

/** Sends a JSON value. */
export const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(value));

/** Whether the client requests errors as JSON. */
const prefersJson = ({ headers }: FastifyRequest): boolean =>
  accepts(headers.accept, 'application/json', 'application/problem+json');

/** Sends an error in the format that the client requests. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const { status, code, detail } = error;
  setApiHeaders(reply).header('x-request-id', request.id).code(status);
  if (error.maxAgeSeconds !== null) reply.header('cache-control', `private, max-age=${error.maxAgeSeconds}`);
  reply.raw.statusMessage = reasonPhraseOf(status);
  if (!prefersJson(request)) return sendText(reply, statusLine(status, status === 400 ? detail : undefined));
  const problem: Problem = {
    type: 'about:blank',
    status,
    title: reasonPhraseOf(status),
    code,
    ...(detail === undefined ? {} : { detail }),
    requestId: request.id,
  };
  return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problem));
}
