import type { Settings } from '@filestead/contract/settings';
import type { User } from '@filestead/contract/users';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../start-app.ts';
import { userOfToken } from '../fixtures/user-of-token.ts';
import { together } from './together.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startApp({
    files: { 'a.txt': 'text' },
    users: [{ username: 'alice' }],
    config: { sessionsPerUser: '1000' },
  });
});
afterEach(async () => {
  for (const line of app.log) expect(line).not.toMatch(/"level":(?:50|60)/);
  await app.close();
});

const get = async (path: string, token: string): Promise<number> => {
  const response = await app.fetch(path, { token });
  await response.arrayBuffer();
  return response.status;
};
const renew = async (token: string): Promise<{ status: number; token: string }> => {
  const response = await app.fetch('/api/renew', { method: 'POST', token });
  const text = await response.text();
  return { status: response.status, token: response.status === 200 ? text : '' };
};
const me = async (token: string): Promise<User> =>
  (await (await app.fetch(`/api/users/${userOfToken(token).id}`, { token })).json()) as User;
const change = async (token: string, user: User, which: string, data: object): Promise<number> => {
  const json = { what: 'user', which: [which], data: { ...user, ...data } };
  const response = await app.fetch(`/api/users/${user.id}`, { method: 'PUT', token, json });
  await response.text();
  return response.status;
};

test('concurrent renewals of several tabs return one token, and none is signed out', async () => {
  let token = await app.signIn('alice');
  for (let round = 0; round < 10; round++) {
    const old = token;
    const renewed = await together(Array.from({ length: 8 }, () => () => renew(old)));
    expect(new Set(renewed.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(renewed.map((one) => one.token)).size).toBe(1);
    token = renewed[0]?.token ?? '';
    expect(await together([old, token].map((one) => () => get('/api/raw/a.txt', one)))).toEqual([200, 200]);
  }
});

test('a token that is renewed while its session ends is invalid', async () => {
  for (let round = 0; round < 12; round++) {
    const token = await app.signIn('alice');
    const spare = await app.signIn('alice');
    const ways = [
      () => app.fetch('/api/logout', { method: 'POST', token }),
      () => app.fetch('/api/sessions', { method: 'DELETE', token: spare }),
      () => app.fetch('/api/sessions?all=true', { method: 'DELETE', token }),
    ];
    const endSession = ways[round % ways.length] ?? ways[0];
    const renewed = await together<string>(
      [
        ...Array.from({ length: 4 }, () => async () => (await renew(token)).token),
        async () => {
          expect((await endSession?.())?.status).toBe(200);
          return '';
        },
        async () => {
          await get('/api/raw/a.txt', token);
          return '';
        },
      ],
      3,
    );
    for (const one of [token, ...renewed].filter((text) => text !== '')) {
      expect(await get('/api/raw/a.txt', one), `round ${round}`).toBe(401);
    }
  }
});

test('a new password ends sessions that are created or renewed with the old one at the same moment', async () => {
  const admin = await app.signIn('admin');
  let password = testPassword;
  for (let round = 0; round < 8; round++) {
    const token = await app.signIn('alice', password);
    const user = await me(token);
    const old = password;
    password = `another password ${round}`;
    const began = await together<string>(
      [
        ...Array.from({ length: 4 }, () => () => app.signIn('alice', old).catch(() => '')),
        async () => (await renew(token)).token,
        async () => {
          expect(await change(admin, user, 'password', { password })).toBe(200);
          return '';
        },
      ],
      round % 2 === 0 ? 60 : 0,
    );
    for (const one of [token, ...began].filter((text) => text !== '')) {
      expect(await get('/api/raw/a.txt', one), `round ${round}`).toBe(401);
    }
  }
});

test('a user who is deleted while signing in gets no session', async () => {
  const admin = await app.signIn('admin');
  for (let round = 0; round < 8; round++) {
    const { id } = await app.createUser({ username: 'brief' });
    const began = await together<string>(
      [
        ...Array.from({ length: 3 }, () => () => app.signIn('brief').catch(() => '')),
        async () => {
          const response = await app.fetch(`/api/users/${id}`, { method: 'DELETE', token: admin });
          expect(response.status).toBe(200);
          return '';
        },
      ],
      60,
    );
    for (const one of began.filter((text) => text !== '')) expect(await get('/api/raw/a.txt', one)).toBe(401);
  }
});

test('one of the last two administrators remains when both are removed at once', async () => {
  for (let round = 0; round < 6; round++) {
    await app.createUser({ username: 'second', perm: { admin: true } });
    const tokens = [await app.signIn('admin'), await app.signIn('second')] as const;
    const [first, second] = [await me(tokens[0]), await me(tokens[1])];
    const demote = (by: string, user: User): Promise<number> =>
      change(by, user, 'perm', { perm: { ...user.perm, admin: false } });
    const remove = async (by: string, { id }: User): Promise<number> =>
      (await app.fetch(`/api/users/${id}`, { method: 'DELETE', token: by })).status;
    await together([
      () => (round % 2 === 0 ? demote(tokens[0], second) : remove(tokens[0], second)),
      () => demote(tokens[1], first),
      () => (round % 3 === 0 ? demote(tokens[0], first) : demote(tokens[1], second)),
    ]);
    const statuses = await together(tokens.map((token) => () => get('/api/users', token)));
    expect(statuses, `round ${round}`).toContain(200);
    await app.close();
    app = await startApp({ files: { 'a.txt': 'text' }, users: [{ username: 'alice' }] });
  }
});

test('one of several sign-ups for one name succeeds, in any spelling', async () => {
  const admin = await app.signIn('admin');
  const settings = (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
  const put = { ...settings, signup: true, createUserDir: true };
  expect((await app.fetch('/api/settings', { method: 'PUT', token: admin, json: put })).status).toBe(200);
  for (let round = 0; round < 5; round++) {
    const names = [`name${round}`, `Name${round}`, `NAME${round}`, `name${round}`, `nAme${round}`];
    const statuses = await together(
      names.map((username) => async () => {
        const json = { username, password: 'a password of a visitor' };
        return (await app.fetch('/api/signup', { method: 'POST', json })).status;
      }),
    );
    expect(statuses.toSorted(), `round ${round}`).toEqual([200, 409, 409, 409, 409]);
  }
  const users = (await (await app.fetch('/api/users', { token: admin })).json()) as User[];
  expect(users).toHaveLength(2 + 5);
  expect(new Set(users.map(({ scope }) => scope)).size).toBe(6);
});

test('concurrent changes of the settings never mix', async () => {
  const admin = await app.signIn('admin');
  const settings = (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
  const version = (name: string, index: number): Settings => ({
    ...settings,
    branding: { ...settings.branding, name, color: `#00000${index}` },
    rules: Array.from({ length: 40 }, (_, rule) => ({
      regex: false,
      allow: true,
      path: `/${name}/${rule}`,
      regexp: null,
    })),
    minimumPasswordLength: 10 + index,
    shell: [name],
  });
  const versions = ['one', 'two', 'three', 'four'].map(version);
  for (let round = 0; round < 20; round++) {
    const statuses = await together(
      versions.map(
        (json) => async () =>
          (await app.fetch('/api/settings', { method: 'PUT', token: admin, json })).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 200, 200]);
    const stored = (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
    const taken = versions.find(({ branding }) => branding.name === stored.branding.name);
    expect(stored).toMatchObject({
      branding: { color: taken?.branding.color },
      minimumPasswordLength: taken?.minimumPasswordLength,
      shell: taken?.shell,
    });
    expect(stored.rules.map(({ path }) => path)).toEqual(taken?.rules.map(({ path }) => path));
  }
});
