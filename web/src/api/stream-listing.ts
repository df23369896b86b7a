import {
  getResource,
  type ListingEnd,
  type ListingHeader,
  type ListingRow,
  type Resource,
} from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, isAbort } from './api-error.ts';
import { jsonOf, send } from './call.ts';

/** Bytes that are parsed at once: about 2,500 rows, well below 10 ms on a phone. */
const pieceBytes = 128 * 1024;
/** Parsing goes on without a pause for at most this long, so that input and painting are never kept waiting. */
const sliceMs = 8;

export interface ListingReader {
  signal?: AbortSignal | undefined;
  /** Called once, before any row. */
  onHeader: (header: ListingHeader) => void;
  /** Called with rows in wire order, as they arrive. */
  onRows: (rows: ListingRow[]) => void;
}

/** `version` is the ETag of a file as it was read; null when the server named none. */
export type OpenedPath =
  | { kind: 'folder'; header: ListingHeader; end: ListingEnd }
  | { kind: 'file'; resource: Resource; version: string | null };

/** Lets the browser paint and handle input. */
function pause(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}

/** Reads the lines of a listing: header, rows, end. Throws {@link ApiError} `no_connection` when it was cut short. */
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

  const takePiece = (piece: Uint8Array) => {
    const text = unfinished + decoder.decode(piece, { stream: true });
    const lastBreak = text.lastIndexOf('\n');
    unfinished = text.slice(lastBreak + 1);
    if (lastBreak < 0) return;
    // JSON holds no raw line break, so the lines become one array, which parses several times faster than each alone.
    const values = JSON.parse(`[${text.slice(0, lastBreak).replaceAll('\n', ',')}]`) as unknown[];
    if (header === null) {
      header = values.shift() as ListingHeader;
      onHeader(header);
      // The header may be all that was wanted.
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
      for (let from = 0; from < value.length; from += pieceBytes) {
        signal?.throwIfAborted();
        takePiece(value.subarray(from, from + pieceBytes));
        if (performance.now() - sliceStartedAt > sliceMs) {
          await pause();
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
 * Fetches what lies at `path`: a folder is handed over row by row while it arrives, a file is returned with its details
 * (and its text, when it is one). Throws {@link ApiError}; an `AbortError` when `signal` says so.
 */
export async function openPath(path: VirtualPath, reader: ListingReader): Promise<OpenedPath> {
  const { signal } = reader;
  const answer = await send(getResource, {
    path,
    signal,
    headers: { Accept: 'application/x-ndjson, application/json' },
  });
  if (answer.headers.get('Content-Type')?.startsWith('application/x-ndjson') && answer.body) {
    return { kind: 'folder', ...(await readListing(answer.body, reader)) };
  }
  const resource = (await jsonOf(answer, signal)) as Resource;
  if (resource.isDir) {
    throw new ApiError(answer.status, 'internal_error', { detail: 'A folder came without its stream.' });
  }
  return { kind: 'file', resource, version: answer.headers.get('ETag') };
}

/** {@link openPath} where only a folder will do. Throws {@link ApiError} `not_a_folder` for a file. */
export async function streamListing(path: VirtualPath, reader: ListingReader): Promise<ListingEnd> {
  const opened = await openPath(path, reader);
  if (opened.kind === 'file') throw new ApiError(409, 'not_a_folder');
  return opened.end;
}
