import { createHmac } from 'node:crypto';
import { endpoints } from '@filestead/contract/endpoints';
import type { Settings } from '@filestead/contract/settings';
import { describe, expect } from 'vitest';
import { openSocket } from '../open-socket.ts';
import { startApp, testPassword } from '../start-app.ts';
import { bytesOf, exchange, parseResponse } from './raw-client.ts';
import { prepareStage } from './stage.ts';

const { stage, attack } = prepareStage({
  config: { enableExec: 'on', sessionsPerUser: '20', trustedProxies: '10.9.9.9' },
});

/** Creates a user for one test and signs in. Returns the id, the token and the session cookie. */
async function createSignedInUser(
  name: string,
  more: object = {},
): Promise<{ id: number; token: string; cookie: string }> {
  const { app, signIn, allowed } = stage();
  allowed.push('root/users');
  const { id } = await app.createUser({ username: name, scope: '/users/alice2', ...more });
  const token = await signIn(name);
  const response = await app.fetch('/api/login', {
    method: 'POST',
    json: { username: name, password: testPassword },
  });
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { id, token, cookie };
}
const withToken = (token: string): { headers: Record<string, string> } => ({ headers: { 'X-Auth': token } });
const withCookie = (cookie: string): { headers: Record<string, string> } => ({ headers: { Cookie: cookie } });

describe('the end of a session', () => {
  attack('SE-01', async ({ request, status, app }) => {
    const { token } = await createSignedInUser('leaver1', { perm: { execute: true } });
    expect(await status('', 'GET', '/api/resources/', withToken(token))).toBe(200);
    expect(await status('', 'POST', '/api/logout', withToken(token))).toBe(200);
    for (const target of ['/api/resources/', '/api/raw/canary.txt', '/api/sessions', '/api/jobs/events']) {
      expect(await status('', 'GET', target, withToken(token))).toBe(401);
      expect(await status('', 'GET', target, withCookie(`auth=${token}`))).toBe(401);
      expect(await status('', 'GET', `${target}?auth=${token}`)).toBe(401);
    }
    expect((await request('', 'POST', '/api/renew', withToken(token))).status).toBe(401);
    await expect(openSocket(app, '/api/command/', { token })).rejects.toThrow('401');
  });

  attack('SE-03', async ({ status, app }) => {
    const { id, token, cookie } = await createSignedInUser('leaver2', { perm: { execute: true } });
    expect(await status('admin', 'DELETE', `/api/users/${id}`)).toBe(200);
    for (const [method, target] of [
      ['GET', '/api/resources/'],
      ['PUT', '/api/resources/a.txt'],
      ['POST', '/api/renew'],
      ['GET', `/api/users/${id}`],
    ] as const) {
      expect(await status('', method, target, withToken(token)), target).toBe(401);
    }
    expect(await status('', 'GET', '/api/raw/canary.txt', withCookie(cookie))).toBe(401);
    await expect(openSocket(app, '/api/command/', { token })).rejects.toThrow('401');
  });

  attack('SE-05', async ({ request, status }) => {
    const { token } = await createSignedInUser('renewer');
    const renewals = await Promise.all(
      Array.from({ length: 20 }, () => request('', 'POST', '/api/renew', withToken(token))),
    );
    const renewed = new Set(renewals.filter((response) => response.status === 200).map(({ text }) => text));
    expect(renewed.size).toBe(1);
    const [next = ''] = renewed;
    expect(await status('', 'GET', '/api/resources/', withToken(next))).toBe(200);
    expect(await status('', 'POST', '/api/logout', withToken(next))).toBe(200);
    // The old token ends with the session.
    expect(await status('', 'GET', '/api/resources/', withToken(token))).toBe(401);
  });

  attack('SE-07', async () => {
    const app = await startApp({ config: { sessionAbsolute: '2s' } });
    try {
      let token = await app.signIn('admin');
      // Renewals do not extend the maximum duration of the session.
      for (let round = 0; round < 3; round++) {
        app.clock.advance(500);
        const response = await app.fetch('/api/renew', { method: 'POST', token });
        expect(response.status).toBe(200);
        token = (await response.text()).trim();
      }
      app.clock.advance(500);
      expect((await app.fetch('/api/renew', { method: 'POST', token })).status).toBe(401);
    } finally {
      await app.close();
    }
  });

  attack('SE-23', async ({ request, status }) => {
    const { id, token } = await createSignedInUser('reader');
    stage().letRead('', 'root/users/alice2');
    expect(
      (await request('', 'GET', '/api/raw/canary.txt', { headers: { 'X-Auth': token, Range: 'bytes=0-3' } }))
        .status,
    ).toBe(206);
    expect(await status('admin', 'DELETE', `/api/sessions?user=${id}`)).toBe(200);
    expect(
      (await request('', 'GET', '/api/raw/canary.txt', { headers: { 'X-Auth': token, Range: 'bytes=4-7' } }))
        .status,
    ).toBe(401);
  });

  attack('SE-25', async ({ request, app, status }) => {
    const { id, token } = await createSignedInUser('collector');
    for (let round = 0; round < 25; round++) await app.signIn('collector');
    const sessions = JSON.parse(
      (await request('admin', 'GET', `/api/sessions?user=${id}`)).text,
    ) as unknown[];
    expect(sessions).toHaveLength(20);
    expect(await status('', 'GET', '/api/resources/', withToken(token))).toBe(401);
  });
});

