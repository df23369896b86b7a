import { findFiles, type FindEnd, type FindResult, type FindRow } from '@filestead/contract/endpoints/find';
import { defaultFindRows } from '@filestead/contract/values/limits';
import type { FastifyInstance } from 'fastify';
import { resolveTarget, type TargetOptions, placeOf } from '../catalogue/resolve-target.ts';
import type { Catalogue } from '../catalogue/open-catalogue.ts';
import { parseFind } from '../catalogue/query/parse-find.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { acceptsRows } from '../http/request/accepts.ts';
import type { Route } from '../http/server/route.ts';
import { sendLive } from '../http/response/send-live.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { userParty } from '../scheduling/party.ts';
import { type FindPart, findRanked, type FindViews } from './find-ranked.ts';
import { type MarksByPlace, marksBelow } from './folder-marks.ts';

/** Limits of concurrent searches. */
const limits = {
  running: 4,
  runningPerParty: 2,
  waiting: 64,
  waitingPerParty: 8,
  refusal: 'too_many_requests',
} as const;
/** Interval of the empty lines that show that a search without results is still running. */
const heartbeatMs = 5_000;

const isEnd = (part: FindPart): part is FindEnd => 'end' in part;

/** Collects the parts of a search. */
async function collect(parts: AsyncIterable<FindPart>): Promise<FindResult> {
  const rows: FindRow[] = [];
  for await (const part of parts) {
    if (isEnd(part)) return { ...part, rows };
    rows.push(...part);
  }
  throw new Error('the search ended without an end row');
}

/** Serialises the parts of a search as one JSON object per line. */
async function* asLines(first: FindPart, rest: AsyncIterable<FindPart>): AsyncGenerator<string> {
  const text = (part: FindPart): string =>
    (isEnd(part) ? [part] : part).map((row) => `${JSON.stringify(row)}\n`).join('');
  yield text(first);
  for await (const part of rest) yield text(part);
}

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
    const search = async (): Promise<FindResult | undefined> => {
      const parts = findRanked({
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
      });
      if (!acceptsRows(request.headers.accept)) return collect(parts);
      // Errors before the first part become the response.
      const first = await parts.next();
      if (first.done === true) throw new Error('the search ended without an end row');
      await sendLive(request, reply, {
        contentType: 'application/x-ndjson; charset=utf-8',
        pieces: asLines(first.value, parts),
        heartbeat: '\n',
        heartbeatMs,
        clock,
      });
      return undefined;
    };
    return queue.run(userParty(userContext.user.id), search, signal);
  });
}
