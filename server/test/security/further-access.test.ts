import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@filestead/contract/settings';
import type { User } from '@filestead/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import { type RawResponse, exchange, parseResponse } from './raw-client.ts';
import { prepareStage, waitingTimeMs } from './stage.ts';
import { cpuTimeOfMs } from '../cpu-time.ts';

// Attacks beyond the listed cases: accounts, shares, sessions, requests that are not valid HTTP, and floods.
const { stage } = prepareStage({
  config: { loginAttemptsPerName: '100000', loginAttemptsPerAddress: '100000', maxUploadSize: '1MiB' },
  web: { 'index.html': '<!doctype html><html><head><title>Filestead</title></head><body></body></html>' },
});
const ask = (who: string, method: string, target: string, sent = {}): Promise<RawResponse> =>
  stage().request(who, method, target, sent);
const status = (who: string, method: string, target: string, sent = {}): Promise<number> =>
  stage().status(who, method, target, sent);
const users = async (): Promise<User[]> =>
  JSON.parse((await ask('admin', 'GET', '/api/users')).text) as User[];
async function userNamed(name: string): Promise<User> {
  const found = (await users()).find(({ username }) => username === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
const change = (who: string, user: User, which: string[], data: object): Promise<number> =>
  status(who, 'PUT', `/api/users/${user.id}`, { json: { what: 'user', which, data: { ...user, ...data } } });
/** Sends raw bytes on a separate connection; the response is examined like all others. */
async function raw(bytes: string, timeoutMs = 1_500): Promise<RawResponse> {
  return parseResponse(await exchange(stage().port, bytes, { timeoutMs }));
}

beforeAll(async () => {
  const { addUser, plant } = stage();
  for (const name of ['giver', 'leaver', 'mover']) {
    await addUser(name, { share: true, download: true, create: true, delete: true, rename: true });
  }
  await plant('root/users/giver/film.vtt', ['giver', 'admin']);
  await plant('root/users/giver/pub/film.srt', ['giver', 'admin']);
});

describe('visitors of a share lose access together with its owner', () => {
  const open = async (hash: string): Promise<number[]> => [
    await status('', 'GET', `/api/public/share/${hash}`),
    await status('', 'GET', `/api/public/dl/${hash}/a.txt`),
    await status('', 'GET', `/api/public/dl/${hash}?algo=tar`),
    await status('', 'GET', `/api/public/subtitle/${hash}/film.vtt`),
  ];
  const isClosed = (codes: readonly number[]): boolean => codes.every((code) => code >= 400);

  test('when the owner loses the permission share or download, or a rule denies the path', async () => {
    const giver = await userNamed('giver');
    const { hash } = await stage().share('giver', '/docs');
    stage().letRead('', 'root/users/giver/docs');
    expect((await open(hash)).slice(0, 3)).toEqual([200, 200, 200]);
    for (const [which, lost] of [
      ['perm', { perm: { ...giver.perm, share: false } }],
      ['perm', { perm: { ...giver.perm, download: false } }],
      ['rules', { rules: [{ regex: false, allow: false, path: '/docs', regexp: null }] }],
    ] as const) {
      expect(await change('admin', giver, [which], lost)).toBe(200);
      const codes = await open(hash);
      // Without the permission to download, the listing can still be shown.
      const isShown = which === 'perm' && 'perm' in lost && lost.perm.share;
      expect(isClosed(isShown ? codes.slice(1) : codes), `${JSON.stringify(lost)} ${codes.join()}`).toBe(
        true,
      );
      expect(await change('admin', giver, [which], {})).toBe(200);
    }
    expect((await open(hash)).slice(0, 3)).toEqual([200, 200, 200]);
    const settings = JSON.parse((await ask('admin', 'GET', '/api/settings')).text) as Settings;
    const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '/docs/a' } }];
    expect(await status('admin', 'PUT', '/api/settings', { json: { ...settings, rules } })).toBe(200);
    expect(await status('', 'GET', `/api/public/dl/${hash}/a.txt`)).toBe(403);
    expect(await status('admin', 'PUT', '/api/settings', { json: settings })).toBe(200);
  });

  test('subtitles of a protected share need its password and stay below its folder', async () => {
    const { hash } = await stage().share('giver', '/pub', { password: 'one more word' });
    const target = `/api/public/subtitle/${hash}/film.srt`;
    for (const headers of [{}, { 'X-SHARE-PASSWORD': 'wrong' }, { 'X-Auth': stage().token('bob') }]) {
      expect(await status('', 'GET', target, { headers })).toBe(401);
    }
    const headers = { 'X-SHARE-PASSWORD': 'one%20more%20word' };
    for (const path of [
      '../film.vtt',
      '..%2ffilm.vtt',
      '%2e%2e/film.vtt',
      '/film.vtt',
      '../../bob/a.txt',
      'film.srt/../../a.txt',
    ]) {
      expect(await status('', 'GET', `/api/public/subtitle/${hash}/${path}`, { headers }), path).toBe(
        path === '/film.vtt' ? 404 : 400,
      );
    }
  });

  test('a token of one share does not open another one', async () => {
    const password = 'the same word';
    const [one, two] = [
      await stage().share('giver', '/pub', { password }),
      await stage().share('leaver', '/docs', { password }),
    ];
    const opened = await ask('', 'GET', `/api/public/share/${one.hash}`, {
      headers: { 'X-SHARE-PASSWORD': 'the%20same%20word' },
    });
    const { token } = JSON.parse(opened.text) as { token: string };
    expect(token.length).toBeGreaterThan(20);
    for (const odd of [
      token,
      `${token}=`,
      token.toUpperCase(),
      token.slice(0, -1),
      '',
      'null',
      'undefined',
      '[]',
    ]) {
      for (const part of ['share', 'dl', 'subtitle']) {
        const target = `/api/public/${part}/${two.hash}/a.txt?token=${encodeURIComponent(odd)}`;
        expect(await status('', 'GET', target)).toBe(401);
      }
    }
    expect(await status('', 'GET', `/api/resources/a.txt`, { headers: { 'X-Auth': token } })).toBe(401);
  });
});

