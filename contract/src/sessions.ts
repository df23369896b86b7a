import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { maxLoginBodyBytes } from './limits.ts';
import { Permissions } from './permissions.ts';
import { Sorting, ViewMode } from './users.ts';

/** The `user` claim of the token, in this order (existing API §1.2), with the name and the sorting as additions of ours. For display only: the server trusts the session. */
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

const credential = z._default(z.string().check(z.maxLength(1024)), '');

export const login = endpoint({
  id: 'login',
  feature: 'sessions',
  method: 'POST',
  path: '/api/login',
  summary: 'Sign in; the token is the whole answer',
  description: 'Also sets the HttpOnly session cookie that carries image, media and download requests.',
  caller: 'anyone',
  body: z.object({ username: credential, password: credential, recaptcha: credential }),
  maxBodyBytes: maxLoginBodyBytes,
  answers: { 200: { description: 'The token', text: true } },
  errors: ['wrong_credentials', 'unsupported_media_type', 'payload_too_large', 'too_many_requests'],
});

export const renew = endpoint({
  id: 'renew',
  feature: 'sessions',
  method: 'POST',
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

export const signup = endpoint({
  id: 'signup',
  feature: 'users',
  method: 'POST',
  path: '/api/signup',
  summary: 'Create an account for oneself, where the administrator allows it',
  caller: 'anyone',
  body: z.object({ username: credential, password: credential }),
  maxBodyBytes: maxLoginBodyBytes,
  answers: { 200: { description: 'Created', text: true } },
  errors: ['bad_request', 'method_not_allowed', 'username_taken', 'weak_password', 'too_many_requests'],
});