describe('invalid tokens', () => {
  attack('SE-09', async ({ status, token, port }) => {
    const [head = '', payload = '', signature = ''] = token('alice').split('.');
    const encodeJson = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { user: object };
    const forged = [
      'a.b',
      'a.b.c.d',
      '...',
      '.',
      '!!.!!.!!',
      'x'.repeat(20_000),
      `${head}.${encodeJson(['x'])}.${signature}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${encodeJson({ alg: 'none' })}.${payload}.`,
      `${head}.${encodeJson({ ...claims, user: { ...claims.user, id: 1, perm: { admin: true } } })}.${signature}`,
      `${head}.{"__proto__":{"admin":true}}.${signature}`,
      `${head}.${encodeJson({ __proto__: { admin: true } })}.x`,
      `${head}.${payload}.${createHmac('sha256', '').update(`${head}.${payload}`).digest('base64url')}`,
      `${head}.${payload}.${signature}x`,
      ` ${head}.${payload}.AAAA`,
      `Bearer ${token('alice')}`,
    ];
    for (const value of forged) {
      expect(await status('', 'GET', '/api/resources/', withToken(value)), value.slice(0, 60)).toBe(401);
    }
    const twice = bytesOf({
      method: 'GET',
      target: '/api/resources/',
      headers: [
        ['X-Auth', 'a.b.c'],
        ['X-Auth', token('alice')],
      ],
    });
    expect(parseResponse(await exchange(port, twice)).status).toBe(401);
    expect(await status('', 'GET', '/api/resources/', withToken('y'.repeat(1_000_000)))).toBe(431);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  attack('SE-11', async ({ status, token, app }) => {
    const auth = token('alice');
    stage().letRead('', 'root/users/alice/a.txt');
    // Existing clients read files in this way; all other endpoints refuse it.
    expect(await status('', 'GET', `/api/raw/a.txt?auth=${auth}`)).toBe(200);
    for (const [method, target] of [
      ['GET', '/api/resources/'],
      ['PUT', '/api/resources/a.txt'],
      ['POST', '/api/resources/new.txt'],
      ['DELETE', '/api/resources/a.txt'],
      ['POST', '/api/renew'],
      ['POST', '/api/logout'],
      ['GET', '/api/users'],
      ['GET', '/api/search/'],
      ['GET', '/api/shares'],
      ['POST', '/api/jobs'],
    ] as const) {
      expect(await status('', method, `${target}?auth=${auth}`), target).toBe(401);
    }
    const strict = await startApp({ files: { 'a.txt': 'a' }, config: { tokenInQuery: 'off' } });
    try {
      const inQuery = await strict.fetch(`/api/raw/a.txt?auth=${await strict.signIn('admin')}`);
      expect(inQuery.status).toBe(401);
      expect(strict.log.join('')).not.toContain('auth=');
    } finally {
      await strict.close();
    }
    expect(app.log.join('')).not.toContain('auth=');
  });

  attack('SE-13', async ({ status, app }) => {
    const { cookie } = await createSignedInUser('eater', { perm: { execute: true } });
    stage().letRead('', 'root/users/alice2');
    const target = (path: string): string =>
      path
        .replace('{id}', '1')
        .replace('{hash}', 'abc')
        .replace('{size}', 'thumb')
        .replace('{ticket}', 't')
        .replace('{feed}', 'f')
        .replace('*', 'canary.txt');
    const statusWithCookie: Readonly<Record<string, number>> = {
      getSubtitle: 400,
      getRaw: 200,
      getArchive: 404,
      getArchiveRaw: 400,
      getArchivePreview: 400,
      followJobs: 200,
      followLive: 200,
      getPreview: 501,
      getTrashRaw: 400,
      getTrashPreview: 400,
      getVersionRaw: 400,
      getVersionPreview: 400,
      runCommand: 400,
    };
    for (const { id, method, path, access, acceptsCookie } of endpoints) {
      if (access === 'anyone') continue;
      const response = await app.fetch(target(path), { method, headers: { cookie } });
      // A response may be a stream of events without an end.
      await response.body?.cancel();
      const isServed = acceptsCookie === true && method === 'GET';
      expect(response.status, id).toBe(isServed ? statusWithCookie[id] : 401);
    }
    const reading = endpoints
      .filter(({ acceptsCookie }) => acceptsCookie === true)
      .map(({ id, method }) => `${method} ${id}`);
    expect(reading.sort()).toEqual([
      'GET followJobs',
      'GET followLive',
      'GET getArchive',
      'GET getArchivePreview',
      'GET getArchiveRaw',
      'GET getPreview',
      'GET getRaw',
      'GET getSubtitle',
      'GET getTrashPreview',
      'GET getTrashRaw',
      'GET getVersionPreview',
      'GET getVersionRaw',
      'GET runCommand',
    ]);
    await expect(
      openSocket(app, '/api/command/', { headers: { cookie, origin: 'https://evil.example' } }),
    ).rejects.toThrow('403');
    expect(await status('', 'GET', '/api/raw/canary.txt', withCookie(cookie))).toBe(200);
  });

  attack('SE-15', async ({ app, request, token }) => {
    const chosen = 'A'.repeat(43);
    const response = await app.fetch('/api/login', {
      method: 'POST',
      token: token('bob'),
      json: { username: 'alice', password: testPassword },
      headers: { cookie: `filestead_session=${chosen}; auth=${token('bob')}` },
    });
    const fresh = await response.text();
    expect(fresh).not.toBe(token('bob'));
    expect(response.headers.get('set-cookie')).not.toContain(chosen);
    expect(
      (await request('', 'GET', '/api/raw/a.txt', withCookie(`filestead_session=${chosen}`))).status,
    ).toBe(401);
    expect((await request('bob', 'GET', '/api/resources/')).status).toBe(200);
  });

  attack('SE-17', async ({ status, share, request, app }) => {
    await stage().addUser('phoenix', { share: true, download: true });
    const old = stage().token('phoenix');
    const created = await share('phoenix', '/a.txt');
    const ticket = JSON.parse(
      (await request('phoenix', 'POST', '/api/archives', { json: { paths: ['/docs'] } })).text,
    ) as { ticket: string };
    const users = JSON.parse((await request('admin', 'GET', '/api/users')).text) as {
      id: number;
      username: string;
    }[];
    const { id = 0 } = users.find(({ username }) => username === 'phoenix') ?? {};
    expect(await status('admin', 'DELETE', `/api/users/${id}`)).toBe(200);
    const again = await app.createUser({ username: 'phoenix', scope: '/users/phoenix' });
    expect(again.id).not.toBe(id);
    expect(await status('phoenix', 'GET', '/api/resources/')).toBe(401);
    expect(await status('', 'GET', `/api/public/dl/${created.hash}`)).toBe(404);
    const fresh = await stage().signIn('phoenix');
    expect(fresh).not.toBe(old);
    expect(await status('phoenix', 'GET', `/api/archives/${ticket.ticket}`)).toBe(404);
    stage().allowed.push('root/users');
  });
});

describe('changes that a session cannot make', () => {
  attack('SE-19', async ({ request, status }) => {
    const settings = JSON.parse((await request('admin', 'GET', '/api/settings')).text) as Settings;
    for (const change of [
      { authMethod: 'noauth' },
      { authMethod: 'none', noAuth: true },
      { auth: { header: 'X-User' } },
      { key: 'abc' },
      { noauth: true },
    ]) {
      const json = { ...settings, ...change };
      expect(await status('alice', 'PUT', '/api/settings', { json })).toBe(403);
      expect(await status('admin', 'PUT', '/api/settings', { json })).toBe(200);
    }
    expect(JSON.parse((await request('admin', 'GET', '/api/settings')).text)).toEqual(settings);
    expect(await status('', 'GET', '/api/resources/')).toBe(401);
    for (const headers of [{ 'X-User': 'admin' }, { 'X-Auth-User': 'admin' }, { 'Remote-User': 'admin' }]) {
      expect(await status('', 'POST', '/api/login', { json: {}, headers })).toBe(403);
    }
  });

  attack('SE-21', async ({ status, app }) => {
    const { id } = await createSignedInUser('locked', { lockPassword: true });
    const change = (which: string[], data: object): Promise<number> =>
      status('locked', 'PUT', `/api/users/${id}`, { json: { what: 'user', which, data: { id, ...data } } });
    expect(await change(['password'], { password: 'another good password' })).toBe(403);
    expect(await change(['Password'], { password: 'another good password' })).toBe(403);
    expect(await change(['locale', 'password'], { locale: 'de', password: 'another good password' })).toBe(
      403,
    );
    expect(await change(['lockPassword'], { lockPassword: false })).toBe(403);
    expect(await change([], { lockPassword: false, password: 'another good password' })).toBe(403);
    expect(await change(['all'], { lockPassword: false, password: 'another good password' })).toBe(403);
    expect(await app.signIn('locked')).toBeTruthy();
  });
});
