import type { ErrorCode } from '@filestead/contract/errors';
import { InvalidPathError } from '@filestead/contract/virtual-path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from './answer.ts';
import { AppError } from './app-error.ts';

/** What the framework's own refusals mean in our table, by status. */
const codeOfStatus = new Map<number, ErrorCode>([
  [400, 'bad_request'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [413, 'payload_too_large'],
  [414, 'bad_request'],
  [415, 'unsupported_media_type'],
]);

/** The error that a client may see for anything that was thrown. */
export function presentableError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof InvalidPathError) {
    return new AppError('invalid_path', `the path cannot be used: ${error.message}`, { cause: error });
  }
  if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'FST_ERR_BAD_URL') {
    return new AppError('invalid_path', 'the path cannot be used: malformed escape', { cause: error });
  }
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  return new AppError(codeOfStatus.get(status) ?? 'internal_error', undefined, { cause: error });
}

/** Answers with an error; what is not meant for clients goes to the log only. */
export function answerWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const presentable = presentableError(error);
  if (presentable.code === 'internal_error' && !request.raw.aborted) {
    request.log.error({ err: error }, 'unexpected error');
  }
  return sendError(request, reply, presentable);
}

/** Makes every error of `app` leave in one form. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerWithError(error, request, reply));
}
