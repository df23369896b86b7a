import {
  type ContentResult,
  findContents as findContentsEndpoint,
} from '@filestead/contract/endpoints/contents';
import { defaultContentRows } from '@filestead/contract/values/limits';
import type { FastifyInstance } from 'fastify';
import type { Catalogue } from '../catalogue/open-catalogue.ts';
import { parseFind } from '../catalogue/query/parse-find.ts';
import { placeOf, resolveTarget, type TargetOptions } from '../catalogue/resolve-target.ts';
import type { Clock } from '../clock.ts';
import type { Contents } from '../contents/open-contents.ts';
import { AppError } from '../errors.ts';
import type { Route } from '../http/server/route.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { userParty } from '../scheduling/party.ts';
import { findContents } from './find-contents.ts';
import type { FindViews } from './find-ranked.ts';
import { type MarksByPlace, marksBelow } from './folder-marks.ts';
import { sendResults } from './send-results.ts';

/** Limits of concurrent searches. Snippets are made one after the other. */
const limits = {
  running: 4,
  runningPerParty: 2,
  waiting: 64,
  waitingPerParty: 8,
  refusal: 'too_many_requests',
} as const;

/** Registers the endpoint of searches in contents. */
export function registerContents(
  app: FastifyInstance,
  {
    route,
    contents,
    catalogue,
    clock,
    marksOf,
    views,
    ...targetOptions
  }: TargetOptions & {
    route: Route;
    contents: Contents;
    catalogue: Catalogue;
    clock: Clock;
    /** Returns favourites and tags of a user. */
    marksOf: (userId: number) => Promise<MarksByPlace>;
    views: FindViews;
  },
): void {
  const queue = openFairQueue(limits);
  route(app, findContentsEndpoint, async ({ userContext, requested, query, signal, request, reply }) => {
    if (!contents.isOn || !catalogue.isOn) throw new AppError('contents_off');
    const target = await resolveTarget(userContext, requested.path, { catalogue, ...targetOptions });
    const search = async (): Promise<ContentResult | undefined> =>
      sendResults(
        findContents({
          contents,
          catalogue,
          target,
          folder: requested.path,
          query: parseFind(query.query, Math.floor(clock.now() / 1000)),
          near: await placeOf(target.storage, query.near),
          marks: marksBelow(await marksOf(userContext.user.id), target.visible?.place ?? null),
          limit: query.limit ?? defaultContentRows,
          signal,
          views,
        }),
        { request, reply, clock },
      );
    return queue.run(userParty(userContext.user.id), search, signal);
  });
}
