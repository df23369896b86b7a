import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import type { Settings } from '@filestead/contract/settings';
import type { Share } from '@filestead/contract/shares';
import type { User } from '@filestead/contract/users';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { talk } from '../open-socket.ts';
import { type TestApp, startApp, testPassword } from '../start-app.ts';

// Requests as programs and older front ends send them, byte for byte where it matters.
let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    files: {
      'a.txt': 'hello\n',
      'docs/b.txt': 'b',
      'docs/sub/c.txt': 'c',
      'pixel.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      LATIN1: Buffer.from('Gr\xfc\xdfe aus K\xf6ln, sch\xf6ne T\xe4ler und B\xe4che.\r\n', 'latin1'),
      KOI: Buffer.from('f0d2c9d7c5d42c20cbc1cb20c4c5ccc1203f0a', 'hex'),
      'run.sh': Buffer.from('#!/bin/sh\necho "Gr\xfc\xdfe aus K\xf6ln, sch\xf6ne T\xe4ler"\n', 'latin1'),
      UTF16: Buffer.from('\uFEFFwide text', 'utf16le'),
      BINARY: Buffer.from([0xe9, 0x01, 0x02, 0xff, 0xfe, 0x00, 0x10]),
    },
  });
  token = await app.signIn('admin');
});
afterAll(() => app.close());

/** Sends a raw request head and body. Resolves to the status and the body of the response. */
async function send(head: readonly string[], body = ''): Promise<{ status: number; body: string }> {
  const response = await app.rawRequest(
    [...head, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body].join('\r\n'),
    { timeoutMs: 20_000 },
  );
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]),
    body: response.slice(response.indexOf('\r\n\r\n') + 4),
  };
}

describe('programs sign in with any media type', () => {
  const clients: Readonly<Record<string, readonly string[]>> = {
    'requests of Python with data=json.dumps(…)': [
      'User-Agent: python-requests/2.32.3',
      'Accept-Encoding: gzip, deflate',
      'Accept: */*',
    ],
    'http.client of Python': ['Accept-Encoding: identity'],
    'urllib of Python': [
      'Accept-Encoding: identity',
      'Content-Type: application/x-www-form-urlencoded',
      'User-Agent: Python-urllib/3.11',
    ],
    'fetch of Node with a string': [
      'content-type: text/plain;charset=UTF-8',
      'accept: */*',
      'accept-language: *',
      'sec-fetch-mode: cors',
      'user-agent: node',
      'accept-encoding: gzip, deflate',
    ],
    'StringContent of C#': ['Content-Type: text/plain; charset=utf-8'],
    'JsonContent of C#': ['Content-Type: application/json; charset=utf-8'],
    'curl --data': [
      'User-Agent: curl/8.5.0',
      'Accept: */*',
      'Content-Type: application/x-www-form-urlencoded',
    ],
    'a client with a malformed type': ['Content-Type: json'],
    'a client with an empty type': ['Content-Type:'],
    'net/http of Go': ['User-Agent: Go-http-client/1.1', 'Accept-Encoding: gzip'],
  };

  test.each(Object.entries(clients))('%s gets a token', async (_name, headers) => {
    const body = JSON.stringify({ username: 'admin', password: testPassword, recaptcha: '' });
    const response = await send(['POST /api/login HTTP/1.1', 'Host: localhost', ...headers], body);
    expect(response.status).toBe(200);
    expect(response.body).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  test.each(Object.entries(clients))('%s with null and further keys gets a token', async (_name, headers) => {
    const body = JSON.stringify({ username: 'admin', password: testPassword, recaptcha: null, otp: null });
    expect((await send(['POST /api/login HTTP/1.1', 'Host: localhost', ...headers], body)).status).toBe(200);
    const wrong = JSON.stringify({ username: 'admin', password: null });
    expect((await send(['POST /api/login HTTP/1.1', 'Host: localhost', ...headers], wrong)).status).toBe(403);
  });

  test.each([
    'Origin: https://evil.example',
    'Origin: null',
    'Referer: https://evil.example/',
    'Sec-Fetch-Site: cross-site',
  ])('a page that sends “%s” has to declare JSON, which requires a preflight request', async (header) => {
    const body = JSON.stringify({ username: 'admin', password: testPassword });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const head = ['POST /api/login HTTP/1.1', 'Host: localhost', header, `Content-Type: ${type}`];
      expect((await send(head, body)).status).toBe(415);
    }
    expect((await send(['POST /api/login HTTP/1.1', 'Host: localhost', header], body)).status).toBe(415);
  });

  test('other endpoints with a JSON body check the token, not the media type', async () => {
    const settings = (await (await app.fetch('/api/settings', { token })).json()) as Settings;
    const calls = [
      ['POST', '/api/renew', '', 200],
      ['POST', '/api/share/a.txt', '{"password":"","expires":"","unit":"hours"}', 200],
      ['POST', '/api/share/a.txt', '{"password":null,"expires":null,"unit":null}', 200],
      ['PUT', '/api/settings', JSON.stringify(settings), 200],
      ['PUT', '/api/users/1', '{"what":"user","which":["locale"],"data":{"id":1,"locale":"en"}}', 200],
      [
        'POST',
        '/api/users',
        JSON.stringify({ what: 'user', which: [], data: { username: 'made', password: testPassword } }),
        201,
      ],
    ] as const;
    for (const [method, path, body, status] of calls) {
      for (const type of ['Content-Type: text/plain', 'X-Nothing: 1']) {
        if (status === 201 && type !== 'X-Nothing: 1') continue;
        const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `X-Auth: ${token}`, type];
        expect((await send(head, body)).status, `${method} ${path} ${type}`).toBe(status);
      }
    }
    const shares = (await (await app.fetch('/api/share/a.txt', { token })).json()) as Share[];
    expect(shares.map(({ expire, hasPassword }) => [expire, hasPassword])).toEqual(
      shares.map(() => [0, false]),
    );
  });
});

