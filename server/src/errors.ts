import { type ErrorCode, errorStatus } from '@filestead/contract/errors';

/**
 * The only error whose text reaches a client. Any other error is logged and reported as a plain
 * `internal_error`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  /** For how long the client may keep the response, in seconds; by default it is not kept. */
  maxAgeSeconds: number | null = null;

  /**
   * @param code the stable name of the error
   * @param detail one English sentence that a client may read; never a disk path
   */
  constructor(code: ErrorCode, detail?: string, options?: ErrorOptions) {
    super(detail ?? code, options);
    this.code = code;
    this.status = errorStatus[code];
  }

  /** The sentence that a client may read, if there is any. */
  get detail(): string | undefined {
    return this.message === this.code ? undefined : this.message;
  }
}

/** Whether `error` is an {@link AppError} with one of `codes`, or any `AppError` if no code is given. */
export const isAppError = (error: unknown, ...codes: ErrorCode[]): error is AppError =>
  error instanceof AppError && (codes.length === 0 || codes.includes(error.code));
