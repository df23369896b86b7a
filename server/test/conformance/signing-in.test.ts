import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../start-app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    files: { 'a.txt': 'hello\n' },
    users: [
      { username: 'bob', scope: '/bob' },
      { username: 'eve', scope: '/eve' },
    ],
  });
  token = await app.signIn('admin');
});
afterAll(() => app.close());

const credentials = JSON.stringify({ username: 'admin', password: testPassword, recaptcha: '' });
const asJson = { 'content-type': 'application/json' };
interface Claims {
  readonly user: Record<string, unknown>;
  readonly iss: string;
  readonly iat: number;
  readonly exp: number;
}
const partOf = (text: string, index: number): unknown =>
  JSON.parse(Buffer.from(text.split('.')[index] ?? '', 'base64url').toString('utf8'));
const claimsOf = (text: string): Claims => partOf(text, 1) as Claims;

describe('login (docs/reference/filebrowser-api.md §1.2, §1.4, §9.2)', () => {
  test('returns the token as plain text', async () => {
    const response = await app.fetch('/api/login', { method: 'POST', body: credentials, headers: asJson });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await response.text()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  test('returns a token with the header and claims that clients read', () => {
    expect(partOf(token, 0)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const { user, iss, iat, exp } = claimsOf(token);
    expect(iss).toBe('File Browser');
    expect(Number.isInteger(iat) && Number.isInteger(exp)).toBe(true);
    expect(exp - iat).toBe(2 * 60 * 60);
    expect(Object.keys(user).slice(0, 9)).toEqual([
      'id',
      'locale',
      'viewMode',
      'singleClick',
      'perm',
      'commands',
      'lockPassword',
      'hideDotfiles',
      'dateFormat',
    ]);
    expect(Object.keys(user.perm as object)).toEqual([
      'admin',
      'execute',
      'create',
      'rename',
      'modify',
      'delete',
      'share',
      'download',
      'purge',
    ]);
    expect(user).not.toHaveProperty('scope');
    expect(user).not.toHaveProperty('rules');
    expect(user).not.toHaveProperty('password');
  });

  test.each([
    ['a wrong password', 'POST', JSON.stringify({ username: 'admin', password: 'x' })],
    ['an unknown name', 'POST', JSON.stringify({ username: 'nobody', password: testPassword })],
    ['another case of the password', 'POST', credentials.toUpperCase()],
    ['no names at all', 'POST', '{}'],
    ['null', 'POST', 'null'],
    ['a list', 'POST', '[]'],
    ['a number as name', 'POST', '{"username":1,"password":2}'],
    ['text that is not JSON', 'POST', 'username=admin'],
    ['half an object', 'POST', '{"username":"admin"'],
    ['an empty body', 'POST', ''],
    ['a wrong password by PUT', 'PUT', JSON.stringify({ username: 'admin', password: 'x' })],
  ])('refuses %s with 403', async (_case, method, body) => {
    const response = await app.fetch('/api/login', { method, body, headers: asJson });
    expect(response.status).toBe(403);
    expect(await response.text()).toBe('403 Forbidden\n');
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
    'refuses %s without a body with 403',
    async (method) => {
      expect((await app.fetch('/api/login', { method })).status).toBe(403);
    },
  );

  test('a missing captcha may be null', async () => {
    const json = { username: 'admin', password: testPassword, recaptcha: null };
    expect((await app.fetch('/api/login', { method: 'POST', json })).status).toBe(200);
  });

  test('ignores unknown keys, and accepts any method with a body', async () => {
    const body = JSON.stringify({ ...(JSON.parse(credentials) as object), extra: { a: 1 } });
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const response = await app.fetch('/api/login', { method, body, headers: asJson });
      expect(response.status).toBe(200);
    }
  });

  test('accepts programs without a media type, and rejects pages of other sites', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = (headers: Record<string, string>): Promise<Response> =>
      app.fetch('/api/login', { method: 'POST', body: credentials, headers });
    expect((await send(form)).status).toBe(200);
    for (const sign of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const response = await send({ ...form, ...sign });
      expect(response.status).toBe(415);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });
});

describe('the sources of the token (docs/reference/filebrowser-api.md §1.2)', () => {
  const cookie = (value: string) => ({ headers: { cookie: `other=1; auth=${value}` } });

  test('are header, query and cookie', async () => {
    expect((await app.fetch('/api/raw/a.txt', { token })).status).toBe(200);
    expect((await app.fetch(`/api/raw/a.txt?auth=${token}`)).status).toBe(200);
    expect((await app.fetch('/api/raw/a.txt', cookie(token))).status).toBe(200);
    expect((await app.fetch('/api/raw/a.txt')).status).toBe(401);
  });

  test.each(['null', 'undefined', '', 'a.b', 'a.b.c.d', 'Bearer x'])(
    'a header "%s" falls through to the next source',
    async (junk) => {
      const headers = { 'x-auth': junk, cookie: `auth=${token}` };
      expect((await app.fetch('/api/raw/a.txt', { headers })).status).toBe(200);
      expect((await app.fetch(`/api/raw/a.txt?auth=${token}`, { headers: { 'x-auth': junk } })).status).toBe(
        200,
      );
    },
  );

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a cookie alone does not authenticate %s', async (method) => {
    const response = await app.fetch('/api/resources/a.txt', { method, ...cookie(token) });
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('401 Unauthorized\n');
  });

  test.each([
    '/api/resources/',
    '/api/usage/',
    '/api/search/?query=a',
    '/api/users',
    '/api/settings',
    '/api/shares',
  ])('GET %s needs a token', async (path) => {
    expect((await app.fetch(path)).status).toBe(401);
    expect((await app.fetch(path, { token: 'a.b.c' })).status).toBe(401);
  });

  test('modified tokens are refused with 401', async () => {
    const [head = '', body = '', signature = ''] = token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const hs512 = Buffer.from('{"alg":"HS512","typ":"JWT"}').toString('base64url');
    const forged = createHmac('sha256', '').update(`${head}.${body}`).digest('base64url');
    for (const bad of [
      `${head}.${body}.`,
      `${head}.${body}.${forged}`,
      `${none}.${body}.${signature}`,
      `${none}.${body}.x`,
      `${hs512}.${body}.${signature}`,
      `${head}.${Buffer.from('{"user":{"id":1}}').toString('base64url')}.${signature}`,
    ]) {
      expect((await app.fetch('/api/resources/', { token: bad })).status).toBe(401);
    }
  });
});

describe('renew (docs/reference/filebrowser-api.md §1.2, §1.4)', () => {
  test.each(['POST', 'GET', 'PUT', 'PATCH', 'DELETE'])(
    '%s with the token in the header returns a new token',
    async (method) => {
      const mine = await app.signIn('eve');
      const response = await app.fetch('/api/renew', { method, token: mine });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(response.headers.get('x-renew-token')).not.toBe('true');
      const fresh = await response.text();
      expect(claimsOf(fresh).user.id).toBe(claimsOf(mine).user.id);
      expect((await app.fetch('/api/resources/', { token: fresh })).status).toBe(200);
      expect((await app.fetch('/api/resources/', { token: mine })).status).toBe(200);
    },
  );

  test.each(['POST', 'GET'])(
    'refuses %s without a token, or with the cookie or the query, with 401',
    async (method) => {
      expect((await app.fetch('/api/renew', { method })).status).toBe(401);
      expect((await app.fetch(`/api/renew?auth=${token}`, { method })).status).toBe(401);
      const headers = { cookie: `auth=${token}; filestead_session=${token}` };
      const response = await app.fetch('/api/renew', { method, headers });
      expect(response.status).toBe(401);
      expect(response.headers.getSetCookie()).toEqual([]);
    },
  );

  test('a change of the user requests a new token until it is renewed', async () => {
    const bob = await app.signIn('bob');
    const { id } = claimsOf(bob).user;
    const renewHint = async (mine: string): Promise<string | null> =>
      (await app.fetch('/api/resources/', { token: mine })).headers.get('x-renew-token');
    expect(await renewHint(bob)).toBeNull();
    const change = { what: 'user', which: ['locale'], data: { id, locale: 'de' } };
    expect((await app.fetch(`/api/users/${id}`, { method: 'PUT', token, json: change })).status).toBe(200);
    expect(await renewHint(bob)).toBe('true');
    expect(await renewHint(bob)).toBe('true');
    const fresh = await (await app.fetch('/api/renew', { method: 'POST', token: bob })).text();
    expect(await renewHint(fresh)).toBeNull();
    expect(claimsOf(fresh).user.locale).toBe('de');
  });

  test('a revoked permission is lost at once', async () => {
    const bob = await app.signIn('bob');
    const { id, perm } = claimsOf(bob).user as { id: number; perm: object };
    const set = async (download: boolean): Promise<void> => {
      const data = { id, perm: { ...perm, download } };
      const json = { what: 'user', which: ['Perm'], data };
      expect((await app.fetch(`/api/users/${id}`, { method: 'PUT', token, json })).status).toBe(200);
    };
    await set(false);
    expect((await app.fetch('/api/raw/', { token: bob })).status).toBe(403);
    await set(true);
    expect((await app.fetch('/api/raw/', { token: bob })).status).toBe(200);
  });

  test('the token of a deleted user is refused with 401', async () => {
    const { id } = await app.createUser({ username: 'gone' });
    const gone = await app.signIn('gone');
    expect((await app.fetch(`/api/users/${id}`, { method: 'DELETE', token })).status).toBe(200);
    expect((await app.fetch('/api/resources/', { token: gone })).status).toBe(401);
    expect((await app.fetch('/api/renew', { method: 'POST', token: gone })).status).toBe(401);
  });
});

describe('sign-up (docs/reference/filebrowser-api.md §1.4)', () => {
  test.each(['POST', 'GET', 'PUT', 'PATCH', 'DELETE'])(
    'is 405 for %s when it is disabled',
    async (method) => {
      expect((await app.fetch('/api/signup', { method })).status).toBe(405);
    },
  );

  test('answers 400 without a name, 409 for an existing one, and 200 for a new user, who can sign in', async () => {
    const current = (await (await app.fetch('/api/settings', { token })).json()) as object;
    const put = (signup: boolean): Promise<Response> =>
      app.fetch('/api/settings', { method: 'PUT', token, json: { ...current, signup } });
    expect((await put(true)).status).toBe(200);
    const send = (json: unknown): Promise<Response> => app.fetch('/api/signup', { method: 'POST', json });
    const password = 'quite a long password';
    for (const json of [
      null,
      {},
      { username: 'x' },
      { password },
      { username: '', password },
      { username: 'x', password: '' },
    ]) {
      expect((await send(json)).status).toBe(400);
    }
    expect((await app.fetch('/api/signup', { method: 'POST' })).status).toBe(400);
    expect((await app.fetch('/api/signup', { method: 'GET' })).status).toBe(400);
    expect((await app.fetch('/api/signup', { method: 'POST', body: '{', headers: asJson })).status).toBe(400);
    const made = await send({ username: 'carol', password });
    expect([made.status, await made.text()]).toEqual([200, '200 OK\n']);
    expect((await send({ username: 'carol', password })).status).toBe(409);
    expect(claimsOf(await app.signIn('carol', password)).user.perm).toMatchObject({
      admin: false,
      execute: false,
    });
    expect((await put(false)).status).toBe(200);
  });
});

test('without a login page, login accepts any body and all other endpoints need the token', async () => {
  const open = await startApp({ config: { 'auth.method': 'noauth' } });
  try {
    expect((await open.fetch('/api/resources/')).status).toBe(401);
    for (const method of ['POST', 'GET', 'PUT']) {
      const response = await open.fetch('/api/login', { method });
      expect(response.status).toBe(200);
      const own = await response.text();
      expect(claimsOf(own).user.id).toBe(1);
      expect((await open.fetch('/api/resources/', { token: own })).status).toBe(200);
    }
    const junk = await open.fetch('/api/login', { method: 'POST', body: '{"username":"","password":""}' });
    expect(junk.status).toBe(200);
  } finally {
    await open.close();
  }
});
