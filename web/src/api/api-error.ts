import { isErrorCode, type ErrorCode } from '@filestead/contract/errors';

/**
 * The error code of a failed call: a code of the error table, `no_connection` if there was no response, or
 * `connection_aborted` if the connection broke during an upload (docs/reference/behaviour.md §8: 000 and 001).
 */
export type ApiErrorCode = ErrorCode | 'no_connection' | 'connection_aborted';

/** A failed call. A call that is aborted through its signal throws an `AbortError` instead. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: ApiErrorCode;
  /** One English sentence for developers; never shown to users. */
  readonly detail: string | undefined;
  /** The delay in seconds after which the server allows another attempt; null if it did not specify one. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    code: ApiErrorCode,
    options: { detail?: string | undefined; retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(options.detail ?? code, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** Whether `error` is an {@link ApiError} with one of `codes` (with any code, if none is given). */
export const isApiError = (error: unknown, ...codes: ApiErrorCode[]): error is ApiError =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));

/** Whether `error` is the result of an abort by the caller. */
export const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

/** The codes for responses without problem details, such as those of a proxy. */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  401: 'not_signed_in',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'already_exists',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  429: 'too_many_requests',
  507: 'storage_full',
};

/** Parses `Retry-After` into seconds, in either of its forms (RFC 9110 §10.2.3). */
export function parseRetryAfter(value: string | null, nowMs = Date.now()): number | null {
  if (value === null) return null;
  if (/^\d+$/u.test(value)) return Number(value);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

/** Creates the error for a response with `status` and `body`. */
export function toApiError(status: number, body: string, retryAfter: string | null): ApiError {
  let problem: unknown;
  try {
    problem = JSON.parse(body);
  } catch {
    problem = null;
  }
  const code: unknown = typeof problem === 'object' && problem !== null && 'code' in problem && problem.code;
  const detail: unknown =
    typeof problem === 'object' && problem !== null && 'detail' in problem && problem.detail;
  return new ApiError(status, isErrorCode(code) ? code : (codeOfStatus[status] ?? 'internal_error'), {
    detail: typeof detail === 'string' ? detail : undefined,
    retryAfterSeconds: parseRetryAfter(retryAfter),
  });
}
