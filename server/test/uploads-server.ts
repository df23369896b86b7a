import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { unfinishedSizes } from './break-off.ts';
import { type TestApp, startApp } from './start-app.ts';

export const partType = 'application/offset+octet-stream';
/** A server with users of different permissions, for uploads; it runs during the tests that import this. */
export let app: TestApp;
export let token: string;
beforeAll(async () => {
  app = await startApp({
    config: { maxUploadSize: '64MiB', uploadsPerUser: '5' },
    users: [
      { username: 'alice', scope: '/alice' },
      { username: 'bob', scope: '/bob' },
      { username: 'reader', scope: '/alice', perm: { create: false } },
      { username: 'adder', scope: '/adder', perm: { modify: false, delete: false } },
      { username: 'ruled', scope: '/ruled', rules: [{ path: '/secret' }] },
      { username: 'crowd', scope: '/crowd' },
      { username: 'leaver', scope: '/leaver' },
    ],
  });
  token = await app.signIn('alice');
});
afterAll(() => app.close());

interface Sent {
  readonly as?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}
export const call = (
  method: string,
  path: string,
  { as = token, headers = {}, body }: Sent = {},
): Promise<Response> =>
  app.fetch(path, { method, token: as, headers, ...(body === undefined ? {} : { body }) });
export const begin = (path: string, length: number | string, sent: Sent = {}): Promise<Response> =>
  call('POST', path, { ...sent, headers: { 'upload-length': String(length), ...sent.headers } });
export const patch = (
  path: string,
  offset: number | string,
  body: string | Uint8Array<ArrayBuffer>,
  sent: Sent = {},
) =>
  call('PATCH', path, {
    ...sent,
    body,
    headers: { 'content-type': partType, 'upload-offset': String(offset), ...sent.headers },
  });
export const offsetAt = async (path: string, sent: Sent = {}): Promise<[number, string | null]> => {
  const answer = await call('HEAD', path, sent);
  return [answer.status, answer.headers.get('upload-offset')];
};
export const place = (name: string): string => join(app.root, name);
export const plant = (name: string, content: string): void => {
  mkdirSync(dirname(place(name)), { recursive: true });
  writeFileSync(place(name), content);
};
export const onDisk = (name: string): string | null =>
  existsSync(place(name)) ? readFileSync(place(name), 'utf8') : null;
export const unfinishedIn = (folder: string): string[] =>
  readdirSync(place(folder)).filter((name) => name.startsWith('.filestead-'));
export const tus = { 'tus-resumable': '1.0.0' };
/** Gives up all unfinished uploads of a user, the blocked ones among them. */
export async function discardAll(as = token): Promise<void> {
  const listed = (await (await call('GET', '/api/uploads', { as })).json()) as { id: string }[];
  for (const { id } of listed) {
    expect((await call('DELETE', `/api/uploads/${id}`, { as })).status).toBe(204);
  }
}

/** As many bytes as the server gathers before it writes them. */
export const beginning = 'a'.repeat(1024 * 1024);
/** Sends the head of the first part and {@link beginning}, and nothing more; resolves when the server has stored that. */
export async function stall(path: string, length: number): Promise<ClientRequest> {
  const sending = httpRequest(`${app.url}${path}`, {
    method: 'PATCH',
    headers: {
      'x-auth': token,
      'content-type': partType,
      'content-length': length,
      'upload-offset': 0,
    },
  });
  sending.on('error', () => undefined);
  sending.on('response', (answer) => answer.resume());
  sending.write(beginning);
  await expect.poll(() => unfinishedSizes(place('alice'))).toContain(beginning.length);
  return sending;
}
