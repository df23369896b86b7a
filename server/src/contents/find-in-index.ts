import { compileVisibility } from '../access/rules/visible-part.ts';
import { passesFilters } from '../catalogue/query/match-find.ts';
import type { ContentFind, ContentRow } from './contents-protocol.ts';
import type { ContentIndex } from './index/content-index.ts';
import { matchExpression } from './index/content-query.ts';
import { PathVisibility } from './index/path-visibility.ts';

/** A search ends after this time, in milliseconds, with what it has found. */
const maxSearchMs = 2_000;

/** The path of a place without its leading slash. */
const toPath = (place: string): string => place.slice(1);

/** Searches the index for documents that a user may list, the best first. */
export async function findInIndex(
  index: ContentIndex,
  { visible, content, filters, within, only, limit }: ContentFind,
  { isStopped, now }: { readonly isStopped: () => boolean; readonly now: () => number },
): Promise<{ rows: ContentRow[]; hasMore: boolean }> {
  const visibility = new PathVisibility(await compileVisibility(visible));
  const top = toPath(visible.place);
  const prefixLength = top === '' ? 0 : top.length + 1;
  const inside = within === null ? null : toPath(within);
  const allowed = only === null ? null : new Set(only);
  const rows: ContentRow[] = [];
  // Excluded words are words of the contents here.
  const conditions = { ...filters, excluded: [] };
  const endMs = now() + maxSearchMs;
  for (const { path, size, time } of index.search(matchExpression(content), top)) {
    if (isStopped() || now() > endMs) return { rows, hasMore: true };
    const below = path.slice(prefixLength);
    if (inside !== null && inside !== '' && !path.startsWith(`${inside}/`)) continue;
    if (allowed?.has(below) === false || !visibility.shows(below)) continue;
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (!passesFilters(conditions, { name, kind: 'file', size, time })) continue;
    if (rows.length >= limit) return { rows, hasMore: true };
    rows.push({ path: below, size, time });
  }
  return { rows, hasMore: false };
}
