import { searchFiles } from '@filestead/contract/search';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import { acceptsJson, acceptsRows } from '../http/request/accepts.ts';
import type { Route } from '../http/server/route.ts';
import { sendChunks } from '../http/response/send-chunks.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { walkLimits } from '../scheduling/walk-limits.ts';
import { userParty } from '../scheduling/party.ts';
import { asJson, asRows, findFiles } from './find-files.ts';
import { rememberNewerClients } from './newer-clients.ts';
import { parseQuery } from './parse-query.ts';
import { sendRows } from './send-rows.ts';
import type { SearchFormat } from '../config/search-format.ts';

/** Registers the search endpoint. */
export function registerSearch(
  app: FastifyInstance,
  { route, format, clock }: { route: Route; format: SearchFormat; clock: Clock },
): void {
  const queue = openFairQueue(walkLimits);
  const newerClients = rememberNewerClients();

  // Newer web clients send this header whenever they open a folder or file; older ones do not (docs/reference/filebrowser-api.md §6.4).
  app.addHook('preHandler', async ({ headers, opened }) => {
    const authContext = opened?.authContext;
    if (headers['x-encoding'] !== undefined && authContext != null)
      newerClients.add(authContext.userContext.sessionId);
  });

  /** Whether the client gets rows: it accepts them explicitly, or it is known to expect them. */
  const wantsRows = (accept: string | undefined, sessionId: string): boolean => {
    if (acceptsRows(accept)) return true;
    if (acceptsJson(accept)) return false;
    return format === 'auto' ? newerClients.includes(sessionId) : format === 'ndjson';
  };

  route(app, searchFiles, async ({ userContext, requested, query, signal, request, reply }) => {
    const storage = await userContext.storage();
    const send = async (): Promise<void> => {
      const results = await findFiles(storage, {
        folder: requested.path,
        pattern: parseQuery(query.query ?? ''),
        signal,
      });
      if (wantsRows(request.headers.accept, userContext.sessionId)) {
        await sendRows(asRows(results), { request, reply, clock });
      } else {
        await sendChunks(request, reply, 'application/json; charset=utf-8', asJson(results));
      }
    };
    await queue.run(userParty(userContext.user.id), send, signal);
    return undefined;
  });
}
