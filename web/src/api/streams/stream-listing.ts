import {
  getResource,
  type ListingEnd,
  type ListingHeader,
  type ListingRow,
  type Resource,
} from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, isAbort } from '../api-error.ts';
import { jsonOf, send } from '../call.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';

/** Number of bytes that are parsed at once: about 2,500 rows, well below 10 ms on a phone. */
const chunkBytes = 128 * 1024;
/** Maximum time of parsing without a pause, so that input and painting are not delayed. */
const sliceMs = 8;

export interface ListingReader {
  signal?: AbortSignal | undefined;
  /** Called once, before any row. */
  onHeader: (header: ListingHeader) => void;
  /** Called with rows in the order of the stream, as they arrive. */
  onRows: (rows: ListingRow[]) => void;
}

/** `version` is the ETag of the file as it was read; null if the server sent none. */
export type OpenedPath =
  | { kind: 'folder'; header: ListingHeader; end: ListingEnd }
  | { kind: 'file'; resource: Resource; version: string | null };

/** Reads the lines of a listing: header, rows, end. Throws {@link ApiError} `no_connection` if it was truncated. */
export async function readListing(
  stream: ReadableStream<Uint8Array>,
  { signal, onHeader, onRows }: ListingReader,
): Promise<{ header: ListingHeader; end: ListingEnd }> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let unfinished = '';
  let header: ListingHeader | null = null;
  let end: ListingEnd | null = null;
  let sliceStartedAt = performance.now();

  const parseChunk = (chunk: Uint8Array) => {
    const text = unfinished + decoder.decode(chunk, { stream: true });
    const lastBreak = text.lastIndexOf('\n');
    unfinished = text.slice(lastBreak + 1);
    if (lastBreak < 0) return;
    // JSON contains no raw line break, so the lines can be joined into one array, which parses several times faster
    // than line by line.
    const values = JSON.parse(`[${text.slice(0, lastBreak).replaceAll('\n', ',')}]`) as unknown[];
    if (header === null) {
      header = values.shift() as ListingHeader;
      onHeader(header);
      // The caller may need the header only.
      signal?.throwIfAborted();
    }
    const last = values.at(-1);
    if (last !== undefined && !Array.isArray(last)) end = values.pop() as ListingEnd;
    if (values.length > 0) onRows(values as ListingRow[]);
  };

  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (let from = 0; from < value.length; from += chunkBytes) {
        signal?.throwIfAborted();
        parseChunk(value.subarray(from, from + chunkBytes));
        if (performance.now() - sliceStartedAt > sliceMs) {
          await yieldToEventLoop();
          sliceStartedAt = performance.now();
        }
      }
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    if (isAbort(error) || signal?.aborted) throw error;
    throw new ApiError(0, 'no_connection', { detail: 'The listing was cut short.', cause: error });
  }
  if (header === null || end === null) {
    throw new ApiError(0, 'no_connection', { detail: 'The listing was cut short.' });
  }
  return { header, end };
}

/**
 * Fetches `path`: the rows of a folder are passed to `reader` as they arrive, a file is returned with its metadata (and
 * its text, if it is a text file). Throws {@link ApiError}; an `AbortError` if `signal` is aborted.
 */
export async function openPath(path: VirtualPath, reader: ListingReader): Promise<OpenedPath> {
  const { signal } = reader;
  const response = await send(getResource, {
    path,
    signal,
    headers: { Accept: 'application/x-ndjson, application/json' },
  });
  if (response.headers.get('Content-Type')?.startsWith('application/x-ndjson') && response.body) {
    return { kind: 'folder', ...(await readListing(response.body, reader)) };
  }
  const resource = (await jsonOf(response, signal)) as Resource;
  if (resource.isDir) {
    throw new ApiError(response.status, 'internal_error', { detail: 'A folder came without its stream.' });
  }
  return { kind: 'file', resource, version: response.headers.get('ETag') };
}

/** Like {@link openPath} where a folder is required. Throws {@link ApiError} `not_a_folder` for a file. */
export async function streamListing(path: VirtualPath, reader: ListingReader): Promise<ListingEnd> {
  const opened = await openPath(path, reader);
  if (opened.kind === 'file') throw new ApiError(409, 'not_a_folder');
  return opened.end;
}
