import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../start-app.ts';

interface ListedUser {
  readonly id: number;
  readonly username: string;
  readonly perm: Record<string, boolean>;
  readonly [key: string]: unknown;
}

const password = 'quite a long password';
const olderPermissionKeys = ['admin', 'execute', 'create', 'rename', 'modify', 'delete', 'share', 'download'];
/** Newer permissions follow those that older clients know. */
const permissionKeys = [...olderPermissionKeys, 'purge'];
/** The keys that older clients know, in their order. */
const userKeys = [
  'id',
  'username',
  'password',
  'scope',
  'locale',
  'lockPassword',
  'viewMode',
  'singleClick',
  'perm',
  'commands',
  'sorting',
  'rules',
  'hideDotfiles',
  'dateFormat',
];
const known = (keys: readonly string[], object: object): string[] =>
  Object.keys(object).filter((key) => keys.includes(key));

let app: TestApp;
let token: string;
let bob: string;
let bobId = 0;
let count = 0;
beforeAll(async () => {
  app = await startApp();
  token = await app.signIn('admin');
});
afterAll(() => app.close());
beforeEach(async () => {
  count += 1;
  const rules = [{ regex: true, regexp: { raw: '\\.key$' } }];
  bobId = (await app.createUser({ username: `bob${count}`, scope: `/users/bob${count}`, rules })).id;
  bob = await app.signIn(`bob${count}`);
});

const call = (method: string, path: string, json?: unknown, as = token): Promise<Response> =>
  app.fetch(path, { method, token: as, ...(json === undefined ? {} : { json }) });
const user = async (id: number, as = token): Promise<ListedUser> => {
  const response = await call('GET', `/api/users/${id}`, undefined, as);
  expect(response.status).toBe(200);
  return (await response.json()) as ListedUser;
};
const put = (id: number, which: unknown, data: object | null, as = token): Promise<Response> =>
  call('PUT', `/api/users/${id}`, { what: 'user', which, data: data === null ? null : { id, ...data } }, as);
const post = (data: object, more: object = {}): Promise<Response> =>
  call('POST', '/api/users', { what: 'user', which: [], data, ...more });

