import * as z from 'zod/mini';
import { type ErrorCode, errorStatus } from '../errors.ts';

/** An absolute path in plain text, not percent-encoded. */
export const absolutePath = z.string().check(z.regex(/^\//, 'must begin with a slash'));

/** An error code of the API. */
export const ErrorCodeText = z.custom<ErrorCode>(
  (value) => typeof value === 'string' && Object.hasOwn(errorStatus, value),
);
