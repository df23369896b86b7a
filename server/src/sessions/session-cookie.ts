import type { FastifyReply } from 'fastify';
import { sessionCookieName } from '../http/request/read-credentials.ts';
import type { IssuedToken } from './issue-token.ts';

function setCookie(reply: FastifyReply, baseUrl: string, value: string, maxAgeSeconds: number): void {
  const attributes = [
    `${sessionCookieName}=${value}`,
    `Path=${baseUrl === '' ? '/' : baseUrl}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(reply.request.protocol === 'https' ? ['Secure'] : []),
  ];
  reply.header('set-cookie', attributes.join('; '));
}

/** Sets the cookie for image, media and download requests. */
export function setSessionCookie(
  reply: FastifyReply,
  baseUrl: string,
  { cookie, expiresAtMs }: IssuedToken,
  nowMs: number,
): void {
  setCookie(reply, baseUrl, cookie, Math.max(0, Math.floor((expiresAtMs - nowMs) / 1000)));
}

/** Removes the cookie. */
export const clearSessionCookie = (reply: FastifyReply, baseUrl: string): void =>
  setCookie(reply, baseUrl, '', 0);
