import * as z from 'zod/mini';

/** The id of a version: 128 bits as base64url. */
export const versionId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/, 'expected the id of a version'));
