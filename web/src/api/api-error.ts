import { isErrorCode, type ErrorCode } from '@filestead/contract/errors';

/**
 * Why a call failed: a code of the error table, or `no_connection` when no answer came, or `connection_aborted` when
 * the connection broke during an upload. Product docs/reference/behaviour.md §8: 000 and 001.
 */
export type ApiErrorCode = ErrorCode | 'no_connection' | 'connection_aborted';

/** A call that failed. A call that was aborted through its signal throws an `AbortError` instead. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: ApiErrorCode;
  /** One English sentence for developers; never shown to users. */
  readonly detail: string | undefined;
  /** How long the server asks to wait, in seconds; null when it did not say. */
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

/** Whether `error` is an {@link ApiError} with one of `codes` (any, when none is named). */
export const isApiError = (error: unknown, ...codes: ApiErrorCode[]): error is ApiError =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));

/** Whether `error` only says that the caller changed its mind. */
export const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

/** The codes for answers that carry no problem details, such as those of a proxy in between. */
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

/** `Retry-After` in seconds, from either of its forms (RFC 9110 §10.2.3). */
export function parseRetryAfter(value: string | null, nowMs = Date.now()): number | null {
  if (value === null) return null;
  if (/^\d+$/u.test(value)) return Number(value);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

/** The error that an answer with `status` and `body` means. */
export function errorOfAnswer(status: number, body: string, retryAfter: string | null): ApiError {
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
