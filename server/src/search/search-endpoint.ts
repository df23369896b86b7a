import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { UserContext } from '../access/user-context.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { parseFind } from '../catalogue/query/parse-find.ts';
import { type CatalogueTarget, placeOf, type TargetOptions } from '../catalogue/resolve-target.ts';
import type { Clock } from '../clock.ts';
import type { EntryViews } from '../http/files/content-views.ts';
import type { Route } from '../http/server/route.ts';
import { type MarksByPlace, marksBelow } from './folder-marks.ts';
import type { RequestedSearch } from './requested-search.ts';

/** The parts of the server that every endpoint of a search uses. */
export interface SearchParts extends TargetOptions {
  readonly route: Route;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  /** Returns favorites and tags of a user. */
  readonly marksOf: (userId: number) => Promise<MarksByPlace>;
  readonly views: EntryViews;
}

/** A request for a search. */
interface SearchCall {
  readonly userContext: UserContext;
  readonly requested: RequestedPath;
  readonly query: { readonly query?: string | undefined; readonly near?: string | undefined };
  readonly signal: AbortSignal;
}

/** Reads the search that a request describes, with the marks of its user. */
export async function readSearch(
  { userContext, requested, query, signal }: SearchCall,
  target: CatalogueTarget,
  { catalogue, clock, marksOf, views }: SearchParts,
): Promise<RequestedSearch> {
  return {
    catalogue,
    target,
    folder: requested.path,
    query: parseFind(query.query ?? '', Math.floor(clock.now() / 1000)),
    near: await placeOf(target.storage, query.near),
    marks: marksBelow(await marksOf(userContext.user.id), target.visible?.place ?? null),
    signal,
    views,
  };
}
