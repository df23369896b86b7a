import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shortHash } from '../../audit/audit-record.ts';
import { notesOf, recordOfResponse } from './audit.ts';
import { clientAddress } from '../request/client-address.ts';
import { rawPathOf } from '../request/target.ts';

/** Maximum length of a logged path, in characters. */
const maxLoggedPath = 1_024;

/** Hashes of shares and tickets of archives in a path, which grant access. */
const secretSegment =
  /^((?:\/api\/public\/(?:share|dl|subtitle|archives|preview\/[^/]*)|\/api\/archives|\/share)\/+)([^/]+)(?:(\/+)([^/]+))?/;

/** Shortens the parts of a raw path that grant access. */
function withoutSecrets(path: string, request: FastifyRequest): string {
  if (notesOf(request).endpoint?.path.endsWith('{hash}') === true) {
    return path.replace(/[^/]+(?=\/?$)/, shortHash);
  }
  return path.replace(secretSegment, (_all, prefix: string, secret: string, slash = '', next = '') => {
    const isTicket = prefix.includes('archives');
    return `${prefix}${shortHash(secret)}${slash}${isTicket ? shortHash(next) : next}`;
  });
}

/**
 * Returns the path for a log line: escaped, limited in length, and without the query, which may contain
 * secrets.
 */
function loggedPath(request: FastifyRequest): string {
  const path = withoutSecrets(rawPathOf(request.raw.url ?? '/'), request).slice(0, maxLoggedPath);
  return path.replaceAll(/[^\x21-\x7e\u2026]/g, (character) => encodeURIComponent(character.toWellFormed()));
}

/**
 * Logs one line per response in the form `/api/login: 403 192.0.2.1` that log watchers parse
 * (docs/reference/filebrowser-api.md §1.1): refusals (including those of a busy server) and changes at level
 * `info`, failures at `error`, plain reads at `debug`. Audited actions and refusals contain their audit record and are
 * written at every level of the log.
 */
export function logRequests(app: FastifyInstance): void {
  const isVerbose = app.log.level === 'debug' || app.log.level === 'trace';
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isFailure = status >= 500 && status !== 501 && status !== 503;
    const level = isFailure ? 'error' : status >= 400 || !isRead ? 'info' : 'debug';
    const audit = recordOfResponse(request, reply);
    if (level !== 'debug' || isVerbose || audit !== null) {
      const address = clientAddress(request);
      const user = request.opened?.authContext?.userContext.user;
      const log = audit === null ? request.log : app.auditLog;
      log[audit === null || level !== 'debug' ? level : 'info'](
        // The log leaves out what is undefined.
        {
          reqId: audit === null ? undefined : request.id,
          method: request.method,
          status,
          address,
          ms: Math.round(reply.elapsedTime),
          user: user?.id,
          audit: audit ?? undefined,
        },
        `${loggedPath(request)}: ${status} ${address}`,
      );
    }
    done();
  });
}
