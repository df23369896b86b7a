import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { User } from '@filestead/contract/users';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';
import { userOfToken } from '../../test/fixtures/user-of-token.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

let number = 0;
const newName = (): string => `user-${(number += 1)}`;

const create = (data: unknown, token = admin, more: object = {}): Promise<Response> =>
  app.fetch('/api/users', { method: 'POST', token, json: { what: 'user', which: [], data, ...more } });
const change = (
  id: number,
  which: unknown[] | null,
  data: object,
  token = admin,
  more: object = {},
): Promise<Response> =>
  app.fetch(`/api/users/${id}`, {
    method: 'PUT',
    token,
    json: { what: 'user', which, data: { id, ...data }, ...more },
  });
const read = async (id: number, token = admin): Promise<User> =>
  (await (await app.fetch(`/api/users/${id}`, { token })).json()) as User;
const statusAndText = async (response: Response): Promise<[number, string]> => [
  response.status,
  await response.text(),
];

describe('creating a user', () => {
  test('returns 201 with a location, fills in plain defaults and creates the scope’s folder', async () => {
    const username = newName();
    const response = await create({ id: 0, username, password: testPassword, scope: 'homes/./new/' });
    expect(await statusAndText(response)).toEqual([201, '201 Created\n']);
    const location = response.headers.get('location') ?? '';
    expect(location).toMatch(/^\/settings\/users\/\d+$/);
    const user = await read(Number(location.split('/').at(-1)));
    expect(Object.keys(user)).toEqual([
      'id',
      'username',
      'password',
      'scope',
      'locale',
      'lockPassword',
      'viewMode',
      'singleClick',
      'redirectAfterCopyMove',
      'perm',
      'commands',
      'sorting',
      'rules',
      'hideDotfiles',
      'dateFormat',
      'aceEditorTheme',
      'autoplay',
      'startOn',
      'lastSignIn',
      'awaitsScope',
    ]);
    expect(user).toMatchObject({
      username,
      password: '',
      scope: '/homes/new',
      viewMode: 'list',
      sorting: { by: 'name', asc: false },
      commands: [],
      rules: [],
    });
    expect(Object.values(user.perm)).toEqual(Array.from({ length: 9 }, () => false));
    expect((await stat(join(app.root, 'homes/new'))).isDirectory()).toBe(true);
    expect((await app.fetch('/api/resources/', { token: await app.signIn(username) })).status).toBe(200);
  });

  test.each([
    [{ password: testPassword }, 400],
    [{ username: '', password: testPassword }, 400],
    [{ username: '   ', password: testPassword }, 400],
    [{ username: ' padded', password: testPassword }, 400],
    [{ username: 'line\nbreak', password: testPassword }, 400],
    [{ username: 'hidden\u202Eeman', password: testPassword }, 400],
    [{ username: 'x'.repeat(10_000), password: testPassword }, 400],
    [{ username: 'bad' }, 400],
    [{ username: 'bad', password: '' }, 400],
    [{ username: 'bad', password: 'short' }, 400],
    [{ username: 'bad', password: 'password' }, 400],
    [{ username: 'bad', password: testPassword, id: 1 }, 400],
    [{ username: 'bad', password: testPassword, scope: '../x' }, 400],
    [{ username: 'bad', password: testPassword, scope: 'a\0b' }, 400],
    [{ username: 'bad', password: testPassword, locale: 'xx<script>' }, 400],
    [{ username: 'bad', password: testPassword, viewMode: 'x' }, 400],
    [{ username: 'bad', password: testPassword, sorting: { by: '__proto__', asc: false } }, 400],
    [{ username: 'bad', password: testPassword, sorting: { by: 'name', asc: 'false' } }, 400],
    [{ username: 'bad', password: testPassword, perm: { admin: 'true' } }, 400],
    [{ username: 'bad', password: testPassword, commands: [['git']] }, 400],
    [{ username: 'bad', password: testPassword, rules: Array.from({ length: 10_000 }, () => ({})) }, 400],
    [{ username: 'bad', password: testPassword, rules: [{ regex: true, regexp: { raw: '(' } }] }, 400],
    [{ username: 'ADMIN', password: testPassword }, 409],
    ['a text', 400],
  ])('refuses %.80j with %d and leaves nothing', async (data, status) => {
    const before = await (await app.fetch('/api/users', { token: admin })).text();
    expect((await create(data)).status).toBe(status);
    expect(await (await app.fetch('/api/users', { token: admin })).text()).toBe(before);
  });

  test('refuses an envelope of another kind, or with fields named', async () => {
    const data = { username: newName(), password: testPassword };
    expect((await create(data, admin, { what: 'rule' })).status).toBe(400);
    expect((await create(data, admin, { which: ['username'] })).status).toBe(400);
  });

  test('succeeds once for twenty concurrent requests with one name', async () => {
    const username = newName();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => create({ username, password: testPassword })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  test('derives a folder of its own from an empty scope if home folders are enabled', async () => {
    const other = await startApp({ settings: { createUserDir: true } });
    try {
      const token = await other.signIn('admin');
      const make = (username: string, scope = ''): Promise<Response> =>
        other.fetch('/api/users', {
          method: 'POST',
          token,
          json: { what: 'user', which: [], data: { username, password: testPassword, scope } },
        });
      const scopes = async (): Promise<string[]> =>
        ((await (await other.fetch('/api/users', { token })).json()) as User[]).map(({ scope }) => scope);
      expect((await make('joe ../x')).status).toBe(201);
      expect(await scopes()).toEqual(['/', '/users/joe-x']);
      expect((await make('joe--x')).status).toBe(409);
      expect((await make('JOE x')).status).toBe(409);
      expect((await make('...')).status).toBe(400);
      expect((await make('é')).status).toBe(400);
      expect((await make('é', '/é')).status).toBe(201);
      expect(await scopes()).toEqual(['/', '/users/joe-x', '/é']);
    } finally {
      await other.close();
    }
  });
});

describe('changing a user', () => {
  let id: number;
  let username: string;
  let token: string;
  beforeEach(async () => {
    username = newName();
    ({ id } = await app.createUser({ username, scope: `/${username}` }));
    token = await app.signIn(username);
  });

  test('affects only the named fields, whatever else is sent', async () => {
    const before = await read(id);
    const data = { locale: 'de', perm: { admin: true }, password: 'x', scope: '/', lockPassword: true };
    expect((await change(id, ['Locale'], data, token)).status).toBe(200);
    expect(await read(id)).toEqual({ ...before, locale: 'de' });
    await app.signIn(username);
  });

  test('allows users their own display settings, administrators the rest', async () => {
    const own = {
      locale: 'uk',
      viewMode: 'mosaic gallery',
      singleClick: true,
      hideDotfiles: true,
      dateFormat: true,
    };
    const display = { ...own, sorting: { by: 'size', asc: true } };
    expect((await change(id, Object.keys(display), display, token)).status).toBe(200);
    expect(await read(id)).toMatchObject({ ...display, locale: 'ua' });
    const rest = {
      username: `${username}-renamed`,
      scope: '/elsewhere',
      lockPassword: true,
      perm: { download: true },
      commands: ['git'],
      rules: [{ path: '/x' }],
    };
    for (const [field, value] of Object.entries(rest)) {
      expect((await change(id, [field], { [field]: value }, token)).status).toBe(403);
      expect((await change(id, ['locale', field], { locale: '', [field]: value }, token)).status).toBe(403);
      expect((await change(id, [field], { [field]: value })).status).toBe(200);
    }
    expect(await read(id)).toMatchObject({ ...rest, rules: [{ path: '/x', allow: false }] });
  });

  test('is refused to other users, who cannot read others or change a whole record', async () => {
    expect((await app.fetch('/api/users/1', { token })).status).toBe(403);
    expect((await change(1, ['locale'], { locale: 'de' }, token)).status).toBe(403);
    expect((await app.fetch('/api/users/1', { method: 'DELETE', token })).status).toBe(403);
    expect((await app.fetch('/api/users', { token })).status).toBe(403);
    expect((await create({ username: newName(), password: testPassword }, token)).status).toBe(403);
    expect((await change(id, [], {}, token)).status).toBe(403);
    expect((await change(id, ['all'], {}, token)).status).toBe(403);
    expect((await app.fetch(`/api/users/${id}`, { token })).status).toBe(200);
    expect((await read(id, token)).scope).toBe('');
    expect((await read(id)).scope).toBe(`/${username}`);
  });

  test('resets absent fields of a whole record, but keeps the password if it is empty', async () => {
    await change(id, ['commands', 'hideDotfiles'], { commands: ['git'], hideDotfiles: true });
    expect((await change(id, ['all'], { username, password: '', scope: `/${username}` })).status).toBe(200);
    expect(await read(id)).toMatchObject({
      username,
      commands: [],
      hideDotfiles: false,
      perm: { create: false },
    });
    await app.signIn(username);
  });

  test.each([
    [['__proto__'], {}],
    [['constructor'], {}],
    [['toString'], {}],
    [['id'], {}],
    [['locale', 'nonsense'], { locale: 'de' }],
    [['locale'], {}],
    [['all', 'locale'], { locale: 'de' }],
    [['viewMode'], { viewMode: 'grid' }],
    [['username'], { username: '' }],
    [['scope'], { scope: '/../..' }],
    [['locale'], { id: 1, locale: 'de' }],
    [['locale'], { id: undefined, locale: 'de' }],
    [['aceEditorTheme'], { aceEditorTheme: 'x<script>' }],
    [['startOn'], { startOn: 'elsewhere' }],
    [['startOn'], { startOn: '' }],
    [['singleClick'], { singleClick: 'true' }],
    [['commands'], { commands: 'git' }],
    [[1], { locale: 'de' }],
  ])('refuses %j with %j as a bad request and changes nothing', async (which, data) => {
    const before = await read(id);
    expect((await change(id, which, data)).status).toBe(400);
    expect(await read(id)).toEqual(before);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  test('refuses a taken name, but not the same name in another case', async () => {
    expect((await change(id, ['username'], { username: 'Admin' })).status).toBe(409);
    expect((await change(id, ['username'], { username: username.toUpperCase() })).status).toBe(200);
  });

  test('does not change a locked password for its user', async () => {
    await change(id, ['lockPassword'], { lockPassword: true });
    const password = 'a new one for me';
    const own = await change(id, ['password'], { password }, token);
    expect(own.status).toBe(403);
    expect((await change(id, ['lockPassword'], { lockPassword: false }, token)).status).toBe(403);
    await app.signIn(username);
    expect((await change(id, ['password'], { password })).status).toBe(200);
    await app.signIn(username, password);
  });

  test('applies the password policy; an empty password changes nothing', async () => {
    for (const password of ['short', 'password', username, '1'.repeat(12)]) {
      const response = await change(id, ['password'], { password }, token);
      expect(response.status, password).toBe(400);
    }
    expect((await change(id, ['password'], { password: '' }, token)).status).toBe(200);
    await app.signIn(username);
    const long = ` ${'long '.repeat(39)}`;
    expect((await change(id, ['password'], { password: long }, token)).status).toBe(200);
    await app.signIn(username, long);
    await expect(app.signIn(username, long.trim())).rejects.toThrow('403');
  });

  test('verifies the current password if it is sent', async () => {
    const data = { password: 'the next password' };
    const wrong = await change(id, ['password'], data, token, { current_password: 'wrong' });
    expect(await statusAndText(wrong)).toEqual([400, '400 Bad Request (the current password is wrong)\n']);
    await app.signIn(username);
    const right = await change(id, ['password'], data, token, { current_password: testPassword });
    expect(right.status).toBe(200);
    const remove = await app.fetch(`/api/users/${id}`, {
      method: 'DELETE',
      token,
      json: { current_password: 'wrong' },
    });
    expect(remove.status).toBe(400);
  });

  test('revokes a permission from the next request', async () => {
    const upload = (): Promise<Response> => app.fetch('/api/resources/n/', { method: 'POST', token });
    expect((await upload()).status).toBe(200);
    await change(id, ['perm'], { perm: { download: true } });
    expect((await upload()).status).toBe(403);
    await change(id, ['perm'], { perm: { create: true } });
    expect((await upload()).status).toBe(200);
  });
});

describe('requests of existing clients', () => {
  test('keep the permission “purge”, which they do not know, and grant it to new users with “delete”', async () => {
    const eight = { create: true, rename: true, modify: true, share: false, download: true };
    const created = async (perm: Record<string, boolean>): Promise<User> => {
      const response = await create({ username: newName(), password: testPassword, scope: '/', perm });
      expect(response.status).toBe(201);
      return read(Number(response.headers.get('location')?.split('/').at(-1)));
    };
    const deleter = await created({ ...eight, delete: true });
    expect(deleter.perm.purge).toBe(true);
    expect((await created({ ...eight, delete: false })).perm.purge).toBe(false);
    const put = (perm: Record<string, boolean>): Promise<Response> => change(deleter.id, ['perm'], { perm });
    const purges = async (): Promise<boolean> => (await read(deleter.id)).perm.purge;
    expect((await put({ ...eight, delete: true, purge: false })).status).toBe(200);
    expect((await put({ ...eight, delete: true })).status).toBe(200);
    expect(await purges()).toBe(false);
    expect((await put({ ...eight, delete: true, purge: true })).status).toBe(200);
    expect((await put({ ...eight, delete: true })).status).toBe(200);
    expect(await purges()).toBe(true);
  });

  test('may have null lists, empty choices that get plain values, and a null `which` for all', async () => {
    const username = newName();
    const sent = {
      username,
      password: testPassword,
      commands: null,
      rules: null,
      viewMode: '',
      sorting: { by: '' },
    };
    const created = await create(sent, admin, { which: null });
    const id = Number(created.headers.get('location')?.split('/').at(-1));
    expect(created.status).toBe(201);
    const plain = { commands: [], rules: [], viewMode: 'list', sorting: { by: 'name', asc: false } };
    expect(await read(id)).toMatchObject(plain);
    const whole = {
      ...sent,
      password: '',
      scope: '/',
      redirectAfterCopyMove: true,
      aceEditorTheme: 'ayu-dark',
    };
    expect((await change(id, null, whole)).status).toBe(200);
    expect(await read(id)).toMatchObject({
      ...plain,
      redirectAfterCopyMove: true,
      aceEditorTheme: 'ayu-dark',
    });
    await app.signIn(username);
  });

  test('may set newer fields of their user', async () => {
    const username = newName();
    const { id } = await app.createUser({ username });
    const token = await app.signIn(username);
    const data = { redirectAfterCopyMove: true, aceEditorTheme: 'chaos' };
    expect((await change(id, ['RedirectAfterCopyMove', 'aceEditorTheme'], data, token)).status).toBe(200);
    expect(await read(id)).toMatchObject(data);
    expect(userOfToken(await app.signIn(username))).toMatchObject({ username, ...data });
  });

  test.each(['0', '-1', '01', '1e0', '0x1', '1%20', '99999999999999999999', 'NaN', '%31x', '1%2F1'])(
    'with the id %s find no user',
    async (id) => {
      for (const method of ['GET', 'DELETE']) {
        const response = await app.fetch(`/api/users/${id}`, { method, token: admin });
        expect(response.status).toBe(404);
      }
      expect((await app.fetch('/api/users/1', { token: admin })).status).toBe(200);
    },
  );

  test('never see an id reused', async () => {
    const first = await app.createUser({ username: newName() });
    expect((await app.fetch(`/api/users/${first.id}`, { method: 'DELETE', token: admin })).status).toBe(200);
    const response = await create({ username: newName(), password: testPassword });
    expect(Number(response.headers.get('location')?.split('/').at(-1))).toBeGreaterThan(first.id);
  });
});

describe('deleting a user', () => {
  test('is allowed for oneself, but not for a missing user or the last administrator', async () => {
    const username = newName();
    const { id } = await app.createUser({ username });
    expect((await app.fetch('/api/users/424242', { method: 'DELETE', token: admin })).status).toBe(404);
    expect((await app.fetch('/api/users/1', { method: 'DELETE', token: admin })).status).toBe(403);
    const perm = { ...(await read(1)).perm, admin: false };
    expect((await change(1, ['perm'], { perm })).status).toBe(403);
    const own = await app.fetch(`/api/users/${id}`, { method: 'DELETE', token: await app.signIn(username) });
    expect(await statusAndText(own)).toEqual([200, '200 OK\n']);
    expect((await app.fetch(`/api/users/${id}`, { token: admin })).status).toBe(404);
    expect((await change(id, ['locale'], { locale: 'de' })).status).toBe(404);
  });
});

describe('the time of the last sign-in', () => {
  test('is visible to administrators, survives the session, and is not a change of the user', async () => {
    const username = newName();
    const before = Date.now();
    const location = (await create({ username, password: testPassword, scope: '/' })).headers.get('location');
    const id = Number(location?.split('/').at(-1));
    const lastSignIn = async (token = admin): Promise<unknown> =>
      ((await (await app.fetch(`/api/users/${id}`, { token })).json()) as { lastSignIn?: unknown })
        .lastSignIn;
    expect(await lastSignIn()).toBeNull();

    const token = await app.signIn(username);
    const noted = await lastSignIn();
    expect(noted).toBeGreaterThanOrEqual(before);
    expect(noted).toBeLessThanOrEqual(Date.now());
    const listed = (await (await app.fetch('/api/users', { token: admin })).json()) as { id: number }[];
    expect(listed.find((user) => user.id === id)).toMatchObject({ lastSignIn: noted });
    const own = await app.fetch(`/api/users/${id}`, { token });
    expect(own.headers.get('x-renew-token')).toBeNull();
    expect(await own.json()).not.toHaveProperty('lastSignIn');

    await change(id, ['singleClick'], { singleClick: true, lastSignIn: 1 });
    expect(await lastSignIn()).toBe(noted);
    await app.fetch('/api/logout', { method: 'POST', token });
    expect(await lastSignIn()).toBe(noted);
  });
});

test('no response contains a password or its hash', async () => {
  const all = await (await app.fetch('/api/users', { token: admin })).text();
  expect(all).not.toContain('argon2');
  expect((JSON.parse(all) as User[]).every(({ password }) => password === '')).toBe(true);
  const ids = (JSON.parse(all) as User[]).map(({ id }) => id);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
});
