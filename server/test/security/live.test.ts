import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasRow, listedVersion, openLive } from '../fixtures/live-client.ts';
import { type TestApp, startApp } from '../start-app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startApp({
    files: {
      '/alice/docs/a.txt': 'a',
      '/alice/private/p.txt': 'p',
      '/bob/docs/b.txt': 'b',
      '/outside/o.txt': 'o',
    },
    users: [
      {
        username: 'alice',
        scope: '/alice',
        hideDotfiles: true,
        rules: [
          { allow: false, path: '/private' },
          { allow: false, path: '/docs/denied' },
        ],
      },
      { username: 'bob', scope: '/bob' },
      { username: 'eve', scope: '/alice' },
    ],
  });
});
afterEach(() => app.close());

const write = (name: string): void => writeFileSync(join(app.root, name), 'x');

test('a stream contains no denied names, no hidden names and no unfinished files', async () => {
  const token = await app.signIn('alice');
  const live = await openLive(app, token);
  expect(
    await live.follow({ '/docs': await listedVersion(app, token, '/docs/'), '/private': undefined }),
  ).toEqual([
    { path: '/docs', source: 'events' },
    { path: '/private', code: 'forbidden' },
  ]);
  for (const name of ['denied-not', '.hidden', 'denied', `.filestead-${'0'.repeat(32)}.part`])
    write(`alice/docs/${name}`);
  write('alice/private/canary');
  write('alice/docs/last');
  await live.until('/docs', hasRow('last'));
  const all = JSON.stringify(live.events);
  expect(all).toContain('denied-not');
  expect(all).not.toContain('.hidden');
  expect(all).not.toContain('"denied"');
  expect(all).not.toContain('.part');
  expect(all).not.toContain('canary');
});

test('a stream contains nothing outside the scope, even if the path contains `..`', async () => {
  const token = await app.signIn('alice');
  const live = await openLive(app, token);
  await live.follow({ '/docs': await listedVersion(app, token, '/docs/') });
  const climbing = await app.fetch(`/api/live/${live.feed}`, {
    method: 'PUT',
    token,
    json: { folders: [{ path: '/../bob/docs' }] },
  });
  expect(climbing.status).toBe(400);
  write('bob/docs/canary');
  write('alice/docs/last');
  await live.until('/docs', hasRow('last'));
  expect(JSON.stringify(live.events)).not.toContain('canary');
});

test('a folder that is replaced by a link out of the scope is not observed at the target of the link', async () => {
  const token = await app.signIn('eve');
  const live = await openLive(app, token);
  await live.follow({ '/docs': await listedVersion(app, token, '/docs/') });
  renameSync(join(app.root, 'alice/docs'), join(app.root, 'outside/docs'));
  symlinkSync('../outside', join(app.root, 'alice/docs'));
  await live.until('/docs', ({ again }) => again === true);
  write('outside/canary');
  write('outside/docs/canary');
  app.clock.advance(2_000);
  const retried = await app.fetch('/api/live/versions', {
    method: 'POST',
    token,
    json: { folders: [{ path: '/docs' }] },
  });
  expect(await retried.json()).toMatchObject([{ path: '/docs', code: 'external_link' }]);
  expect(JSON.stringify(live.events)).not.toContain('canary');
});

test('a folder that replaces the followed one is followed, and the former one is not', async () => {
  const token = await app.signIn('eve');
  const live = await openLive(app, token);
  await live.follow({ '/docs': await listedVersion(app, token, '/docs/') });
  renameSync(join(app.root, 'alice/docs'), join(app.root, 'outside/docs'));
  mkdirSync(join(app.root, 'alice/docs'));
  await live.until('/docs', ({ again }) => again === true);
  write('outside/docs/canary');
  await expect
    .poll(() => {
      write('alice/docs/seen');
      return live.changesOf('/docs').some(hasRow('seen'));
    })
    .toBe(true);
  expect(JSON.stringify(live.events)).not.toContain('canary');
});

test('a followed folder that is moved out of the served folder is not observed there', async () => {
  const token = await app.signIn('admin');
  const live = await openLive(app, token);
  const folder = '/alice/docs';
  await live.follow({ [folder]: await listedVersion(app, token, `${folder}/`), '/': undefined });
  const outside = mkdtempSync(join(tmpdir(), 'filestead-outside-'));
  try {
    renameSync(join(app.root, 'alice/docs'), join(outside, 'docs'));
    await live.until(folder, ({ again, code }) => again === true && code === 'not_found');
    writeFileSync(join(outside, 'docs', 'canary'), 'x');
    app.clock.advance(5_000);
    write('last');
    await live.until('/', (changes) => changes.again === true || hasRow('last')(changes));
    expect(JSON.stringify(live.events)).not.toContain('canary');
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test('a stream ends with its session', async () => {
  const token = await app.signIn('eve');
  const live = await openLive(app, token);
  await live.follow({ '/docs': undefined });
  expect((await app.fetch('/api/logout', { method: 'POST', token })).status).toBe(200);
  expect((await live.untilEvent('bye')).data).toEqual({ why: 'session' });
  await expect.poll(live.hasEnded).toBe(true);
});

test.each([
  ['rules', { rules: [{ allow: false, path: '/docs', regex: false, regexp: null }] }],
  ['hidden names', { hideDotfiles: true }],
  ['the scope', { scope: '/bob' }],
])('a stream ends when %s of its user change', async (_, change) => {
  const admin = await app.signIn('admin');
  const token = await app.signIn('eve');
  const live = await openLive(app, token);
  await live.follow({ '/docs': await listedVersion(app, token, '/docs/') });
  const users = (await (await app.fetch('/api/users', { token: admin })).json()) as {
    id: number;
    username: string;
  }[];
  const user = users.find(({ username }) => username === 'eve');
  const response = await app.fetch(`/api/users/${user?.id}`, {
    method: 'PUT',
    token: admin,
    json: {
      what: 'user',
      which: Object.keys(change),
      data: { ...user, ...change },
      current_password: 'a password for tests',
    },
  });
  expect(response.status).toBe(200);
  expect((await live.untilEvent('bye')).data).toEqual({ why: 'access' });
  write('alice/docs/canary');
  await expect.poll(live.hasEnded).toBe(true);
  expect(JSON.stringify(live.events)).not.toContain('canary');
});

test('a stream ends when the rules for all users change', async () => {
  const admin = await app.signIn('admin');
  const live = await openLive(app, await app.signIn('eve'));
  await live.follow({ '/docs': undefined });
  const settings = (await (await app.fetch('/api/settings', { token: admin })).json()) as object;
  const rules = [{ allow: false, path: '/docs', regex: false, regexp: null }];
  const response = await app.fetch('/api/settings', {
    method: 'PUT',
    token: admin,
    json: { ...settings, rules },
  });
  expect(response.status).toBe(200);
  expect((await live.untilEvent('bye')).data).toEqual({ why: 'access' });
});

test('visitors of shares cannot open a stream', async () => {
  expect((await app.fetch('/api/live')).status).toBe(401);
  const response = await app.fetch('/api/live/versions', {
    method: 'POST',
    json: { folders: [{ path: '/' }] },
  });
  expect(response.status).toBe(401);
});
