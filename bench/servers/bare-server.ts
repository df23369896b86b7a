// A bare Node server that makes the same system calls as Filestead for small requests, without any checks:
// the reference of `npm run bench -- requests`. Started as a child process with the served folder as its argument.
import fs from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const [root = ''] = process.argv.slice(2);

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

function sendSmall(path: string, response: ServerResponse): void {
  fs.lstatSync(path, { bigint: true });
  const descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  const { size } = fs.fstatSync(descriptor, { bigint: true });
  const bytes = Buffer.allocUnsafe(Number(size));
  fs.readSync(descriptor, bytes, 0, bytes.length, 0);
  fs.closeSync(descriptor);
  response.writeHead(200, {
    ...headers,
    'content-type': 'application/octet-stream',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function sendList(path: string, response: ServerResponse): void {
  const descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  fs.fstatSync(descriptor, { bigint: true });
  const items = fs
    .readdirSync(path, { withFileTypes: true })
    .map(({ name }) => {
      const stats = fs.lstatSync(`${path}/${name}`);
      return {
        path: `/${name}`,
        name,
        size: stats.size,
        extension: name.slice(name.lastIndexOf('.')),
        modified: stats.mtime.toISOString(),
        mode: stats.mode,
        isDir: stats.isDirectory(),
        isSymlink: stats.isSymbolicLink(),
        type: 'text',
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  fs.closeSync(descriptor);
  const text = JSON.stringify({ items, numDirs: 0, numFiles: items.length });
  response.writeHead(200, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

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
  try {
    if (request.method === 'POST') receive(path, request, response).catch(() => response.destroy());
    else if (path.endsWith('/')) sendList(path.slice(0, -1), response);
    else sendSmall(path, response);
  } catch {
    response.writeHead(500).end();
  }
}).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
