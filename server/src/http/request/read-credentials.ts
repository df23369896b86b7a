import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from './authenticator.ts';

/** The HttpOnly cookie for reads to which a page cannot add a header. */
export const sessionCookieName = 'filestead_session';
/** The cookie that existing front ends set themselves (docs/reference/filebrowser-api.md §1.2). */
const existingCookieName = 'auth';
/** Maximum length of an accepted credential, in characters; tokens are far shorter. */
const maxCredentialLength = 16 * 1024;

const tokenShape = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const cookieShape = /^[\w-]+(?:\.[\w-]+\.[\w-]+)?$/;

const isToken = (value: string): boolean => value.length <= maxCredentialLength && tokenShape.test(value);

/** Returns the values of the cookie `name` in the order sent. */
function cookieValues(header: string, name: string): string[] {
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) values.push(pair.slice(equals + 1).trim());
  }
  return values;
}

/**
 * Returns the credentials of a request in the order in which to try them. The header is accepted for every
 * method; the query parameter and cookies only with `mayUseCookie`. Values that do not look like a token are
 * skipped.
 */
export function readCredentials(
  headers: IncomingHttpHeaders,
  queryToken: string | undefined,
  mayUseCookie: boolean,
): Credential[] {
  const header = headers['x-auth'];
  if (typeof header === 'string' && isToken(header)) return [{ kind: 'token', value: header }];
  if (!mayUseCookie) return [];
  if (queryToken !== undefined && isToken(queryToken)) return [{ kind: 'token', value: queryToken }];
  const cookies = headers.cookie;
  if (cookies === undefined) return [];
  const ownCookies = cookieValues(cookies, sessionCookieName)
    .filter((value) => value.length <= maxCredentialLength && cookieShape.test(value))
    .map((value): Credential => ({ kind: isToken(value) ? 'token' : 'cookie', value }));
  const existingCookies = cookieValues(cookies, existingCookieName)
    .filter(isToken)
    .map((value): Credential => ({ kind: 'token', value }));
  return [...ownCookies, ...existingCookies].slice(0, 4);
}
