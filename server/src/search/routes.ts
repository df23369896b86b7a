import { searchFiles } from '@filestead/contract/search';
import type { FastifyInstance } from 'fastify';
import { acceptsRows } from '../http/accepts.ts';
import { createRequestSlots } from '../http/request-slots.ts';
import type { Route } from '../http/route.ts';
import { sendChunks } from '../http/send-chunks.ts';
import { sendLive } from '../http/send-live.ts';
import { asJson, asRows, findFiles } from './find-files.ts';
import { parseQuery } from './parse-query.ts';

/** Searches share one thread; more at once would only make each of them slower. */
const limits = { running: 4, runningPerUser: 2, waiting: 64, waitingPerUser: 8 };
/** While nothing is found an empty line says that the search still runs (existing API §6.2). */
const heartbeatMs = 5_000;

/** Puts the search on the server. */
export function registerSearch(app: FastifyInstance, { route }: { route: Route }): void {
  const slots = createRequestSlots(limits);

  route(app, searchFiles, async ({ caller, requested, query, signal, request, reply }) => {
    const storage = await caller.storage();
    const leave = await slots.enter(caller.user.id, signal);
    try {
      const results = await findFiles(storage, {
        folder: requested.path,
        pattern: parseQuery(query.query ?? ''),
        signal,
      });
      if (acceptsRows(request.headers.accept)) {
        await sendLive(request, reply, {
          contentType: 'application/x-ndjson; charset=utf-8',
          pieces: asRows(results),
          heartbeat: '\n',
          heartbeatMs,
        });
      } else {
        await sendChunks(request, reply, 'application/json; charset=utf-8', asJson(results));
      }
    } finally {
      leave();
    }
    return undefined;
  });
}
