// A bare Node server that makes the same system calls as Filestead for small requests, without any checks:
// the reference of `npm run bench -- requests`. Started as a child process with the served folder as its argument. With
// `blocking` as a second argument it reads with blocking calls, so that one slow disk blocks all clients.
import fs from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const [root = '', mode = ''] = process.argv.slice(2);

/** The headers that Filestead sends with a file. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'accept-ranges': 'bytes',
  etag: '"1-1000"',
  'last-modified': 'Sun, 22 Nov 2026 00:00:00 GMT',
  'content-disposition': 'attachment; filename="small.bin"',
};

function respondWithFile(bytes: Buffer, response: ServerResponse): void {
  response.writeHead(200, {
    ...headers,
    'content-type': 'application/octet-stream',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

interface NamedStats {
  readonly name: string;
  readonly stats: fs.Stats;
}

function respondWithList(entries: readonly NamedStats[], response: ServerResponse): void {
  const items = entries
    .map(({ name, stats }) => ({
      path: `/${name}`,
      name,
      size: stats.size,
      extension: name.slice(name.lastIndexOf('.')),
      modified: stats.mtime.toISOString(),
      mode: stats.mode,
      isDir: stats.isDirectory(),
      isSymlink: stats.isSymbolicLink(),
      type: 'text',
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const text = JSON.stringify({ items, numDirs: 0, numFiles: items.length });
  response.writeHead(200, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Sends files and folders. */
interface Reader {
  sendFile(path: string, response: ServerResponse): Promise<void>;
  sendList(path: string, response: ServerResponse): Promise<void>;
}

const { O_RDONLY, O_NOFOLLOW, O_DIRECTORY } = fs.constants;

/** Reads without blocking the event loop: each call is made by a thread of Node. */
const asynchronous: Reader = {
  async sendFile(path, response) {
    await fs.promises.lstat(path, { bigint: true });
    const file = await fs.promises.open(path, O_RDONLY | O_NOFOLLOW);
    try {
      const { size } = await file.stat({ bigint: true });
      const bytes = Buffer.allocUnsafe(Number(size));
      await file.read(bytes, 0, bytes.length, 0);
      respondWithFile(bytes, response);
    } finally {
      await file.close();
    }
  },
  async sendList(path, response) {
    const folder = await fs.promises.open(path, O_RDONLY | O_DIRECTORY);
    try {
      await folder.stat({ bigint: true });
      const dirents = await fs.promises.readdir(path, { withFileTypes: true });
      const entries = dirents.map(async ({ name }) => ({
        name,
        stats: await fs.promises.lstat(`${path}/${name}`),
      }));
      respondWithList(await Promise.all(entries), response);
    } finally {
      await folder.close();
    }
  },
};

/** Reads with calls that block the event loop. */
const blocking: Reader = {
  async sendFile(path, response) {
    fs.lstatSync(path, { bigint: true });
    const descriptor = fs.openSync(path, O_RDONLY | O_NOFOLLOW);
    const { size } = fs.fstatSync(descriptor, { bigint: true });
    const bytes = Buffer.allocUnsafe(Number(size));
    fs.readSync(descriptor, bytes, 0, bytes.length, 0);
    fs.closeSync(descriptor);
    respondWithFile(bytes, response);
  },
  async sendList(path, response) {
    const descriptor = fs.openSync(path, O_RDONLY | O_DIRECTORY);
    fs.fstatSync(descriptor, { bigint: true });
    const dirents = fs.readdirSync(path, { withFileTypes: true });
    const entries = dirents.map(({ name }) => ({ name, stats: fs.lstatSync(`${path}/${name}`) }));
    fs.closeSync(descriptor);
    respondWithList(entries, response);
  },
};

const reader = mode === 'blocking' ? blocking : asynchronous;

/** Stores a body like an upload: flushed, and published under its name only when complete. */
async function receive(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const temporary = `${path}.part`;
  const file = await fs.promises.open(temporary, 'wx');
  await file.writev(parts);
  await file.datasync();
  await file.close();
  await fs.promises.link(temporary, path);
  await fs.promises.unlink(temporary);
  response.writeHead(200, { ...headers, 'content-length': 0 });
  response.end();
}

const server = createServer((request, response) => {
  const path = join(root, decodeURIComponent(request.url ?? '/'));
  const handled =
    request.method === 'POST'
      ? receive(path, request, response)
      : path.endsWith('/')
        ? reader.sendList(path.slice(0, -1), response)
        : reader.sendFile(path, response);
  handled.catch(() => response.destroy());
}).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
