import { login, logout, renew } from '@filestead/contract/sessions';
import type { FastifyInstance } from 'fastify';
import { type AttemptLimiter, TooManyAttempts } from '../access/attempt-limiter.ts';
import type { Callers } from '../access/callers.ts';
import type { UserRepository } from '../database/database.ts';
import { AppError } from '../http/app-error.ts';
import { clientAddress } from '../http/client-address.ts';
import { readCredentials } from '../http/read-credentials.ts';
import type { Route } from '../http/route.ts';
import { checkCredentials } from './check-credentials.ts';
import { giveCookie, takeCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

/** Signing in, staying signed in, signing out. */
export function registerSessions(
  app: FastifyInstance,
  parts: {
    route: Route;
    sessions: Sessions;
    users: UserRepository;
    callers: Callers;
    limiter: AttemptLimiter;
    /** `''` or `/prefix`. */
    baseUrl: string;
  },
): void {
  const { route, sessions, users, callers, limiter, baseUrl } = parts;

  route(app, login, async ({ body, request, reply }) => {
    try {
      const user = await checkCredentials({ users, limiter, address: clientAddress(request), ...body });
      const issued = await sessions.signIn(user);
      giveCookie(reply, baseUrl, issued);
      return issued.token;
    } catch (error) {
      if (error instanceof TooManyAttempts) reply.header('retry-after', error.retryAfterSeconds);
      throw error;
    }
  });

  route(app, renew, async ({ caller, request, reply }) => {
    reply.removeHeader('x-renew-token');
    const [credential] = readCredentials(request.headers, undefined, false);
    const user = await callers.find(caller.user.id);
    if (credential === undefined || user === null) throw new AppError('not_signed_in');
    const issued = await sessions.renew(credential.value, user);
    if (issued === null) throw new AppError('not_signed_in');
    giveCookie(reply, baseUrl, issued);
    return issued.token;
  });

  route(app, logout, async ({ caller, reply }) => {
    reply.removeHeader('x-renew-token');
    await sessions.end(caller.sessionId);
    takeCookie(reply, baseUrl);
    return undefined;
  });
}
