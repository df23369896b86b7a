import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { maxLoginBodyBytes } from './values/limits.ts';
import { Permissions } from './values/permissions.ts';
import { inOrder, tokenPreferenceShape } from './user-fields.ts';

/**
 * The `user` claim of the token: the fields of docs/reference/filebrowser-api.md §1.2 in that order, then the additions
 * of newer clients (§6.1) and our `sorting`. For display only: the server relies on the session.
 */
export const TokenUser = z.object(
  inOrder(
    [
      'id',
      'locale',
      'viewMode',
      'singleClick',
      'perm',
      'commands',
      'lockPassword',
      'hideDotfiles',
      'dateFormat',
      'username',
      'sorting',
    ],
    {
      id: z.int(),
      perm: Permissions,
      commands: z.array(z.string()),
      lockPassword: z.boolean(),
      username: z.string(),
      ...tokenPreferenceShape,
    },
  ),
);
export type TokenUser = z.output<typeof TokenUser>;

/** The payload of the three-part token. `iat` and `exp` are in Unix seconds. */
export interface TokenPayload {
  user: TokenUser;
  iss: string;
  iat: number;
  exp: number;
  jti: string;
}

/** Clients may send `null` for omitted fields. */
const credential = z._default(
  z.pipe(
    z.nullable(z.string().check(z.maxLength(1024))),
    z.transform((text) => text ?? ''),
  ),
  '',
);
/** The response token of a captcha service; some are much longer than a password. */
const captchaResponse = z._default(
  z.pipe(
    z.nullable(z.string().check(z.maxLength(8192))),
    z.transform((response) => response ?? ''),
  ),
  '',
);

export const login = endpoint({
  id: 'login',
  feature: 'sessions',
  method: 'POST',
  anyMethod: true,
  path: '/api/login',
  summary: 'Sign in; the response body is the token',
  description:
    'Also sets the HttpOnly session cookie for image, media and download requests. The media type of the body is checked only if the request comes from a page in a browser (`Origin`, `Referer` or `Sec-Fetch-Site` is present).',
  access: 'anyone',
  body: z.object({ username: credential, password: credential, recaptcha: captchaResponse }),
  maxBodyBytes: maxLoginBodyBytes,
  responses: { 200: { description: 'The token', text: true } },
  errors: [
    'wrong_credentials',
    'captcha_failed',
    'unsupported_media_type',
    'payload_too_large',
    'too_many_requests',
    'sign_in_unavailable',
  ],
});

export const renew = endpoint({
  id: 'renew',
  feature: 'sessions',
  method: 'POST',
  anyMethod: true,
  path: '/api/renew',
  summary: 'Renew the token; the old one remains valid for a short overlap',
  access: 'signed_in',
  isAutomatic: true,
  responses: { 200: { description: 'The new token', text: true } },
  errors: ['not_signed_in'],
});

export const logout = endpoint({
  id: 'logout',
  feature: 'sessions',
  method: 'POST',
  path: '/api/logout',
  summary: 'Sign out; the session and its tokens become invalid at once',
  access: 'signed_in',
  responses: { 200: { description: 'Signed out', text: true } },
  errors: ['not_signed_in'],
});

/** A session as shown to its user. Times are in Unix milliseconds (UTC). */
export const Session = z.object({
  id: z.string(),
  created: z.int(),
  /** Updated at most once a minute. */
  lastUsed: z.int(),
  /** The latest time at which the session ends. */
  expires: z.int(),
  /** The address from which the user signed in. */
  address: z.string(),
  /** The user agent of the browser or program. */
  userAgent: z.string(),
  /** Whether it is the session of this request. */
  isCurrent: z.boolean(),
});
export type Session = z.output<typeof Session>;

const userId = z.optional(z.string().check(z.regex(/^[1-9]\d{0,14}$/)));

export const listSessions = endpoint({
  id: 'listSessions',
  feature: 'sessions',
  method: 'GET',
  path: '/api/sessions',
  summary:
    'List the caller’s own sessions, most recently used first; administrators may specify another user',
  access: 'signed_in',
  query: z.object({ user: userId }),
  responses: { 200: { description: 'The active sessions', json: z.array(Session) } },
  errors: ['bad_request', 'not_signed_in', 'forbidden'],
});

export const endSession = endpoint({
  id: 'endSession',
  feature: 'sessions',
  method: 'DELETE',
  path: '/api/sessions/{id}',
  summary: 'End one of the caller’s own sessions',
  access: 'signed_in',
  params: z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) }),
  responses: { 200: { description: 'Ended', text: true } },
  errors: ['not_signed_in', 'not_found'],
});

export const endSessions = endpoint({
  id: 'endSessions',
  feature: 'sessions',
  method: 'DELETE',
  path: '/api/sessions',
  summary: 'End the caller’s other sessions; administrators may specify another user',
  description:
    'With `all=true` the session of this request ends too. With `user` all sessions of that user end.',
  access: 'signed_in',
  query: z.object({ all: z.optional(z.enum(['true', 'false'])), user: userId }),
  responses: { 200: { description: 'Ended', text: true } },
  errors: ['bad_request', 'not_signed_in', 'forbidden'],
});

export const signup = endpoint({
  id: 'signup',
  feature: 'users',
  method: 'POST',
  anyMethod: true,
  path: '/api/signup',
  summary: 'Create an account for oneself, if the administrator allows it',
  access: 'anyone',
  body: z.object({ username: credential, password: credential, recaptcha: captchaResponse }),
  maxBodyBytes: maxLoginBodyBytes,
  responses: { 200: { description: 'Created', text: true } },
  errors: [
    'bad_request',
    'method_not_allowed',
    'username_taken',
    'weak_password',
    'captcha_failed',
    'unsupported_media_type',
    'payload_too_large',
    'too_many_requests',
    'sign_in_unavailable',
  ],
});