describe('an escaped slash directly after the endpoint', () => {
  const get = (target: string): Promise<{ status: number; body: string }> =>
    send([`GET ${target} HTTP/1.1`, 'Host: localhost', `X-Auth: ${token}`]);

  test.each([
    ['/api/resources%2Fa.txt', '"name":"a.txt"'],
    ['/api/resources%2fdocs%2fsub', '"name":"c.txt"'],
    ['/api/resources%2F', '"name":"a.txt"'],
    ['/api/raw%2Fa.txt', 'hello\n'],
    ['/api/raw%2Fdocs%2Fb.txt?inline=true', 'b'],
    ['/api/preview%2Fbig%2Fpixel.svg', '<svg'],
    ['/api/usage%2F', '"total":'],
    ['/api/search%2Fdocs?query=c.txt', '"path":"sub/c.txt"'],
    ['/api%2Fresources%2Fa.txt', '"name":"a.txt"'],
  ])('GET %s is served', async (target, part) => {
    const response = await get(target);
    expect(response.status).toBe(200);
    expect(response.body).toContain(part);
  });

  test('shares are created, listed and opened', async () => {
    const made = await send(['POST /api/share%2Fdocs HTTP/1.1', 'Host: localhost', `X-Auth: ${token}`], '{}');
    expect(made.status).toBe(200);
    const { hash } = JSON.parse(made.body) as Share;
    const listed = await get('/api/share%2Fdocs');
    expect(listed.body).toContain(hash);
    expect((await get(`/api/public/share%2F${hash}`)).body).toContain('"name":"b.txt"');
    expect((await get(`/api/public/dl%2F${hash}%2Fb.txt`)).body).toBe('b');
    const ended = await send([`DELETE /api/share%2F${hash} HTTP/1.1`, 'Host: localhost', `X-Auth: ${token}`]);
    expect(ended.status).toBe(200);
    expect((await get(`/api/public/share/${hash}`)).status).toBe(404);
  });

  test('files are written, moved and deleted, and resumable uploads created', async () => {
    const auth = ['Host: localhost', `X-Auth: ${token}`];
    expect((await send(['POST /api/resources%2Fnew%2Fx.txt HTTP/1.1', ...auth], 'new')).status).toBe(200);
    expect((await send(['PUT /api/resources%2Fnew%2Fx.txt HTTP/1.1', ...auth], 'saved')).status).toBe(200);
    const move = 'PATCH /api/resources%2Fnew%2Fx.txt?action=rename&destination=%2Fnew%2Fy.txt HTTP/1.1';
    expect((await send([move, ...auth])).status).toBe(200);
    expect(await readFile(join(app.root, 'new/y.txt'), 'utf8')).toBe('saved');
    expect((await send(['DELETE /api/resources%2Fnew HTTP/1.1', ...auth])).status).toBe(200);
    expect((await send(['POST /api/tus%2Fempty.txt HTTP/1.1', 'Upload-Length: 0', ...auth])).status).toBe(
      201,
    );
    expect(await readFile(join(app.root, 'empty.txt'), 'utf8')).toBe('');
  });

  test('the scope cannot be left, and a doubly escaped slash remains a part of the name', async () => {
    for (const [target, status] of [
      ['/api/resources%2F..%2Fa.txt', 400],
      ['/api%2F..%2Fapi/resources/', 404],
      ['/api/raw%2F%2e%2e%2Fa.txt', 400],
    ] as const) {
      expect((await get(target)).status, target).toBe(status);
    }
    expect((await get('/api/resources%252Fa.txt')).status).toBe(404);
    expect((await get('/api/resources/%252F')).status).toBe(404);
  });

  test('the command socket is found', async () => {
    const withCommands = await startApp({
      files: { 'docs/b.txt': 'b' },
      config: { enableExec: 'true', execUnsandboxed: 'true' },
    });
    try {
      const admin = await withCommands.signIn('admin');
      const change = { what: 'user', which: ['commands'], data: { id: 1, commands: ['ls'] } };
      await withCommands.fetch('/api/users/1', { method: 'PUT', token: admin, json: change });
      const { lines } = await talk(withCommands, '/api/command%2Fdocs', ['ls'], { token: admin });
      expect(lines).toEqual(['b.txt']);
    } finally {
      await withCommands.close();
    }
  });
});

