import { hash as bcryptHash } from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ files: { 'a.txt': 'hello' }, users: [{ username: 'alice', commands: ['git'] }] });
});
afterAll(() => app.close());

const login = (json: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  app.fetch('/api/login', { method: 'POST', json, headers });
const statusOf = async (path: string, headers: Record<string, string>, method = 'GET'): Promise<number> => {
  const response = await app.fetch(path, { method, headers });
  await response.arrayBuffer();
  return response.status;
};
const cookieOf = (response: Response): string =>
  /filestead_session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';

describe('login', () => {
  test('responds with the token as text, with the claims that clients read, and sets the cookie', async () => {
    const response = await login({ username: 'ALICE', password: testPassword, recaptcha: '', more: 1 });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('set-cookie')).toMatch(
      /^filestead_session=[\w-]{43}; Path=\/; Max-Age=7(?:199|200); HttpOnly; SameSite=Strict$/,
    );
    const [header = '', payload = ''] = (await response.text()).split('.');
    const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(decode(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const claims = decode(payload) as {
      user: Record<string, unknown>;
      iss: string;
      iat: number;
      exp: number;
    };
    expect(claims.iss).toBe('File Browser');
    expect(claims.exp - claims.iat).toBe(7200);
    expect(Object.keys(claims.user).slice(0, 9)).toEqual([
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
    expect(JSON.stringify(claims)).not.toMatch(/argon2|scope|"password"/);
  });

  test.each([
    [{ username: 'alice', password: 'wrong' }, 403],
    [{ username: 'nobody', password: testPassword }, 403],
    [{ username: 'alice' }, 403],
    [{}, 403],
    [{ username: { $gt: '' }, password: { $ne: null } }, 403],
    [{ username: ['alice'], password: testPassword }, 403],
    [{ username: 1, password: true }, 403],
    [null, 403],
    [[], 403],
    [{ username: 'alice', password: 'x'.repeat(2_000) }, 403],
    [{ username: 'admin', password: 'admin' }, 403],
  ])('refuses %j with %d', async (body, status) => {
    const response = await login(body);
    expect(response.status).toBe(status);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  test('logs a failure with the address and without a secret', async () => {
    const before = app.log.length;
    await login({ username: 'alice', password: 'my secret guess' });
    const lines = app.log.slice(before).filter((line) => line.includes('/api/login'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"msg":"/api/login: 403 127.0.0.1"');
    expect(app.log.join('')).not.toContain('my secret guess');
  });

  test('does not adopt a cookie or token chosen by the client', async () => {
    const response = await login(
      { username: 'alice', password: testPassword },
      { cookie: 'filestead_session=chosen', 'x-auth': 'a.b.c' },
    );
    expect(cookieOf(response)).not.toBe('chosen');
    expect(await statusOf('/api/raw/a.txt', { cookie: 'filestead_session=chosen' })).toBe(401);
  });
});

describe('credentials of a session', () => {
  test('are accepted in the header for every method, elsewhere for reading file bytes only', async () => {
    const response = await login({ username: 'alice', password: testPassword });
    const token = await response.text();
    const cookies = [`filestead_session=${cookieOf(response)}`, `auth=${token}`, `x=1; auth=${token}; y=2`];
    expect(await statusOf('/api/resources/', { 'x-auth': token })).toBe(200);
    for (const cookie of cookies) {
      expect(await statusOf('/api/raw/a.txt', { cookie })).toBe(200);
      expect(await statusOf('/api/raw/a.txt', { cookie }, 'HEAD')).toBe(200);
      expect(await statusOf('/api/resources/', { cookie })).toBe(401);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        expect(await statusOf('/api/resources/b.txt?action=copy&destination=/c', { cookie }, method)).toBe(
          401,
        );
      }
      expect(await statusOf('/api/renew', { cookie }, 'POST')).toBe(401);
      expect(await statusOf('/api/users/1', { cookie }, 'DELETE')).toBe(401);
    }
    expect(await statusOf(`/api/raw/a.txt?auth=${token}`, {})).toBe(200);
    expect(await statusOf(`/api/resources/?auth=${token}`, {})).toBe(401);
    expect(await statusOf(`/api/renew?auth=${token}`, {}, 'POST')).toBe(401);
    expect(app.log.join('')).not.toContain(token);
  });

  test.each(['a.b', 'a.b.c', 'a.b.c.d', '...', 'x'.repeat(20_000), 'e30.W10.x', 'a.b.c, a.b.c', ' '])(
    'with the invalid token %j are refused',
    async (token) => {
      expect(await statusOf('/api/resources/', { 'x-auth': token })).toBe(401);
    },
  );

  test('are not accepted in the query parameter if that is disabled', async () => {
    const other = await startApp({ files: { 'a.txt': 'a' }, config: { tokenInQuery: 'off' } });
    try {
      const token = await other.signIn('admin');
      expect((await other.fetch(`/api/raw/a.txt?auth=${token}`)).status).toBe(401);
      expect((await other.fetch('/api/raw/a.txt', { token })).status).toBe(200);
    } finally {
      await other.close();
    }
  });
});

describe('the end of a session', () => {
  test('by logout invalidates token and cookie at once and removes the cookie', async () => {
    const response = await login({ username: 'alice', password: testPassword });
    const token = await response.text();
    const other = await app.signIn('alice');
    const out = await app.fetch('/api/logout', { method: 'POST', token });
    expect([out.status, await out.text()]).toEqual([200, '200 OK\n']);
    expect(out.headers.get('set-cookie')).toMatch(/^filestead_session=; Path=\/; Max-Age=0;/);
    expect(await statusOf('/api/resources/', { 'x-auth': token })).toBe(401);
    expect(await statusOf('/api/raw/a.txt', { cookie: `auth=${token}` })).toBe(401);
    expect(await statusOf('/api/raw/a.txt', { cookie: `filestead_session=${cookieOf(response)}` })).toBe(401);
    expect(await statusOf('/api/logout', { 'x-auth': token }, 'POST')).toBe(401);
    expect(await statusOf('/api/resources/', { 'x-auth': other })).toBe(200);
  });

  test('follows the deletion of its user, and a new user of the same name is a different user', async () => {
    const { id } = await app.createUser({ username: 'twice' });
    const token = await app.signIn('twice');
    const admin = await app.signIn('admin');
    expect((await app.fetch(`/api/users/${id}`, { method: 'DELETE', token: admin })).status).toBe(200);
    await app.createUser({ username: 'twice' });
    for (const [path, method] of [
      ['/api/resources/', 'GET'],
      ['/api/resources/x', 'PUT'],
      ['/api/renew', 'POST'],
    ] as const) {
      expect(await statusOf(path, { 'x-auth': token }, method)).toBe(401);
    }
  });

  test('by a new password affects the other sessions of the user, not the one that changed it', async () => {
    const { id } = await app.createUser({ username: 'changing' });
    const [mine, other] = [await app.signIn('changing'), await app.signIn('changing')];
    const change = (token: string, password: string): Promise<Response> =>
      app.fetch(`/api/users/${id}`, {
        method: 'PUT',
        token,
        json: { what: 'user', which: ['password'], data: { id, password } },
      });
    expect((await change(mine, 'another good one')).status).toBe(200);
    expect(await statusOf('/api/resources/', { 'x-auth': mine })).toBe(200);
    expect(await statusOf('/api/resources/', { 'x-auth': other })).toBe(401);
    expect((await change(await app.signIn('admin'), 'yet another one')).status).toBe(200);
    expect(await statusOf('/api/resources/', { 'x-auth': mine })).toBe(401);
  });
});

describe('renew', () => {
  test('returns a new token and cookie; the old token remains valid during the overlap', async () => {
    const token = await app.signIn('alice');
    const response = await app.fetch('/api/renew', { method: 'POST', token });
    expect(response.status).toBe(200);
    const renewed = await response.text();
    expect(renewed).not.toBe(token);
    expect(cookieOf(response)).toMatch(/^[\w-]{43}$/);
    expect(await statusOf('/api/resources/', { 'x-auth': renewed })).toBe(200);
    expect(await statusOf('/api/resources/', { 'x-auth': token })).toBe(200);
    expect(await (await app.fetch('/api/renew', { method: 'POST', token })).text()).toBe(renewed);
  });

  test('is requested after a change of the user, until the token is renewed', async () => {
    const { id } = await app.createUser({ username: 'hinted' });
    const token = await app.signIn('hinted');
    const hint = async (value: string, path = '/api/resources/', method = 'GET'): Promise<string | null> =>
      (await app.fetch(path, { token: value, method })).headers.get('x-renew-token');
    expect(await hint(token)).toBeNull();
    const changed = await app.fetch(`/api/users/${id}`, {
      method: 'PUT',
      token: await app.signIn('admin'),
      json: { what: 'user', which: ['perm'], data: { id, perm: { download: true } } },
    });
    expect(changed.status).toBe(200);
    expect(await hint(token)).toBe('true');
    const response = await app.fetch('/api/renew', { method: 'POST', token });
    expect(response.headers.get('x-renew-token')).toBe('false');
    expect(await hint(await response.text())).toBeNull();
    expect(await hint(token, '/api/logout', 'POST')).toBeNull();
  });
});

describe('guessing', () => {
  test('is limited by name and address, reports the waiting time, and ignores forwarding headers', async () => {
    const strict = await startApp({
      users: [{ username: 'alice' }],
      config: { loginAttemptsPerName: '5', loginAttemptsPerAddress: '12' },
    });
    try {
      const guess = (username: string, turn: number): Promise<Response> =>
        strict.fetch('/api/login', {
          method: 'POST',
          json: { username, password: 'wrong' },
          headers: {
            'x-forwarded-for': `203.0.113.${turn}`,
            'x-real-ip': `203.0.113.${turn}`,
            forwarded: `for=203.0.113.${turn}`,
          },
        });
      const guesses = await Promise.all(Array.from({ length: 20 }, (_, turn) => guess('alice', turn)));
      const statuses = guesses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 403)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(15);
      const refused = guesses.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(200);
      for (let turn = 0; turn < 7; turn += 1) {
        expect((await guess(`nobody ${turn}`, turn)).status).toBe(403);
      }
      expect((await guess('somebody', 1)).status).toBe(429);
    } finally {
      await strict.close();
    }
  });

  test('is counted by the right-most untrusted hop behind a trusted proxy', async () => {
    const proxied = await startApp({
      config: { trustedProxies: '127.0.0.1', loginAttemptsPerAddress: '2' },
    });
    try {
      const guess = async (forwarded: string, turn: number): Promise<number> => {
        const response = await proxied.fetch('/api/login', {
          method: 'POST',
          json: { username: `nobody ${turn}`, password: 'wrong' },
          headers: { 'x-forwarded-for': forwarded },
        });
        return response.status;
      };
      expect(await guess('198.51.100.1, 203.0.113.9', 1)).toBe(403);
      expect(await guess('198.51.100.2, 203.0.113.9', 2)).toBe(403);
      expect(await guess('198.51.100.3, 203.0.113.9', 3)).toBe(429);
      expect(await guess('203.0.113.10', 4)).toBe(403);
    } finally {
      await proxied.close();
    }
  });
});

describe('imported users', () => {
  test('sign in with their bcrypt hash, which is replaced at once by one of the whole password', async () => {
    const long = 'x'.repeat(72);
    const passwordHash = await bcryptHash(`${long} and more`, 4);
    const imported = await startApp({ users: [{ username: 'old', passwordHash }] });
    try {
      const signIn = async (username: string, password: string): Promise<number> =>
        (await imported.fetch('/api/login', { method: 'POST', json: { username, password } })).status;
      expect(await signIn('old', 'x'.repeat(71))).toBe(403);
      expect(await signIn('nobody', `${long} and more`)).toBe(403);
      expect(await signIn('admin', `${long} and more`)).toBe(403);
      expect(await signIn('admin', testPassword)).toBe(200);
      expect(await signIn('old', `${long} and more`)).toBe(200);
      expect(await signIn('old', `${long} and less`)).toBe(403);
      expect(await signIn('old', `${long} and more`)).toBe(200);
    } finally {
      await imported.close();
    }
  });
});

test('the use of a session is stored at most once a minute', async () => {
  const token = await app.signIn('alice');
  const read = async (): Promise<unknown> => (await app.fetch('/api/sessions', { token })).json();
  const before = await read();
  await app.fetch('/api/resources/', { token });
  expect(await read()).toEqual(before);
});
