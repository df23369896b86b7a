import type { Session } from '@filestead/contract/sessions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';
import { shortenUserAgent } from '../http/request/shorten-user-agent.ts';

let app: TestApp;
let number = 0;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

const someone = async (): Promise<{ username: string; id: number }> => {
  const username = `someone-${(number += 1)}`;
  return { username, id: (await app.createUser({ username })).id };
};
const signIn = async (username: string, userAgent: string): Promise<string> => {
  const json = { username, password: testPassword };
  return (
    await app.fetch('/api/login', { method: 'POST', json, headers: { 'user-agent': userAgent } })
  ).text();
};
const list = async (token: string, query = ''): Promise<Session[]> =>
  (await (await app.fetch(`/api/sessions${query}`, { token })).json()) as Session[];
const end = async (token: string, path: string): Promise<number> =>
  (await app.fetch(`/api/sessions${path}`, { method: 'DELETE', token })).status;
const isAlive = async (token: string): Promise<boolean> =>
  (await app.fetch('/api/resources/', { token })).status === 200;

test('users see their own sessions and which one is current', async () => {
  const { username } = await someone();
  const first = await signIn(username, firefox);
  const second = await signIn(username, 'curl/8.5.0');
  const sessions = await list(second);
  expect(sessions).toHaveLength(2);
  expect(sessions.find(({ isCurrent }) => isCurrent)).toMatchObject({
    address: '127.0.0.1',
    userAgent: 'curl/8.5.0',
  });
  const other = sessions.find(({ isCurrent }) => !isCurrent);
  expect(other?.userAgent).toBe('Firefox 128, Linux');
  expect(other?.lastUsed).toBeGreaterThanOrEqual(other?.created ?? Infinity);
  expect(other?.expires).toBeGreaterThan(Date.now());
  expect(Object.keys(sessions[0] ?? {})).toEqual([
    'id',
    'created',
    'lastUsed',
    'expires',
    'address',
    'userAgent',
    'isCurrent',
  ]);
  expect(JSON.stringify(sessions)).not.toContain(first);
});

test('a session can be ended by its user only', async () => {
  const { username } = await someone();
  const [first, second] = [await signIn(username, firefox), await signIn(username, 'curl/8')];
  const [id = ''] = (await list(first)).filter(({ isCurrent }) => isCurrent).map((session) => session.id);
  expect(await end(await app.signIn('admin'), `/${id}`)).toBe(404);
  expect(await end(second, '/no-such-session')).toBe(404);
  expect(await isAlive(first)).toBe(true);
  expect(await end(second, `/${id}`)).toBe(200);
  expect(await isAlive(first)).toBe(false);
  expect(await isAlive(second)).toBe(true);
  expect(await end(first, '')).toBe(401);
});

test('all other sessions can be ended, or all', async () => {
  const { username } = await someone();
  const tokens = [await signIn(username, ''), await signIn(username, ''), await signIn(username, '')];
  const [mine = '', ...others] = tokens;
  const bystander = await app.signIn('admin');
  expect(await end(mine, '')).toBe(200);
  expect(await Promise.all([mine, ...others].map(isAlive))).toEqual([true, false, false]);
  const response = await app.fetch('/api/sessions?all=true', { method: 'DELETE', token: mine });
  expect(response.status).toBe(200);
  expect(response.headers.get('set-cookie')).toMatch(/^filestead_session=; .*Max-Age=0/);
  expect(await isAlive(mine)).toBe(false);
  expect(await isAlive(bystander)).toBe(true);
});

test('only administrators can list and end the sessions of others', async () => {
  const { username, id } = await someone();
  const token = await signIn(username, firefox);
  const stranger = await signIn((await someone()).username, firefox);
  expect((await app.fetch(`/api/sessions?user=${id}`, { token: stranger })).status).toBe(403);
  expect(await end(stranger, `?user=${id}`)).toBe(403);
  expect(await list(token, `?user=${id}`)).toHaveLength(1);
  const admin = await app.signIn('admin');
  expect(await list(admin, `?user=${id}`)).toMatchObject([
    { isCurrent: false, userAgent: 'Firefox 128, Linux' },
  ]);
  expect((await app.fetch('/api/sessions?user=x', { token: admin })).status).toBe(400);
  expect(await end(admin, '?all=perhaps')).toBe(400);
  expect(await isAlive(token)).toBe(true);
  expect(await end(admin, `?user=${id}`)).toBe(200);
  expect(await isAlive(token)).toBe(false);
  expect(await isAlive(admin)).toBe(true);
});

test('an ended session is not in the list; a renewed one is in it once', async () => {
  const { username } = await someone();
  const [first, second] = [await signIn(username, ''), await signIn(username, '')];
  await app.fetch('/api/logout', { method: 'POST', token: first });
  const renewed = await (await app.fetch('/api/renew', { method: 'POST', token: second })).text();
  expect(await list(renewed)).toMatchObject([{ isCurrent: true }]);
});

test.each([
  [firefox, 'Firefox 128, Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
    'Edge 126, Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari 17, iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
    'Chrome 126, Android',
  ],
  [`evil\u0007${'x'.repeat(500)}`, `evil${'x'.repeat(60)}`],
  ['', ''],
])('the user agent %.60s is shown as %s', (userAgent, shown) => {
  expect(shortenUserAgent(userAgent)).toBe(shown);
});
