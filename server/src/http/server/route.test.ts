import type { EndpointSpec } from '@filestead/contract/endpoint';
import { endpoints } from '@filestead/contract/endpoints';
import { permissionNames } from '@filestead/contract/values/permissions';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';
import { routingMistakes } from './route.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ files: { 'docs/': '' }, config: { enableExec: 'on' } });
});
afterAll(() => app.close());

/** A target that matches the endpoint's template; `id` belongs to no user. */
const targetOf = ({ path }: EndpointSpec): string =>
  path
    .replace('{id}', '999')
    .replace('{hash}', 'abc')
    .replace('{size}', 'thumb')
    .replace('*', 'nothing-here');

const guarded = endpoints.filter(({ access }) => access !== 'anyone');
const named = (list: readonly EndpointSpec[]): [string, EndpointSpec][] => list.map((e) => [e.id, e]);

test('every endpoint of the contract has a route, and every route is declared', () => {
  expect(routingMistakes(app.instance, endpoints)).toEqual([]);
  const withoutOne = endpoints.filter(({ id }) => id !== 'renew');
  expect(routingMistakes(app.instance, withoutOne)).toEqual(['renew is not declared']);
  const withAnother: EndpointSpec[] = [
    ...endpoints,
    {
      id: 'new',
      feature: 'x',
      method: 'GET',
      path: '/api/new',
      summary: '',
      access: 'anyone',
      responses: {},
      errors: [],
    },
  ];
  expect(routingMistakes(app.instance, withAnother)).toEqual(['new has no route']);
});

