import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';

let app: TestApp;
let token: string;
let proxy: Server;
let proxyUrl: string;
/** The number of bytes of the client after which the proxy cuts the connection. */
let cutAfterBytes = Infinity;
const sockets = new Set<Socket>();

beforeAll(async () => {
  app = await startApp();
  token = await app.signIn('admin');
  const port = Number(new URL(app.url).port);
  proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (chunk) => {
      const passed = chunk.subarray(0, cutAfterBytes);
      cutAfterBytes -= passed.length;
      server.write(passed);
      if (cutAfterBytes > 0) return;
      cutAfterBytes = Infinity;
      server.end();
      client.destroy();
    });
    server.pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  proxyUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await app.close();
});

const bytesOf = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) % 253));
function upload(
  content: Buffer,
  path: string,
  options: Partial<UploadOptions> = {},
): { upload: Upload; done: Promise<void> } {
  let created: Upload | undefined;
  const done = new Promise<void>((resolve, reject) => {
    created = new Upload(content, {
      endpoint: `${proxyUrl}/api/tus${path}`,
      headers: { 'X-Auth': token },
      chunkSize: 256 * 1024,
      retryDelays: [0, 50, 100, 200, 400],
      onSuccess: () => resolve(),
      onError: reject,
      ...options,
    });
    created.start();
  });
  if (created === undefined) throw new Error('no upload');
  return { upload: created, done };
}
const onDisk = (name: string): Buffer => readFileSync(join(app.root, name));

test('tus-js-client uploads a file in parts and reports its progress', async () => {
  const content = bytesOf(1_000_000);
  const seen: number[] = [];
  await upload(content, '/parts.bin', { onChunkComplete: (_size, accepted) => seen.push(accepted) }).done;
  expect(seen).toEqual([262_144, 524_288, 786_432, 1_000_000]);
  expect(onDisk('parts.bin').equals(content)).toBe(true);
});

test('a repeatedly cut connection does not damage the file', async () => {
  const content = bytesOf(2_000_000);
  cutAfterBytes = 100_000;
  await upload(content, '/cut.bin', {
    chunkSize: 700_000,
    onChunkComplete: () => void (cutAfterBytes = 300_000),
  }).done;
  cutAfterBytes = Infinity;
  expect(onDisk('cut.bin').equals(content)).toBe(true);
});

test('an upload is continued by its address, as after the tab was closed', async () => {
  const content = bytesOf(900_000);
  let abort: () => Promise<void> = async () => undefined;
  const url = await new Promise<string>((resolve) => {
    const { upload: first, done } = upload(content, '/later.bin', {
      onChunkComplete: (_size, accepted) => {
        if (accepted >= 500_000) void abort().then(() => resolve(first.url ?? ''));
      },
    });
    abort = () => first.abort();
    done.catch(() => undefined);
  });
  expect(existsSync(join(app.root, 'later.bin'))).toBe(false);
  let firstOffset = -1;
  await upload(content, '/later.bin', {
    uploadUrl: url,
    onProgress: (sent) => {
      if (firstOffset < 0) firstOffset = sent;
    },
  }).done;
  expect(firstOffset).toBeGreaterThanOrEqual(500_000);
  expect(onDisk('later.bin').equals(content)).toBe(true);
});

test('cancelling removes the received bytes', async () => {
  const content = bytesOf(600_000);
  let abort: () => Promise<void> = async () => undefined;
  const ended = new Promise<void>((resolve) => {
    const { upload: first, done } = upload(content, '/gone.bin', {
      onChunkComplete: () => resolve(abort()),
    });
    abort = () => first.abort(true);
    done.catch(() => undefined);
  });
  await ended;
  expect(readdirSync(app.root).filter((name) => name.endsWith('.part') || name === 'gone.bin')).toEqual([]);
});

test('an empty file needs only one call', async () => {
  await upload(Buffer.alloc(0), '/empty.bin').done;
  expect(onDisk('empty.bin').length).toBe(0);
});

test('an existing name is an error at once', async () => {
  await expect(upload(bytesOf(10), '/empty.bin', { retryDelays: null }).done).rejects.toThrow(/409/);
  await upload(bytesOf(10), '/empty.bin?override=true').done;
  expect(onDisk('empty.bin').length).toBe(10);
});
