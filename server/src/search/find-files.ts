import type { SearchResult } from '@filestead/contract/search';
import { relativeTo, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import type { NamePattern } from '../storage/listings/name-pattern.ts';
import type { Storage } from '../storage/storage.ts';

/** A search below a folder. */
export interface FindFiles {
  readonly folder: VirtualPath;
  readonly pattern: NamePattern;
  readonly signal: AbortSignal;
}

/**
 * Searches below a folder. The results arrive in batches, in the order of docs/reference/filebrowser-api.md §1.10; a file
 * has none. Throws `not_found`, `forbidden`, `external_link` before the first batch.
 */
export async function findFiles(
  storage: Storage,
  { folder, pattern, signal }: FindFiles,
): Promise<AsyncIterable<readonly SearchResult[]>> {
  const entry = await storage.stat(folder);
  if (entry === null) throw new AppError('not_found');
  if (entry.kind === 'invalid_link') throw new AppError('external_link');
  return entry.kind === 'folder' ? findBelow(storage, { folder, pattern, signal }) : noResults();
}

async function* noResults(): AsyncGenerator<readonly SearchResult[]> {
  // A file contains no entries.
}

async function* findBelow(
  storage: Storage,
  { folder, pattern, signal }: FindFiles,
): AsyncGenerator<readonly SearchResult[]> {
  for await (const found of storage.find(folder, { pattern, signal })) {
    yield found.map(({ path, isFolder }) => ({ dir: isFolder, path: relativeTo(path, folder).slice(1) }));
  }
}

/** Serializes results as one JSON array, in chunks. */
export async function* asJson(results: AsyncIterable<readonly SearchResult[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const batch of results) {
    yield separator + JSON.stringify(batch).slice(1, -1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/** Serializes results as one JSON object per line. */
export async function* asRows(results: AsyncIterable<readonly SearchResult[]>): AsyncGenerator<string> {
  for await (const batch of results) {
    let text = '';
    for (const result of batch) text += `${JSON.stringify(result)}\n`;
    yield text;
  }
}
