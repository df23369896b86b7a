import {
  type ContentResult,
  findContents as findContentsEndpoint,
} from '@filestead/contract/endpoints/contents';
import { defaultContentRows } from '@filestead/contract/values/limits';
import type { FastifyInstance } from 'fastify';
import { resolveTarget } from '../catalogue/resolve-target.ts';
import type { Contents } from '../contents/open-contents.ts';
import { AppError } from '../errors.ts';
import { openFairQueue } from '../scheduling/fair-queue.ts';
import { walkLimits } from '../scheduling/walk-limits.ts';
import { userParty } from '../scheduling/party.ts';
import { findContents } from './find-contents.ts';
import { readSearch, type SearchParts } from './search-endpoint.ts';
import { sendResults } from './send-results.ts';

/** Registers the endpoint of searches in contents. Snippets are made one after the other. */
export function registerContents(app: FastifyInstance, parts: SearchParts & { contents: Contents }): void {
  const { route, contents, catalogue, clock } = parts;
  const queue = openFairQueue(walkLimits);
  route(app, findContentsEndpoint, async (call) => {
    const { userContext, requested, query, signal, request, reply } = call;
    if (!contents.isOn || !catalogue.isOn) throw new AppError('contents_off');
    const target = await resolveTarget(userContext, requested.path, parts);
    const search = async (): Promise<ContentResult | undefined> =>
      sendResults(
        findContents({
          ...(await readSearch(call, target, parts)),
          contents,
          limit: query.limit ?? defaultContentRows,
        }),
        { request, reply, clock },
      );
    return queue.run(userParty(userContext.user.id), search, signal);
  });
}
