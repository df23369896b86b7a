import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from './authenticator.ts';

/** The HttpOnly cookie that carries reads which a page cannot add a header to. */
export const sessionCookieName = 'filestead_session';
/** The cookie that existing front ends set themselves (docs/reference/filebrowser-api.md §1.2). */
const existingCookieName = 'auth';
/** Longest credential that is looked at, in characters; a token is far shorter. */
const maxCredentialLength = 16 * 1024;

const tokenShape = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const cookieShape = /^[\w-]+(?:\.[\w-]+\.[\w-]+)?$/;

const isToken = (value: string): boolean => value.length <= maxCredentialLength && tokenShape.test(value);

/** The values of the cookie `name`, in the order they were sent. */
function cookieValues(header: string, name: string): string[] {
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) values.push(pair.slice(equals + 1).trim());
  }
  return values;
}

/**
 * What a request shows, in the order it is to be tried. The header stands for any method; the query parameter and the
 * cookies only where `mayUseCookie`. What does not have the shape of a token is passed over.
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
  const own = cookieValues(cookies, sessionCookieName)
    .filter((value) => value.length <= maxCredentialLength && cookieShape.test(value))
    .map((value): Credential => ({ kind: isToken(value) ? 'token' : 'cookie', value }));
  const existing = cookieValues(cookies, existingCookieName)
    .filter(isToken)
    .map((value): Credential => ({ kind: 'token', value }));
  return [...own, ...existing].slice(0, 4);
}