describe('texts without a known extension', () => {
  interface Opened {
    readonly type: string;
    readonly content?: string;
    readonly encoding?: string;
  }
  const open = async (name: string): Promise<Opened> =>
    (await (await app.fetch(`/api/resources/${name}`, { token })).json()) as Opened;

  test.each([
    ['LATIN1', 'Grüße aus Köln, schöne Täler und Bäche.\r\n', 'windows-1252'],
    ['KOI', 'Привет, как дела ?\n', 'koi8-r'],
    ['run.sh', '#!/bin/sh\necho "Grüße aus Köln, schöne Täler"\n', 'windows-1252'],
    ['UTF16', 'wide text', 'utf-16le'],
  ])('%s is decoded for reading', async (name, content, encoding) => {
    expect(await open(name)).toMatchObject({ type: 'textImmutable', content, encoding });
  });

  test('a file with bytes that no text contains is a blob', async () => {
    const opened = await open('BINARY');
    expect([opened.type, opened.content]).toEqual(['blob', undefined]);
  });
});

describe('a slash after the name of a file', () => {
  test('is accepted for details, bytes, previews, shares, copies and deletions', async () => {
    const json = (response: Response): Promise<unknown> => response.json();
    expect(await json(await app.fetch('/api/resources/a.txt/', { token }))).toMatchObject({
      path: '/a.txt/',
      name: 'a.txt',
      isDir: false,
      content: 'hello\n',
    });
    expect(await (await app.fetch('/api/raw/a.txt/', { token })).text()).toBe('hello\n');
    expect((await app.fetch('/api/preview/big/pixel.svg/', { token })).status).toBe(200);
    const made = await app.fetch('/api/share/a.txt/', { method: 'POST', token, json: {} });
    const { hash, path } = (await made.json()) as Share;
    expect(path).toBe('/a.txt');
    expect(await (await app.fetch(`/api/public/dl/${hash}/`)).text()).toBe('hello\n');
    const copy = await app.fetch('/api/resources/a.txt/?action=copy&destination=%2Fcopied.txt', {
      method: 'PATCH',
      token,
    });
    expect(copy.status).toBe(200);
    expect((await app.fetch('/api/resources/copied.txt/', { method: 'DELETE', token })).status).toBe(200);
    expect((await app.fetch('/api/resources/copied.txt', { token })).status).toBe(404);
  });

  test('denotes a folder when an entry is created or saved', async () => {
    expect((await app.fetch('/api/resources/a.txt/', { method: 'POST', token })).status).toBe(409);
    expect((await app.fetch('/api/resources/a.txt/', { method: 'PUT', token, body: 'x' })).status).toBe(405);
    expect(await readFile(join(app.root, 'a.txt'), 'utf8')).toBe('hello\n');
  });
});

