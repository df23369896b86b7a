import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shortHash } from '../../audit/audit-record.ts';
import { notesOf, recordOfAnswer } from './audit.ts';
import { clientAddress } from '../request/client-address.ts';
import { rawPathOf } from '../request/target.ts';

/** Longest path that is written to the log, in characters. */
const maxLoggedPath = 1_024;

/** The names of public links and the tickets of archives in a path: whoever knows them gets in. */
const openingSegment =
  /^((?:\/api\/public\/(?:share|dl|subtitle|archives|preview\/[^/]*)|\/api\/archives|\/share)\/+)([^/]+)(?:(\/+)([^/]+))?/;

/** A raw path without what opens something. */
function withoutSecrets(path: string, request: FastifyRequest): string {
  if (notesOf(request).endpoint?.path.endsWith('{hash}') === true) {
    return path.replace(/[^/]+(?=\/?$)/, shortHash);
  }
  return path.replace(openingSegment, (_all, prefix: string, opening: string, slash = '', next = '') => {
    const isTicket = prefix.includes('archives');
    return `${prefix}${shortHash(opening)}${slash}${isTicket ? shortHash(next) : next}`;
  });
}

/** A path as it may stand in a log line: nothing invisible, nothing endless, never the query with its secrets. */
function loggedPath(request: FastifyRequest): string {
  const path = withoutSecrets(rawPathOf(request.raw.url ?? '/'), request).slice(0, maxLoggedPath);
  return path.replaceAll(/[^\x21-\x7e…]/g, (character) => encodeURIComponent(character.toWellFormed()));
}

/**
 * One line per answer, of the shape `/api/login: 403 192.0.2.1` that log watchers look for (docs/reference/filebrowser-api.md §1.1): refusals,
 * those of a busy server among them, and changes at the level `info`, failures at `error`, plain reads at `debug`. Acts and
 * refusals carry their audit record and are written at every level of the log.
 */
export function logRequests(app: FastifyInstance): void {
  const isVerbose = app.log.level === 'debug' || app.log.level === 'trace';
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isFailure = status >= 500 && status !== 501 && status !== 503;
    const level = isFailure ? 'error' : status >= 400 || !isRead ? 'info' : 'debug';
    const audit = recordOfAnswer(request, reply);
    if (level !== 'debug' || isVerbose || audit !== null) {
      const address = clientAddress(request);
      const user = request.opened?.authContext?.userContext.user;
      const log = audit === null ? request.log : app.auditLog;
      log[audit === null || level !== 'debug' ? level : 'info'](
        {
          ...(audit === null ? {} : { reqId: request.id }),
          method: request.method,
          status,
          address,
          ms: Math.round(reply.elapsedTime),
          ...(user === undefined ? {} : { user: user.id }),
          ...(audit === null ? {} : { audit }),
        },
        `${loggedPath(request)}: ${status} ${address}`,
      );
    }
    done();
  });
}
