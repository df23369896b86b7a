import type { Share } from '@filestead/contract/shares';
import type { User } from '@filestead/contract/users';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { isHash, newHash } from './new-hash.ts';

let app: TestApp;
let admin: string;
let alice: string;
let bob: string;
beforeAll(async () => {
  app = await startApp({
    stopsClock: true,
    files: {
      'users/alice/a.txt': 'of alice',
      'users/alice/docs/ok.txt': 'ok',
      'users/alice/docs/secret/deny.txt': 'no',
      'users/alice2/canary.txt': 'canary',
      'users/bob/a.txt': 'of bob',
    },
    users: [
      { username: 'alice', scope: '/users/alice', rules: [{ path: '/docs/secret' }] },
      { username: 'bob', scope: '/users/bob' },
      { username: 'noshare', scope: '/users/alice', perm: { share: false } },
      { username: 'nodownload', scope: '/users/alice', perm: { download: false } },
    ],
  });
  [admin, alice, bob] = await Promise.all([app.signIn('admin'), app.signIn('alice'), app.signIn('bob')]);
});
afterAll(() => app.close());

/** The next full second of the server's clock, which is stopped, in Unix time. */
const now = (): number => Math.ceil(app.clock.now() / 1000);

const post = (path: string, json?: unknown, token = alice): Promise<Response> =>
  app.fetch(`/api/share${path}`, { method: 'POST', token, ...(json === undefined ? {} : { json }) });
const share = async (path: string, json: unknown = {}, token = alice): Promise<Share> => {
  const response = await post(path, json, token);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Share;
};
const list = async (path: string, token = alice): Promise<Share[]> =>
  (await (await app.fetch(path, { token })).json()) as Share[];
const end = (hash: string, token = alice): Promise<Response> =>
  app.fetch(`/api/share/${hash}`, { method: 'DELETE', token });

beforeEach(async () => {
  for (const { hash } of await list('/api/shares', admin)) await end(hash, admin);
});