describe('accounts', () => {
  test('users cannot raise their own permissions', async () => {
    const bob = await userNamed('bob');
    const grown = {
      perm: { ...bob.perm, admin: true, execute: true },
      scope: '/',
      rules: [],
      commands: ['sh'],
      lockPassword: false,
      username: 'root',
      id: 1,
    };
    for (const which of [
      [],
      ['all'],
      ['All'],
      ['perm'],
      ['Perm'],
      ['scope'],
      ['rules'],
      ['commands'],
      ['username'],
      ['lockPassword'],
      ['hideDotfiles', 'perm'],
    ]) {
      expect(await change('bob', bob, which, grown), which.join()).toBe(403);
    }
    // Names that are not those of fields.
    for (const which of [['id'], ['perm.admin'], ['__proto__'], ['constructor']]) {
      expect(await change('bob', bob, which, grown), which.join()).toBe(400);
    }
    expect(
      await status('bob', 'PUT', `/api/users/${bob.id}`, {
        json: { what: 'user', which: ['locale'], data: { ...bob, ...grown } },
      }),
    ).toBe(400);
    expect(await userNamed('bob')).toEqual(bob);
    for (const target of [
      `/api/users/${bob.id}.0`,
      `/api/users/0${bob.id}`,
      `/api/users/${bob.id}%20`,
      '/api/users/1',
      '/api/users/%31',
    ]) {
      const json = { what: 'user', which: ['locale'], data: { ...bob, locale: 'de' } };
      expect(await status('bob', 'PUT', target, { json }), target).toBe(403);
    }
  });

  test('a malformed scope does not lead out of the served folder', async () => {
    for (const scope of ['../', '/../../etc', '/users/../../out', '..\\out', '/a\0b', '%2e%2e/%2e%2e/out']) {
      const data = { username: 'mistyped', password: 'a good long password', scope };
      const code = await status('admin', 'POST', '/api/users', { json: { what: 'user', which: [], data } });
      // A backslash and a percent sign are letters of a name.
      expect(code, scope).toBe(/^\.\.\\|^%/.test(scope) ? 201 : 400);
      if (code === 201) {
        const made = await userNamed('mistyped');
        expect(made.scope.split('/')).not.toContain('..');
        expect(await status('admin', 'DELETE', `/api/users/${made.id}`)).toBe(200);
      }
      stage().allowed.push('root');
    }
  });

  test('usernames that look alike are treated as one name or rejected', async () => {
    const taken = [
      'ALICE',
      'Alice',
      'ａｌｉｃｅ',
      'alice\u200b',
      'alice ',
      ' alice',
      'alice\0',
      '',
      'a\nb',
      '\u202ealice',
    ];
    for (const username of taken) {
      const data = { username, password: 'a good long password', scope: '/' };
      const isAnotherSpelling = ['ALICE', 'Alice', 'ａｌｉｃｅ'].includes(username);
      expect(
        await status('admin', 'POST', '/api/users', { json: { what: 'user', which: [], data } }),
        JSON.stringify(username),
      ).toBe(isAnotherSpelling ? 409 : 400);
    }
  });

  test('a password of a megabyte is refused unread, and not hashed', async () => {
    const codes = await Promise.all(
      Array.from({ length: 8 }, () =>
        status('', 'POST', '/api/login', { json: { username: 'alice', password: 'x'.repeat(900_000) } }),
      ),
    );
    for (const code of codes) expect(code).toBe(413);
  });
});

