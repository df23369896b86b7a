import { afterEach, expect, test } from 'vitest';
import { allPermissions } from '@filestead/contract/values/permissions';
import { initialSettings } from '../../access/global-settings.ts';
import { type StartApp, type TestApp, startApp, testPassword } from '../../../test/start-app.ts';
import { startPreparedApp } from '../../../test/start-prepared-app.ts';
import { userOfToken } from '../../../test/fixtures/user-of-token.ts';

let app: TestApp;
afterEach(() => app.close());

const proxied = {
  'auth.method': 'proxy',
  'auth.header': 'X-Auth-User',
  trustedProxies: '127.0.0.1',
} as const;
const start = async (setup: StartApp = {}): Promise<void> => {
  app = await startApp({ users: [{ username: 'alice' }], ...setup, config: { ...proxied, ...setup.config } });
};
const login = (headers: Record<string, string>): Promise<Response> =>
  app.fetch('/api/login', { method: 'POST', headers });
const statusOf = async (headers: Record<string, string>): Promise<number> => (await login(headers)).status;
/** Signs in with raw header lines. */
const rawStatus = async (lines: string): Promise<number> => {
  const response = await app.rawRequest(
    `POST /api/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}Content-Length: 0\r\n\r\n`,
  );
  return Number(response.split(' ')[1]);
};
/** Returns a header value whose bytes are the text in UTF-8. */
const headerValueOf = (text: string): string => Buffer.from(text).toString('latin1');

test('the user is the one in the header, whatever else is sent', async () => {
  await start();
  const signedIn = await login({ 'x-auth-user': 'alice' });
  expect(userOfToken(await signedIn.text()).username).toBe('alice');
  const json = { username: 'admin', password: testPassword, recaptcha: '' };
  const response = await app.fetch('/api/login', {
    method: 'POST',
    json,
    headers: { 'X-AUTH-USER': ' alice ' },
  });
  expect(userOfToken(await response.text()).username).toBe('alice');
  expect((await app.fetch('/api/login', { method: 'POST', json })).status).toBe(403);
});

test('every other call still requires the token', async () => {
  await start();
  const token = await (await login({ 'x-auth-user': 'alice' })).text();
  expect((await app.fetch('/api/resources/', { headers: { 'x-auth-user': 'alice' } })).status).toBe(401);
  expect((await app.fetch('/api/resources/', { token })).status).toBe(200);
});

test('a missing, unknown or ambiguous name is refused and creates no account', async () => {
  await start();
  for (const headers of [
    {},
    { 'x-auth-user': '' },
    { 'x-auth-user': 'nobody' },
    { 'x-auth-user': 'ALICE' },
    { 'x-auth-user': 'alice,admin' },
    { x_auth_user: 'alice' },
    { 'remote-user': 'alice', 'x-forwarded-user': 'alice' },
  ]) {
    expect(await statusOf(headers as Record<string, string>), JSON.stringify(headers)).toBe(403);
  }
  expect(await rawStatus('X-Auth-User: alice\r\nX-Auth-User: alice\r\n')).toBe(403);
  expect(await rawStatus('X-Auth-User: alice\r\nx-auth-user: admin\r\n')).toBe(403);
  expect(await rawStatus('X-Auth-User: \xff\xfe\r\n')).toBe(403);
  expect(await rawStatus('X-Auth-User: alice\r\n')).toBe(200);
});

test('only a trusted proxy can set the user', async () => {
  await start({ config: { trustedProxies: '203.0.113.7' } });
  expect(await statusOf({ 'x-auth-user': 'alice' })).toBe(403);
  expect(await statusOf({ 'x-auth-user': 'alice', 'x-forwarded-for': '203.0.113.7' })).toBe(403);
  expect(app.log.some((line) => line.includes('did not come through a trusted proxy'))).toBe(true);
});

test('without a trusted proxy the log warns at startup, and no user can sign in', async () => {
  await start({ config: { trustedProxies: '' } });
  expect(app.log.some((line) => line.includes('--trustedProxies'))).toBe(true);
  expect(await statusOf({ 'x-auth-user': 'alice' })).toBe(403);
});

test('the header is ignored if the authentication method is by password', async () => {
  app = await startApp({ config: { trustedProxies: '127.0.0.1', 'auth.header': 'X-Auth-User' } });
  const json = { username: '', password: '' };
  for (const name of ['x-auth-user', 'remote-user', 'x-forwarded-user']) {
    const response = await app.fetch('/api/login', { method: 'POST', json, headers: { [name]: 'admin' } });
    expect(response.status).toBe(403);
  }
});

test('unknown names get an account if enabled: defaults without administration or execution, and their own home folder', async () => {
  const perm = allPermissions;
  const defaults = { ...initialSettings().defaults, perm, commands: ['git'] };
  app = await startPreparedApp(
    { createUserDir: true, defaults },
    { config: { ...proxied, 'auth.createUsers': 'on' } },
  );
  const names = ['carol', 'dävid-x', 'carol'];
  const tokens = await Promise.all(
    names.map(async (name) => (await login({ 'x-auth-user': headerValueOf(name) })).text()),
  );
  expect(userOfToken(tokens[0] ?? '')).toMatchObject({
    perm: { ...perm, admin: false, execute: false },
    commands: [],
    lockPassword: true,
  });
  const upload = await app.fetch('/api/resources/mine.txt', {
    method: 'POST',
    token: tokens[0] ?? '',
    body: 'x',
  });
  expect(upload.status).toBe(200);
  const listing = await app.fetch('/api/resources/', { token: tokens[1] ?? '' });
  expect(((await listing.json()) as { items: unknown[] }).items).toEqual([]);
  expect(await statusOf({ 'x-auth-user': 'CAROL' })).toBe(403);
  expect(await statusOf({ 'x-auth-user': '...' })).toBe(403);
});

test("a sign-in that another site's page makes a browser send is refused", async () => {
  await start();
  expect(await statusOf({ 'x-auth-user': 'alice', 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await statusOf({ 'x-auth-user': 'alice', 'sec-fetch-site': 'same-origin' })).toBe(200);
});
