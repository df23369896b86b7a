import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '@filestead/contract/settings';
import type { ManagedUser } from '@filestead/contract/users';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';
import { startPreparedApp } from '../../test/start-prepared-app.ts';

let app: TestApp;
afterEach(() => app.close());

const files = { 'secret.txt': 'secret', 'guests/hello.txt': 'hello' };
const start = async (settings: Partial<Settings> = {}): Promise<void> => {
  app = await startApp({ files, settings: { signup: true, ...settings } });
};
const signUp = async (username: string): Promise<string> => {
  const json = { username, password: testPassword };
  expect((await app.fetch('/api/signup', { method: 'POST', json })).status).toBe(200);
  return app.signIn(username);
};
const change = async (settings: object): Promise<Response> => {
  const token = await app.signIn('admin');
  const current = (await (await app.fetch('/api/settings', { token })).json()) as Settings;
  return app.fetch('/api/settings', { method: 'PUT', token, json: { ...current, ...settings } });
};
const update = async (which: string[], data: object): Promise<number> => {
  const json = { what: 'user', which, data: { id: 2, ...data } };
  const token = await app.signIn('admin');
  return (await app.fetch('/api/users/2', { method: 'PUT', token, json })).status;
};
const userOf = async (id: number): Promise<ManagedUser> =>
  (await (await app.fetch(`/api/users/${id}`, { token: await app.signIn('admin') })).json()) as ManagedUser;
const namesFor = async (token: string): Promise<string[]> => {
  const response = await app.fetch('/api/resources/', { token });
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: { name: string }[] }).items.map(({ name }) => name).sort();
};

/** Every way to access files, as a client of the API uses it. */
const requests: readonly [method: string, path: string, body?: unknown][] = [
  ['GET', '/api/resources/'],
  ['GET', '/api/resources/secret.txt'],
  ['GET', '/api/recursive/'],
  ['GET', '/api/raw/secret.txt'],
  ['GET', '/api/raw/'],
  ['GET', '/api/usage/'],
  ['GET', '/api/search/?query=secret'],
  ['GET', '/api/preview/thumb/secret.txt'],
  ['POST', '/api/resources/new.txt', 'x'],
  ['PUT', '/api/resources/secret.txt', 'x'],
  ['DELETE', '/api/resources/secret.txt'],
  ['PATCH', '/api/resources/secret.txt?action=rename&destination=/b.txt'],
  ['POST', '/api/share/secret.txt', {}],
  ['POST', '/api/tus/new.txt'],
];

test('an account that signed up without a home folder sees no files through any endpoint', async () => {
  await start();
  const token = await signUp('visitor');
  for (const [method, path, body] of requests) {
    const response = await app.fetch(path, {
      method,
      token,
      headers: {
        accept: 'application/problem+json',
        ...(path.startsWith('/api/tus') ? { 'tus-resumable': '1.0.0', 'upload-length': '1' } : {}),
      },
      ...(typeof body === 'string' ? { body } : body === undefined ? {} : { json: body }),
    });
    expect(response.status, `${method} ${path}`).toBe(403);
    expect(await response.json(), `${method} ${path}`).toMatchObject({ code: 'scope_not_granted' });
  }
  expect(await userOf(2)).toMatchObject({ scope: '/', awaitsScope: true });
  expect(await (await app.fetch('/api/users/2', { token })).json()).not.toHaveProperty('awaitsScope');
});

test('confirming the default scope grants it to waiting and later accounts, without a restart', async () => {
  await start();
  const early = await signUp('early');
  expect((await change({ confirmedDefaultScope: '.' })).status).toBe(200);
  expect(await namesFor(early)).toEqual(['guests', 'secret.txt']);
  expect(await namesFor(await signUp('later'))).toEqual(['guests', 'secret.txt']);
  expect(await userOf(2)).toMatchObject({ awaitsScope: false });
});

test('a confirmation applies to the scope that it contains and lapses when the default scope changes', async () => {
  await start({ confirmedDefaultScope: '/' });
  const token = await app.signIn('admin');
  const current = (await (await app.fetch('/api/settings', { token })).json()) as Settings;
  const { confirmedDefaultScope: _unknown, ...older } = current;
  const defaults = { ...current.defaults, scope: '/guests' };
  expect(
    (await app.fetch('/api/settings', { method: 'PUT', token, json: { ...older, defaults } })).status,
  ).toBe(200);
  const visitor = await signUp('visitor');
  expect((await app.fetch('/api/resources/', { token: visitor })).status).toBe(403);
  expect((await change({ confirmedDefaultScope: 'guests/' })).status).toBe(200);
  expect(await namesFor(visitor)).toEqual(['hello.txt']);
});