describe('tokens', () => {
  test('a token with another signature, or without one, is invalid', async () => {
    const [header = '', payload = ''] = stage().token('bob').split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { user: object };
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const admin = encode({ ...claims, user: { ...claims.user, id: 1, perm: { admin: true } } });
    const keys = ['', 'secret', 'filebrowser', 'null', '\0'.repeat(64)];
    const forged = [
      `${encode({ alg: 'none', typ: 'JWT' })}.${admin}.`,
      `${encode({ alg: 'None' })}.${admin}.x`,
      `${encode({ alg: 'HS256', kid: '../../dev/null' })}.${admin}.${createHmac('sha256', '').update('').digest('base64url')}`,
      ...keys.map(
        (key) =>
          `${header}.${admin}.${createHmac('sha256', key).update(`${header}.${admin}`).digest('base64url')}`,
      ),
      `${header}.${payload}.${'A'.repeat(43)}`,
    ];
    for (const token of forged) {
      for (const headers of [
        { 'X-Auth': token },
        { Authorization: `Bearer ${token}` },
        { Cookie: `auth=${token}` },
      ]) {
        expect(await status('', 'GET', '/api/users', { headers })).toBe(401);
        expect(await status('', 'GET', '/api/raw/a.txt', { headers })).toBe(401);
      }
      expect(await status('', 'GET', `/api/raw/a.txt?auth=${encodeURIComponent(token)}`)).toBe(401);
    }
  });
});

