import { searchFiles, type SearchResult } from '@filestead/contract/search';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { send } from '../call.ts';
import { readLines } from './read-lines.ts';

export interface SearchReader {
  signal: AbortSignal;
  /** Called with the new results since the last call. Paths are relative to the searched folder. */
  onResults: (results: readonly SearchResult[]) => void;
}

/**
 * Searches below a folder and passes results on as they are found. Throws `ApiError`; an `AbortError` if `signal`
 * is aborted, which also ends the search on the server.
 */
export async function streamSearch(
  folder: VirtualPath,
  query: string,
  { signal, onResults }: SearchReader,
): Promise<void> {
  const response = await send(searchFiles, {
    path: folder,
    isFolder: true,
    query: { query },
    headers: { Accept: 'application/x-ndjson' },
    signal,
  });
  await readLines<SearchResult>(response, { signal, onValues: onResults });
}