test('an older client that saves the settings keeps the confirmation', async () => {
  await start({ confirmedDefaultScope: '/' });
  const token = await app.signIn('admin');
  const { confirmedDefaultScope: _unknown, ...older } = (await (
    await app.fetch('/api/settings', { token })
  ).json()) as Settings;
  expect((await app.fetch('/api/settings', { method: 'PUT', token, json: older })).status).toBe(200);
  expect(await namesFor(await signUp('visitor'))).toEqual(['guests', 'secret.txt']);
});

test('a confirmation that is not a path is refused and changes nothing', async () => {
  await start();
  expect((await change({ confirmedDefaultScope: '/../..' })).status).toBe(400);
  expect((await change({ confirmedDefaultScope: 1 })).status).toBe(400);
  expect((await app.fetch('/api/resources/', { token: await signUp('visitor') })).status).toBe(403);
});

describe('an administrator', () => {
  test('grants the scope to one account with awaitsScope', async () => {
    await start();
    const token = await signUp('visitor');
    expect(await update(['awaitsScope'], { awaitsScope: false })).toBe(200);
    expect(await namesFor(token)).toEqual(['guests', 'secret.txt']);
  });

  test('grants another scope by setting it', async () => {
    await start();
    const token = await signUp('visitor');
    expect(await update(['scope'], { scope: '/guests' })).toBe(200);
    expect(await namesFor(token)).toEqual(['hello.txt']);
  });

  test('grants nothing by saving the whole record from an older page', async () => {
    await start();
    const token = await signUp('visitor');
    const { awaitsScope: _unknown, ...record } = await userOf(2);
    expect(await update(['all'], { ...record, locale: 'de' })).toBe(200);
    expect((await app.fetch('/api/resources/', { token })).status).toBe(403);
  });
});

test('an account cannot grant the scope to itself', async () => {
  await start();
  const token = await signUp('visitor');
  const json = { what: 'user', which: ['awaitsScope'], data: { id: 2, awaitsScope: false } };
  expect((await app.fetch('/api/users/2', { method: 'PUT', token, json })).status).toBe(403);
  expect((await app.fetch('/api/resources/', { token })).status).toBe(403);
});

test('an account with its own home folder needs no confirmation', async () => {
  await start({ createUserDir: true });
  expect(await namesFor(await signUp('visitor'))).toEqual([]);
  expect(await userOf(2)).toMatchObject({ scope: '/users/visitor', awaitsScope: false });
});

test('the log reports which files new accounts can see, when sign-up is enabled and at every start', async () => {
  await start();
  const nothing = 'new accounts without a home folder see nothing until an administrator confirms';
  expect(app.log.filter((line) => line.includes(nothing))).toHaveLength(1);
  await change({ confirmedDefaultScope: '/' });
  expect(
    app.log.filter((line) => line.includes('new accounts without a home folder see the confirmed')),
  ).toHaveLength(1);
});

test('an account created for a name of the proxy waits for the default scope', async () => {
  app = await startPreparedApp(
    {},
    {
      config: {
        'auth.method': 'proxy',
        'auth.header': 'X-Auth-User',
        trustedProxies: '127.0.0.1',
        'auth.createUsers': 'on',
      },
      files,
    },
  );
  const login = (name: string): Promise<Response> =>
    app.fetch('/api/login', { method: 'POST', headers: { 'x-auth-user': name } });
  const token = await (await login('carol')).text();
  expect((await app.fetch('/api/resources/', { token })).status).toBe(403);
  expect(app.log.some((line) => line.includes('see nothing until an administrator confirms'))).toBe(true);
});

test('an account created by a sign-in program waits unless the program sets a scope', async () => {
  const program = 'echo hook.action=auth; if [ "$USERNAME" = scoped ]; then echo user.scope=/guests; fi';
  const folder = await mkdtemp(join(tmpdir(), 'filestead-program-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'program.sh'), program);
  app = await startPreparedApp(
    {},
    { files, config: { 'auth.method': 'hook', 'auth.command': `sh ${folder}/program.sh` } },
  );
  const login = async (username: string): Promise<string> => {
    const response = await app.fetch('/api/login', {
      method: 'POST',
      json: { username, password: testPassword },
    });
    expect(response.status).toBe(200);
    return response.text();
  };
  expect((await app.fetch('/api/resources/', { token: await login('plain') })).status).toBe(403);
  expect(await namesFor(await login('scoped'))).toEqual(['hello.txt']);
});
