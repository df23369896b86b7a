import { writeFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { SearchResult } from '@filestead/contract/search';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type StartApp, type TestApp, startApp } from '../../test/start-app.ts';

let app: TestApp;
/** The server of the tests that change nothing, with `files`. */
let shared: TestApp | undefined;
afterEach(async () => {
  if (app !== shared) await app.close();
});
afterAll(() => shared?.close());

async function start(setup: StartApp): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  app = await startApp({ ...setup, users: [{ username: 'ann' }, ...(setup.users ?? [])] });
  return searchAsAnn();
}

/** Uses the server with `files`. */
async function startShared(): ReturnType<typeof start> {
  app = shared ??= await startApp({ files, users: [{ username: 'ann' }] });
  return searchAsAnn();
}

async function searchAsAnn(): ReturnType<typeof start> {
  const token = await app.signIn('ann');
  return (path, init = {}) =>
    app.fetch(path, { token, ...init, headers: Object.fromEntries(new Headers(init.headers)) });
}

const files = {
  '/docs/a.txt': 'a',
  '/docs/Report 2026.pdf': '',
  '/docs/sub/report.txt': '',
  '/docs/sub/sp ace.txt': '',
  '/photos/zoo.jpg': '',
  '/photos/zoo.mp4': '',
  '/b.pdf': '',
};

