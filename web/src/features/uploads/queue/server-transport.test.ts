import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { minResumableBytes } from '@filestead/contract/values/limits';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storeToken } from '../../../api/token-store.ts';
import { serverTransport } from './server-transport.ts';

/** Each request with the number of bytes in its body. */
let requests: string[] = [];
const server = createServer((request, response) => {
  // The test page has an origin of its own.
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Methods', '*, PATCH, DELETE');
  response.setHeader(
    'Access-Control-Allow-Headers',
    'X-Auth, Content-Type, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset',
  );
  response.setHeader('Access-Control-Expose-Headers', 'Location, Upload-Offset');
  if (request.method === 'OPTIONS') {
    response.end();
    return;
  }
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    const { method = '', url = '' } = request;
    requests.push(`${method} ${url.split('?')[0]} ${bytes}`);
    if (!url.startsWith('/api/tus/')) response.writeHead(200).end('{"file":0,"etag":"v1"}\n');
    else response.writeHead(201, { location: '/api/tus/a.bin?upload=1', 'upload-offset': bytes }).end();
  });
});

beforeEach(async () => {
  requests = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const open = XMLHttpRequest.prototype.open;
  vi.spyOn(XMLHttpRequest.prototype, 'open').mockImplementation(function (
    this: XMLHttpRequest,
    method: string,
    url: string | URL,
  ) {
    open.call(this, method, `http://127.0.0.1:${port}${String(url)}`, true);
  });
  storeToken('old.token.a');
});
afterEach(async () => {
  vi.restoreAllMocks();
  localStorage.clear();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
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
