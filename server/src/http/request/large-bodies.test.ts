import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Job } from '@filestead/contract/jobs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';

let app: TestApp;
let token: string;
let openShare: string;
let protectedShare: string;

beforeAll(async () => {
  app = await startApp({ files: { 'shared/a.txt': 'a' }, users: [{ username: 'alice' }] });
  token = await app.signIn('alice');
  const share = async (json: object): Promise<string> => {
    const response = await app.fetch('/api/share/shared/', { method: 'POST', token, json });
    return ((await response.json()) as { hash: string }).hash;
  };
  openShare = await share({});
  protectedShare = await share({ password: 'a secret' });
});
afterAll(() => app.close());

/**
 * Announces a body of 512 KiB and waits for `100 Continue`. Resolves with the response and whether the body was
 * requested.
 */
async function announce(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; isBodyRequested: boolean }> {
  const body = Buffer.from(JSON.stringify({ paths: ['/a.txt'], name: 'x'.repeat(512 * 1024) }));
  const sent = request(`${app.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
      ...headers,
    },
  });
  let isBodyRequested = false;
  sent.on('continue', () => {
    isBodyRequested = true;
    sent.end(body);
  });
  sent.flushHeaders();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  sent.destroy();
  return { status: response.statusCode, isBodyRequested };
}

describe('the body of a visitor', () => {
  test('is not read for a share that does not exist', async () => {
    expect(await announce('/api/public/archives/nothing-of-the-kind')).toEqual({
      status: 404,
      isBodyRequested: false,
    });
  });
  test('is not read for a protected share without its password', async () => {
    expect(await announce(`/api/public/archives/${protectedShare}`)).toEqual({
      status: 401,
      isBodyRequested: false,
    });
    expect(await announce(`/api/public/archives/${protectedShare}`, { 'x-share-password': 'wrong' })).toEqual(
      {
        status: 401,
        isBodyRequested: false,
      },
    );
  });
  test('is read for an opened share', async () => {
    expect(await announce(`/api/public/archives/${openShare}`)).toEqual({
      status: 400,
      isBodyRequested: true,
    });
    expect(
      await announce(`/api/public/archives/${protectedShare}`, { 'x-share-password': 'a+secret' }),
    ).toEqual({
      status: 400,
      isBodyRequested: true,
    });
  });
  test('is limited to a megabyte', async () => {
    const body = JSON.stringify({ paths: ['/a.txt'], name: 'x'.repeat(1024 * 1024) });
    const response = await app.fetch(`/api/public/archives/${openShare}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(413);
  });
});

describe('a large body', () => {
  const send = (path: string, body: string): Promise<Response> =>
    app.fetch(path, { method: 'POST', token, body, headers: { accept: 'application/json' } });

  for (const path of ['/api/jobs', '/api/archives']) {
    test(`of ten million elements for ${path} is refused while it arrives`, async () => {
      const response = await send(path, `{"items":[${'[],'.repeat(10_000_000)}[]]}`);
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ code: 'payload_too_large' });
    });
    test(`of a million levels for ${path} is refused while it arrives`, async () => {
      const response = await send(path, `{"items":${'['.repeat(1_000_000)}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'bad_request' });
    });
  }

  test('with a hundred thousand items is accepted', async () => {
    const items = Array.from({ length: 100_000 }, (_, item) => ({ from: `/missing/${item}` }));
    const response = await send('/api/jobs', JSON.stringify({ kind: 'delete', items }));
    expect(response.status).toBe(202);
    const job = (await response.json()) as Job;
    expect(job.items.total).toBe(100_000);
    expect((await app.fetch(`/api/jobs/${job.id}`, { method: 'DELETE', token })).status).toBe(200);
  });

  test('in chunks of one byte is merged, without a buffer for each chunk', async () => {
    const body = JSON.stringify({ kind: 'delete', items: [], note: 'x'.repeat(200_000) });
    const chunks = [...body].map((character) => `1\r\n${character}\r\n`).join('');
    const head = `POST /api/jobs HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nAccept: application/json\r\n`;
    const response = await app.rawRequest(
      `${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
      { timeoutMs: 20_000 },
    );
    expect(response).toContain('HTTP/1.1 400');
    // The body was parsed: the error is that it names nothing to delete.
    expect(response).toContain('body.items');
  });

  test('that ends too early is refused as invalid JSON', async () => {
    const items = Array.from({ length: 10_000 }, (_, item) => ({ from: `/missing/${item}` }));
    const response = await send('/api/jobs', JSON.stringify({ kind: 'delete', items }).slice(0, -1));
    expect(response.status).toBe(400);
  });
});
