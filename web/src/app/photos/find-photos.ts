import { rootPath } from '@filestead/contract/paths/virtual-path';
import { maxFindOffset, maxFindRows } from '@filestead/contract/values/limits';
import { findEntries, type FindRequest, type FoundEntry } from '../../features/search/find-entries.ts';

const kinds = 'kind:file type:image type:video';

/** Returns a page of entries, and whether more match. With `offset` those after a number of the best ones. */
export type FindPage = (
  query: string,
  signal: AbortSignal,
  offset?: number,
) => Promise<{ entries: readonly FoundEntry[]; hasMore: boolean }>;

/** Finds a page through the catalogue, the latest entries first. Throws `ApiError`. */
export const findPage: FindPage = async (query, signal, offset) => {
  const entries: FoundEntry[] = [];
  const request: FindRequest = {
    folder: rootPath,
    near: rootPath,
    query,
    limit: maxFindRows,
    offset,
    sort: 'modified',
  };
  const hasMore = await findEntries(request, { signal, onFound: (found) => entries.push(...found) });
  return { entries, hasMore };
};

/** Returns the second of a time in UTC, as the search understands it. */
const secondOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 19);

/** The query for the pictures and videos that match `words`; types in it take the place of pictures and videos. */
const queryFor = (words: string): string =>
  /(?:^|\s)(?:type|ext):/u.test(words) ? `kind:file ${words}` : `${kinds} ${words}`.trim();

/**
 * Yields all pictures and videos of the user that match `words`, the latest first. Entries may be repeated. Throws `ApiError`.
 */
export async function* findPhotos(
  signal: AbortSignal,
  { words = '', find = findPage }: { words?: string; find?: FindPage } = {},
): AsyncGenerator<readonly FoundEntry[]> {
  // Words may restrict the time themselves.
  const pages = words === '' ? findByTime(kinds, signal, find) : findByCount(queryFor(words), signal, find);
  for await (const entries of pages) yield entries.filter(({ type }) => type === 'image' || type === 'video');
}

/**
 * Yields all entries of `query`. A response is limited, so the next page begins with the second in which the last one ended; the entries
 * of a second with more of them are counted.
 */
async function* findByTime(
  query: string,
  signal: AbortSignal,
  find: FindPage,
): AsyncGenerator<readonly FoundEntry[]> {
  let until: string | null = null;
  for (;;) {
    const { entries, hasMore } = await find(until === null ? query : `${query} changed:<=${until}`, signal);
    yield entries;
    const lastMs = entries.at(-1)?.modifiedMs ?? null;
    if (!hasMore || lastMs === null) return;
    const last = secondOf(lastMs);
    const isWholeSecond = secondOf(entries[0]?.modifiedMs ?? 0) === last;
    if (isWholeSecond) yield* findByCount(`${query} changed:${last}`, signal, find);
    until = isWholeSecond ? secondOf(lastMs - 1000) : last;
  }
}

/** Yields all entries of `query`; each page begins after the number of entries of those before it. */
async function* findByCount(
  query: string,
  signal: AbortSignal,
  find: FindPage,
): AsyncGenerator<readonly FoundEntry[]> {
  for (let offset = 0; offset <= maxFindOffset;) {
    const { entries, hasMore } = await find(query, signal, offset);
    yield entries;
    if (!hasMore) return;
    // Entries that no longer exist are missing in a page; then the next one repeats some.
    offset += Math.max(1, entries.length);
  }
}
