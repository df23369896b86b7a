import { expect, onTestFinished, test } from 'vitest';
import { type StartApp, type TestApp, startApp } from '../../../test/start-app.ts';
import { isOwnHost } from './sign-in-as-first-user.ts';

let app: TestApp;

const start = async (config: StartApp['config'] = {}): Promise<void> => {
  const started = await startApp({ config: { 'auth.method': 'noauth', ...config } });
  onTestFinished(() => started.close());
  app = started;
};

test('every visitor is the first user, whatever is sent; every other call still requires the token', async () => {
  await start();
  for (const init of [{}, { json: { username: 'x', password: 'y' } }, { body: 'not JSON' }, { json: null }]) {
    const response = await app.fetch('/api/login', { method: 'POST', ...init });
    expect(response.status).toBe(200);
    const token = await response.text();
    const users = (await (await app.fetch('/api/users', { token })).json()) as { id: number }[];
    expect(users.map(({ id }) => id)).toEqual([1]);
  }
  expect((await app.fetch('/api/resources/')).status).toBe(401);
  expect((await app.fetch('/api/settings')).status).toBe(401);
});

test('sign-up is disabled, and current passwords are not required', async () => {
  await start();
  const token = await (await app.fetch('/api/login', { method: 'POST' })).text();
  const settings = (await (await app.fetch('/api/settings', { token })).json()) as object;
  expect(settings).toMatchObject({ authMethod: 'noauth' });
  const json = { ...settings, signup: true, requireCurrentPassword: true };
  expect((await app.fetch('/api/settings', { method: 'PUT', token, json })).status).toBe(200);
  const visitor = { username: 'visitor', password: 'a good password' };
  expect((await app.fetch('/api/signup', { method: 'POST', json: visitor })).status).toBe(405);
  const create = { what: 'user', which: [], data: visitor };
  expect((await app.fetch('/api/users', { method: 'POST', token, json: create })).status).toBe(201);
});

test('a web page cannot impersonate this server', async () => {
  await start();
  const status = async (host: string, more = ''): Promise<number> => {
    const response = await app.rawRequest(
      `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}Content-Length: 0\r\n\r\n`,
    );
    return Number(response.split(' ')[1]);
  };
  for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1:80', '[::1]:8080', 'files.localhost']) {
    expect(await status(host), host).toBe(200);
  }
  for (const host of ['evil.example', 'localhost.evil.example:8080', 'x']) {
    expect(await status(host), host).toBe(403);
  }
  expect(await status('localhost', 'Sec-Fetch-Site: cross-site\r\n')).toBe(403);
});

test('a web page cannot impersonate this server from the local network, where the server has its own name', () => {
  for (const host of [
    'nas',
    'nas.local',
    'nas.fritz.lan',
    'nas.home.arpa',
    '192.168.1.5',
    'fd00::5',
    'localhost',
  ])
    expect(isOwnHost(host, false), host).toBe(true);
  for (const host of ['evil.example', 'local.evil.example', 'nas.local.', 'evilhome.arpa', ''])
    expect(isOwnHost(host, false), host).toBe(false);
  expect(isOwnHost('nas.local', true)).toBe(false);
});

test('no visitor is signed in if the first user is missing', async () => {
  await start();
  const token = await (await app.fetch('/api/login', { method: 'POST' })).text();
  const data = { username: 'other', password: 'a good password', perm: { admin: true } };
  await app.fetch('/api/users', { method: 'POST', token, json: { what: 'user', which: [], data } });
  expect((await app.fetch('/api/users/1', { method: 'DELETE', token })).status).toBe(200);
  expect((await app.fetch('/api/login', { method: 'POST' })).status).toBe(403);
});

test('a warning is logged if other machines can reach the server', async () => {
  await start({ address: '0.0.0.0' });
  expect(app.log.some((line) => line.includes('signed in as the first user'))).toBe(true);
  await start({ noauth: 'on', 'auth.method': 'json' });
  expect(app.log.some((line) => line.includes('signed in as the first user'))).toBe(false);
  expect((await app.fetch('/api/login', { method: 'POST' })).status).toBe(200);
});
