import { createArchive, getArchive } from '@filestead/contract/archives';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../http/caller.ts';
import { partyOf } from '../http/party-of.ts';
import type { Route } from '../http/route.ts';
import type { SendArchive } from './send-archive.ts';
import { openTicketedArchives } from './ticketed-archives.ts';

/** So many paths of a selection are recorded. */
const auditedPaths = 10;

/** Downloads of selections that are too long for an address: asked for with a body, then fetched with a ticket. */
export function registerArchives(
  app: FastifyInstance,
  options: {
    route: Route;
    sendArchive: SendArchive;
    /** What the top of a caller's scope is called. */
    rootNameOf: (caller: Caller) => string;
    /** Unix milliseconds. */
    now: () => number;
  },
): void {
  const { route, sendArchive, rootNameOf, now } = options;
  const archives = openTicketedArchives(sendArchive, now);

  route(app, createArchive, async ({ caller, body, signal, request }) => {
    request.audit.target.count = body.paths.length;
    request.audit.target.paths = body.paths.slice(0, auditedPaths);
    return archives.ask({
      holder: caller.sessionId,
      party: partyOf(request),
      storage: await caller.storage(),
      body,
      rootName: rootNameOf(caller),
      signal,
    });
  });

  route(app, getArchive, async ({ caller, params, request, reply, signal }) => {
    const storage = await caller.storage();
    await archives.send({
      holder: caller.sessionId,
      storage,
      ticket: params.ticket,
      request,
      reply,
      signal,
    });
    return undefined;
  });
}