describe('without a session', () => {
  test.each(named(guarded))(
    'the endpoint %s responds with 401 before any byte of the body arrives',
    async (_id, endpoint) => {
      const response = await app.rawRequest(
        `${endpoint.method} ${targetOf(endpoint)} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
          'Expect: 100-continue\r\nContent-Length: 9000000\r\n\r\n',
      );
      expect(response).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
      expect(response).not.toContain('100 Continue');
      expect(response.toLowerCase()).toContain('cache-control: no-store');
      expect(response.toLowerCase()).toContain("content-security-policy: default-src 'none'");
      expect(response).toMatch(/connection: close/i);
    },
  );
});

describe('permissions', () => {
  const cases = guarded.flatMap((endpoint) =>
    (endpoint.needs ?? []).map((permission): [string, string, EndpointSpec] => [
      endpoint.id,
      permission,
      endpoint,
    ]),
  );
  /** Statuses for a user with every permission but `admin` who sends no body, for a path that does not exist. */
  const withPermission: Readonly<Record<string, number>> = {
    getSubtitle: 404,
    findContents: 400,
    createResource: 200,
    saveResource: 404,
    deleteResource: 404,
    getRaw: 404,
    createArchive: 400,
    getArchive: 404,
    listArchiveFolder: 400,
    getArchiveRaw: 400,
    getArchivePreview: 400,
    createUpload: 400,
    getUpload: 404,
    appendUpload: 415,
    uploadFiles: 400,
    finishBlockedUpload: 400,
    compareUpload: 400,
    createFolderUpload: 400,
    getPreview: 404,
    listMedia: 400,
    getMedia: 404,
    rotatePicture: 400,
    getTrashRaw: 400,
    getTrashPreview: 400,
    restoreTrash: 400,
    purgeTrash: 400,
    cancelPurge: 400,
    listDuplicates: 404,
    getVersionRaw: 400,
    getVersionPreview: 400,
    updateVersion: 400,
    deleteVersion: 400,
    listShares: 200,
    listSharesOfPath: 200,
    createShare: 404,
    updateShare: 400,
    deleteShare: 404,
    runCommand: 400,
  };
  afterEach(() => rm(join(app.root, 'nothing-here'), { recursive: true, force: true }));
  test.each(cases)(
    'the endpoint %s responds with 403 without the permission “%s”, and not with it',
    async (id, permission, endpoint) => {
      const all = Object.fromEntries(permissionNames.map((name) => [name, name !== 'admin']));
      const denied = `${id}-without-${permission}`;
      const allowed = `${id}-with-${permission}`;
      await app.createUser({ username: denied, perm: { ...all, [permission]: false } });
      await app.createUser({ username: allowed, perm: all });
      const statusOf = async (username: string): Promise<number> => {
        const token = await app.signIn(username);
        const response = await app.fetch(targetOf(endpoint), { method: endpoint.method, token });
        await response.text();
        return response.status;
      };
      expect(await statusOf(denied)).toBe(403);
      expect(await statusOf(allowed)).toBe(withPermission[id]);
    },
  );

  /**
   * Statuses for an administrator who sends an empty object, for a user that does not exist where the path
   * contains an id.
   */
  const forAdministrator: Readonly<Record<string, number>> = {
    listUsers: 200,
    listUserSizes: 409,
    getUser: 404,
    createUser: 400,
    updateUser: 400,
    deleteUser: 404,
    getSettings: 200,
    updateSettings: 200,
    getStorage: 200,
    listUserUploads: 200,
    discardUserUpload: 404,
  };
  const forAdministrators = named(guarded.filter(({ access }) => access !== 'signed_in'));
  test.each(forAdministrators)(
    'the endpoint %s is only available to administrators',
    async (id, endpoint) => {
      await app.createUser({ username: `plain-${id}` });
      const json = endpoint.body === undefined ? {} : { json: {} };
      const plain = await app.fetch(targetOf(endpoint), {
        method: endpoint.method,
        token: await app.signIn(`plain-${id}`),
        ...json,
      });
      expect(plain.status).toBe(403);
      const admin = await app.fetch(targetOf(endpoint), {
        method: endpoint.method,
        token: await app.signIn('admin'),
        ...json,
      });
      expect(admin.status).toBe(forAdministrator[id]);
    },
  );
});

test('a known path responds with 405 to another method and lists its methods', async () => {
  const response = await app.fetch('/api/users', { method: 'DELETE' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
  expect((await app.fetch('/api/resources/x', { method: 'OPTIONS' })).status).toBe(405);
  expect(
    (await app.fetch('/api/resources', { method: 'OPTIONS' })).headers.get('access-control-allow-origin'),
  ).toBe(null);
});

test.each(['/api', '/api/', '/api/nothing', '/api/resourcesX', '/api/login/x', '/static/x.js'])(
  'the path %s is unknown and gets 404 instead of the page',
  async (path) => {
    const response = await app.fetch(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('404 Not Found\n');
  },
);

test('HEAD is served like GET, without a body', async () => {
  const token = await app.signIn('admin');
  const response = await app.fetch('/api/users', { method: 'HEAD', token });
  expect(response.status).toBe(200);
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(10);
  expect(await response.text()).toBe('');
});

describe('errors', () => {
  test('are a line of text, or problem details for clients that request JSON', async () => {
    const text = await app.fetch('/api/users');
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await text.text()).toBe('401 Unauthorized\n');
    for (const accept of ['application/json', 'text/html;q=0.1, application/problem+json']) {
      const json = await app.fetch('/api/users', { headers: { accept } });
      expect(json.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(await json.json()).toEqual({
        type: 'about:blank',
        status: 401,
        title: 'Unauthorized',
        code: 'not_signed_in',
        requestId: json.headers.get('x-request-id'),
      });
    }
  });

  test.each([
    ['GET /api/resources/%zz HTTP/1.1', 400],
    ['GET /api/resources/../../etc/passwd HTTP/1.1', 400],
    ['GET /api/resources/a%00b HTTP/1.1', 400],
    ['GET /api/resources/%c0%ae%c0%ae/x HTTP/1.1', 400],
    ['GET /api/users/1%20 HTTP/1.1', 404],
    ['GET /api/users/01 HTTP/1.1', 404],
    ['GET /api/users/1/x HTTP/1.1', 404],
    ['GET /api/users/ HTTP/1.1', 404],
    ['GET /api/users/-1 HTTP/1.1', 404],
    ['GET /api/users/99999999999999999999 HTTP/1.1', 404],
    ['GET /api/users?x=%ff HTTP/1.1', 400],
    [`GET /api/resources/${'a/'.repeat(300)} HTTP/1.1`, 400],
    [`GET /api/resources/${'a'.repeat(5000)} HTTP/1.1`, 400],
    ['GET /api/resources/a b HTTP/1.1', 400],
    ['NONSENSE', 400],
  ])(
    'in response to %.60s have status %d and do not reveal anything about the server',
    async (line, status) => {
      const token = await app.signIn('admin');
      const response = await app.rawRequest(
        `${line}\r\nHost: x\r\nX-Auth: ${token}\r\nConnection: close\r\n\r\n`,
      );
      expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(response).not.toContain(app.root);
      expect(response).not.toMatch(/ at .*\.ts|\bE[A-Z]{4,}\b|node:|[Ff]astify/);
    },
  );
});

describe('bodies', () => {
  test('of an upload refused early may continue to arrive while the response is received', async () => {
    const head = 'POST /api/resources/x HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n';
    const response = await app.rawRequest(Buffer.concat([Buffer.from(head), Buffer.alloc(4_000_000)]), {
      timeoutMs: 10_000,
    });
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
    expect(response).toMatch(/connection: close/i);
    expect(response).toMatch(/401 Unauthorized\n$/);
  });

  test('that are small and refused leave the connection usable', async () => {
    const response = await app.rawRequest(
      'POST /api/resources/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello' +
        'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
    expect(response).toContain('{"status":"OK"}');
  });

  test('are requested with “100 Continue” after the client was authenticated', async () => {
    const token = await app.signIn('admin');
    const response = await app.rawRequest(
      `POST /api/resources/waited.txt HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nExpect: 100-continue\r\n` +
        'Content-Length: 5\r\nConnection: close\r\n\r\nhello',
    );
    expect(response).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/json\tx', 415],
    ['application/jsonx', 415],
    ['', 415],
    ['application/JSON; charset=UTF-8', 403],
  ])('of a sign-in with the type “%s” by a page in a browser get status %d', async (type, status) => {
    const response = await app.fetch('/api/login', {
      method: 'POST',
      body: new TextEncoder().encode('{"username":"x","password":"y"}'),
      headers: { 'sec-fetch-site': 'same-origin', ...(type === '' ? {} : { 'content-type': type }) },
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('set-cookie')).toBeNull();
    const byProgram = await app.fetch('/api/login', {
      method: 'POST',
      body: new TextEncoder().encode('{"username":"x","password":"y"}'),
      headers: type === '' ? {} : { 'content-type': type },
    });
    expect(byProgram.status).toBe(403);
  });

  test('with JSON of any type are accepted with a token in a header, as existing clients send them', async () => {
    const token = await app.signIn('admin');
    const response = await app.fetch('/api/users/1', {
      method: 'PUT',
      token,
      body: JSON.stringify({ what: 'user', which: ['singleClick'], data: { id: 1, singleClick: true } }),
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
    });
    expect([response.status, await response.text()]).toEqual([200, '200 OK\n']);
  });

  test.each([
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '\uFEFF{}',
    '{"what":"user"}',
    '{"what":"user","data":null}',
    '['.repeat(90_000),
  ])('such as %j are a bad request', async (body) => {
    const token = await app.signIn('admin');
    const response = await app.fetch('/api/users/1', { method: 'PUT', token, body });
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/^400 Bad Request \(/);
  });

  test('over their limit get status 413, announced or not', async () => {
    const big = JSON.stringify({ username: 'x'.repeat(20_000) });
    const announced = await app.fetch('/api/login', {
      method: 'POST',
      body: big,
      headers: { 'content-type': 'application/json' },
    });
    expect(announced.status).toBe(413);
    const chunked = await app.rawRequest(
      'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n' +
        `${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`,
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
  });
});

test('every path is served with and without the base URL', async () => {
  const below = await startApp({ config: { baseURL: '/fb' }, web: { 'index.html': '<head></head>' } });
  try {
    expect(below.url).toMatch(/\/fb$/);
    expect((await below.fetch('/health')).status).toBe(200);
    expect((await fetch(new URL('/health', below.url))).status).toBe(200);
    expect(await (await fetch(new URL('/fbx/health', below.url))).text()).toContain('<head>');
    expect((await below.fetch('/files')).headers.get('location')).toBe('/fb/files/');
    const login = await below.fetch('/api/login', {
      method: 'POST',
      json: { username: 'admin', password: 'a password for tests' },
    });
    expect(login.headers.get('set-cookie')).toContain('Path=/fb;');
  } finally {
    await below.close();
  }
});