describe('GET /api/search', () => {
  it.each<[string, string, SearchResult[]]>([
    [
      '/',
      'z a.t',
      [
        { dir: false, path: 'docs/a.txt' },
        { dir: false, path: 'photos/zoo.jpg' },
        { dir: false, path: 'photos/zoo.mp4' },
      ],
    ],
    ['/', '"sp ace"', [{ dir: false, path: 'docs/sub/sp ace.txt' }]],
    [
      '/',
      'type:image type:pdf',
      [
        { dir: false, path: 'b.pdf' },
        { dir: false, path: 'docs/Report 2026.pdf' },
        { dir: false, path: 'photos/zoo.jpg' },
      ],
    ],
    [
      '/docs',
      'report',
      [
        { dir: false, path: 'Report 2026.pdf' },
        { dir: false, path: 'sub/report.txt' },
      ],
    ],
    ['/docs/', 'report case:sensitive', [{ dir: false, path: 'sub/report.txt' }]],
    ['/docs', 'sub', [{ dir: true, path: 'sub' }]],
    ['/docs/a.txt', 'a', []],
    ['/', 'nothing like it', []],
  ])('below %s finds %j', async (folder, query, expected) => {
    const search = await startShared();
    const response = await search(`/api/search${folder}?query=${encodeURIComponent(query)}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual(expected);
  });

  it('finds everything for an empty query, also without a slash, in byte order', async () => {
    const search = await startShared();
    const response = await search('/api/search?query=');
    const text = await response.text();
    expect(JSON.parse(text)).toEqual([
      { dir: false, path: 'b.pdf' },
      { dir: true, path: 'docs' },
      { dir: false, path: 'docs/Report 2026.pdf' },
      { dir: false, path: 'docs/a.txt' },
      { dir: true, path: 'docs/sub' },
      { dir: false, path: 'docs/sub/report.txt' },
      { dir: false, path: 'docs/sub/sp ace.txt' },
      { dir: true, path: 'photos' },
      { dir: false, path: 'photos/zoo.jpg' },
      { dir: false, path: 'photos/zoo.mp4' },
    ]);
    expect(text.startsWith('[{"dir":false,"path":"b.pdf"},')).toBe(true);
    expect(await (await search('/api/search/')).text()).toBe(text);
  });

  it('sends rows when the client accepts them', async () => {
    const search = await startShared();
    const response = await search('/api/search/docs?query=report', {
      headers: { accept: 'application/x-ndjson' },
    });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(await response.text()).toBe(
      '{"dir":false,"path":"Report 2026.pdf"}\n{"dir":false,"path":"sub/report.txt"}\n',
    );
    const head = await search('/api/search/docs?query=report', {
      method: 'HEAD',
      headers: { accept: 'application/x-ndjson' },
    });
    expect(head.status).toBe(200);
  });

  it('sends large results completely, in both formats', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_500 }, (_, i) => [`/many/${i}.txt`, '']));
    const search = await start({ files: many });
    const all = (await (await search('/api/search/?query=txt')).json()) as SearchResult[];
    expect(all.length).toBe(2_500);
    const rows = await search('/api/search/?query=txt', { headers: { accept: 'application/x-ndjson' } });
    expect((await rows.text()).trimEnd().split('\n').length).toBe(2_500);
  });

  it('responds only in the accepted format', async () => {
    const search = await startShared();
    const refusing = await search('/api/search/?query=a', {
      headers: { accept: 'application/x-ndjson;q=0, */*' },
    });
    expect(refusing.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('omits entries that are denied by rules or hidden', async () => {
    const secretFiles = {
      '/docs/secret/deny.txt': '',
      '/docs/ok-deny.txt': '',
      '/.dot/deny.txt': '',
      '/.deny.txt': '',
    };
    const search = await start({
      files: secretFiles,
      users: [
        {
          username: 'bob',
          hideDotfiles: true,
          rules: [{ path: '/docs/secret' }],
        },
      ],
    });
    const bob = await app.signIn('bob');
    const seenBy = async (token: string, path: string): Promise<unknown> => {
      const response = await app.fetch(path, { token });
      return response.status === 200 ? response.json() : response.status;
    };
    expect(await seenBy(bob, '/api/search/?query=deny')).toEqual([{ dir: false, path: 'docs/ok-deny.txt' }]);
    expect(await seenBy(bob, '/api/search/docs/?query=secret')).toEqual([]);
    expect(await seenBy(bob, '/api/search/docs/secret?query=deny')).toBe(403);
    expect(await seenBy(bob, '/api/search//docs//secret/?query=deny')).toBe(403);
    expect(await (await search('/api/search/?query=deny')).json()).toEqual([
      { dir: false, path: '.deny.txt' },
      { dir: false, path: '.dot/deny.txt' },
      { dir: false, path: 'docs/ok-deny.txt' },
      { dir: false, path: 'docs/secret/deny.txt' },
    ]);
  });

  it('stays in the scope for every path', async () => {
    const search = await start({
      files: { '/out/canary.txt': '', '/users/eve/own.txt': '' },
      users: [{ username: 'eve', scope: '/users/eve' }],
    });
    await symlink('../../out', join(app.root, 'users/eve/link'));
    const eve = await app.signIn('eve');
    const results = await app.fetch('/api/search/?query=', { token: eve });
    expect(await results.json()).toEqual([
      { dir: false, path: 'link' },
      { dir: false, path: 'own.txt' },
    ]);
    const link = await app.fetch('/api/search/link?query=', { token: eve });
    expect(link.status).toBe(403);
    const climbing = await app.rawRequest(
      `GET /api/search/../../out?query= HTTP/1.1\r\nHost: x\r\nX-Auth: ${eve}\r\nConnection: close\r\n\r\n`,
    );
    expect(climbing).toMatch(/^HTTP\/1\.1 400 /);
    expect((await search('/api/search/out?query=canary')).status).toBe(200);
  });

  it.each<[string, string, number]>([
    ['a missing folder', '/api/search/none?query=a', 404],
    ['a query that is too long', `/api/search/?query=${'a'.repeat(1025)}`, 400],
    ['a query that is just short enough', `/api/search/?query=${'a'.repeat(1024)}`, 200],
    ['a broken path', '/api/search/%zz?query=a', 400],
    ['a broken query', '/api/search/?query=%zz', 400],
    ['NUL in the path', '/api/search/a%00?query=a', 400],
    ['NUL in the query', '/api/search/?query=%00', 200],
    ['what would be a bad pattern', '/api/search/?query=((((', 200],
  ])('returns the expected status for %s', async (_name, path, status) => {
    const search = await startShared();
    expect((await search(path)).status).toBe(status);
  });

  it('requires a session', async () => {
    await startShared();
    expect((await app.fetch('/api/search/?query=a')).status).toBe(401);
  });

  it('stops when the client disconnects, so that others can search', async () => {
    const search = await start({});
    // More than a search reads ahead, and with long paths more than a connection buffers.
    const folder = join(app.root, ...Array.from({ length: 5 }, () => 'n'.repeat(200)));
    await mkdir(folder, { recursive: true });
    for (let index = 0; index < 10_000; index++) writeFileSync(join(folder, `${index}-`), '');
    for (let round = 0; round < 6; round++) {
      const controller = new AbortController();
      const response = await search('/api/search/?query=', {
        signal: controller.signal,
        headers: { accept: 'application/x-ndjson' },
      });
      expect(response.status).toBe(200);
      controller.abort();
    }
    const rest = await search('/api/search/?query=999-');
    expect(((await rest.json()) as unknown[]).length).toBe(10);
  });
});