describe('reading users (docs/reference/filebrowser-api.md §1.13)', () => {
  test('returns an object with its keys in order and without a password', async () => {
    const response = await call('GET', `/api/users/${bobId}`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const found = (await response.json()) as ListedUser;
    expect(known(userKeys, found)).toEqual(userKeys);
    expect(Object.keys(found.perm)).toEqual(permissionKeys);
    expect(found).toMatchObject({
      password: '',
      scope: `/users/bob${count}`,
      commands: [],
      sorting: { by: 'name', asc: false },
      rules: [{ regex: true, allow: false, path: '', regexp: { raw: '\\.key$' } }],
    });
    expect(JSON.stringify(found)).not.toMatch(/\$(?:2[aby]|argon2|scrypt)/);
  });

  test('returns the list sorted by id to administrators, and users themselves without the scope', async () => {
    const all = (await (await call('GET', '/api/users')).json()) as ListedUser[];
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect((await call('GET', '/api/users', undefined, bob)).status).toBe(403);
    expect((await user(bobId, bob)).scope).toBe('');
    expect((await call('GET', '/api/users/1', undefined, bob)).status).toBe(403);
    expect((await call('GET', '/api/users/99999')).status).toBe(404);
    expect((await call('GET', '/api/users/abc')).status).toBe(404);
  });
});

describe('creating users (docs/reference/filebrowser-api.md §1.13, §9.2)', () => {
  test('answers 201 with the location of its settings page, and creates the folder of its scope', async () => {
    const response = await post({
      id: 0,
      username: `new${count}`,
      password,
      scope: `./users/new${count}`,
      locale: 'en',
      viewMode: 'mosaic',
      perm: Object.fromEntries(permissionKeys.map((key) => [key, key === 'download'])),
      commands: null,
      rules: null,
      sorting: { by: '', asc: false },
    });
    expect(response.status).toBe(201);
    const [, id = ''] = /^\/settings\/users\/(\d+)$/.exec(response.headers.get('location') ?? '') ?? [];
    expect(await user(Number(id))).toMatchObject({
      scope: `/users/new${count}`,
      viewMode: 'mosaic',
      commands: [],
      rules: [],
      sorting: { by: 'name', asc: false },
    });
    expect(existsSync(join(app.root, `users/new${count}`))).toBe(true);
    expect((await app.signIn(`new${count}`, password)).split('.')).toHaveLength(3);
  });

  test('uses plain defaults for missing fields', async () => {
    const response = await post({ username: `plain${count}`, password });
    const id = Number(/\d+$/.exec(response.headers.get('location') ?? '')?.[0]);
    expect(await user(id)).toMatchObject({
      scope: '/',
      viewMode: 'list',
      perm: Object.fromEntries(permissionKeys.map((key) => [key, false])),
      lockPassword: false,
      hideDotfiles: false,
    });
  });

  test.each([
    ['no password', { username: 'x' }, {}, 400],
    ['an empty password', { username: 'x', password: '' }, {}, 400],
    ['no name', { password }, {}, 400],
    ['an empty name', { username: '', password }, {}, 400],
    ['another what', { username: 'x', password }, { what: 'users' }, 400],
    ['a which', { username: 'x', password }, { which: ['username'] }, 400],
    ['no data', {}, { data: null }, 400],
    ['a taken id', { id: 1, username: 'x', password }, {}, 400],
    ['permissions as text', { username: 'x', password, perm: { admin: 'true' } }, {}, 400],
    ['a taken name', { username: 'admin', password }, {}, 409],
  ])('refuses %s (%j, %j) with %d', async (_case, data, more, status) => {
    expect((await post(data, more)).status).toBe(status);
  });

  test('is restricted to administrators, and answers 400 for invalid JSON', async () => {
    const json = { what: 'user', which: [], data: { username: 'x', password } };
    expect((await call('POST', '/api/users', json, bob)).status).toBe(403);
    for (const body of ['', '{', 'null', '[]']) {
      expect((await app.fetch('/api/users', { method: 'POST', token, body })).status).toBe(400);
    }
    const text = { 'content-type': 'text/plain;charset=UTF-8' };
    const body = JSON.stringify({ what: 'user', which: [], data: { username: `text${count}`, password } });
    expect((await app.fetch('/api/users', { method: 'POST', token, body, headers: text })).status).toBe(201);
  });

  test('never reuses an id', async () => {
    const { id } = await app.createUser({ username: `short${count}` });
    expect((await call('DELETE', `/api/users/${id}`)).status).toBe(200);
    expect((await app.createUser({ username: `next${count}` })).id).toBeGreaterThan(id);
  });
});

describe('changing users (docs/reference/filebrowser-api.md §1.13, §9.2)', () => {
  test.each([
    ['locale', { locale: 'de' }],
    ['Locale', { locale: 'fr' }],
    ['sorting', { sorting: { by: 'size', asc: true } }],
    ['viewMode', { viewMode: 'mosaic gallery' }],
    ['ViewMode', { viewMode: 'mosaic' }],
    ['singleClick', { singleClick: true }],
    ['dateFormat', { dateFormat: true }],
    ['hideDotfiles', { hideDotfiles: true }],
  ])('lets users change their own %s', async (field, data) => {
    const response = await put(bobId, [field], data, bob);
    expect([response.status, await response.text()]).toEqual([200, '200 OK\n']);
    expect(await user(bobId, bob)).toMatchObject(data);
  });

  test('lets users change their own password', async () => {
    expect((await put(bobId, ['password'], { password }, bob)).status).toBe(200);
    await app.signIn(`bob${count}`, password);
    expect((await put(bobId, ['password'], { password: 'x' }, bob)).status).toBe(400);
  });

  test('rejects fields for administrators, and a locked password', async () => {
    const perm = { ...(await user(bobId)).perm, admin: true };
    for (const [which, data] of [
      [['perm'], { perm }],
      [['Perm'], { perm }],
      [['username'], { username: 'other' }],
      [['scope'], { scope: '/' }],
      [['rules'], { rules: [] }],
      [['commands'], { commands: ['ls'] }],
      [['lockPassword'], { lockPassword: false }],
      [['locale', 'perm'], { locale: 'de', perm }],
      [['all'], { username: `bob${count}` }],
      [[], { username: `bob${count}` }],
      [null, { username: `bob${count}` }],
    ] as const) {
      expect((await put(bobId, which, data, bob)).status).toBe(403);
    }
    expect((await put(1, ['locale'], { locale: 'de' }, bob)).status).toBe(403);
    expect((await put(bobId, ['lockPassword'], { lockPassword: true })).status).toBe(200);
    expect((await put(bobId, ['password'], { password }, bob)).status).toBe(403);
    expect((await user(bobId)).perm.admin).toBe(false);
  });

  test('replaces a whole record, but keeps the password if it is empty', async () => {
    const whole = await user(bobId);
    expect((await put(bobId, ['all'], { ...whole, locale: 'pl', password: '' })).status).toBe(200);
    expect(await user(bobId)).toEqual({ ...whole, locale: 'pl' });
    await app.signIn(`bob${count}`, testPassword);
    expect((await put(bobId, [], { username: `bob${count}`, scope: `/users/bob${count}` })).status).toBe(200);
    expect(await user(bobId)).toMatchObject({ rules: [], perm: { download: false }, viewMode: 'list' });
  });

  test('answers 400 for malformed changes and changes nothing', async () => {
    const before = await user(bobId);
    for (const [which, data] of [
      [['color'], { color: 'red' }],
      [['locale'], { locale: 5 }],
      [['singleClick'], { singleClick: 'yes' }],
      [['sorting'], { sorting: { by: 'color', asc: false } }],
      [['rules'], { rules: [{ regex: true, allow: false, path: '', regexp: { raw: '(' } }] }],
      [['username'], { username: '' }],
      ['locale', { locale: 'de' }],
      [['locale'], null],
    ] as const) {
      expect((await put(bobId, which, data)).status).toBe(400);
    }
    const mismatch = { what: 'user', which: ['locale'], data: { id: bobId + 1, locale: 'de' } };
    expect((await call('PUT', `/api/users/${bobId}`, mismatch)).status).toBe(400);
    expect((await call('PUT', `/api/users/${bobId}`, { ...mismatch, what: 'x' })).status).toBe(400);
    expect((await app.fetch(`/api/users/${bobId}`, { method: 'PUT', token })).status).toBe(400);
    expect(await user(bobId)).toEqual(before);
  });

  test('answers 409 for an existing username, and keeps a username that `which` does not contain', async () => {
    expect((await put(bobId, ['username'], { username: 'admin' })).status).toBe(409);
    expect((await put(bobId, ['locale'], { locale: 'it', username: 'smuggled' })).status).toBe(200);
    expect((await user(bobId)).username).toBe(`bob${count}`);
    await app.signIn(`bob${count}`);
  });

  test('drops empty rules', async () => {
    const rules = [
      { regex: false, allow: false, path: '', regexp: null },
      { regex: true, allow: false, path: '', regexp: { raw: '' } },
      { regex: false, allow: true, path: '/kept', regexp: null },
    ];
    expect((await put(bobId, ['rules'], { rules })).status).toBe(200);
    expect((await user(bobId)).rules).toMatchObject([{ path: '/kept', allow: true, regex: false }]);
  });
});

describe('deleting users (docs/reference/filebrowser-api.md §1.13, §6.2)', () => {
  test('keeps the last administrator, answers 404 for unknown ids, and lets users delete themselves', async () => {
    expect((await call('DELETE', '/api/users/1')).status).toBe(403);
    expect((await call('DELETE', '/api/users/99999')).status).toBe(404);
    expect((await call('DELETE', '/api/users/1', undefined, bob)).status).toBe(403);
    expect((await call('DELETE', `/api/users/${bobId}`, undefined, bob)).status).toBe(200);
    const { id } = await app.createUser({ username: `body${count}` });
    const wrong = await call('DELETE', `/api/users/${id}`, { current_password: 'wrong' });
    expect(wrong.status).toBe(400);
    const gone = await call('DELETE', `/api/users/${id}`, { current_password: testPassword });
    expect([gone.status, await gone.text()]).toEqual([200, '200 OK\n']);
    expect((await call('GET', `/api/users/${id}`)).status).toBe(404);
  });
});

describe('settings (docs/reference/filebrowser-api.md §1.14, §10)', () => {
  // In alphabetical order; older clients do not know `purge` and `restore`.
  const events = ['copy', 'delete', 'purge', 'rename', 'restore', 'save', 'upload'];
  const eventKeys = [...events.map((name) => `after_${name}`), ...events.map((name) => `before_${name}`)];
  const settings = async (): Promise<Record<string, unknown>> =>
    (await (await call('GET', '/api/settings')).json()) as Record<string, unknown>;

  test('have all keys in order with their types', async () => {
    const current = await settings();
    const keys = [
      'signup',
      'createUserDir',
      'userHomeBasePath',
      'defaults',
      'rules',
      'branding',
      'shell',
      'commands',
    ];
    expect(known(keys, current)).toEqual(keys);
    expect(current).toMatchObject({
      signup: false,
      createUserDir: false,
      userHomeBasePath: '/users',
      rules: [],
      shell: [],
      branding: { name: '', disableExternal: false, files: '', theme: '', color: '' },
      defaults: { scope: '.', singleClick: false, commands: [], hideDotfiles: false, dateFormat: false },
    });
    const defaults = current.defaults as Record<string, object>;
    const defaultKeys = [
      'scope',
      'locale',
      'viewMode',
      'singleClick',
      'sorting',
      'perm',
      'commands',
      'hideDotfiles',
      'dateFormat',
    ];
    expect(known(defaultKeys, defaults)).toEqual(defaultKeys);
    expect(Object.keys(defaults.perm ?? {})).toEqual(permissionKeys);
    expect(Object.keys(current.commands as object)).toEqual(eventKeys);
    for (const secret of ['key', 'auth', 'root', 'shellPassword']) expect(current).not.toHaveProperty(secret);
  });

  test('can be written back as read, without a change', async () => {
    const before = await settings();
    const response = await call('PUT', '/api/settings', before);
    expect([response.status, await response.text()]).toEqual([200, '200 OK\n']);
    expect(await settings()).toEqual(before);
  });

  test('of an older client are completed: null lists become empty, missing events and the color are kept', async () => {
    const before = await settings();
    const sent = {
      signup: true,
      createUserDir: true,
      userHomeBasePath: '/homes',
      defaults: {
        scope: '.',
        locale: 'de',
        viewMode: 'list',
        singleClick: true,
        sorting: { by: '', asc: false },
        perm: Object.fromEntries(permissionKeys.map((key) => [key, key !== 'admin' && key !== 'execute'])),
        commands: null,
        hideDotfiles: true,
        dateFormat: true,
      },
      rules: null,
      branding: { name: 'Our <files>', disableExternal: true, files: '', theme: 'dark', color: '#123456' },
      shell: null,
      commands: { after_save: ['echo saved'], before_copy: null },
    };
    expect((await call('PUT', '/api/settings', sent)).status).toBe(200);
    const after = await settings();
    expect(after).toMatchObject({
      signup: true,
      createUserDir: true,
      userHomeBasePath: '/homes',
      rules: [],
      shell: [],
      branding: sent.branding,
      defaults: { locale: 'de', viewMode: 'list', singleClick: true, commands: [], hideDotfiles: true },
    });
    expect(Object.keys(after.commands as object).toSorted()).toEqual(eventKeys.toSorted());
    expect(after.commands).toMatchObject({ after_save: ['echo saved'], before_copy: [], after_copy: [] });
    expect(after.minimumPasswordLength).toBe(before.minimumPasswordLength);
    expect((await call('PUT', '/api/settings', before)).status).toBe(200);
  });

  test('are accepted with any media type, and rejected with 400 if they are not JSON or have wrong types', async () => {
    const before = await settings();
    const headers = { 'content-type': 'text/plain;charset=UTF-8' };
    const body = JSON.stringify(before);
    expect((await app.fetch('/api/settings', { method: 'PUT', token, body, headers })).status).toBe(200);
    for (const bad of [
      '',
      '{',
      'null',
      '[]',
      '{"signup":"yes"}',
      '{"rules":{}}',
      '{"defaults":{"perm":{"admin":1}}}',
      '{"shell":"sh"}',
      '{"commands":[]}',
    ]) {
      expect((await app.fetch('/api/settings', { method: 'PUT', token, body: bad })).status).toBe(400);
    }
    expect(await settings()).toEqual(before);
  });

  test('are restricted to administrators', async () => {
    expect((await call('GET', '/api/settings', undefined, bob)).status).toBe(403);
    expect((await call('PUT', '/api/settings', {}, bob)).status).toBe(403);
    expect((await app.fetch('/api/settings')).status).toBe(401);
  });
});