test('a destination without its first slash begins at the root', async () => {
  const move = (destination: string): Promise<Response> =>
    app.fetch(`/api/resources/docs/b.txt?action=copy&destination=${destination}`, { method: 'PATCH', token });
  expect((await move('docs%2Fsub%2Fb%20copy.txt')).status).toBe(200);
  expect(await readFile(join(app.root, 'docs/sub/b copy.txt'), 'utf8')).toBe('b');
  expect((await move('')).status).toBe(400);
  expect((await move('..%2Fout.txt')).status).toBe(400);
});

describe('the administration pages of v2.23', () => {
  const read = async (id: number): Promise<User> =>
    (await (await app.fetch(`/api/users/${id}`, { token })).json()) as User;
  const save = (id: number, data: object, which: readonly string[] = []): Promise<Response> =>
    app.fetch(`/api/users/${id}`, { method: 'PUT', token, json: { what: 'user', which, data } });
  const create = async (username: string): Promise<number> => {
    const response = await app.fetch('/api/users', {
      method: 'POST',
      token,
      json: { what: 'user', which: [], data: { ...known, id: 0, username, password: testPassword } },
    });
    expect(response.status).toBe(201);
    return Number(response.headers.get('location')?.split('/').at(-1));
  };
  // The keys of v2.23, and no others.
  const known = {
    scope: '/',
    locale: 'en',
    lockPassword: false,
    viewMode: 'mosaic',
    singleClick: false,
    perm: {
      admin: false,
      execute: false,
      create: true,
      rename: true,
      modify: true,
      delete: true,
      share: true,
      download: true,
    },
    commands: [],
    sorting: { by: 'name', asc: false },
    rules: [],
    hideDotfiles: false,
    dateFormat: false,
  };

  test('keep unknown fields of a user that they save', async () => {
    const id = await create('kept');
    const ours = { redirectAfterCopyMove: true, aceEditorTheme: 'chaos' };
    expect((await save(id, { id, ...ours }, ['redirectAfterCopyMove', 'aceEditorTheme'])).status).toBe(200);
    for (const which of [[], ['all']]) {
      const data = { ...known, id, username: 'kept', password: '', singleClick: true };
      expect((await save(id, data, which)).status).toBe(200);
      expect(await read(id)).toMatchObject({ ...ours, singleClick: true });
    }
    const { singleClick: _, ...without } = known;
    expect((await save(id, { ...without, id, username: 'kept' })).status).toBe(200);
    expect(await read(id)).toMatchObject({ ...ours, singleClick: false });
  });

  test('create users with defaults for unknown fields', async () => {
    const settings = (await (await app.fetch('/api/settings', { token })).json()) as Settings;
    expect(settings.defaults).toMatchObject({ redirectAfterCopyMove: false, aceEditorTheme: '' });
    expect(await read(await create('plain'))).toMatchObject({
      redirectAfterCopyMove: false,
      aceEditorTheme: '',
    });
    const defaults = { ...settings.defaults, redirectAfterCopyMove: true, aceEditorTheme: 'chaos' };
    await app.fetch('/api/settings', { method: 'PUT', token, json: { ...settings, defaults } });
    expect(await read(await create('fond'))).toMatchObject({
      redirectAfterCopyMove: true,
      aceEditorTheme: 'chaos',
    });
  });

  test('keep unknown fields of the settings that they save', async () => {
    const settings = (await (await app.fetch('/api/settings', { token })).json()) as Settings;
    const ours = {
      ...settings,
      branding: {
        ...settings.branding,
        color: '#123456',
        reportURL: 'https://example.org/',
        disableUsedPercentage: true,
      },
      hideLoginButton: true,
      minimumPasswordLength: 9,
      tus: { chunkSize: 5_000_000, retryCount: 2 },
    };
    expect((await app.fetch('/api/settings', { method: 'PUT', token, json: ours })).status).toBe(200);
    const { redirectAfterCopyMove: _r, aceEditorTheme: _a, ...defaults } = settings.defaults;
    const { name, disableExternal, files, theme } = settings.branding;
    const { signup, createUserDir, userHomeBasePath, rules, shell, commands } = settings;
    const old = {
      signup,
      createUserDir,
      userHomeBasePath,
      defaults,
      rules,
      shell,
      commands,
      branding: { name, disableExternal, files, theme },
    };
    expect((await app.fetch('/api/settings', { method: 'PUT', token, json: old })).status).toBe(200);
    expect(await (await app.fetch('/api/settings', { token })).json()).toEqual({ ...ours });
  });
});

