import type { SearchResult } from '@filestead/contract/search';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import type { NamePattern } from '../storage/listings/name-pattern.ts';
import type { Storage } from '../storage/storage.ts';

/** Something to look for below a folder. */
export interface FindFiles {
  readonly folder: VirtualPath;
  readonly pattern: NamePattern;
  readonly signal: AbortSignal;
}

/**
 * What is found below a folder, some at a time, in the order of the docs/reference/filebrowser-api.md §1.10; nothing below a file. Throws
 * `not_found`, `forbidden`, `external_link` before it gives anything.
 */
export async function findFiles(
  storage: Storage,
  { folder, pattern, signal }: FindFiles,
): Promise<AsyncIterable<readonly SearchResult[]>> {
  const entry = await storage.stat(folder);
  if (entry === null) throw new AppError('not_found');
  if (entry.kind === 'invalid_link') throw new AppError('external_link');
  return entry.kind === 'folder' ? resultsOf(storage, { folder, pattern, signal }) : nothing();
}

async function* nothing(): AsyncGenerator<readonly SearchResult[]> {
  // No entry lies below a file.
}

async function* resultsOf(
  storage: Storage,
  { folder, pattern, signal }: FindFiles,
): AsyncGenerator<readonly SearchResult[]> {
  const prefixLength = folder === '/' ? 1 : folder.length + 1;
  for await (const found of storage.find(folder, { pattern, signal })) {
    yield found.map(({ path, isFolder }) => ({ dir: isFolder, path: path.slice(prefixLength) }));
  }
}

/** Results as one JSON array, in pieces. */
export async function* asJson(results: AsyncIterable<readonly SearchResult[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const some of results) {
    yield separator + JSON.stringify(some).slice(1, -1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/** Results as one JSON object per line. */
export async function* asRows(results: AsyncIterable<readonly SearchResult[]>): AsyncGenerator<string> {
  for await (const some of results) {
    let text = '';
    for (const result of some) text += `${JSON.stringify(result)}\n`;
    yield text;
  }
}
