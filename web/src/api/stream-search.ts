import { searchFiles, type SearchResult } from '@filestead/contract/search';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, isAbort } from './api-error.ts';
import { send } from './call.ts';

export interface SearchReader {
  signal: AbortSignal;
  /** Called with the new results since the last call. Paths are relative to the searched folder. */
  onResults: (results: readonly SearchResult[]) => void;
}

/**
 * Searches below a folder and passes results on as they are found. Throws {@link ApiError}; an `AbortError` if `signal`
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
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let unfinished = '';
  const parseLines = (text: string): void => {
    // An empty line is a keep-alive.
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length > 0) onResults(JSON.parse(`[${lines.join(',')}]`) as SearchResult[]);
  };
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      const text = unfinished + chunk.value;
      const lastBreak = text.lastIndexOf('\n');
      unfinished = text.slice(lastBreak + 1);
      if (lastBreak >= 0) parseLines(text.slice(0, lastBreak));
    }
    parseLines(unfinished);
  } catch (error) {
    reader?.cancel().catch(() => undefined);
    if (isAbort(error) || signal.aborted) throw error;
    throw new ApiError(0, 'no_connection', { detail: 'The search was cut short.', cause: error });
  }
}
