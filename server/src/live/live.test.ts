import { execFileSync } from 'node:child_process';
import type { FolderChanges } from '@filestead/contract/endpoints/live';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasRow, listedVersion, openLive } from '../../test/fixtures/live-client.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

let app: TestApp;
let token: string;
const setUp = async (config = {}): Promise<void> => {
  app = await startApp({
    files: { '/docs/old.txt': 'old', '/docs/inner/deep.txt': 'deep', '/other/x.txt': 'x' },
    users: [{ username: 'alice' }, { username: 'bob' }],
    config,
  });
  token = await app.signIn('alice');
};
beforeEach(() => setUp());
afterEach(() => app.close());

/** Runs a shell command in the served folder, as a change that the server does not make itself. */
const runOutside = (command: string): void => void execFileSync('sh', ['-c', command], { cwd: app.root });
const versionsOf = async (
  folders: { path: string; version?: string | undefined }[],
): Promise<FolderChanges[]> => {
  const response = await app.fetch('/api/live/versions', { method: 'POST', token, json: { folders } });
  expect(response.status).toBe(200);
  return (await response.json()) as FolderChanges[];
};

test('the stream reports entries that another program creates, changes, renames and removes', async () => {
  const live = await openLive(app, token);
  const version = await listedVersion(app, token, '/docs/');
  expect(await live.follow({ '/docs': version })).toEqual([{ path: '/docs', source: 'events' }]);
  runOutside('echo hello > docs/new.txt');
  const created = await live.until('/docs', hasRow('new.txt'));
  expect(created.changed).toContainEqual(['new.txt', 6, expect.any(Number), 1]);
  runOutside('echo more >> docs/new.txt');
  await live.until('/docs', ({ changed = [] }) =>
    changed.some((row) => row[0] === 'new.txt' && row[1] === 11),
  );
  runOutside('mv docs/new.txt docs/renamed.txt');
  const moved = await live.until('/docs', hasRow('renamed.txt'));
  expect(moved.removed).toEqual(['new.txt']);
  expect(moved.moved).toEqual([['new.txt', 'renamed.txt']]);
  runOutside('rm docs/renamed.txt');
  await live.until('/docs', ({ removed = [] }) => removed.includes('renamed.txt'));
});

test('the stream reports changes made between the listing and the request that follows the folder', async () => {
  const live = await openLive(app, token);
  runOutside('touch -d "1 hour ago" docs docs/old.txt docs/inner');
  const version = await listedVersion(app, token, '/docs/');
  runOutside('echo changed > docs/old.txt');
  await live.follow({ '/docs': version });
  const { changed } = await live.until('/docs', hasRow('old.txt'));
  expect(changed?.map(([name]) => name)).toEqual(['old.txt']);
  const other = await listedVersion(app, token, '/other/');
  runOutside('rm other/x.txt');
  await live.follow({ '/docs': undefined, '/other': other });
  expect(await live.until('/other', () => true)).toMatchObject({ again: true });
});

test('a client that reconnects gets the changes since its version, if there are any', async () => {
  const first = await openLive(app, token);
  runOutside('touch -d "1 hour ago" docs docs/old.txt docs/inner');
  await first.follow({ '/docs': await listedVersion(app, token, '/docs/') });
  runOutside('echo 1 > docs/one.txt');
  const { version } = await first.until('/docs', hasRow('one.txt'));
  first.close();
  runOutside('echo 2 > docs/two.txt; rm docs/old.txt');
  await expect
    .poll(async () => (await versionsOf([{ path: '/docs', version }]))[0]?.removed)
    .toEqual(['old.txt']);
  const second = await openLive(app, token);
  await second.follow({ '/docs': version });
  const missed = await second.until('/docs', () => true);
  expect(missed).toMatchObject({ removed: ['old.txt'], changed: [['two.txt', 2, expect.any(Number), 1]] });
  const third = await openLive(app, token);
  await third.follow({ '/docs': missed.version, '/other': 'another-start-7' });
  expect(await third.until('/other', () => true)).toMatchObject({ again: true });
  expect(third.changesOf('/docs')).toEqual([]);
});

test('many changes at once become one request to list the folder again', async () => {
  const live = await openLive(app, token);
  // Not the version of a listing: the server would compare times of change with it while the files are being created.
  const [current] = await versionsOf([{ path: '/docs' }]);
  await live.follow({ '/docs': current?.version });
  runOutside('for i in $(seq 2000); do : > docs/$i; done');
  const { version } = await live.until('/docs', ({ again }) => again === true);
  expect(version).toMatch(/-[1-9]\d*$/);
});

test('changes through this server are reported at once, even if the disk is polled', async () => {
  await app.close();
  await setUp({ watchFolders: '0' });
  const live = await openLive(app, token);
  const [followed] = await live.follow({ '/docs': await listedVersion(app, token, '/docs/') });
  expect(followed).toEqual({ path: '/docs', source: 'polling' });
  const bob = await app.signIn('bob');
  const upload = await app.fetch('/api/resources/docs/from%20bob.txt', {
    method: 'POST',
    token: bob,
    body: 'x',
  });
  expect(upload.status).toBe(200);
  await live.until('/docs', hasRow('from bob.txt'));
  const renamed = await app.fetch(
    '/api/resources/docs/from%20bob.txt?action=rename&destination=%2Fdocs%2Fto.txt',
    { method: 'PATCH', token: bob },
  );
  expect(renamed.status).toBe(200);
  const moved = await live.until('/docs', hasRow('to.txt'));
  expect(moved.moved).toEqual([['from bob.txt', 'to.txt']]);
  await app.fetch('/api/resources/docs', { method: 'DELETE', token: bob });
  await live.until('/docs', ({ again }) => again === true);
});

