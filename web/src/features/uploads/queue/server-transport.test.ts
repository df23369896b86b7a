import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { minResumableBytes } from '@filestead/contract/values/limits';
import { beforeEach, expect, test } from 'vitest';
import { serveRequests } from '../../../api/uploads/test-upload-server.ts';
import { serverTransport } from './server-transport.ts';

/** Each request with the number of bytes in its body. */
let requests: string[] = [];
serveRequests(({ method = '', url = '' }, response, { length }) => {
  requests.push(`${method} ${url.split('?')[0]} ${length}`);
  if (!url.startsWith('/api/tus/')) response.writeHead(200).end('{"file":0,"etag":"v1"}\n');
  else response.writeHead(201, { location: '/api/tus/a.bin?upload=1', 'upload-offset': length }).end();
});

beforeEach(() => {
  requests = [];
});

/** Sends a file of `size` bytes; the connection is not interrupted. */
const sendFile = (size: number): Promise<unknown> =>
  serverTransport.sendFile(virtualPath('/a.bin'), new File([new Uint8Array(size)], 'a.bin'), {
    override: false,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onConfirmed: () => undefined,
    onInterrupted: () => undefined,
    partial: { address: null, offset: 0 },
    folder: null,
    handle: null,
  });

test('a file from 1 MiB on is resumable, and still sent in one request with its creation', async () => {
  expect(minResumableBytes).toBe(2 ** 20);
  await sendFile(minResumableBytes);
  expect(requests).toEqual([`POST /api/tus/a.bin ${minResumableBytes}`]);
});

test('a smaller file is sent whole, without an upload that would have to be resumed', async () => {
  await sendFile(minResumableBytes - 1);
  expect(requests).toHaveLength(1);
  expect(requests[0]).not.toContain('/api/tus/');
  expect(Number(requests[0]?.split(' ').at(-1))).toBeGreaterThanOrEqual(minResumableBytes - 1);
});
