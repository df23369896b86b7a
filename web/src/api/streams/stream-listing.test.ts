import type { ListingHeader, ListingRow } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPath, streamListing } from './stream-listing.ts';
import { jsonResponse, problemResponse, streamOf } from '../test-responses.ts';

const header: ListingHeader = {
  path: '/photos/',
  name: 'photos',
  modified: '2026-01-01T00:00:00Z',
  numDirs: 1,
  numFiles: 3,
  sorting: { by: 'name', asc: false },
  types: ['', 'image'],
};
const rows: ListingRow[] = [
  ['Ämter', 0, 1, 0],
  ['日本.jpg', 1, 2, 1],
  ['a\nb.jpg', 2, 3, 1, 1],
  ['😀.jpg', 3, 4, 1],
];
const end = { end: true, numDirs: 1, numFiles: 3 };
const wire = new TextEncoder().encode(
  [header, ...rows, end].map((line) => `${JSON.stringify(line)}\n`).join(''),
);

const fetched = vi.fn<typeof fetch>();
beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => vi.unstubAllGlobals());

const listingResponse = (body: ReadableStream<Uint8Array>) =>
  new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } });

/** Opens `/photos` and records the calls of the reader. */
async function open(signal?: AbortSignal) {
  const received: { headers: ListingHeader[]; rows: ListingRow[]; batches: number } = {
    headers: [],
    rows: [],
    batches: 0,
  };
  const opened = await openPath(virtualPath('/photos'), {
    signal,
    onHeader: (next) => received.headers.push(next),
    onRows: (next) => {
      received.rows.push(...next);
      received.batches += 1;
    },
  });
  return { opened, received };
}

describe('openPath with a folder', () => {
  test('reads a stream that arrives in one piece', async () => {
    fetched.mockResolvedValueOnce(listingResponse(streamOf(wire)));
    const { opened, received } = await open();
    expect(opened).toEqual({ kind: 'folder', header, end });
    expect(received).toEqual({ headers: [header], rows, batches: 1 });
    expect(new Headers(fetched.mock.calls[0]?.[1]?.headers).get('Accept')).toContain('application/x-ndjson');
  });

  test('reads a stream wherever it is split, also within a character', async () => {
    for (let cut = 1; cut < wire.length; cut += 1) {
      fetched.mockResolvedValueOnce(listingResponse(streamOf(wire.subarray(0, cut), wire.subarray(cut))));
      const { opened, received } = await open();
      expect(opened.kind).toBe('folder');
      expect({ cut, headers: received.headers, rows: received.rows }).toEqual({
        cut,
        headers: [header],
        rows,
      });
    }
  });

  test('reads a stream that arrives byte by byte', async () => {
    fetched.mockResolvedValueOnce(
      listingResponse(streamOf(...Array.from(wire, (_byte, at) => wire.subarray(at, at + 1)))),
    );
    expect((await open()).received).toEqual({ headers: [header], rows, batches: 4 });
  });

  test('passes rows on while the rest is still arriving', async () => {
    const firstRow = wire.indexOf(10, wire.indexOf(10) + 1) + 1;
    let sendRest: () => void = () => undefined;
    const restRequested = new Promise<void>((resolve) => {
      sendRest = resolve;
    });
    fetched.mockResolvedValueOnce(
      listingResponse(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(wire.subarray(0, firstRow));
            await restRequested;
            controller.enqueue(wire.subarray(firstRow));
            controller.close();
          },
        }),
      ),
    );
    const events: string[] = [];
    const ending = streamListing(virtualPath('/photos'), {
      onHeader: () => events.push('header'),
      onRows: (next) => events.push(...next.map(([name]) => name)),
    });
    await vi.waitFor(() => expect(events).toEqual(['header', 'Ämter']));
    sendRest();
    expect(await ending).toEqual(end);
    expect(events).toHaveLength(5);
  });

  test('parses a large listing in several pieces', async () => {
    const many = Array.from({ length: 20_000 }, (_, id) => [`file ${id}.jpg`, id, id, 1]);
    const body = [header, ...many, end].map((line) => `${JSON.stringify(line)}\n`).join('');
    fetched.mockResolvedValueOnce(listingResponse(streamOf(new TextEncoder().encode(body))));
    const { received } = await open();
    expect(received.rows).toHaveLength(20_000);
    expect(received.rows.at(-1)).toEqual(['file 19999.jpg', 19_999, 19_999, 1]);
    expect(received.batches).toBeGreaterThan(3);
  });

  test.each([
    ['before the header', 5],
    ['between rows', wire.indexOf(10, 300) + 1],
    ['before the end line', wire.length - 10],
  ])('throws no_connection if the stream breaks off %s', async (_name, length) => {
    fetched.mockResolvedValueOnce(listingResponse(streamOf(wire.subarray(0, length))));
    await expect(open()).rejects.toMatchObject({ status: 0, code: 'no_connection' });
  });

  test('throws no_connection if the stream fails', async () => {
    fetched.mockResolvedValueOnce(
      listingResponse(
        new ReadableStream({
          pull(controller) {
            controller.error(new TypeError('network error'));
          },
        }),
      ),
    );
    await expect(open()).rejects.toMatchObject({ status: 0, code: 'no_connection' });
  });

  test('stops reading after an abort', async () => {
    const stop = new AbortController();
    fetched.mockResolvedValueOnce(listingResponse(streamOf(wire)));
    const batches: number[] = [];
    const opening = openPath(virtualPath('/photos'), {
      signal: stop.signal,
      onHeader: () => stop.abort(),
      onRows: (next) => batches.push(next.length),
    });
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
    expect(batches).toEqual([]);
  });
});

describe('openPath with anything else', () => {
  const file = { path: '/photos/a.jpg', name: 'a.jpg', isDir: false, type: 'image' };

  test('returns a file with its metadata', async () => {
    fetched.mockResolvedValueOnce(jsonResponse(file));
    expect((await open()).opened).toMatchObject({ kind: 'file', resource: file });
  });

  test('refuses a file where a folder is required', async () => {
    fetched.mockResolvedValueOnce(jsonResponse(file));
    const reader = { onHeader: () => undefined, onRows: () => undefined };
    await expect(streamListing(virtualPath('/photos/a.jpg'), reader)).rejects.toMatchObject({
      code: 'not_a_folder',
    });
  });

  test('throws an error with its code', async () => {
    fetched.mockResolvedValueOnce(problemResponse(403, 'forbidden'));
    await expect(open()).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  });
});
