import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { maxFindRows } from '@filestead/contract/values/limits';
import { findEntries, type FindRequest, type FoundEntry } from '../../features/search/find-entries.ts';

const kinds = 'kind:file type:image type:video';
/** Larger than any file, in bytes. */
const maxBytes = 2 ** 50;

/** Returns a page of entries, and whether more match. */
export type FindPage = (
  query: string,
  signal: AbortSignal,
) => Promise<{ entries: readonly FoundEntry[]; hasMore: boolean }>;

/** Finds a page through the catalogue, the latest entries first. Throws `ApiError`. */
export const findPage: FindPage = async (query, signal) => {
  const entries: FoundEntry[] = [];
  const request: FindRequest = {
    folder: rootPath,
    near: rootPath,
    query,
    limit: maxFindRows,
    sort: 'modified',
  };
  const hasMore = await findEntries(request, { signal, onFound: (found) => entries.push(...found) });
  return { entries, hasMore };
};

/** Returns the second of a time in UTC, as the search understands it. */
const secondOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 19);

/**
 * Yields all pictures and videos of the user, the latest first. A response is limited, so the next page begins with the second in which
 * the last one ended; a second with more entries is divided by size. Entries may be repeated. Throws `ApiError`.
 */
export async function* findPhotos(
  signal: AbortSignal,
  find: FindPage = findPage,
): AsyncGenerator<readonly FoundEntry[]> {
  let until: string | null = null;
  for (;;) {
    const { entries, hasMore } = await find(until === null ? kinds : `${kinds} changed:<=${until}`, signal);
    yield entries;
    const lastMs = entries.at(-1)?.modifiedMs ?? null;
    if (!hasMore || lastMs === null) return;
    const last = secondOf(lastMs);
    const isWholeSecond = secondOf(entries[0]?.modifiedMs ?? 0) === last;
    if (isWholeSecond)
      yield* findBySize(`${kinds} changed:${last}`, { least: 0, most: maxBytes }, signal, find);
    until = isWholeSecond ? secondOf(lastMs - 1000) : last;
  }
}

/**
 * Yields the entries of `query` whose size is in a range, which is divided until a page contains all of them. Of files of the same
 * second and the same size only a page is found.
 */
async function* findBySize(
  query: string,
  { least, most }: { least: number; most: number },
  signal: AbortSignal,
  find: FindPage,
): AsyncGenerator<readonly FoundEntry[]> {
  const { entries, hasMore } = await find(`${query} size:${least}..${most}`, signal);
  if (!hasMore || least >= most) {
    yield entries;
    return;
  }
  const sizes = entries.map(({ size }) => size ?? 0).toSorted((one, other) => one - other);
  // The middle of the sizes that are known divides better than the middle of the range.
  const middle = Math.min(most - 1, Math.max(least, sizes[sizes.length >> 1] ?? least));
  yield* findBySize(query, { least, most: middle }, signal, find);
  yield* findBySize(query, { least: middle + 1, most }, signal, find);
}

/** The path of an entry below the root, by which the listing knows it. */
export const photoName = (path: VirtualPath): string => path.slice(1);
