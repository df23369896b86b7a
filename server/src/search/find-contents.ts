import type { ContentEnd, ContentRow, Snippet } from '@filestead/contract/endpoints/contents';
import { joinPaths, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { ContentRow as IndexRow } from '../contents/contents-protocol.ts';
import { type ContentQuery, contentQueryOf } from '../contents/index/content-query.ts';
import type { Contents } from '../contents/open-contents.ts';
import { stateOf } from '../contents/read-document.ts';
import { AppError, isAppError } from '../errors.ts';
import type { OpenFile } from '../storage/storage.ts';
import type { RequestedSearch } from './requested-search.ts';
import type { ResultPart } from './send-results.ts';

/** A search in the contents of the files below a folder. */
export interface FindContents extends Omit<RequestedSearch, 'catalogue'> {
  readonly contents: Contents;
  readonly catalogue: Pick<Catalogue, 'changed'>;
  readonly limit: number;
}

/** The greatest percentage while files have been changed since they were read. */
const maxUnreadPercent = 99;
/** The time for all snippets of a search, in milliseconds; later rows have none. */
const maxSnippetsMs = 2_500;

/** Searches the index. Throws `contents_off`. */
async function searchIndex(
  { contents, target: { visible }, query, near, marks, limit, signal }: FindContents,
  content: ContentQuery | null,
): Promise<{ rows: readonly IndexRow[]; hasMore: boolean; progress: number | null }> {
  if (!contents.isOn) throw new AppError('contents_off');
  const none = { rows: [], hasMore: false, progress: 1 };
  // Outside of the served folder nothing is in the index.
  if (visible === null || content === null || (query.kind !== null && query.kind !== 'file')) return none;
  const within = query.isHere ? near : null;
  const only = marks.matching(query);
  const found = await contents.find({ visible, content, filters: query, within, only, limit }, signal);
  if (found === null) throw new AppError('contents_off');
  return found;
}

/**
 * Searches the contents of files. Each file is opened with the permissions of the user before it is returned, and read for a snippet while
 * there is time. Files that have changed since they were read are left out. Throws `contents_off`.
 */
export async function* findContents(
  search: FindContents,
): AsyncGenerator<ResultPart<ContentRow, ContentEnd>> {
  const { catalogue, target, folder, query, signal } = search;
  const content = contentQueryOf(query);
  const { rows, hasMore, progress } = await searchIndex(search, content);
  const stale = new Set<VirtualPath>();
  let hasUnread = false;
  const endMs = performance.now() + maxSnippetsMs;
  for (const row of rows) {
    signal.throwIfAborted();
    const path = joinPaths(folder, `/${row.path}` as VirtualPath);
    const file = await openUnchanged(search, path, row);
    if (file === null || file === 'changed') {
      hasUnread ||= file === 'changed';
      stale.add(target.storage.toPlace(parentOf(path)));
      continue;
    }
    try {
      const isInTime = content !== null && performance.now() < endMs;
      const snippet = isInTime ? await search.contents.snippet(file, nameOf(path), content.terms) : null;
      yield [presentRow(search, row, file, snippet)];
    } finally {
      await file.close();
    }
  }
  if (stale.size > 0) catalogue.changed([...stale]);
  const read = progress === null ? null : Math.floor(progress * 100);
  const percent = read !== null && hasUnread ? Math.min(read, maxUnreadPercent) : read;
  yield { end: true, more: hasMore, percent };
}

/** Opens a file with the permissions of the user; null if that fails, `changed` if it is not the one that was read for the index. */
async function openUnchanged(
  { target: { storage } }: FindContents,
  path: VirtualPath,
  row: IndexRow,
): Promise<OpenFile | 'changed' | null> {
  let file: OpenFile;
  try {
    file = await storage.openFile(path);
  } catch (error) {
    if (isAppError(error) && error.status < 429) return null;
    throw error;
  }
  const { size, time } = stateOf(file.entry);
  if (!file.entry.isSymlink && size === row.size && time === row.time) return file;
  await file.close();
  return 'changed';
}

function presentRow(
  { views: { typeOf, formatModified }, marks }: FindContents,
  { path }: IndexRow,
  { entry: { kind, size, modifiedNs } }: OpenFile,
  snippet: Snippet | null | undefined,
): ContentRow {
  return {
    path,
    size,
    modified: formatModified(Number(modifiedNs / 1_000_000n)),
    type: typeOf(kind, nameOf(`/${path}` as VirtualPath), size),
    ...marks.of(path),
    ...(snippet != null && { snippet }),
  };
}
