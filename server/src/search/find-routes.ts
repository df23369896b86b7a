import { findFiles, type FindResult } from '@filestead/contract/endpoints/find';
import { defaultFindRows } from '@filestead/contract/values/limits';
import type { FastifyInstance } from 'fastify';
import type { UsedEntry } from '../catalogue/catalogue-protocol.ts';
import { resolveTarget } from '../catalogue/resolve-target.ts';
import { AppError } from '../errors.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { walkLimits } from '../scheduling/walk-limits.ts';
import { userParty } from '../scheduling/party.ts';
import { findRanked } from './find-ranked.ts';
import { readSearch, type SearchParts } from './search-endpoint.ts';
import { sendResults } from './send-results.ts';

/** The dependencies of {@link registerFind}. */
interface FindParts extends SearchParts {
  /** Returns the recent entries of a user. */
  readonly recentsOf: (userId: number) => Promise<readonly UsedEntry[]>;
}

/** Registers the endpoint of ranked searches. */
export function registerFind(app: FastifyInstance, parts: FindParts): void {
  const { route, catalogue, clock, recentsOf } = parts;
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
          // They decide among equal matches only.
          used: sort === 'rank' ? await recentsOf(userContext.user.id) : [],
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
