import { STATUS_CODES } from 'node:http';
import { errorStatus, type Problem } from '@filestead/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../errors.ts';

/** The headers of every answer of the API unless a handler says otherwise. */
export const apiHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Marks an answer as one of the API: not stored, not sniffed, not framed, nothing in it may run. */
export const setApiHeaders = (reply: FastifyReply): FastifyReply => reply.headers(apiHeaders);

/** The reason phrase of a status; that of tus is not among those Node knows. */
const reasonOf = (status: number): string =>
  status === errorStatus.checksum_mismatch ? 'Checksum Mismatch' : (STATUS_CODES[status] ?? 'Unknown');

/** `404 Not Found` and the like, as existing clients expect it: with a line break. */
export const statusLine = (status: number, reason?: string): string =>
  `${status} ${reasonOf(status)}${reason === undefined ? '' : ` (${reason})`}\n`;

/** Sends a line of plain text. */
export const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('text/plain; charset=utf-8').send(text);

/** Sends a JSON value. */
export const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(value));

/** Whether the client asked for errors as JSON. */
function prefersJson(request: FastifyRequest): boolean {
  const accept = request.headers.accept;
  if (accept === undefined) return false;
  return accept
    .split(',')
    .some((range) => /^\s*application\/(?:problem\+)?json\s*(?:;(?!\s*q=0(?:\.0*)?\s*$).*)?$/i.test(range));
}

/** Sends an error in the form that the client asked for. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const { status, code } = error;
  setApiHeaders(reply).header('x-request-id', request.id).code(status);
  reply.raw.statusMessage = reasonOf(status);
  const detail = error.message === code ? undefined : error.message;
  if (!prefersJson(request)) return sendText(reply, statusLine(status, status === 400 ? detail : undefined));
  const problem: Problem = {
    type: 'about:blank',
    status,
    title: reasonOf(status),
    code,
    ...(detail === undefined ? {} : { detail }),
    requestId: request.id,
  };
  return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problem));
}
