import { type ContentEnd, type ContentRow, findContents } from '@filestead/contract/endpoints/contents';
import type { QueryInputOf } from '@filestead/contract/endpoint';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, isApiError } from './api-error.ts';
import { send } from './call.ts';
import { pageConfig } from './page-config.ts';
import { readLines } from './streams/read-lines.ts';

let isOff = false;

/** Whether the text of documents can be searched. */
export const isContentsOn = (): boolean => pageConfig.EnableContents && !isOff;

export interface ContentsReader {
  signal: AbortSignal;
  /** Called with the new rows since the last call. Paths are relative to the searched folder. */
  onRows: (rows: readonly ContentRow[]) => void;
}

const isEnd = (line: ContentRow | ContentEnd): line is ContentEnd => 'end' in line;

/**
 * Searches the text of documents below a folder. Returns null if that is switched off, or the user may not download. Throws
 * {@link ApiError}; an `AbortError` if `signal` is aborted.
 */
export async function streamContents(
  folder: VirtualPath,
  query: QueryInputOf<typeof findContents>,
  { signal, onRows }: ContentsReader,
): Promise<ContentEnd | null> {
  let end: ContentEnd | null = null;
  try {
    const response = await send(findContents, {
      path: folder,
      isFolder: true,
      query,
      headers: { Accept: 'application/x-ndjson' },
      signal,
    });
    await readLines<ContentRow | ContentEnd>(response, {
      signal,
      onValues: (lines) => {
        end = lines.find(isEnd) ?? end;
        const rows = lines.filter((line): line is ContentRow => !isEnd(line));
        if (rows.length > 0) onRows(rows);
      },
    });
  } catch (error) {
    if (isApiError(error, 'contents_off')) isOff = true;
    else if (!isApiError(error, 'forbidden')) throw error;
    return null;
  }
  if (end === null) throw new ApiError(0, 'no_connection', { detail: 'The search was cut short.' });
  return end;
}
