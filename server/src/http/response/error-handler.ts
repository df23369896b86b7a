import type { ErrorCode } from '@filestead/contract/errors';
import { InvalidPathError } from '@filestead/contract/paths/virtual-path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TooManyAttempts } from '../../access/sign-in/too-many-attempts.ts';
import { sendError } from './send-response.ts';
import { notesOf } from '../server/audit.ts';
import { AppError } from '../../errors.ts';
import { FileShrankError } from './send-bytes.ts';

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

/**
 * Sends the error response, with `Retry-After` for {@link TooManyAttempts}. Details that are not meant for clients are only
 * logged.
 */
export function logAndSendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const presentable = logError(error, request);
  if (presentable instanceof TooManyAttempts) reply.header('retry-after', presentable.retryAfterSeconds);
  notesOf(request).reason ??= presentable.code;
  return sendError(request, reply, presentable);
}

/** Logs what a client must not read of an error. Returns the error for the client. */
export function logError(error: unknown, request: FastifyRequest): AppError {
  const presentable = presentableError(error);
  if (presentable.code === 'internal_error' && !request.raw.aborted) {
    request.log.error({ err: error }, 'unexpected error');
  } else if (isMachineFailure(presentable)) {
    request.log.warn(
      { err: presentable.cause ?? presentable },
      'the disk or the operating system reported an error',
    );
  }
  return presentable;
}

/** Errors of writing to a connection that the client has closed. */
const closedConnection = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
]);

/** Whether `error` only says that the request was aborted: its client has left, or its permission was lost. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted || !(error instanceof Error)) return false;
  return error === signal.reason || ('code' in error && closedConnection.has(String(error.code)));
}

/**
 * Closes a connection whose response has begun, because an error can no longer be sent: the client notices that the
 * response is incomplete. A client that has left is not a failure of the server, and is not logged as one.
 */
export function closeBegunResponse(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  signal: AbortSignal,
): void {
  if (!reply.raw.writableEnded) reply.raw.destroy();
  if (isAbort(error, signal)) {
    request.log.debug('the response is incomplete: the request was aborted');
    return;
  }
  const presentable = presentableError(error);
  if (error instanceof FileShrankError) {
    request.log.warn('the response is incomplete: the file became shorter while it was sent');
  } else if (presentable.code === 'internal_error') {
    request.log.error({ err: error }, 'the response is incomplete: unexpected error');
  } else {
    request.log.warn({ err: presentable.cause ?? presentable }, 'the response is incomplete');
  }
}

/** Registers the error handler of `app`. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => logAndSendError(error, request, reply));
}
