import { findFiles, type FindResult } from '@filestead/contract/endpoints/find';
import { defaultFindRows } from '@filestead/contract/values/limits';
import type { FastifyInstance } from 'fastify';
import { resolveTarget } from '../catalogue/resolve-target.ts';
import { AppError } from '../errors.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { walkLimits } from '../scheduling/walk-limits.ts';
import { userParty } from '../scheduling/party.ts';
import { findRanked } from './find-ranked.ts';
import { readSearch, type SearchParts } from './search-endpoint.ts';
import { sendResults } from './send-results.ts';

/** Registers the endpoint of ranked searches. */
export function registerFind(app: FastifyInstance, parts: SearchParts): void {
  const { route, catalogue, clock } = parts;
  const queue = openFairQueue(walkLimits);
  route(app, findFiles, async (call) => {
    const { userContext, requested, query, signal, request, reply } = call;
    if (!catalogue.isOn) throw new AppError('catalogue_off');
    const target = await resolveTarget(userContext, requested.path, parts);
    const { sort = 'rank', order } = query;
    const search = async (): Promise<FindResult | undefined> =>
      sendResults(
        findRanked({
          ...(await readSearch(call, target, parts)),
          limit: query.limit ?? defaultFindRows,
          offset: query.offset,
          sort,
          isDescending: (order ?? (sort === 'name' ? 'asc' : 'desc')) === 'desc',
        }),
        { request, reply, clock },
      );
    return queue.run(userParty(userContext.user.id), search, signal);
  });
}