test('a folder that is removed is reported, and followed again when it exists again', async () => {
  const live = await openLive(app, token);
  await live.follow({ '/docs': await listedVersion(app, token, '/docs/') });
  runOutside('mv docs away');
  await live.until('/docs', ({ again, code }) => again === true && code === 'not_found');
  const [missing] = await versionsOf([{ path: '/docs' }]);
  expect(missing?.code).toBe('not_found');
  runOutside('mv away docs');
  app.clock.advance(2_000);
  await expect.poll(async () => (await versionsOf([{ path: '/docs' }]))[0]?.again).toBe(true);
  runOutside('echo x > docs/later.txt');
  await live.until('/docs', (changes) => changes.again === true || hasRow('later.txt')(changes));
});

test('clients without events get the same changes by their versions', async () => {
  const version = await listedVersion(app, token, '/docs/');
  const [first] = await versionsOf([{ path: '/docs', version }, { path: '/nothing' }]);
  expect(first?.source).toBe('events');
  runOutside('echo hello > docs/new.txt');
  await expect
    .poll(async () => (await versionsOf([{ path: '/docs', version: first?.version }]))[0]?.changed)
    .toEqual([['new.txt', 6, expect.any(Number), 1]]);
  expect((await versionsOf([{ path: '/nothing' }]))[0]).toMatchObject({ code: 'not_found' });
});

test('the stream carries the jobs of the user', async () => {
  const live = await openLive(app, token);
  expect((await live.untilEvent('jobs')).data).toEqual({ jobs: [] });
  const json = { kind: 'delete', items: [{ from: '/nothing' }] };
  const { id } = (await (await app.fetch('/api/jobs', { method: 'POST', token, json })).json()) as {
    id: string;
  };
  await expect
    .poll(() =>
      live.events.some(({ event, data }) => event === 'job' && data.id === id && data.state === 'failed'),
    )
    .toBe(true);
  await app.fetch(`/api/jobs/${id}`, { method: 'DELETE', token });
  expect((await live.untilEvent('job_removed')).data).toEqual({ id });
});

test('the stream has headers by which proxies do not buffer, store or transform it', async () => {
  const response = await app.fetch('/api/live', { method: 'HEAD', token });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
});

describe('bad input', () => {
  const put = async (feed: string, json: unknown): Promise<number> =>
    (await app.fetch(`/api/live/${feed}`, { method: 'PUT', token, json })).status;
  const folders = (count: number): unknown => ({
    folders: Array.from({ length: count }, (_, index) => ({ path: `/${index}` })),
  });

  test('a feed accepts 64 folders and refuses 65, and paths that are not absolute', async () => {
    const { feed } = await openLive(app, token);
    expect(await put(feed, folders(64))).toBe(200);
    expect(await put(feed, folders(65))).toBe(400);
    expect(await put(feed, { folders: [{ path: 'docs' }] })).toBe(400);
    expect(await put(feed, { folders: [{ path: '/docs/../..' }] })).toBe(400);
    expect(await put(feed, { folders: [{ path: '/docs', version: 'x'.repeat(101) }] })).toBe(400);
    expect(await put(feed, { folders: [{ path: `/${'x'.repeat(70_000)}` }] })).toBe(413);
  });

  test('a feed that does not exist, or that another session has opened, is not found', async () => {
    const { feed } = await openLive(app, await app.signIn('alice'));
    expect(await put(feed, folders(1))).toBe(404);
    expect(await put('unknown', folders(1))).toBe(404);
  });

  test('a cookie suffices to receive events, but not to follow folders', async () => {
    const login = await app.fetch('/api/login', {
      method: 'POST',
      json: { username: 'alice', password: 'a password for tests' },
    });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const { feed } = await openLive(app, await login.text());
    expect((await app.fetch('/api/live', { method: 'HEAD', headers: { cookie } })).status).toBe(200);
    const json = folders(1);
    const refused = await app.fetch(`/api/live/${feed}`, { method: 'PUT', headers: { cookie }, json });
    expect(refused.status).toBe(401);
    expect((await app.fetch('/api/live')).status).toBe(401);
  });

  test('each folder that cannot be listed has its own error, and the others are followed', async () => {
    runOutside('ln -s / out; ln -s docs in');
    const live = await openLive(app, token);
    expect(
      await live.follow({
        '/nothing': undefined,
        '/docs/old.txt': undefined,
        '/out': undefined,
        '/in': undefined,
      }),
    ).toEqual([
      { path: '/nothing', code: 'not_found' },
      { path: '/docs/old.txt', code: 'not_a_folder' },
      { path: '/out', code: 'external_link' },
      { path: '/in', source: 'events' },
    ]);
    await live.until('/in', ({ again }) => again === true);
    runOutside('echo x > docs/through-the-link.txt');
    await live.until('/in', hasRow('through-the-link.txt'));
  });

  test('a user may open 20 streams', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => openLive(app, token)));
    expect((await app.fetch('/api/live', { token })).status).toBe(429);
    streams[0]?.close();
    await expect.poll(async () => (await app.fetch('/api/live', { method: 'HEAD', token })).status).toBe(200);
  });
});
