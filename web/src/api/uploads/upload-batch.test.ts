import type { IncomingMessage, ServerResponse } from 'node:http';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { beforeEach, expect, test, vi } from 'vitest';
import { uploadOperations } from '../stored-operations.ts';
import { serveRequests } from './test-upload-server.ts';
import { currentToken, storeToken } from '../token-store.ts';
import { uploadAlone } from './upload-batch.ts';

const stored = '{"file":0,"etag":"v1"}\n';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let handle: Handler = () => undefined;
let received: { target: string; token: string | undefined; type: string | undefined; body: string }[] = [];
serveRequests((request, response, body) => {
  const { url = '', headers } = request;
  received.push({
    target: url,
    token: headers['x-auth']?.toString(),
    type: headers['content-type'],
    body: body.toString(),
  });
  handle(request, response);
});

beforeEach(() => {
  received = [];
});

const target = virtualPath('/a b.txt');
const content = new Blob(['hello'], { type: 'text/html' });
const file = { path: target, content, override: true, key: 'k1', modifiedMs: 1700, folderFile: 'in/a b.txt' };
const send = (options: Parameters<typeof uploadAlone>[2] = {}, folderId: string | null = null) =>
  uploadAlone(file, folderId, options);

test('records the operation of a stored file, so that it can be undone', async () => {
  handle = (_request, response) => {
    response.setHeader('X-Operation', 'operation1');
    response.setHeader('Access-Control-Expose-Headers', 'X-Operation');
    response.end(stored);
  };
  uploadOperations.take();
  await send();
  await send();
  expect(uploadOperations.take()).toEqual(['operation1']);
  handle = (_request, response) => {
    response.setHeader('X-Operation', 'operation2');
    response.setHeader('Access-Control-Expose-Headers', 'X-Operation');
    response.end('{"file":0,"code":"forbidden","status":403}\n');
  };
  await expect(send()).rejects.toMatchObject({ code: 'forbidden' });
  expect(uploadOperations.take()).toEqual([]);
});

test('sends the bytes unchanged after their description, with the token and progress', async () => {
  handle = (_request, response) => response.end(stored);
  const progress: number[] = [];
  await send({ onProgress: (bytes) => progress.push(bytes) });
  expect(received).toEqual([
    {
      target: '/api/uploads',
      token: 'old.token.a',
      type: 'application/octet-stream',
      body: '{"files":[{"path":"/a b.txt","size":5,"override":true,"key":"k1"}]}\nhello',
    },
  ]);
  expect(progress.at(-1)).toBe(5);
  expect(Math.max(...progress)).toBe(5);
});

test('describes the place of a file in a folder upload', async () => {
  handle = (_request, response) => response.end(stored);
  await send({}, 'f1');
  expect(JSON.parse(received[0]?.body.split('\n')[0] ?? '')).toEqual({
    folder: 'f1',
    files: [
      { path: '/a b.txt', size: 5, override: true, key: 'k1', folderFile: 'in/a b.txt', modified: 1700 },
    ],
  });
});

test('throws already_exists if the name is taken', async () => {
  handle = (_request, response) => response.end('{"file":0,"code":"already_exists","status":409}\n');
  await expect(send()).rejects.toMatchObject({ status: 409, code: 'already_exists' });
});

test('throws the detail of a refusal with its code', async () => {
  const refusal = { code: 'forbidden', status: 403, detail: 'the disk is read-only' };
  handle = (_request, response) => response.end(`${JSON.stringify({ file: 0, ...refusal })}\n`);
  await expect(send()).rejects.toMatchObject(refusal);
});

test('throws connection_aborted if the connection breaks, before or after the response has begun', async () => {
  handle = (request) => request.socket.destroy();
  await expect(send()).rejects.toMatchObject({ status: 0, code: 'connection_aborted' });
  handle = (_request, response) => response.end();
  await expect(send()).rejects.toMatchObject({ status: 0, code: 'connection_aborted' });
  // jsdom logs the broken connection.
  vi.spyOn(console, 'error').mockClear();
});

test('throws an AbortError after an abort', async () => {
  const stop = new AbortController();
  handle = () => stop.abort();
  await expect(send({ signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
});

test('sends the file again with the new token if it was renewed meanwhile', async () => {
  handle = (request, response) => {
    if (request.headers['x-auth'] === 'old.token.a') {
      storeToken('new.token.b');
      response.writeHead(401).end('{"code":"not_signed_in"}');
    } else response.end(stored);
  };
  await send();
  expect(received.map(({ token }) => token)).toEqual(['old.token.a', 'new.token.b']);
  expect(received[1]?.body).toBe(received[0]?.body);
});

test('signs out after a refused token', async () => {
  handle = (_request, response) => response.writeHead(401).end('{"code":"not_signed_in"}');
  await expect(send()).rejects.toMatchObject({ code: 'not_signed_in' });
  expect(currentToken()).toBeNull();
});