describe('creating a share', () => {
  test('returns the share with a random hash and without secrets', async () => {
    const created = await share('/a.txt', { password: ' let me in ', expires: '24', unit: 'hours' });
    expect(created).toEqual({
      hash: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/) as string,
      path: '/a.txt',
      userID: expect.any(Number) as number,
      expire: expect.any(Number) as number,
      hasPassword: true,
      created: expect.any(Number) as number,
      visits: 0,
    });
    expect(created.expire).toBe(now() + 86_400);
    const listed = await (await app.fetch('/api/shares', { token: admin })).text();
    expect(JSON.parse(listed)).toEqual([{ ...created, username: 'alice' }]);
    expect(listed).not.toMatch(/argon|token|\$/);
  });

  test.each([
    [undefined, 0],
    [{}, 0],
    [{ expires: '' }, 0],
    [{ expires: '0' }, 0],
    [{ expires: 0, unit: 'days' }, 0],
    [{ expires: '2', unit: 'seconds' }, 2],
    [{ expires: 3, unit: 'minutes' }, 180],
    [{ expires: 1 }, 3600],
    [{ expires: '1', unit: '' }, 3600],
    [{ expires: ' 2 ', unit: 'days' }, 172_800],
  ])('sets the expiry of %j to %d seconds (0: never)', async (body, seconds) => {
    const response = await post('/a.txt', body);
    const { expire } = (await response.json()) as Share;
    expect(expire).toBe(seconds === 0 ? 0 : now() + seconds);
  });

  test('reads the expiry from the query if the body contains none', async () => {
    const inAMinute = (await (await post('/a.txt?expires=1&unit=minutes')).json()) as Share;
    expect(inAMinute.expire).toBe(now() + 60);
    const both = await share('/a.txt?expires=1&unit=minutes', { expires: '1', unit: 'days' });
    expect(both.expire).toBe(now() + 86_400);
  });

  test('accepts the longest duration with a valid date as expiry', async () => {
    const { expire } = await share('/a.txt', { expires: 2_147_483_647, unit: 'days' });
    expect(new Date(expire * 1000).getTime()).not.toBeNaN();
  });

  test.each([
    ['soon', 'hours'],
    ['-1', 'hours'],
    [-1, 'hours'],
    [1.5, 'hours'],
    ['1.5', 'hours'],
    ['2147483648', 'seconds'],
    [1e300, 'seconds'],
    [true, 'hours'],
    [['1'], 'hours'],
    ['1', 'weeks'],
    ['1', 'constructor'],
    ['1', 7],
  ])('rejects a duration of %j %j with a reason', async (expires, unit) => {
    const response = await post('/a.txt', { expires, unit });
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/^400 Bad Request \(.+\)\n$/);
  });

  test.each([
    [{ password: ['x'] }],
    [{ password: 0 }],
    [{ Password: 'x' }],
    [{ password: 'x'.repeat(1025) }],
    ['text'],
    [[]],
    [null],
  ])('rejects the body %j with a reason', async (body) => {
    const response = await post('/a.txt', body);
    expect([response.status, await list('/api/shares')]).toEqual([400, []]);
  });

  test('reports that a blank password protects nothing', async () => {
    expect((await share('/a.txt', { password: ' \t ' })).hasPassword).toBe(false);
  });

  test('is rejected for a body that is too large or not JSON', async () => {
    const large = await post('/a.txt', { password: 'x'.repeat(1_100_000) });
    const broken = await app.fetch('/api/share/a.txt', { method: 'POST', token: alice, body: '{' });
    expect([large.status, broken.status]).toEqual([413, 400]);
  });

  test.each([
    ['/missing.txt', 404],
    ['/a.txt/below', 404],
    ['/docs/secret', 403],
    ['/docs/secret/', 403],
    ['/docs/secret/deny.txt', 403],
    ['/docs/secret/neither', 403],
    ['/docs//secret', 403],
    ['/../alice2/canary.txt', 400],
    ['/..%2falice2%2fcanary.txt', 400],
    ['/a.txt%00', 400],
    ['/%ff', 400],
  ])('for %s returns %d', async (path, status) => {
    const response = await app.rawRequest(
      `POST /api/share${path} HTTP/1.1\r\nHost: x\r\nX-Auth: ${alice}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(await list('/api/shares')).toEqual([]);
  });

  test('returns the path of a folder with a trailing slash', async () => {
    expect((await share('/docs')).path).toBe('/docs/');
    expect((await share('/docs/')).path).toBe('/docs/');
    expect((await share('/')).path).toBe('/');
  });

  test('does not mistake /api/shares for the path “s”', async () => {
    const response = await app.fetch('/api/shares', { method: 'POST', token: alice, json: {} });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('generates hashes that differ and use their alphabet evenly', async () => {
    // Those of existing installations, and those that earlier versions made.
    for (const length of [8, 22, 32]) expect(isHash('a-_B'.repeat(8).slice(0, length))).toBe(true);
    const hashes = Array.from({ length: 1000 }, newHash);
    expect(new Set(hashes).size).toBe(1000);
    const counts = new Map<string, number>();
    // The last character encodes only two bits.
    for (const character of hashes.map((hash) => hash.slice(0, 21)).join(''))
      counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(64);
    // 328 of each are expected; six standard deviations are 108.
    for (const count of counts.values()) expect(Math.abs(count - 328)).toBeLessThan(108);
  });
});

describe('permissions', () => {
  test.each([
    ['GET', '/api/shares', 200],
    ['GET', '/api/share/a.txt', 200],
    ['POST', '/api/share/a.txt', 200],
    ['DELETE', '/api/share/whatever', 404],
  ])('%s %s needs “share”', async (method, path, status) => {
    const noshare = await app.signIn('noshare');
    expect((await app.fetch(path, { method, token: noshare })).status).toBe(403);
    expect((await app.fetch(path, { method, token: alice })).status).toBe(status);
    expect((await app.fetch(path, { method })).status).toBe(401);
  });

  test('creating a share needs “download” too', async () => {
    const nodownload = await app.signIn('nodownload');
    expect((await post('/a.txt', {}, nodownload)).status).toBe(403);
    expect((await post('/a.txt', {}, alice)).status).toBe(200);
  });
});

describe('listing shares', () => {
  test('returns users their own shares and administrators all of them, permanent ones first', async () => {
    const late = await share('/a.txt', { expires: '2' });
    const soon = await share('/a.txt', { expires: '1' });
    const always = await share('/a.txt');
    const bobs = await share('/a.txt', {}, bob);
    expect(await list('/api/shares')).toEqual([always, soon, late]);
    expect(await list('/api/shares', bob)).toEqual([bobs]);
    expect((await list('/api/shares', admin)).map(({ hash, username }) => [hash, username])).toEqual([
      [always.hash, 'alice'],
      [soon.hash, 'alice'],
      [late.hash, 'alice'],
      [bobs.hash, 'bob'],
    ]);
  });

  test('returns administrators their own shares only with own=true', async () => {
    await share('/a.txt');
    const own = await share('/users/bob/a.txt', {}, admin);
    expect(await list('/api/shares?own=true', admin)).toEqual([own]);
  });

  test('adds size and modification of the shared entries with entries=true, and marks missing ones', async () => {
    const at = (name: string): string => join(app.root, 'users/alice', name);
    await writeFile(at('gone.txt'), 'soon removed');
    await writeFile(at('other'), 'soon a folder');
    const file = await share('/a.txt');
    const folder = await share('/docs/');
    const gone = await share('/gone.txt');
    const other = await share('/other');
    await rm(at('gone.txt'));
    await rm(at('other'));
    await mkdir(at('other'));
    const found = new Map((await list('/api/shares?entries=true')).map((entry) => [entry.hash, entry]));
    const modified = expect.stringMatching(/^\d{4}-\d\d-\d\dT/u) as string;
    expect(found.get(file.hash)).toEqual({ ...file, size: 'of alice'.length, modified, type: 'text' });
    expect(found.get(folder.hash)).toEqual({ ...folder, modified, type: '' });
    expect(found.get(gone.hash)).toEqual({ ...gone, gone: true });
    expect(found.get(other.hash)).toEqual({ ...other, gone: true });
    expect(await list('/api/shares')).not.toContainEqual(expect.objectContaining({ gone: true }));
  });

  test('adds nothing about entries that a rule denies now, and nothing about those of other users', async () => {
    const file = await share('/docs/ok.txt');
    const bobs = await share('/a.txt', {}, bob);
    const users = (await (await app.fetch('/api/users', { token: admin })).json()) as User[];
    const user = users.find(({ username }) => username === 'alice');
    const changeRules = async (rules: User['rules'] = []): Promise<void> => {
      const json = { what: 'user', which: ['rules'], data: { ...user, rules } };
      await app.fetch(`/api/users/${user?.id}`, { method: 'PUT', token: admin, json });
    };
    await changeRules([{ regex: false, allow: false, path: '/docs', regexp: { raw: '' } }]);
    const [denied] = await list('/api/shares?entries=true');
    await changeRules(user?.rules);
    expect(denied).toEqual(file);
    expect((await list('/api/shares?entries=true'))[0]).toHaveProperty('size', 2);
    expect(await list('/api/shares?entries=true', admin)).toContainEqual({ ...bobs, username: 'bob' });
  });

  test('returns an empty list without shares', async () => {
    expect(await list('/api/shares')).toEqual([]);
    expect(await list('/api/share/a.txt')).toEqual([]);
  });

  test('of a path matches it with and without its slash, and no other path', async () => {
    const docs = await share('/docs/');
    await share('/docs/ok.txt');
    expect(await list('/api/share/docs')).toEqual([docs]);
    expect(await list('/api/share/docs/')).toEqual([docs]);
    expect(await list('/api/share/do')).toEqual([]);
    expect(await list('/api/share/DOCS')).toEqual([]);
    expect(await list('/api/share/')).toEqual([]);
  });

  test('of a path returns the user’s own shares, and to administrators all shares of the same file', async () => {
    const created = await share('/a.txt');
    const bobs = await share('/a.txt', {}, bob);
    expect(await list('/api/share/a.txt')).toEqual([created]);
    expect(await list('/api/share/a.txt', bob)).toEqual([bobs]);
    expect(await list('/api/share/users/alice/a.txt', admin)).toEqual([{ ...created, username: 'alice' }]);
    expect(await list('/api/share/a.txt', admin)).toEqual([]);
  });

  test('of a denied path is forbidden; of a missing path it is empty', async () => {
    expect((await app.fetch('/api/share/docs/secret', { token: alice })).status).toBe(403);
    expect(await list('/api/share/nowhere/at/all')).toEqual([]);
  });

  test('skips expired shares, also when several expire at once', async () => {
    const ended = await Promise.all([1, 2, 3].map(() => share('/a.txt', { expires: '1', unit: 'seconds' })));
    const stays = await share('/a.txt', { expires: '1', unit: 'hours' });
    expect(await list('/api/shares')).toHaveLength(4);
    app.clock.advance(2_000);
    expect(await list('/api/shares')).toEqual([stays]);
    expect(await list('/api/share/a.txt')).toEqual([stays]);
    for (const { hash } of ended) expect((await end(hash)).status).toBe(404);
  });
});

describe('changing a share', () => {
  const change = (hash: string, json: unknown, token = alice): Promise<Response> =>
    app.fetch(`/api/share/${hash}`, { method: 'PATCH', token, json });
  const changed = async (hash: string, json: unknown): Promise<Share> => {
    const response = await change(hash, json);
    expect(response.status).toBe(200);
    return (await response.json()) as Share;
  };
  const visit = async (hash: string, password = ''): Promise<number> => {
    const headers = { 'x-share-password': password };
    const response = await app.fetch(`/api/public/share/${hash}`, { headers });
    await response.text();
    return response.status;
  };

  test('sets the expiry relative to now, and removes it with 0', async () => {
    const created = await share('/a.txt', { password: 'secret' });
    const soon = await changed(created.hash, { expires: '2', unit: 'days' });
    expect(soon.expire).toBe(now() + 172_800);
    expect(soon).toEqual({ ...created, expire: soon.expire });
    expect(await list('/api/shares')).toEqual([soon]);
    expect(await changed(created.hash, { expires: 0 })).toEqual(created);
  });

  test('sets and removes the password, which takes effect at once', async () => {
    const { hash, expire } = await share('/a.txt', { expires: '1', unit: 'days' });
    expect(await visit(hash)).toBe(200);
    expect(await changed(hash, { password: ' plum ' })).toMatchObject({ hasPassword: true, expire });
    expect(await visit(hash)).toBe(401);
    expect(await visit(hash, 'plum')).toBe(200);
    expect(await changed(hash, { password: 'pear' })).toMatchObject({ hasPassword: true });
    expect(await visit(hash, 'plum')).toBe(401);
    expect(await changed(hash, { password: ' ' })).toMatchObject({ hasPassword: false });
    expect(await visit(hash)).toBe(200);
  });

  test('invalidates the token of a visitor when the password changes', async () => {
    const { hash } = await share('/a.txt', { password: 'plum' });
    const opened = await app.fetch(`/api/public/share/${hash}`, { headers: { 'x-share-password': 'plum' } });
    const { token } = (await opened.json()) as { token: string };
    const download = async (): Promise<number> => {
      const response = await app.fetch(`/api/public/dl/${hash}?token=${token}`);
      await response.text();
      return response.status;
    };
    expect(await download()).toBe(200);
    await changed(hash, { password: 'pear' });
    expect(await download()).toBe(401);
  });

  test('keeps options that are absent or null', async () => {
    const created = await share('/a.txt', { password: 'plum', expires: '1' });
    expect(await changed(created.hash, {})).toEqual(created);
    expect(await changed(created.hash, { password: null, expires: null, unit: null })).toEqual(created);
    expect(await visit(created.hash, 'plum')).toBe(200);
  });

  test('is allowed for its owner and for administrators', async () => {
    const { hash } = await share('/a.txt');
    expect((await change(hash, { password: 'x' }, bob)).status).toBe(403);
    expect(await visit(hash)).toBe(200);
    expect((await change(hash, { password: 'x' }, admin)).status).toBe(200);
    expect((await change('unknown', { password: 'x' })).status).toBe(404);
  });

  test.each([
    [{ expires: '-1' }],
    [{ expires: '1', unit: 'weeks' }],
    [{ unit: 'days' }],
    [{ Password: 'x' }],
    [{ password: 'x'.repeat(1025) }],
  ])('rejects %j and changes nothing', async (body) => {
    const created = await share('/a.txt', { password: 'plum' });
    expect((await change(created.hash, body)).status).toBe(400);
    expect(await list('/api/shares')).toEqual([created]);
  });
});

describe('deleting a share', () => {
  test('is allowed for its owner and for administrators', async () => {
    const first = await share('/a.txt');
    const second = await share('/a.txt');
    expect((await end(first.hash, bob)).status).toBe(403);
    expect(await list('/api/shares')).toHaveLength(2);
    const ended = await end(first.hash);
    expect([ended.status, await ended.text()]).toEqual([200, '200 OK\n']);
    expect((await end(second.hash, admin)).status).toBe(200);
    expect(await list('/api/shares')).toEqual([]);
    expect((await end(first.hash)).status).toBe(404);
  });

  test.each([
    ['/api/share/', 400],
    ['/api/share/%2f', 404],
    ['/api/share/../', 404],
    ['/api/share/__proto__', 404],
    ['/api/share/a.txt', 404],
    [`/api/share/${'x'.repeat(200)}`, 404],
    ['/api/share/%00', 404],
    ['/api/share/%zz', 400],
  ])('with %s returns %d and deletes nothing', async (path, status) => {
    const created = await share('/a.txt');
    const response = await app.rawRequest(
      `DELETE ${path} HTTP/1.1\r\nHost: x\r\nX-Auth: ${alice}\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(await list('/api/shares')).toEqual([created]);
  });
});
