import type { FindRow } from '@filestead/contract/endpoints/find';
import type { EntryType } from '@filestead/contract/files';
import { nameOf, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FindSort } from '@filestead/contract/values/find-sorts';
import { isCatalogueOn, recordCatalogueOff } from '../../api/catalogue.ts';
import { streamFind } from '../../api/streams/stream-find.ts';
import { streamSearch } from '../../api/streams/stream-search.ts';
import { toWalkQuery } from './search-query.ts';

/** An entry that a search found. */
export interface FoundEntry {
  readonly path: VirtualPath;
  readonly name: string;
  readonly isFolder: boolean;
  /** Bytes; null for folders, and without a catalogue. */
  readonly size: number | null;
  /** Unix milliseconds; null without a catalogue. */
  readonly modifiedMs: number | null;
  /** Null without a catalogue. */
  readonly type: EntryType | null;
  /** Whether the name differs from the query by a typing error. */
  readonly isSimilar: boolean;
  /** Whether the entry is a favorite of the user; false without a catalogue. */
  readonly isFavorite: boolean;
  /** The tags of the user. */
  readonly tags: readonly string[];
}

/** A search below `folder`. */
export interface FindRequest {
  readonly folder: VirtualPath;
  readonly query: string;
  /** The open folder, whose entries come first among equal matches. */
  readonly near: VirtualPath;
  /** The maximum number of results. */
  readonly limit: number;
  /** The number of best matches that are left out. With it equal matches are in a fixed order, and only the catalogue is searched. */
  readonly offset?: number | undefined;
  readonly sort: FindSort;
  /** Default: ascending by name, descending by size and time. */
  readonly order?: 'asc' | 'desc' | undefined;
}

export interface FindListener {
  readonly signal: AbortSignal;
  /** Called with the new results since the last call. */
  readonly onFound: (entries: readonly FoundEntry[]) => void;
}

/** Whether searches walk the folders of the disk, because the server has no catalogue. */
export const isWalking = (): boolean => !isCatalogueOn();

/**
 * Searches through the catalogue of the server, or by walking the folders if it has none. Returns whether more entries
 * match. Throws `ApiError`; an `AbortError` if the signal is aborted.
 */
export async function findEntries(request: FindRequest, listener: FindListener): Promise<boolean> {
  if (!isWalking()) {
    try {
      return await findInCatalogue(request, listener);
    } catch (error) {
      if (!recordCatalogueOff(error)) throw error;
    }
  }
  return findByWalking(request, listener);
}

async function findInCatalogue(request: FindRequest, { signal, onFound }: FindListener): Promise<boolean> {
  const { folder, query, near, limit, offset, sort, order } = request;
  const end = await streamFind(
    folder,
    {
      query,
      near,
      limit: String(limit),
      ...(offset !== undefined && { offset: String(offset) }),
      sort,
      ...(order && { order }),
    },
    { signal, onRows: (rows) => onFound(rows.map((row) => foundOf(folder, row))) },
  );
  return end.more;
}

function foundOf(
  folder: VirtualPath,
  { path, dir, size, modified, type, similar, favorite, tags = [] }: FindRow,
): FoundEntry {
  const { path: fullPath } = parsePath(`${folder}/${path}`);
  return {
    path: fullPath,
    name: nameOf(fullPath),
    isFolder: dir,
    size,
    modifiedMs: Date.parse(modified),
    type,
    isSimilar: similar === true,
    isFavorite: favorite === true,
    tags,
  };
}

async function findByWalking(
  { folder, query, limit }: FindRequest,
  { signal, onFound }: FindListener,
): Promise<boolean> {
  const { sent, accepts } = toWalkQuery(query);
  const full = new AbortController();
  let room = limit;
  try {
    await streamSearch(folder, sent, {
      signal: AbortSignal.any([signal, full.signal]),
      onResults: (results) => {
        if (full.signal.aborted) return;
        const found = results.filter(({ path, dir }) => accepts(path, dir));
        const shown = found.slice(0, room);
        room -= shown.length;
        if (shown.length > 0) onFound(shown.map(({ path, dir }) => walkedEntry(folder, path, dir)));
        if (found.length > shown.length) full.abort();
      },
    });
  } catch (error) {
    if (signal.aborted || !full.signal.aborted) throw error;
  }
  return full.signal.aborted;
}

function walkedEntry(folder: VirtualPath, path: string, isFolder: boolean): FoundEntry {
  const { path: fullPath } = parsePath(`${folder}/${path}`);
  return {
    path: fullPath,
    name: nameOf(fullPath),
    isFolder,
    size: null,
    modifiedMs: null,
    type: null,
    isSimilar: false,
    isFavorite: false,
    tags: [],
  };
}
