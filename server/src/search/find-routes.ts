import { findFiles, type FindResult } from '@filestead/contract/endpoints/find';
import { defaultFindRows } from '@filestead/contract/values/limits';
import type { FastifyInstance } from 'fastify';
import { resolveTarget, type TargetOptions, placeOf } from '../catalogue/resolve-target.ts';
import type { Catalogue } from '../catalogue/open-catalogue.ts';
import { parseFind } from '../catalogue/query/parse-find.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Route } from '../http/server/route.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { userParty } from '../scheduling/party.ts';
import { findRanked, type FindViews } from './find-ranked.ts';
import { type MarksByPlace, marksBelow } from './folder-marks.ts';
import { sendResults } from './send-results.ts';

/** Limits of concurrent searches. */
const limits = {
  running: 4,
  runningPerParty: 2,
  waiting: 64,
  waitingPerParty: 8,
  refusal: 'too_many_requests',
} as const;
/** Registers the endpoint of ranked searches. */
export function registerFind(
  app: FastifyInstance,
  {
    route,
    catalogue,
    clock,
    marksOf,
    views,
    ...targetOptions
  }: TargetOptions & {
    route: Route;
    catalogue: Catalogue;
    clock: Clock;
    /** Returns favourites and tags of a user. */
    marksOf: (userId: number) => Promise<MarksByPlace>;
    views: FindViews;
  },
): void {
  const queue = openFairQueue(limits);
  route(app, findFiles, async ({ userContext, requested, query, signal, request, reply }) => {
    if (!catalogue.isOn) throw new AppError('catalogue_off');
    const target = await resolveTarget(userContext, requested.path, { catalogue, ...targetOptions });
    const { sort = 'rank', order } = query;
    const search = async (): Promise<FindResult | undefined> =>
      sendResults(
        findRanked({
          catalogue,
          target,
          folder: requested.path,
          query: parseFind(query.query ?? '', Math.floor(clock.now() / 1000)),
          near: await placeOf(target.storage, query.near),
          marks: marksBelow(await marksOf(userContext.user.id), target.visible?.place ?? null),
          limit: query.limit ?? defaultFindRows,
          offset: query.offset,
          sort,
          isDescending: (order ?? (sort === 'name' ? 'asc' : 'desc')) === 'desc',
          signal,
          views,
        }),
        { request, reply, clock },
      );
    return queue.run(userParty(userContext.user.id), search, signal);
  });
}