describe('malformed HTTP requests', () => {
  const host = 'Host: filestead.test\r\n';
  test('a request with two lengths, or a length and chunks, cannot smuggle another one', async () => {
    const auth = `X-Auth: ${stage().token('bob')}\r\n`;
    const smuggled = `GET /api/raw/b.txt HTTP/1.1\r\n${host}${auth}\r\n`;
    for (const lines of [
      `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
      `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`,
      `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `Content-Length: +4\r\n\r\nabcd${smuggled}`,
      `Content-Length: 4,4\r\n\r\nabcd${smuggled}`,
      `Transfer-Encoding: chunked\r\n\r\n4;ext\nabcd\r\n0\r\n\r\n`,
      `X: y\r\n Content-Length: 4\r\n\r\nabcd`,
    ]) {
      const response = await raw(`POST /api/logout HTTP/1.1\r\n${host}${lines}`);
      expect(response.text, JSON.stringify(lines.slice(0, 60))).not.toContain(
        stage().canary('root/users/bob/b.txt'),
      );
      expect(response.status).toBe(400);
    }
  });

  test('unknown methods, versions and targets are rejected', async () => {
    for (const [line, expected] of [
      ['TRACE / HTTP/1.1', 404],
      ['CONNECT 127.0.0.1:22 HTTP/1.1', 0],
      ['GET http://169.254.169.254/latest HTTP/1.1', 200],
      ['GET //evil.example/%2f.. HTTP/1.1', 200],
      ['GET /\\evil.example HTTP/1.1', 200],
      ['PROPFIND / HTTP/1.1', 404],
      ['GET * HTTP/1.1', 200],
      ['GET / HTTP/9.9', 400],
      ['PRI * HTTP/2.0', 400],
      ['DEBUG /api/users HTTP/1.1', 400],
    ] as const) {
      const response = await raw(`${line}\r\n${host}Connection: close\r\n\r\n`);
      expect(response.headers.location ?? '', line).not.toContain('evil');
      expect(response.status, line).toBe(expected);
      expect(response.text).not.toContain('X-Auth');
    }
  });

  test('a foreign host name is not repeated in responses', async () => {
    for (const target of [
      '/',
      '/login',
      '/files',
      '/api/users',
      '/share/x',
      '/manifest.json',
      '/static/nothing',
    ]) {
      const headers = {
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        Forwarded: 'host=evil.example',
        'X-Forwarded-Proto': 'javascript',
      };
      const response = await ask('', 'GET', target, { headers });
      expect(response.raw.toString('latin1'), target).not.toContain('evil.example');
    }
    const begun = await ask('alice', 'POST', '/api/tus/hosted.bin', {
      headers: {
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        'Tus-Resumable': '1.0.0',
        'Upload-Length': '1',
      },
    });
    stage().allowed.push('root/users/alice');
    expect(new URL(begun.headers.location ?? '', 'http://own.example').hostname).toBe('own.example');
    await status('alice', 'DELETE', (begun.headers.location ?? '').replace(/^https?:\/\/[^/]+/, ''), {
      headers: { 'Tus-Resumable': '1.0.0' },
    });
  });
});

