import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { maxLoginBodyBytes } from './values/limits.ts';
import { Permissions } from './values/permissions.ts';
import { Sorting, ViewMode } from './users.ts';

/**
 * The `user` claim of the token, in this order (docs/reference/filebrowser-api.md §1.2), then the additions of newer clients (§6.1) and the
 * sorting as one of ours. For display only: the server trusts the session.
 */
export const TokenUser = z.object({
  id: z.int(),
  locale: z.string(),
  viewMode: ViewMode,
  singleClick: z.boolean(),
  perm: Permissions,
  commands: z.array(z.string()),
  lockPassword: z.boolean(),
  hideDotfiles: z.boolean(),
  dateFormat: z.boolean(),
  username: z.string(),
  sorting: Sorting,
  redirectAfterCopyMove: z._default(z.boolean(), false),
  aceEditorTheme: z._default(z.string(), ''),
});
export type TokenUser = z.output<typeof TokenUser>;

/** The payload of the three-part token. `iat` and `exp` in Unix seconds. */
export interface TokenPayload {
  user: TokenUser;
  iss: string;
  iat: number;
  exp: number;
  jti: string;
}

/** Clients may send `null` for what they leave out. */
const credential = z._default(
  z.pipe(
    z.nullable(z.string().check(z.maxLength(1024))),
    z.transform((text) => text ?? ''),
  ),
  '',
);
/** What a captcha service gave the page; some are far longer than a password. */
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
  summary: 'Sign in; the token is the whole answer',
  description:
    'Also sets the HttpOnly session cookie that carries image, media and download requests. The media type of the body is looked at only when the request comes from a page in a browser (`Origin`, `Referer` or `Sec-Fetch-Site`).',
  caller: 'anyone',
  body: z.object({ username: credential, password: credential, recaptcha: captchaResponse }),
  maxBodyBytes: maxLoginBodyBytes,
  answers: { 200: { description: 'The token', text: true } },
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
  summary: 'Exchange the token for a fresh one; the old one keeps working for a short overlap',
  caller: 'signed_in',
  answers: { 200: { description: 'The new token', text: true } },
  errors: ['not_signed_in'],
});

export const logout = endpoint({
  id: 'logout',
  feature: 'sessions',
  method: 'POST',
  path: '/api/logout',
  summary: 'End the session; its tokens stop working at once',
  caller: 'signed_in',
  answers: { 200: { description: 'Signed out', text: true } },
  errors: ['not_signed_in'],
});

/** One of a user's sessions as the user is shown it. Times in Unix milliseconds (UTC). */
export const Session = z.object({
  id: z.string(),
  created: z.int(),
  /** Written down once a minute at most. */
  lastUsed: z.int(),
  /** When it ends at the latest. */
  expires: z.int(),
  /** Where its user signed in from. */
  address: z.string(),
  /** The browser or program, as it names itself. */
  userAgent: z.string(),
  /** The session that asks. */
  isCurrent: z.boolean(),
});
export type Session = z.output<typeof Session>;

const userId = z.optional(z.string().check(z.regex(/^[1-9]\d{0,14}$/)));

export const listSessions = endpoint({
  id: 'listSessions',
  feature: 'sessions',
  method: 'GET',
  path: '/api/sessions',
  summary: 'One’s own sessions, the last used first; administrators may name another user',
  caller: 'signed_in',
  query: z.object({ user: userId }),
  answers: { 200: { description: 'The sessions that have not ended', json: z.array(Session) } },
  errors: ['bad_request', 'not_signed_in', 'forbidden'],
});

export const endSession = endpoint({
  id: 'endSession',
  feature: 'sessions',
  method: 'DELETE',
  path: '/api/sessions/{id}',
  summary: 'End one of one’s own sessions',
  caller: 'signed_in',
  params: z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) }),
  answers: { 200: { description: 'Ended', text: true } },
  errors: ['not_signed_in', 'not_found'],
});

export const endSessions = endpoint({
  id: 'endSessions',
  feature: 'sessions',
  method: 'DELETE',
  path: '/api/sessions',
  summary: 'End all of one’s other sessions; administrators may name another user',
  description: 'With `all=true` the session that asks ends too. With `user` all sessions of that user end.',
  caller: 'signed_in',
  query: z.object({ all: z.optional(z.enum(['true', 'false'])), user: userId }),
  answers: { 200: { description: 'Ended', text: true } },
  errors: ['bad_request', 'not_signed_in', 'forbidden'],
});

export const signup = endpoint({
  id: 'signup',
  feature: 'users',
  method: 'POST',
  anyMethod: true,
  path: '/api/signup',
  summary: 'Create an account for oneself, where the administrator allows it',
  caller: 'anyone',
  body: z.object({ username: credential, password: credential, recaptcha: captchaResponse }),
  maxBodyBytes: maxLoginBodyBytes,
  answers: { 200: { description: 'Created', text: true } },
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
