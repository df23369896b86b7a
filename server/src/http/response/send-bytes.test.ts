import { type Server, type ServerResponse, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { OpenFile } from '../../storage/storage.ts';
import { sendBytes } from './send-bytes.ts';

const mebibyte = 1024 * 1024;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/**
 * A file whose bytes encode their position, that ends at `end` regardless of its entry, and counts the bytes
 * read.
 */
function patternFile(size: number, end = size): { file: OpenFile; bytesRead: () => number } {
  let count = 0;
  const entry = { name: 'x', kind: 'file', size, modifiedNs: 0n, mode: 0o100644, isSymlink: false } as const;
  return {
    bytesRead: () => count,
    file: {
      entry,
      fingerprint: '',
      descriptor: null,
      async read(buffer, position) {
        const length = Math.max(0, Math.min(buffer.length, end - position));
        for (let index = 0; index < length; index++) buffer[index] = ((position + index) >> 8) & 0xff;
        count += length;
        return length;
      },
      close: async () => undefined,
    },
  };
}

/** A server that responds with `file`, and the result of sending it. */
async function serve(file: OpenFile): Promise<{ url: string; done: Promise<unknown> }> {
  const { promise: done, resolve } = promiseOfResult();
  const server = createServer((_request, response: ServerResponse) => {
    response.writeHead(200, { 'content-length': file.entry.size });
    sendBytes(response, file, { first: 0, last: file.entry.size - 1 }).then(
      () => resolve('sent'),
      (error: unknown) => resolve(error),
    );
  });
  servers.push(server);
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, done };
}

function promiseOfResult(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise<unknown>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

test.each([1, 65_536, 65_537, 3 * mebibyte + 5, 20 * mebibyte])(
  'a file of %d bytes arrives in order',
  async (size) => {
    const { file } = patternFile(size);
    const { url, done } = await serve(file);
    const received = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(received.length).toBe(size);
    const expected = Buffer.allocUnsafe(size);
    await file.read(expected, 0);
    expect(received.equals(expected)).toBe(true);
    expect(await done).toBe('sent');
  },
);

test('a file is not read far ahead of a client that does not read, and a disconnection ends the transfer', async () => {
  const size = 4096 * mebibyte;
  const { file, bytesRead } = patternFile(size);
  const { url, done } = await serve(file);
  const request = get(url, (response) => void response.pause());
  request.on('error', () => undefined);
  // The number of bytes read, awaited until it no longer grows or has grown too far.
  let seen = -1;
  await expect
    .poll(
      () => {
        const before = seen;
        seen = bytesRead();
        return seen > 0 && (seen === before || seen > 256 * mebibyte);
      },
      { interval: 100, timeout: 20_000 },
    )
    .toBe(true);
  expect(seen).toBeLessThan(32 * mebibyte); // the socket buffers of the system, and two buffers
  request.destroy();
  expect(await done).toBe('sent');
});

test.each([100, 300_000, 5 * mebibyte])(
  'a file that ends after %d bytes, before its announced size, closes the connection',
  async (end) => {
    const { file } = patternFile(end + 1000, end);
    const { url, done } = await serve(file);
    await expect(fetch(url).then((response) => response.arrayBuffer())).rejects.toThrow();
    expect(await done).toMatchObject({ name: 'FileShrankError' });
  },
);