describe('floods', () => {
  const others = (): Promise<number> => waitingTimeMs(stage().app, '/api/resources/', stage().token('alice'));

  test('deeply nested, repeated and colliding JSON is rejected or parsed quickly', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const deepObject = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const many = `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join()}}`;
    const twice = '{"username":"alice","username":"admin","password":"x","password":"y"}';
    for (const body of [
      deep,
      deepObject,
      many,
      twice,
      '{"__proto__":{"admin":true}}',
      '1e999999',
      '"\\ud800"',
      '\ufeff{}',
      'NaN',
      '',
    ]) {
      for (const [who, target, expected] of [
        // Malformed credentials are wrong ones. The limit of their size is smaller than that of other bodies.
        ['', '/api/login', body.length > 30_000 ? 413 : 403],
        ['alice', '/api/jobs', 400],
        ['alice', '/api/archives', 400],
        // Without a body a share has neither a password nor an end.
        ['alice', '/api/share/a.txt', body === '' ? 200 : 400],
      ] as const) {
        let code = 0;
        const timeMs = await cpuTimeOfMs(async () => {
          code = await status(who, 'POST', target, {
            body,
            headers: { 'Content-Type': 'application/json' },
          });
        });
        expect(code, `${target} ${body.slice(0, 20)}`).toBe(expected);
        expect(timeMs).toBeLessThan(3_000);
      }
    }
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
  });

  test('expensive searches, ranges and headers cost little processor time', async () => {
    const blow = 'a'.repeat(6_000);
    for (const [expected, target, headers] of [
      [400, `/api/search/?query=${blow}`, {}],
      [400, `/api/search/?query=${encodeURIComponent('type:image '.repeat(400))}`, {}],
      [400, `/api/search/?query=${encodeURIComponent('"'.repeat(2_000))}`, {}],
      [
        200,
        '/api/raw/a.txt',
        { Range: `bytes=${Array.from({ length: 1_000 }, (_, index) => `${index}-`).join()}` },
      ],
      [200, '/api/raw/a.txt', { 'If-None-Match': `"${blow}"${', "x"'.repeat(2_000)}` }],
      [200, '/api/resources/', { Accept: `${'text/html;q=0.1,'.repeat(1_000)}application/json` }],
      [200, '/', { 'Accept-Language': `${'de;q=0.9,'.repeat(2_000)}en` }],
      [200, '/', { Cookie: `${'a=b; '.repeat(4_000)}auth=x` }],
      [200, `/api/raw/a.txt?${'x=1&'.repeat(2_000)}`, {}],
    ] as const) {
      const timeMs = await cpuTimeOfMs(async () =>
        expect(await status('alice', 'GET', target, { headers }), target.slice(0, 40)).toBe(expected),
      );
      expect(timeMs, target.slice(0, 40)).toBeLessThan(2_500);
    }
    expect(await others()).toBeLessThan(1_000);
  });

  test('the number of unread event streams per user is limited', async () => {
    const { port } = stage();
    const request = `GET /api/jobs/events HTTP/1.1\r\nHost: x\r\nX-Auth: ${stage().token('bob')}\r\n\r\n`;
    const responses = await Promise.all(
      Array.from({ length: 120 }, () =>
        exchange(port, request, { timeoutMs: 3_000 }).catch(() => Buffer.alloc(0)),
      ),
    );
    const codes = responses.map((response) => parseResponse(response).status);
    expect(codes.toSorted()).toEqual([...Array<number>(20).fill(200), ...Array<number>(100).fill(429)]);
    expect(await others()).toBeLessThan(1_000);
  });

  test('the maximum upload size applies to every kind of upload and to parallel ones', async () => {
    stage().allowed.push('root/users/alice');
    const body = Buffer.alloc(1024 * 1024 + 1, 'x');
    const codes = await Promise.all([
      ...Array.from({ length: 4 }, (_, index) =>
        status('alice', 'POST', `/api/resources/large-${index}.bin`, { body }),
      ),
      status('alice', 'PUT', '/api/resources/b.txt', { body }),
      status('alice', 'POST', '/api/tus/large.bin', {
        headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(body.length) },
      }),
    ]);
    expect(codes).toEqual([413, 413, 413, 413, 413, 413]);
    const chunked = `POST /api/resources/chunked.bin HTTP/1.1\r\nHost: x\r\nX-Auth: ${stage().token('alice')}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n100001\r\n${'x'.repeat(0x100001)}\r\n0\r\n\r\n`;
    expect((await raw(chunked, 5_000)).status).toBe(413);
    expect(await status('alice', 'GET', '/api/resources/chunked.bin')).toBe(404);
  });
});

test('a username cannot forge log fields', async () => {
  stage().allowed.push('root/users/alice');
  const odd = 'x\u001b[2J","level":60,"msg":"root signed in","a":"';
  await status('', 'POST', '/api/login', {
    json: { username: odd, password: 'x' },
    headers: { 'User-Agent': odd.replace('\u001b', '') },
  });
  writeFileSync(join(stage().folder, 'root/users/alice/a.txt'), stage().canary('root/users/alice/a.txt'));
  await status('alice', 'GET', `/api/raw/${encodeURIComponent(odd)}`);
  for (const line of stage().app.log) expect(() => JSON.parse(line) as unknown).not.toThrow();
});
