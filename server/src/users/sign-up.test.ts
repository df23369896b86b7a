import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '@filestead/contract/settings';
import { initialPreferences } from '@filestead/contract/user-fields';
import type { User } from '@filestead/contract/users';
import { allPermissions } from '@filestead/contract/values/permissions';
import { afterEach, expect, test } from 'vitest';
import { type StartApp, type TestApp, startApp, testPassword } from '../../test/start-app.ts';

let app: TestApp;
afterEach(() => app.close());

const start = async (settings: Partial<Settings> = {}, more: StartApp = {}): Promise<void> => {
  app = await startApp({ ...more, settings: { signup: true, ...settings } });
};
const signUp = (json: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  app.fetch('/api/signup', { method: 'POST', json, headers });
const register = (username: string): Promise<Response> => signUp({ username, password: testPassword });
const users = async (): Promise<User[]> =>
  (await (await app.fetch('/api/users', { token: await app.signIn('admin') })).json()) as User[];
const defaults = {
  ...initialPreferences,
  scope: '.',
  locale: 'de' as const,
  viewMode: 'mosaic' as const,
  singleClick: true,
  redirectAfterCopyMove: true,
  sorting: { by: 'size' as const, asc: true },
  perm: { ...allPermissions, rename: false, delete: false, purge: false },
  commands: ['git'],
  hideDotfiles: true,
  dateFormat: true,
  aceEditorTheme: 'dark-one',
  autoplay: true,
  startOn: 'home' as const,
};

test('a disabled sign-up returns 405, whatever is sent, and creates nothing', async () => {
  app = await startApp({ settings: { createUserDir: true } });
  expect((await register('visitor')).status).toBe(405);
  for (const [path, init] of [
    ['/api/signup', { body: 'not JSON' }],
    ['/api/signup?signup=true', { json: { username: 'x', password: testPassword, signup: true } }],
    ['/api/signup', { json: {}, headers: { 'x-http-method-override': 'PUT' } }],
    ['/api/signup', {}],
  ] as const) {
    expect((await app.fetch(path, { method: 'POST', ...init })).status).toBe(405);
  }
  expect(await users()).toHaveLength(1);
  await expect(stat(join(app.root, 'users'))).rejects.toThrow();
});

test('a visitor gets the defaults without administration, execution or commands, and can sign in', async () => {
  await start({ defaults, createUserDir: true });
  const response = await register('visitor');
  expect([response.status, await response.text()]).toEqual([200, '200 OK\n']);
  expect(response.headers.get('set-cookie')).toBeNull();
  const [, visitor] = await users();
  expect(visitor).toEqual({
    ...defaults,
    id: 2,
    lastSignIn: null,
    awaitsScope: false,
    username: 'visitor',
    password: '',
    scope: '/users/visitor',
    lockPassword: false,
    perm: { ...defaults.perm, admin: false, execute: false },
    commands: [],
    rules: [],
  });
  expect((await stat(join(app.root, 'users/visitor'))).isDirectory()).toBe(true);
  const token = await app.signIn('visitor');
  expect((await app.fetch('/api/resources/', { token })).status).toBe(200);
  expect((await app.fetch('/api/settings', { token })).status).toBe(403);
});

test('a visitor gets the default scope without home folders, and its folder is created', async () => {
  await start({ defaults: { ...defaults, scope: ' guests-of-honor/. ' } });
  expect((await register('visitor')).status).toBe(200);
  expect((await users())[1]?.scope).toBe('/guests-of-honor');
  expect((await stat(join(app.root, 'guests-of-honor'))).isDirectory()).toBe(true);
});

test('an unusable name or password is refused with the reason and leaves nothing', async () => {
  await start({ createUserDir: true });
  const password = testPassword;
  for (const [body, reason] of [
    [{ username: '', password }, /required/],
    [{ username: 'visitor', password: '' }, /required/],
    [{ username: 'visitor' }, /required/],
    [{ username: 'visitor', password: 'short' }, /minimum length is 8/],
    [{ username: 'visitor', password: 'password' }, /too easy/],
    [{ username: 'a-long-visitor', password: 'a-long-visitor' }, /too easy/],
    [{ username: ' visitor', password }, /space/],
    [{ username: 'x'.repeat(200), password }, /too long/],
    [{ username: 'vis\u202Eitor', password }, /invisible characters/],
    [{ username: '...', password }, /home folder/],
    [{ username: 'é', password }, /home folder/],
    [{ username: ['visitor'], password }, /username/],
    [null, /body/],
  ] as const) {
    const response = await signUp(body);
    expect(response.status, JSON.stringify(body)).toBe(400);
    expect(await response.text()).toMatch(reason);
  }
  const origin = { origin: 'https://evil.example' };
  expect((await app.fetch('/api/signup', { method: 'POST', body: '{}', headers: origin })).status).toBe(415);
  expect((await app.fetch('/api/signup', { method: 'POST', body: '{}' })).status).toBe(400);
  const jsonType = { 'content-type': 'application/json' };
  expect((await app.fetch('/api/signup', { method: 'POST', body: '{', headers: jsonType })).status).toBe(400);
  expect(await users()).toHaveLength(1);
  await expect(stat(join(app.root, 'users'))).rejects.toThrow();
});

test('an existing name returns 409 in every form that looks the same', async () => {
  await start();
  expect((await register('Straße')).status).toBe(200);
  for (const name of ['admin', 'ADMIN', 'ａｄｍｉｎ', 'STRASSE', 'straße', 'Stra\u00dfe'.normalize('NFD')]) {
    expect((await register(name)).status, name).toBe(409);
  }
});

test('the second of two names with the same home folder is refused', async () => {
  await start({ createUserDir: true });
  expect((await register('teamone-x')).status).toBe(200);
  for (const name of ['teamone/x', 'teamone x', 'teamone--x', 'TEAMONE:x']) {
    expect((await register(name)).status, name).toBe(409);
  }
  expect((await users()).map(({ scope }) => scope)).toEqual(['/', '/users/teamone-x']);
});

test('exactly one of many concurrent sign-ups for one folder or name succeeds', async () => {
  await start({ createUserDir: true });
  const separators = ['-', '/', ' ', ':', ';', '*', '?', '+', '=', '~'];
  for (const names of [
    separators.map((separator) => `team${separator}x`),
    Array(10).fill('same') as string[],
  ]) {
    const responses = await Promise.all(names.map(register));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
  }
  expect((await users()).map(({ scope }) => scope)).toEqual(['/', '/users/team-x', '/users/same']);
});

test("an existing folder or another user's scope is not given to a new user", async () => {
  await start({ createUserDir: true }, { users: [{ username: 'bob', scope: '/users/carl/inner' }] });
  await mkdir(join(app.root, 'users/carol'), { recursive: true });
  expect((await register('carol')).status).toBe(409);
  expect((await register('Carl')).status).toBe(409);
  expect(await users()).toHaveLength(2);
  expect((await register('carola')).status).toBe(200);
});

test('attempts are limited by address, and the response contains the waiting time', async () => {
  await start({}, { config: { signupsPerAddress: '3' } });
  const statuses: number[] = [];
  for (const name of ['one', 'admin', 'two', 'three', 'admin']) statuses.push((await register(name)).status);
  expect(statuses).toEqual([200, 409, 200, 429, 429]);
  const refused = await signUp(
    { username: 'four', password: testPassword },
    { 'x-forwarded-for': '203.0.113.9' },
  );
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  await app.signIn('one');
});

test('the minimum length of the settings applies at once to every new password', async () => {
  await start({ minimumPasswordLength: 21 });
  expect((await register('visitor')).status).toBe(400);
  const token = await app.signIn('admin');
  const data = { username: 'new', password: 'nineteen characters' };
  const json = { what: 'user', which: [], data };
  expect((await app.fetch('/api/users', { method: 'POST', token, json })).status).toBe(400);
  const own = { what: 'user', which: ['password'], data: { id: 1, password: 'nineteen characters' } };
  expect((await app.fetch('/api/users/1', { method: 'PUT', token, json: own })).status).toBe(400);
  expect((await signUp({ username: 'visitor', password: 'now it is long enough' })).status).toBe(200);
});
