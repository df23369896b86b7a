import { createArchive, getArchive } from '@filestead/contract/archives';
import type { FastifyInstance } from 'fastify';
import type { UserContext } from '../access/user-context.ts';
import { partyOf } from '../http/request/party-of.ts';
import type { Route } from '../http/server/route.ts';
import type { SendArchive } from './send-archive.ts';
import { openTicketedArchives } from './ticketed-archives.ts';

/** Paths of a selection that the audit log records. */
const auditedPaths = 10;

/** Registers downloads of selections that are too long for a URL: requested with a body, then fetched with a ticket. */
export function registerArchives(
  app: FastifyInstance,
  options: {
    route: Route;
    sendArchive: SendArchive;
    /** Returns the name of the root of a user's scope. */
    rootNameOf: (userContext: UserContext) => string;
    /** Unix milliseconds. */
    now: () => number;
  },
): void {
  const { route, sendArchive, rootNameOf, now } = options;
  const archives = openTicketedArchives(sendArchive, now);

  route(app, createArchive, async ({ userContext, body, signal, request }) => {
    request.audit.target.count = body.paths.length;
    request.audit.target.paths = body.paths.slice(0, auditedPaths);
    return archives.ask({
      holder: userContext.sessionId,
      party: partyOf(request),
      storage: await userContext.storage(),
      body,
      rootName: rootNameOf(userContext),
      signal,
    });
  });

  route(app, getArchive, async ({ userContext, params, request, reply, signal }) => {
    const storage = await userContext.storage();
    await archives.send({
      holder: userContext.sessionId,
      storage,
      ticket: params.ticket,
      request,
      reply,
      signal,
    });
    return undefined;
  });
}
