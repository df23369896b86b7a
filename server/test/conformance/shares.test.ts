import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../start-app.ts';

interface Share {
  readonly hash: string;
  readonly path: string;
  readonly userID: number;
  readonly expire: number;
  readonly hasPassword: boolean;
}

let app: TestApp;
let token: string;
let bob: string;
const ids = new Map<string, number>();
beforeAll(async () => {
  app = await startApp({
    stopsClock: true,
    files: {
      'a.txt': 'hello\n',
      'docs/b.txt': 'b',
      'docs/sub/d.txt': 'deep',
      'docs/z 1.txt': 'z',
      'docs2/c.txt': 'c',
      'bob/projects/private/secret.txt': 'secret',
      'bob/projects/public/readme.txt': 'read me',
      'bob/file.txt': 'bob',
      'outside/secret.txt': 'outside',
    },
  });
  for (const user of [
    { username: 'bob', scope: '/bob', rules: [{ path: '/projects/private' }] },
    { username: 'noshare', perm: { share: false } },
    { username: 'nodownload', perm: { download: false } },
    { username: 'reader', perm: { modify: false } },
  ]) {
    ids.set(user.username, (await app.createUser(user)).id);
  }
  await symlink('../../outside', join(app.root, 'bob/projects/link'));
  token = await app.signIn('admin');
  bob = await app.signIn('bob');
});
afterAll(() => app.close());

const post = (path: string, body: string | undefined, as = token): Promise<Response> =>
  app.fetch(`/api/share${path}`, { method: 'POST', token: as, ...(body === undefined ? {} : { body }) });
const share = async (path: string, json: object = {}, as = token): Promise<Share> => {
  const response = await post(path, JSON.stringify(json), as);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return (await response.json()) as Share;
};
const list = async (path: string, as = token): Promise<Share[]> => {
  const response = await app.fetch(path, { token: as });
  expect(response.status).toBe(200);
  return (await response.json()) as Share[];
};
/** The next full second of the server's clock, which is stopped, in Unix time. */
const now = (): number => Math.ceil(app.clock.now() / 1000);

