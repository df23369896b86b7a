import type { FindEnd, FindRow } from '@filestead/contract/endpoints/find';
import {
  joinPaths,
  nameOf,
  parentOf,
  relativeTo,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { FindSort } from '@filestead/contract/values/find-sorts';
import type { FindResponse, UsedEntry } from '../catalogue/catalogue-protocol.ts';
import { timeText } from '../catalogue/time-text.ts';
import { matchesFind } from '../catalogue/query/match-find.ts';
import type { FindQuery } from '../catalogue/query/parse-find.ts';
import { AppError, isAppError } from '../errors.ts';
import type { EntryViews } from '../http/files/content-views.ts';
import type { Entry, EntryKind } from '../storage/storage.ts';
import { Semaphore } from '../scheduling/semaphore.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';
import type { RequestedSearch } from './requested-search.ts';
import type { ResultPart } from './send-results.ts';

/** A ranked search below a folder. */
export interface FindRanked extends RequestedSearch {
  /** Recent entries of the user. */
  readonly used: readonly UsedEntry[];
  readonly limit: number;
  /** The number of results to skip. If it is given, only the catalogue is searched, not the disk. */
  readonly offset?: number | undefined;
  readonly sort: FindSort;
  readonly isDescending: boolean;
}

/** The number of results that are compared with the disk before they are sent, and the maximum time for it (milliseconds). */
const checkedRows = 20;
const maxCheckMs = 15;
/** The number of links that are read at once. */
const linksAtOnce = 16;

/**
 * Searches the catalogue, and the disk if the catalogue is incomplete. The first results are compared with the disk.
 * Throws `catalogue_off`.
 */
export async function* findRanked(search: FindRanked): AsyncGenerator<ResultPart<FindRow, FindEnd>> {
  const { catalogue, target, query, near, used, marks, limit, offset, sort, isDescending, signal } = search;
  const only = marks.matching(query);
  if (!catalogue.isOn) throw new AppError('catalogue_off');
  let found: FindResponse | null = null;
  if (target.visible !== null) {
    found = await catalogue.find({
      visible: target.visible,
      query,
      near,
      used,
      only,
      limit,
      offset,
      sort,
      isDescending,
      signal,
    });
    if (found === null) throw new AppError('catalogue_off');
  }
  const rows = found === null ? [] : await checkRows(search, found);
  yield rows;
  let hasMore = found?.hasMore ?? false;
  const coverage = found?.coverage ?? 'parts';
  if (target.isFolder && coverage !== 'all' && rows.length < limit && offset === undefined) {
    const known = new Set(rows.map(({ path }) => path));
    const rest = limit - rows.length;
    const further = only === null ? findOnDisk(search, known, rest) : findMarked(search, only, known, rest);
    for await (const batch of further) {
      if (batch === 'more') hasMore = true;
      else yield batch;
    }
  }
  yield {
    end: true,
    more: hasMore,
    similar: rows.some(({ similar }) => similar === true),
    checkedAt: timeText(found?.checkedAt ?? null),
    coverage: target.isFolder ? coverage : 'all',
  };
}

/**
 * Presents the results of the catalogue. Omits those among the first {@link checkedRows} that no longer exist, and all links
 * to places that are denied to the user: the catalogue does not know where they lead.
 */
async function checkRows(
  { catalogue, target, folder, marks, views }: FindRanked,
  found: FindResponse,
): Promise<FindRow[]> {
  const deadline = new Promise<'late'>((resolve) => setTimeout(resolve, maxCheckMs, 'late'));
  const stale: VirtualPath[] = [];
  const links = new Semaphore(linksAtOnce);
  const checked = await Promise.all(
    found.rows.map(async (row, i) => {
      const path = joinPaths(folder, `/${row.path}` as VirtualPath);
      const mayBeDenied = row.kind === 'link' && !target.storage.showsEverything;
      if (!mayBeDenied && i >= checkedRows) return undefined;
      const entry = mayBeDenied
        ? await links.run(() => statOf(target.storage, path))
        : await Promise.race([statOf(target.storage, path), deadline]);
      if (entry === 'gone') stale.push(path);
      return mayBeDenied && entry === 'late' ? 'denied' : entry;
    }),
  );
  if (stale.length > 0) {
    const { storage } = target;
    catalogue.changed([...new Set(stale.map((path) => storage.toPlace(parentOf(path))))]);
  }
  return found.rows.flatMap((row, i) => {
    const current = checked[i];
    if (current === 'gone' || current === 'denied') return [];
    // A link is presented as itself: the catalogue does not follow it.
    const entry = current === undefined || current === 'late' || current.isSymlink ? null : current;
    const kind = entry?.kind ?? (row.kind === 'link' ? 'special' : row.kind);
    const size = entry?.size ?? row.size;
    const timeMs = entry === null ? row.time * 1000 : Number(entry.modifiedNs / 1_000_000n);
    const presented = presentRow(views, row.path, { kind, size, timeMs, isLink: row.kind === 'link' });
    return [{ ...presented, ...marks.of(row.path), ...(row.isSimilar && { similar: true as const }) }];
  });
}

/** Reads an entry. `denied`: the user may not list it; `late`: it cannot be determined now. */
async function statOf(
  storage: NarrowedStorage,
  path: VirtualPath,
): Promise<Entry | 'gone' | 'denied' | 'late'> {
  try {
    return (await storage.stat(path)) ?? 'gone';
  } catch (error) {
    if (isAppError(error, 'forbidden')) return 'denied';
    return isAppError(error) && error.status < 429 ? 'gone' : 'late';
  }
}

function presentRow(
  { typeOf, formatModified }: EntryViews,
  path: string,
  {
    kind,
    size,
    timeMs,
    isLink,
  }: {
    readonly kind: EntryKind;
    readonly size: number;
    readonly timeMs: number;
    readonly isLink: boolean;
  },
): FindRow {
  const isFolder = kind === 'folder' && !isLink;
  return {
    path,
    dir: isFolder,
    size: isFolder ? null : size,
    modified: formatModified(timeMs),
    type: typeOf(isLink ? 'file' : kind, nameOf(`/${path}` as VirtualPath), size),
  };
}

/**
 * Walks the folder for results that are not in the catalogue. Yields at most `room` rows, then `more` if there are further
 * ones.
 */
async function* findOnDisk(
  { target: { storage }, folder, query, marks, signal, views }: FindRanked,
  known: ReadonlySet<string>,
  room: number,
): AsyncGenerator<FindRow[] | 'more'> {
  const everything = { terms: [], isCaseSensitive: false, media: [], extensions: [] };
  let left = room;
  for await (const found of storage.find(folder, { pattern: everything, signal })) {
    const rows: FindRow[] = [];
    for (const { path } of found) {
      const below = relativeTo(path, folder).slice(1);
      if (known.has(below) || !matchesNames(query, below)) continue;
      const entry = await storage.stat(path);
      if (entry === null || !matchesFind(query, candidateOf(below, entry))) continue;
      if (left === 0) {
        if (rows.length > 0) yield rows;
        yield 'more';
        return;
      }
      left -= 1;
      rows.push({ ...presentEntry(views, below, entry), ...marks.of(below) });
    }
    if (rows.length > 0) yield rows;
  }
}

/** Reads the entries to which tags or favorites restrict a query and that are not in the catalogue; see {@link findOnDisk}. */
async function* findMarked(
  { target: { storage }, folder, query, marks, signal, views }: FindRanked,
  only: readonly string[],
  known: ReadonlySet<string>,
  room: number,
): AsyncGenerator<FindRow[] | 'more'> {
  let left = room;
  for (const below of only) {
    signal.throwIfAborted();
    const path = joinPaths(folder, `/${below}` as VirtualPath);
    if (known.has(below) || !matchesNames(query, below) || !storage.isShown(path, folder)) continue;
    const entry = await storage.stat(path).catch((error: unknown) => {
      if (isAppError(error)) return null;
      throw error;
    });
    if (entry === null || !matchesFind(query, candidateOf(below, entry))) continue;
    if (left === 0) {
      yield 'more';
      return;
    }
    left -= 1;
    yield [{ ...presentEntry(views, below, entry), ...marks.of(below) }];
  }
}

function presentEntry(views: EntryViews, below: string, entry: Entry): FindRow {
  const { kind, size, modifiedNs, isSymlink } = entry;
  const timeMs = Number(modifiedNs / 1_000_000n);
  return presentRow(views, below, { kind, size: isSymlink ? 0 : size, timeMs, isLink: isSymlink });
}

/** Whether the words of a query match, before the metadata is read. */
function matchesNames(query: FindQuery, below: string): boolean {
  const names = segmentsOf(`/${below}` as VirtualPath);
  const name = names.pop() ?? '';
  const words: FindQuery = { ...query, kind: null, size: null, changed: null, media: [], extensions: [] };
  return matchesFind(words, { name, above: names, kind: 'file', size: 0, time: 0 });
}

function candidateOf(below: string, entry: Entry): Parameters<typeof matchesFind>[1] {
  const names = segmentsOf(`/${below}` as VirtualPath);
  const name = names.pop() ?? '';
  const kind = entry.isSymlink || entry.kind === 'invalid_link' ? 'link' : entry.kind;
  const time = Number(entry.modifiedNs / 1_000_000_000n);
  return { name, above: names, kind, size: kind === 'file' ? entry.size : 0, time };
}
