import type { IncomingMessage, ServerResponse } from 'node:http';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { beforeEach, expect, test, vi } from 'vitest';
import { serveRequests } from './test-upload-server.ts';
import { cancelUpload, uploadInParts, type PartialUpload } from './upload-in-parts.ts';

/** A server that stores one upload and implements the required part of tus 1.0. */
let stored: Buffer = Buffer.alloc(0);
let length = 0;
let exists = false;
let requests: string[] = [];
/** The metadata of the last creation. */
let metadata = '';
/** Called before a chunk is stored; returns true if it has sent the response. */
let before: (request: IncomingMessage, response: ServerResponse, body: Buffer) => boolean = () => false;

serveRequests(respond);

function respond(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const { method = '', url = '', headers } = request;
  const detail = method === 'POST' ? headers['upload-length'] : headers['upload-offset'];
  requests.push([method, url, detail ?? '', headers['tus-resumable']].join(' ').replace('  ', ' '));
  if (before(request, response, body)) return;
  if (method === 'POST') {
    // The upload with this key may exist already.
    if (!exists) stored = body;
    exists = true;
    metadata = String(headers['upload-metadata']);
    length = Number(headers['upload-length']);
    const location = 'http://elsewhere.example/api/tus/a%20b.bin?upload=1';
    response.writeHead(201, { location, 'upload-offset': stored.length }).end();
  } else if (!exists) {
    response.writeHead(404).end();
  } else if (method === 'HEAD') {
    response.writeHead(200, { 'upload-offset': stored.length, 'upload-length': length }).end();
  } else if (method === 'DELETE') {
    exists = false;
    response.writeHead(204).end();
  } else if (Number(headers['upload-offset']) !== stored.length) {
    response.writeHead(409).end('{"code":"upload_offset_mismatch"}');
  } else {
    stored = Buffer.concat([stored, body]);
    response.writeHead(204, { 'upload-offset': stored.length }).end();
  }
}

beforeEach(() => {
  stored = Buffer.alloc(0);
  exists = false;
  requests = [];
  before = () => false;
});

const target = virtualPath('/a b.bin');
const content = new Blob(['0123456789']);
const properties = { key: 'k1', modifiedMs: 1700, folder: { id: 'f1', file: 'in/ä.bin' } };
const noUpload = (): PartialUpload => ({ address: null, offset: 0 });

test('sends chunks one after the other and reports progress of the whole file', async () => {
  const partial = noUpload();
  const progress: number[] = [];
  const confirmed: number[] = [];
  await uploadInParts(target, content, {
    override: true,
    partial,
    partBytes: 4,
    properties,
    onProgress: (sentBytes) => progress.push(sentBytes),
    onConfirmed: (offset) => confirmed.push(offset),
  });
  expect(stored.toString()).toBe('0123456789');
  expect(requests).toEqual([
    'POST /api/tus/a%20b.bin?override=true 10 1.0.0',
    'PATCH /api/tus/a%20b.bin?upload=1 4 1.0.0',
    'PATCH /api/tus/a%20b.bin?upload=1 8 1.0.0',
  ]);
  expect(confirmed).toEqual([4, 8, 10]);
  const values = Object.fromEntries(
    metadata.split(',').map((pair) => {
      const [key = '', value = ''] = pair.split(' ');
      return [key, Buffer.from(value, 'base64').toString()];
    }),
  );
  expect(values).toEqual({ uploadKey: 'k1', modifiedMs: '1700', folderUpload: 'f1', folderFile: 'in/ä.bin' });
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  // The browser may not report progress of the last bytes: the offset confirmed by the server counts.
  expect(Math.max(...progress)).toBeGreaterThan(4);
});

test('resumes after a broken connection at the offset of the server', async () => {
  const partial = noUpload();
  before = ({ method, headers, socket }, _response, body) => {
    if (method !== 'PATCH' || headers['upload-offset'] !== '4') return false;
    // Half of the chunk has arrived.
    stored = Buffer.concat([stored, body.subarray(0, 2)]);
    socket.destroy();
    return true;
  };
  await expect(uploadInParts(target, content, { partial, partBytes: 4, properties })).rejects.toMatchObject({
    code: 'connection_aborted',
  });
  // jsdom logs the broken connection.
  vi.spyOn(console, 'error').mockClear();
  before = () => false;
  requests = [];
  await uploadInParts(target, content, { partial, partBytes: 4, properties });
  expect(stored.toString()).toBe('0123456789');
  expect(requests).toEqual([
    'HEAD /api/tus/a%20b.bin?upload=1 1.0.0',
    'PATCH /api/tus/a%20b.bin?upload=1 6 1.0.0',
  ]);
});