describe('shares (docs/reference/filebrowser-api.md §1.11, §9.2, §10)', () => {
  test('have their keys in order, and no secrets', async () => {
    const created = await share('/docs/', { password: 'pass word', expires: '24', unit: 'hours' });
    expect(Object.keys(created).slice(0, 5)).toEqual(['hash', 'path', 'userID', 'expire', 'hasPassword']);
    expect(created.hash).toMatch(/^[\w-]{8,}$/);
    expect(created).toMatchObject({ path: '/docs/', userID: 1, hasPassword: true });
    expect(created.expire).toBe(now() + 24 * 3600);
    for (const secret of ['password_hash', 'passwordHash', 'token', 'password']) {
      expect(created).not.toHaveProperty(secret);
    }
    await app.fetch(`/api/share/${created.hash}`, { method: 'DELETE', token });
  });

  test.each([
    [{}, 0],
    [{ expires: '', unit: 'days' }, 0],
    [{ expires: '0', unit: 'hours' }, 0],
    [{ expires: '90', unit: 'seconds' }, 90],
    [{ expires: '3', unit: 'minutes' }, 180],
    [{ expires: '2', unit: 'hours' }, 7200],
    [{ expires: '2' }, 7200],
    [{ expires: '1', unit: 'days' }, 86_400],
    [{ expires: 2, unit: 'days' }, 172_800],
    [{ password: '   ' }, 0],
  ])('of %j lasts %d seconds', async (body, seconds) => {
    const created = await share('/a.txt', body);
    expect(created.hasPassword).toBe(false);
    expect(created.expire).toBe(seconds === 0 ? 0 : now() + seconds);
  });

  test('are created without a body, when the query of the front end is used; with a body it is ignored', async () => {
    const bare = await post('/a.txt', undefined);
    expect([bare.status, ((await bare.json()) as Share).expire]).toEqual([200, 0]);
    const doubled = await app.fetch('/api/share/a.txt?expires=5&unit=days', {
      method: 'POST',
      token,
      body: JSON.stringify({ password: '', expires: '5', unit: 'days' }),
    });
    expect(((await doubled.json()) as Share).expire).toBe(now() + 5 * 86_400);
  });

  test.each([
    '{',
    '[]',
    '"x"',
    '{"expires":"soon"}',
    '{"expires":"1.5"}',
    '{"expires":true}',
    '{"password":1}',
  ])('are not created by the body %s, which is refused with 400', async (body) => {
    expect((await post('/a.txt', body)).status).toBe(400);
  });

  test('are not created for a missing or a denied path', async () => {
    expect((await post('/none', '{}')).status).toBe(404);
    expect((await post('/projects/private', '{}', bob)).status).toBe(403);
  });

  test('are listed for a path with and without its slash, for their owner, and all for administrators', async () => {
    const id = (await app.createUser({ username: 'carol', scope: '/carol' })).id;
    const carol = await app.signIn('carol');
    await mkdir(join(app.root, 'carol/projects'));
    await writeFile(join(app.root, 'carol/file.txt'), 'carol');
    const own = await share('/file.txt', {}, carol);
    const folder = await share('/projects', {}, carol);
    expect(await list('/api/share/projects/', carol)).toMatchObject([{ hash: folder.hash }]);
    expect(await list('/api/share/projects', carol)).toMatchObject([{ hash: folder.hash }]);
    expect(await list('/api/share/nothing-shared', carol)).toEqual([]);
    expect((await list('/api/share/carol/file.txt')).map(({ hash }) => hash)).toEqual([own.hash]);
    const mine = await list('/api/shares', carol);
    expect(mine.map(({ userID }) => userID)).toEqual([id, id]);
    const all = await list('/api/shares');
    expect(all.map(({ hash }) => hash)).toEqual(expect.arrayContaining([own.hash, folder.hash]));
    const order = all.map(({ userID, expire }) => [userID, expire] as const);
    expect(order).toEqual(order.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
    for (const created of mine) {
      expect((await app.fetch(`/api/share/${created.hash}`, { method: 'DELETE', token: carol })).status).toBe(
        200,
      );
    }
    expect(await list('/api/shares', carol)).toEqual([]);
  });

  test('are deleted by their owner or an administrator', async () => {
    const mine = await share('/a.txt');
    const theirs = await app.fetch(`/api/share/${mine.hash}`, { method: 'DELETE', token: bob });
    expect(theirs.status).toBe(403);
    expect((await app.fetch(`/api/public/share/${mine.hash}`)).status).toBe(200);
    const other = await share('/file.txt', {}, bob);
    const ended = await app.fetch(`/api/share/${other.hash}`, { method: 'DELETE', token });
    expect([ended.status, await ended.text()]).toEqual([200, '200 OK\n']);
    expect((await app.fetch('/api/share/', { method: 'DELETE', token })).status).toBe(400);
    expect((await app.fetch(`/api/share/${mine.hash}/`, { method: 'DELETE', token })).status).toBe(200);
    expect((await app.fetch(`/api/public/share/${mine.hash}`)).status).toBe(404);
  });

  test('need the permission share', async () => {
    const noshare = await app.signIn('noshare');
    for (const [method, path] of [
      ['GET', '/api/shares'],
      ['GET', '/api/share/a.txt'],
      ['POST', '/api/share/a.txt'],
      ['DELETE', '/api/share/xxxxxxxx'],
    ] as const) {
      expect((await app.fetch(path, { method, token: noshare })).status).toBe(403);
    }
    expect((await post('/a.txt', '{}', await app.signIn('nodownload'))).status).toBe(403);
    expect((await app.fetch('/api/shares', { method: 'POST', token })).status).toBe(405);
  });
});

describe('visitors of a share (docs/reference/filebrowser-api.md §1.12, §9.1, §9.2)', () => {
  const visit = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    app.fetch(`/api/public${path}`, { headers });

  test('get the details of a file without its path, and its bytes with any suffix', async () => {
    const { hash } = await share('/a.txt');
    const response = await visit(`/share/${hash}`, { 'x-share-password': '' });
    expect(response.status).toBe(200);
    const file = (await response.json()) as Record<string, unknown>;
    expect(file).toMatchObject({
      path: '',
      name: 'a.txt',
      size: 6,
      isDir: false,
      type: 'text',
      extension: '.txt',
    });
    expect(file).not.toHaveProperty('content');
    expect(file).not.toHaveProperty('token');
    for (const path of [hash, `${hash}/`, `${hash}/any-name.ext`, `${hash}%2Fa.txt`]) {
      const bytes = await visit(`/dl/${path}`);
      expect([bytes.status, await bytes.text()]).toEqual([200, 'hello\n']);
    }
    const inline = await visit(`/dl/${hash}?inline=true`);
    expect(inline.headers.get('content-disposition')).toMatch(/^inline/);
    const part = await visit(`/dl/${hash}`, { range: 'bytes=1-2' });
    expect([part.status, await part.text()]).toEqual([206, 'el']);
    expect((await visit(`/share/${hash}/below`)).status).toBe(200);
  });

  test('get a folder with paths from its own root, sorted by name', async () => {
    const { hash } = await share('/docs');
    const root = (await (await visit(`/share/${hash}/`)).json()) as Record<string, unknown>;
    expect(Object.keys(root).slice(0, 4)).toEqual(['items', 'numDirs', 'numFiles', 'sorting']);
    expect(root).toMatchObject({
      path: '/',
      name: 'docs',
      numDirs: 1,
      numFiles: 2,
      sorting: { by: 'name', asc: false },
      items: [{ path: '/sub' }, { path: '/b.txt' }, { path: '/z 1.txt' }],
    });
    const sub = (await (await visit(`/share/${hash}/sub`)).json()) as Record<string, unknown>;
    expect(sub).toMatchObject({ path: '/sub', items: [{ path: '/sub/d.txt', name: 'd.txt' }] });
    const file = (await (await visit(`/share/${hash}/b.txt`)).json()) as Record<string, unknown>;
    expect(file).toMatchObject({ path: '/b.txt', name: 'b.txt' });
    expect(await (await visit(`/dl/${hash}%2Fsub%2Fd.txt`)).text()).toBe('deep');
    expect(await (await visit(`/dl/${hash}/z%201.txt`)).text()).toBe('z');
    const archive = await visit(`/dl/${hash}/?algo=tar`);
    expect(archive.headers.get('content-disposition')).toContain("utf-8''docs.tar");
    const some = await visit(`/dl/${hash}/?files=b.txt%2Csub&algo=zip`);
    expect(some.headers.get('content-disposition')).toContain("utf-8''_docs.zip");
    expect((await visit(`/share/${hash}/none`)).status).toBe(404);
    expect(
      Number(
        (
          await app.rawRequest(
            `GET /api/public/dl/${hash}/../a.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
          )
        ).slice(9, 12),
      ),
    ).toBe(400);
  });

  test.each(['/share/', '/dl/'])('need the password at %s', async (place) => {
    const { hash } = await share('/docs', { password: 'pä ss+' });
    const password = encodeURIComponent('pä ss+');
    expect((await visit(`${place}${hash}`)).status).toBe(401);
    expect((await visit(`${place}${hash}`, { 'x-share-password': '' })).status).toBe(401);
    expect((await visit(`${place}${hash}`, { 'x-share-password': 'wrong' })).status).toBe(401);
    expect((await visit(`${place}${hash}?token=wrong`)).status).toBe(401);
    expect((await visit(`${place}${hash}`, { 'x-share-password': '%zz' })).status).toBe(400);
    expect((await app.fetch(`/api/public${place}${hash}`, { token })).status).toBe(401);
    expect((await visit(`${place}${hash}`, { 'x-share-password': password })).status).toBe(200);
    const shown = (await (await visit(`/share/${hash}`, { 'x-share-password': password })).json()) as {
      token: string;
    };
    expect((await visit(`${place}${hash}?token=${encodeURIComponent(shown.token)}`)).status).toBe(200);
    const other = await share('/a.txt', { password: 'pä ss+' });
    expect((await visit(`${place}${other.hash}?token=${encodeURIComponent(shown.token)}`)).status).toBe(401);
  });

  test('get the token with the top folder only, and use it for ranges and archives', async () => {
    const { hash } = await share('/docs', { password: 'x' });
    const shown = (await (await visit(`/share/${hash}`, { 'x-share-password': 'x' })).json()) as {
      token: string;
      items: object[];
    };
    for (const item of shown.items) expect(item).not.toHaveProperty('token');
    const key = `token=${encodeURIComponent(shown.token)}`;
    const part = await visit(`/dl/${hash}/sub/d.txt?${key}`, { range: 'bytes=0-1' });
    expect([part.status, await part.text()]).toEqual([206, 'de']);
    expect((await visit(`/dl/${hash}/?${key}&algo=zip`)).status).toBe(200);
  });

  test('get 404 for unknown and expired shares', async () => {
    for (const path of ['/share/AAAAAAAA', '/dl/AAAAAAAA', '/share/', '/dl/', '/share', '/dl/%2F']) {
      expect((await visit(path)).status).toBe(404);
    }
    const { hash } = await share('/a.txt', { expires: '1', unit: 'seconds' });
    expect((await visit(`/share/${hash}`)).status).toBe(200);
    app.clock.advance(2_500);
    expect((await visit(`/share/${hash}`)).status).toBe(404);
    expect((await list('/api/share/a.txt')).map(({ hash: listed }) => listed)).not.toContain(hash);
  });

  test('are bound by the rules of the owner, and cannot follow symbolic links out of the scope', async () => {
    const { hash } = await share('/projects', {}, bob);
    for (const path of [
      `/dl/${hash}/private/secret.txt`,
      `/share/${hash}/private/`,
      `/dl/${hash}/private/`,
    ]) {
      expect((await visit(path)).status).toBe(403);
    }
    expect((await visit(`/dl/${hash}/public/readme.txt`)).status).toBe(200);
    expect((await visit(`/share/${hash}/public/`)).status).toBe(200);
    for (const [path, status] of [
      [`/dl/${hash}/link/secret.txt`, 403],
      [`/share/${hash}/link/`, 404],
      [`/share/${hash}/link/secret.txt`, 403],
    ] as const) {
      expect((await visit(path)).status, path).toBe(status);
    }
    const zip = Buffer.from(await (await visit(`/dl/${hash}`)).arrayBuffer()).toString('latin1');
    expect(zip).toContain('readme.txt');
    expect(zip).not.toMatch(/secret|outside/);
  });

  test.each(['share', 'download'])(
    'lose access when the owner loses the permission “%s”',
    async (permission) => {
      const { hash } = await share('/file.txt', {}, bob);
      const id = ids.get('bob') ?? 0;
      const user = (await (await app.fetch(`/api/users/${id}`, { token })).json()) as { perm: object };
      const set = async (value: boolean): Promise<void> => {
        const data = { id, perm: { ...user.perm, [permission]: value } };
        const json = { what: 'user', which: ['perm'], data };
        expect((await app.fetch(`/api/users/${id}`, { method: 'PUT', token, json })).status).toBe(200);
      };
      await set(false);
      for (const place of ['share', 'dl']) expect((await visit(`/${place}/${hash}`)).status).toBe(403);
      await set(true);
      for (const place of ['share', 'dl']) expect((await visit(`/${place}/${hash}`)).status).toBe(200);
    },
  );

  test('get textImmutable while the owner has no permission modify', async () => {
    const { hash } = await share('/a.txt', {}, await app.signIn('reader'));
    expect(await (await visit(`/share/${hash}`)).json()).toMatchObject({ type: 'textImmutable' });
  });
});
