import { findFiles, type FindEnd, type FindRow } from '@filestead/contract/endpoints/find';
import type { QueryInputOf } from '@filestead/contract/endpoint';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError } from '../api-error.ts';
import { send } from '../call.ts';
import { readLines } from './read-lines.ts';

export interface FindReader {
  signal: AbortSignal;
  /** Called with the new rows since the last call. Paths are relative to the searched folder. */
  onRows: (rows: readonly FindRow[]) => void;
}

const isEnd = (line: FindRow | FindEnd): line is FindEnd => 'end' in line;

/**
 * Searches the catalogue below a folder. Rows that the server reads from the disk follow those of the catalogue. Throws
 * {@link ApiError}, `catalogue_off` if the server has no catalogue; an `AbortError` if `signal` is aborted.
 */
export async function streamFind(
  folder: VirtualPath,
  query: QueryInputOf<typeof findFiles>,
  { signal, onRows }: FindReader,
): Promise<FindEnd> {
  const response = await send(findFiles, {
    path: folder,
    isFolder: true,
    query,
    headers: { Accept: 'application/x-ndjson' },
    signal,
  });
  let end: FindEnd | null = null;
  await readLines<FindRow | FindEnd>(response, {
    signal,
    onValues: (lines) => {
      end = lines.find(isEnd) ?? end;
      const rows = lines.filter((line): line is FindRow => !isEnd(line));
      if (rows.length > 0) onRows(rows);
    },
  });
  if (end === null) throw new ApiError(0, 'no_connection', { detail: 'The search was cut short.' });
  return end;
}