test('counts the bytes that arrived with the creation although its response was lost', async () => {
  const partial = noUpload();
  before = ({ method, socket }, _response, body) => {
    if (method !== 'POST') return false;
    exists = true;
    stored = body.subarray(0, 6);
    socket.destroy();
    return true;
  };
  await expect(uploadInParts(target, content, { partial, partBytes: 0, properties })).rejects.toMatchObject({
    code: 'connection_aborted',
  });
  // jsdom logs the broken connection.
  vi.spyOn(console, 'error').mockClear();
  before = () => false;
  requests = [];
  await uploadInParts(target, content, { partial, partBytes: 0, properties });
  expect(stored.toString()).toBe('0123456789');
  expect(requests).toEqual([
    'POST /api/tus/a%20b.bin?override=false 10 1.0.0',
    'PATCH /api/tus/a%20b.bin?upload=1 6 1.0.0',
  ]);
});

test('sends nothing again if only the last response was lost', async () => {
  const partial: PartialUpload = { address: '/api/tus/a%20b.bin?upload=1', offset: 8 };
  exists = true;
  stored = Buffer.from('0123456789');
  await uploadInParts(target, content, { partial, partBytes: 4, properties });
  expect(requests).toEqual(['HEAD /api/tus/a%20b.bin?upload=1 1.0.0']);
});

test('starts again if the server no longer knows the upload', async () => {
  const partial: PartialUpload = { address: '/api/tus/a%20b.bin?upload=gone', offset: 8 };
  await uploadInParts(target, content, { partial, partBytes: 100, properties });
  expect(stored.toString()).toBe('0123456789');
  expect(requests.map((line) => line.split(' ', 1)[0])).toEqual(['HEAD', 'POST']);
});

test('throws a refusal with its code without beginning an upload', async () => {
  const partial = noUpload();
  before = (_request, response) => {
    response.writeHead(409).end('{"code":"already_exists"}');
    return true;
  };
  await expect(uploadInParts(target, content, { partial, partBytes: 4, properties })).rejects.toMatchObject({
    status: 409,
    code: 'already_exists',
  });
  expect(partial).toEqual({ address: null, offset: 0, key: 'k1' });
});

test('fails instead of retrying forever if the server stores nothing of a chunk', async () => {
  before = (request, response) => {
    if (request.method !== 'PATCH') return false;
    const isFirst = requests.filter((line) => line.startsWith('PATCH')).length === 1;
    response.writeHead(isFirst ? 204 : 500, { 'upload-offset': stored.length }).end();
    return true;
  };
  const sent = uploadInParts(target, content, { partial: noUpload(), partBytes: 4, properties });
  await expect(sent).rejects.toMatchObject({ code: 'upload_offset_mismatch' });
  expect(requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(1);
});

test('keeps the received bytes on the server during a pause', async () => {
  const partial = noUpload();
  const stop = new AbortController();
  before = ({ method, headers }) => {
    if (method === 'PATCH' && headers['upload-offset'] === '4') stop.abort();
    return false;
  };
  const sent = uploadInParts(target, content, { partial, partBytes: 4, properties, signal: stop.signal });
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  expect(partial).toMatchObject({ address: '/api/tus/a%20b.bin?upload=1', offset: 4 });
});

test('deletes a cancelled upload on the server, and sends nothing if it never began', async () => {
  const partial: PartialUpload = { address: '/api/tus/a%20b.bin?upload=1', offset: 4 };
  exists = true;
  await cancelUpload(partial);
  expect(exists).toBe(false);
  expect(partial).toMatchObject({ address: null, offset: 0, key: null });
  await cancelUpload(partial);
  expect(requests).toHaveLength(1);
});
