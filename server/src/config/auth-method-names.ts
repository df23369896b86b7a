/**
 * The authentication methods (docs/reference/filebrowser-api.md §4). They only affect `POST /api/login`; all
 * other requests require the token. They are apart from their options, because every start reads the names, and
 * the options need the library for schemas.
 */
export const authMethods = ['json', 'proxy', 'hook', 'noauth'] as const;
export type AuthMethodName = (typeof authMethods)[number];
