import { readdirSync, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '@filestead/contract/settings';
import type { User } from '@filestead/contract/users';
import { describe, expect } from 'vitest';
import { testPassword } from '../start-app.ts';
import { userOfToken } from '../fixtures/user-of-token.ts';
import { startPreparedApp } from '../start-prepared-app.ts';
import { prepareStage } from './stage.ts';

const password = 'a password of a visitor';
const { stage, attack } = prepareStage({ settings: { signup: false } }, { opensFor: 'each test' });

async function change(settings: object): Promise<void> {
  const { request, status } = stage();
  const current = JSON.parse((await request('admin', 'GET', '/api/settings')).text) as Settings;
  expect(await status('admin', 'PUT', '/api/settings', { json: { ...current, ...settings } })).toBe(200);
}
const signUp = (username: string): Promise<number> =>
  stage().status('', 'POST', '/api/signup', { json: { username, password } });
const users = async (): Promise<User[]> =>
  JSON.parse((await stage().request('admin', 'GET', '/api/users')).text) as User[];
async function userNamed(name: string): Promise<User> {
  const found = (await users()).find(({ username }) => username === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

describe('signing up', () => {
  attack('SU-01', async ({ status }) => {
    const before = await users();
    expect(await signUp('visitor')).toBe(405);
    for (const [target, expected] of [
      ['/api/signup?signup=true', 405],
      ['/api/signup/', 404],
      ['/api/Signup', 404],
    ] as const) {
      const sent = {
        json: { username: 'visitor', password, signup: true },
        headers: { 'X-Signup': 'true' },
      };
      expect(await status('', 'POST', target, sent), target).toBe(expected);
    }
    expect(await users()).toEqual(before);
  });

  attack('SU-03', async ({ request }) => {
    stage().allowed.push('root/users');
    const { defaults } = JSON.parse((await request('admin', 'GET', '/api/settings')).text) as Settings;
    await change({
      signup: true,
      createUserDir: true,
      defaults: {
        ...defaults,
        perm: { ...defaults.perm, admin: true, execute: true, create: true },
        commands: ['git', 'sh'],
      },
    });
    expect(await signUp('carol')).toBe(200);
    const carol = await userNamed('carol');
    expect([carol.perm.admin, carol.perm.execute, carol.commands, carol.scope]).toEqual([
      false,
      false,
      [],
      '/users/carol',
    ]);
  });

  attack('SU-05', async () => {
    stage().allowed.push('root/users');
    await change({ signup: true, createUserDir: true });
    const names = ['teamone/x', 'teamone-x', 'teamone x', 'teamone--x', 'TEAMONE-X', 'teamone..-x'];
    const statuses = [];
    for (const name of names) statuses.push(await signUp(name));
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409]);
    const scopes = (await users())
      .filter(({ username }) => /team/i.test(username))
      .map(({ scope }) => scope.toLowerCase());
    expect(new Set(scopes).size).toBe(scopes.length);
  });

  attack('SU-07', async () => {
    stage().allowed.push('root/users');
    await change({ signup: true, createUserDir: true });
    const sameFolder = Array.from({ length: 10 }, (_, n) =>
      signUp(`crowd${['/', '-', ' ', '+', '~', '!', '#', '$', '%', '^'][n]}x`),
    );
    const sameName = Array.from({ length: 10 }, () => signUp('twin'));
    const statuses = [await Promise.all(sameFolder), await Promise.all(sameName)];
    for (const codes of statuses) {
      // Which one is first is a race.
      expect(codes.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    }
  });

  attack('SU-09', async ({ folder, plant }) => {
    stage().allowed.push('root/users');
    await change({ signup: true, createUserDir: true });
    await plant('root/users/dora/old.txt', ['admin']);
    expect(await signUp('dora')).toBe(409);
    expect(readdirSync(join(folder, 'root/users/dora'))).toEqual(['old.txt']);
    // An existing empty folder with the name of the home folder is not used either.
    await mkdir(join(folder, 'root/users/erik'));
    expect(await signUp('erik')).toBe(409);
  });

  attack('SU-11', async () => {
    const defaults = {
      scope: '.',
      perm: {
        admin: true,
        execute: true,
        create: true,
        rename: false,
        modify: false,
        delete: false,
        share: false,
        download: true,
      },
      commands: ['sh'],
    };
    const settings = { createUserDir: true, defaults } as unknown as Partial<Settings>;
    const proxy = { 'auth.method': 'proxy', 'auth.header': 'X-User', trustedProxies: '127.0.0.1' };
    const creatingNone = await startPreparedApp(settings, { config: proxy });
    const creating = await startPreparedApp(settings, { config: { ...proxy, 'auth.createUsers': 'on' } });
    try {
      const visit = (app: typeof creating, name: string): Promise<Response> =>
        app.fetch('/api/login', { method: 'POST', headers: { 'x-user': name } });
      expect((await visit(creatingNone, 'newcomer')).status).toBe(403);
      const made = await visit(creating, 'newcomer');
      expect(made.status).toBe(200);
      const { perm, commands } = userOfToken(await made.text());
      expect([perm.admin, perm.execute, commands]).toEqual([false, false, []]);
      expect(existsSync(join(creating.root, 'users/newcomer'))).toBe(true);
    } finally {
      await creatingNone.close();
      await creating.close();
    }
  });
});

describe('changing users', () => {
  const put = (who: string, id: number, json: object): Promise<number> =>
    stage().status(who, 'PUT', `/api/users/${id}`, { json });

  attack('SU-13', async () => {
    const before = await userNamed('alice');
    const data = {
      id: before.id,
      locale: 'de',
      perm: { admin: true },
      password: 'another good password',
      scope: '/',
      rules: [],
      commands: ['sh'],
      username: 'root',
    };
    expect(await put('alice', before.id, { what: 'user', which: ['locale'], data })).toBe(200);
    expect(await userNamed('alice')).toEqual({ ...before, locale: 'de' });
    for (const which of [
      ['perm'],
      ['scope'],
      ['all'],
      [],
      ['locale', 'perm'],
      ['Perm'],
      ['commands'],
      ['rules'],
      ['username'],
    ]) {
      expect(await put('alice', before.id, { what: 'user', which, data }), which.join()).toBe(403);
    }
    expect(await userNamed('alice')).toEqual({ ...before, locale: 'de' });
    const bob = await userNamed('bob');
    expect(
      await put('alice', before.id, { what: 'user', which: ['locale'], data: { ...data, id: bob.id } }),
    ).toBe(400);
    expect(await stage().app.signIn('alice')).toBeTruthy();
  });

  attack('SU-15', async ({ status }) => {
    const { id } = await userNamed('alice');
    for (const which of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'id', '']) {
      expect(await put('alice', id, { what: 'user', which: [which], data: { id } }), which).toBe(400);
    }
    const body = `{"what":"user","which":["locale"],"data":{"id":${id},"locale":"en","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}}`;
    expect(await status('alice', 'PUT', `/api/users/${id}`, { body })).toBe(200);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
    expect(await status('alice', 'GET', '/api/users')).toBe(403);
  });

  attack('SU-17', async ({ request, token }) => {
    const { id } = await userNamed('alice');
    for (const [who, target] of [
      ['admin', '/api/users'],
      ['admin', `/api/users/${id}`],
      ['alice', `/api/users/${id}`],
    ] as const) {
      const { text } = await request(who, 'GET', target);
      expect(text).not.toMatch(/\$argon2|\$2[aby]\$|passwordHash|password_hash/);
      expect([...text.matchAll(/"password":"([^"]*)"/g)].map(([, value]) => value).join('')).toBe('');
    }
    expect(JSON.parse((await request('alice', 'GET', `/api/users/${id}`)).text)).toMatchObject({ scope: '' });
    const claims = Buffer.from(token('alice').split('.')[1] ?? '', 'base64url').toString();
    expect(claims).not.toMatch(/\$argon2|"password"|"scope"|"rules"/);
  });

  attack('SU-19', async ({ app, status }) => {
    const admin = await userNamed('admin');
    const demotion = (id: number): object => ({
      what: 'user',
      which: ['perm'],
      data: { id, perm: { ...admin.perm, admin: false } },
    });
    expect(await put('admin', admin.id, demotion(admin.id))).toBe(403);
    expect(await status('admin', 'DELETE', `/api/users/${admin.id}`)).toBe(403);
    const second = await app.createUser({ username: 'second', perm: { admin: true } });
    await stage().signIn('second');
    stage().letRead('second', 'root');
    const codes = await Promise.all([
      put('admin', admin.id, demotion(admin.id)),
      put('second', second.id, demotion(second.id)),
    ]);
    const administrators = new Set([admin.id, second.id]);
    expect(codes.toSorted()).toEqual([200, 403]);
    // The remaining administrator restores the other one's permission.
    const left = codes[0] === 200 ? 'second' : 'admin';
    const all = JSON.parse((await stage().request(left, 'GET', '/api/users')).text) as User[];
    expect(all.filter(({ id, perm }) => administrators.has(id) && perm.admin).length).toBeGreaterThan(0);
    await put(left, admin.id, { what: 'user', which: ['perm'], data: { id: admin.id, perm: admin.perm } });
    if (left === 'second') await stage().signIn('admin');
    expect(await status('admin', 'DELETE', `/api/users/${second.id}`)).toBe(200);
  });

  attack('SU-21', async ({ status }) => {
    const { id } = await userNamed('alice');
    for (const odd of [
      '0',
      '-1',
      `0${id}`,
      '1e0',
      '0x1',
      `${id}%20`,
      `${id}/..`,
      '99999999999999999999',
      'NaN',
      '',
      'null',
      '__proto__',
      `${id}.0`,
      `+${id}`,
      '%31',
    ]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const code = await status('bob', method, `/api/users/${odd}`, {
          json: { what: 'user', which: ['locale'], data: { locale: 'en' } },
        });
        expect(code, `${method} ${odd}`).toBe(odd.endsWith('/..') ? 404 : 403);
        if (method === 'GET' && odd !== '%31' && odd !== '')
          expect(await status('admin', method, `/api/users/${odd}`)).toBe(404);
      }
    }
  });

  attack('SU-23', async () => {
    const { id } = await userNamed('bob');
    const before = await userNamed('bob');
    for (const [which, value] of [
      ['locale', 'xx<script>'],
      ['viewMode', 'x'],
      ['sorting', { by: '__proto__', asc: false }],
      ['sorting', { by: 'name', asc: 'false' }],
      ['perm', { admin: 'true' }],
      ['commands', [['sh']]],
      ['commands', 'sh'],
      ['rules', Array.from({ length: 10_000 }, () => ({ path: '/x' }))],
      ['rules', [{ path: 1 }]],
      ['username', 'x'.repeat(10_000)],
      ['username', 'line\nbreak'],
      ['username', ''],
      ['scope', '/../..'],
      ['scope', 'a\u0000b'],
      ['hideDotfiles', 'yes'],
      ['aceEditorTheme', '"><script>'],
      ['password', 12_345_678],
    ] as const) {
      const json = { what: 'user', which: [which], data: { id, [which]: value } };
      expect(await put('admin', id, json), `${which} ${JSON.stringify(value).slice(0, 40)}`).toBe(400);
    }
    expect(await userNamed('bob')).toEqual(before);
  });

  attack('SU-25', async ({ app, status }) => {
    await change({ requireCurrentPassword: true });
    const { id, perm } = await userNamed('bob');
    const json = { what: 'user', which: ['perm'], data: { id, perm: { ...perm, admin: true } } };
    expect(await put('admin', id, json)).toBe(400);
    expect(await put('admin', id, { ...json, current_password: 'wrong' })).toBe(400);
    const own = { what: 'user', which: ['password'], data: { id, password: 'another good password' } };
    expect(await put('bob', id, own)).toBe(400);
    expect(await status('admin', 'DELETE', `/api/users/${id}`)).toBe(400);
    const fresh = {
      ...json.data,
      id: 0,
      username: 'made',
      password: 'a good password',
      scope: '/',
      locale: 'en',
    };
    expect(
      await status('admin', 'POST', '/api/users', { json: { what: 'user', which: [], data: fresh } }),
    ).toBe(400);
    expect(await put('admin', id, { ...json, current_password: testPassword })).toBe(200);
    expect(await put('admin', id, { ...json, data: { id, perm }, current_password: testPassword })).toBe(200);
    await change({ requireCurrentPassword: false, current_password: testPassword });
    expect(app.log.join('')).not.toContain('another good password');
  });
});
