import type { ErrorCode } from '@filestead/contract/errors';
import { InvalidPathError } from '@filestead/contract/paths/virtual-path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from './answer.ts';
import { notesOf } from '../server/audit.ts';
import { AppError } from '../../errors.ts';

/** Error codes for the framework's own errors, by status. */
const codeOfStatus = new Map<number, ErrorCode>([
  [400, 'bad_request'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [413, 'payload_too_large'],
  [414, 'bad_request'],
  [415, 'unsupported_media_type'],
]);

/** Converts any thrown value to an error that a client may see. */
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

/** System errors that only an administrator can fix. */
const machineErrors = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EIO']);

function isMachineFailure({ code, cause }: AppError): boolean {
  if (code === 'database_unavailable') return true;
  if (!(cause instanceof Error)) return false;
  return code === 'storage_full' || ('code' in cause && machineErrors.has(String(cause.code)));
}

/** Answers with an error. Details that are not meant for clients are only logged. */
export function answerWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const presentable = presentableError(error);
  notesOf(request).reason = presentable.code;
  if (presentable.code === 'internal_error' && !request.raw.aborted) {
    request.log.error({ err: error }, 'unexpected error');
  } else if (isMachineFailure(presentable)) {
    request.log.warn({ err: presentable.cause ?? presentable }, 'the disk or the system refused');
  }
  return sendError(request, reply, presentable);
}

/** Registers the error handler of `app`. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerWithError(error, request, reply));
}