describe('search results', () => {
  interface Found {
    readonly type: string | null;
    readonly text: string;
  }
  const rows = '{"dir":false,"path":"docs/sub/c.txt"}\n';
  const array = '[{"dir":false,"path":"docs/sub/c.txt"}]';
  const search = async (
    server: TestApp,
    as: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Found> => {
    const response = await server.fetch('/api/search/?query=c.txt', { token: as, headers: { ...headers } });
    return { type: response.headers.get('content-type')?.split(';')[0] ?? null, text: await response.text() };
  };
  const asRows = { type: 'application/x-ndjson', text: rows };
  const asArray = { type: 'application/json', text: array };

  test('are lines for the web client of v2.63 after it has opened a folder, and an array for v2.23', async () => {
    const newer = await app.signIn('admin');
    const older = await app.signIn('admin');
    const browser = { accept: '*/*', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' };
    await app.fetch('/api/resources/', { token: newer, headers: { ...browser, 'x-encoding': 'false' } });
    await app.fetch('/api/resources/', { token: older, headers: browser });
    expect(await search(app, newer, browser)).toEqual(asRows);
    expect(await search(app, older, browser)).toEqual(asArray);
    // The same after the client has renewed its token.
    const renewed = await (await app.fetch('/api/renew', { method: 'POST', token: newer })).text();
    expect(await search(app, renewed, browser)).toEqual(asRows);
    expect(await search(app, newer, { accept: 'application/json, */*' })).toEqual(asArray);
    expect(await search(app, older, { accept: 'application/x-ndjson' })).toEqual(asRows);
  });

  test.each([
    ['ndjson', asRows],
    ['array', asArray],
  ])(
    'have the format of --searchFormat=%s for programs that request none',
    async (searchFormat, expected) => {
      const other = await startApp({ files: { 'docs/sub/c.txt': 'c' }, config: { searchFormat } });
      try {
        const as = await other.signIn('admin');
        await other.fetch('/api/resources/', { token: as, headers: { 'x-encoding': 'false' } });
        // The Go command line and the app for iOS.
        for (const headers of [
          { 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip' },
          { accept: '*/*', 'user-agent': 'App/1 CFNetwork/1568.100.1 Darwin/24.0.0' },
        ]) {
          expect(await search(other, as, headers)).toEqual(expected);
        }
        expect(await search(other, as, { accept: 'application/json' })).toEqual(asArray);
        expect(await search(other, as, { accept: 'application/x-ndjson' })).toEqual(asRows);
      } finally {
        await other.close();
      }
    },
  );
});

test('http.request of Node without additional headers signs in', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sending = httpRequest(`${app.url}/api/login`, { method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sending.on('error', reject);
    sending.end(JSON.stringify({ username: 'admin', password: testPassword }));
  });
  expect(status).toBe(200);
});
