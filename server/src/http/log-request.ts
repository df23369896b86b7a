import type { FastifyInstance } from 'fastify';
import { clientAddress } from './client-address.ts';
import { rawPathOf } from './target.ts';

/** Longest path that is written to the log, in characters. */
const maxLoggedPath = 1_024;

/** A path as it may stand in a log line: nothing invisible, nothing endless, never the query with its secrets. */
function loggedPath(target: string): string {
  const path = rawPathOf(target).slice(0, maxLoggedPath);
  return path.replaceAll(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character.toWellFormed()));
}

/**
 * One line per answer, of the shape `/api/login: 403 192.0.2.1` that log watchers look for (existing API §1.1): refusals,
 * those of a busy server among them, and changes at the level `info`, failures at `error`, plain reads at `debug`.
 */
export function logRequests(app: FastifyInstance): void {
  const isVerbose = app.log.level === 'debug' || app.log.level === 'trace';
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isFailure = status >= 500 && status !== 501 && status !== 503;
    const level = isFailure ? 'error' : status >= 400 || !isRead ? 'info' : 'debug';
    if (level !== 'debug' || isVerbose) {
      const address = clientAddress(request);
      const user = request.opened?.admission?.caller.user;
      request.log[level](
        {
          method: request.method,
          status,
          address,
          ms: Math.round(reply.elapsedTime),
          ...(user === undefined ? {} : { user: user.id }),
        },
        `${loggedPath(request.raw.url ?? '/')}: ${status} ${address}`,
      );
    }
    done();
  });
}
