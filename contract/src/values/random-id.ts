import * as z from 'zod/mini';

/** An id of 128 random bits as base64url. `subject` is named in the error, such as "a version". */
export const randomId = (subject: string) =>
  z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/, `expected the id of ${subject}`));

/** The id of a version. */
export const versionId = randomId('a version');
