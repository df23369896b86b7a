import {
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, type TestUser, startApp } from '../../test/start-app.ts';

let app: TestApp;
let alice: string;
const tokens = new Map<string, string>();
const scope = '/alice';
const users: readonly TestUser[] = [
  { username: 'alice', scope },
  { username: 'copier', scope, perm: { rename: false, modify: false, delete: false } },
  { username: 'mover', scope, perm: { create: false, modify: false, delete: false } },
  { username: 'reader', scope, perm: { create: false, rename: false, modify: false, delete: false } },
  { username: 'changer', scope, perm: { delete: false } },
  { username: 'ruled', scope, rules: [{ path: '/docs/secret' }, { path: '/a(1).txt' }] },
];

beforeAll(async () => {
  app = await startApp({ users });
  for (const { username } of users) tokens.set(username, await app.signIn(username));
  alice = tokenOf('alice');
  await mkdir(join(app.root, 'alice2'));
  await writeFile(join(app.root, 'alice2/canary.txt'), 'canary');
});
afterAll(() => app.close());

const tokenOf = (name: string): string => tokens.get(name) ?? '';
const onDisk = (path: string): string => join(app.root, 'alice', path);
const textOf = (path: string): Promise<string> => readFile(onDisk(path), 'utf8');
const exists = (path: string): Promise<boolean> =>
  lstat(onDisk(path)).then(
    () => true,
    () => false,
  );

beforeEach(async () => {
  for (const name of await readdir(onDisk('/'))) await rm(onDisk(name), { recursive: true });
  await mkdir(onDisk('/docs/secret'), { recursive: true });
  await mkdir(onDisk('/docs2'));
  await mkdir(onDisk('/empty'));
  await writeFile(onDisk('/a.txt'), 'a');
  await writeFile(onDisk('/b.txt'), 'b');
  await writeFile(onDisk('/docs/ok.txt'), 'ok');
  await writeFile(onDisk('/docs/secret/deny.txt'), 'canary');
  await writeFile(onDisk('/docs2/two.txt'), 'two');
});

interface Patch {
  action?: string;
  /** Encoded twice, as existing clients do. */
  to?: string;
  query?: string;
  token?: string;
}
function patch(
  from: string,
  { action = 'copy', to = '/c.txt', query = '', token = alice }: Patch,
): Promise<Response> {
  const destination = encodeURIComponent(to.split('/').map(encodeURIComponent).join('/'));
  return app.fetch(`/api/resources${from}?action=${action}&destination=${destination}${query}`, {
    method: 'PATCH',
    token,
  });
}
const remove = (path: string, token = alice): Promise<Response> =>
  app.fetch(`/api/resources${path}`, { method: 'DELETE', token });
const rawDelete = async (path: string): Promise<string> =>
  (
    await app.rawRequest(
      `DELETE /api/resources${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Auth: ${alice}\r\n\r\n`,
    )
  ).slice(9, 12);

describe('a copy', () => {
  test('of a file keeps the source, permission bits and time', async () => {
    const time = new Date('2020-01-02T03:04:05Z');
    await utimes(onDisk('/a.txt'), time, time);
    const response = await patch('/a.txt', { to: '/new/place/c.txt' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('200 OK\n');
    expect(response.headers.get('x-final-path')).toBe('/new/place/c.txt');
    expect(await textOf('/new/place/c.txt')).toBe('a');
    expect(await textOf('/a.txt')).toBe('a');
    expect((await stat(onDisk('/new/place/c.txt'))).mtimeMs).toBe(time.getTime());
  });

  test('of a folder includes its content, and merges with an existing folder only on request', async () => {
    expect((await patch('/docs/', { to: '/copy/' })).status).toBe(200);
    expect(await textOf('/copy/secret/deny.txt')).toBe('canary');
    expect((await patch('/docs2', { to: '/copy' })).status).toBe(409);
    expect((await patch('/docs2', { to: '/copy', query: '&override=true' })).status).toBe(200);
    expect((await readdir(onDisk('/copy'))).sort()).toEqual(['ok.txt', 'secret', 'two.txt']);
  });

  test('to an existing name overwrites only on request', async () => {
    expect((await patch('/a.txt', { to: '/b.txt' })).status).toBe(409);
    expect((await patch('/a.txt', { to: '/b.txt', query: '&override=1' })).status).toBe(409);
    expect(await textOf('/b.txt')).toBe('b');
    expect((await patch('/a.txt', { to: '/b.txt', query: '&override=true' })).status).toBe(200);
    expect(await textOf('/b.txt')).toBe('a');
  });
});

describe('a move', () => {
  test('removes the source and creates missing folders of the destination', async () => {
    const response = await patch('/docs', { action: 'rename', to: '/x/y/moved' });
    expect(response.status).toBe(200);
    expect(await textOf('/x/y/moved/ok.txt')).toBe('ok');
    expect(await exists('/docs')).toBe(false);
  });

  test('of a link moves the link', async () => {
    await symlink('a.txt', onDisk('/link'));
    expect((await patch('/link', { action: 'rename', to: '/renamed' })).status).toBe(200);
    expect(await readlink(onDisk('/renamed'))).toBe('a.txt');
    expect(await textOf('/a.txt')).toBe('a');
  });

  test('to a name that begins with that of the source works', async () => {
    expect((await patch('/docs', { action: 'rename', to: '/docs-more' })).status).toBe(200);
  });

  test('may change the case of a name', async () => {
    expect((await patch('/a.txt', { action: 'rename', to: '/A.txt' })).status).toBe(200);
    expect(await textOf('/A.txt')).toBe('a');
  });
});

describe('copies and moves', () => {
  test.each(['copy', 'rename'])(
    'the action %s refuses impossible requests and changes nothing',
    async (action) => {
      for (const [from, to, query, status] of [
        ['/', '/x', '', 403],
        ['', '/x', '', 403],
        ['//', '/x', '', 403],
        ['/a.txt', '/', '', 403],
        ['/a.txt', '//', '&override=true', 403],
        ['/docs', '/docs/inside', '', 400],
        ['/docs/', '/docs/secret/deeper', '&override=true', 400],
        ['/docs', '/docs', '', 409],
        ['/docs', '/docs', '&override=true', 400],
        ['/a.txt', '/a.txt', '', 409],
        ['/a.txt', '/a.txt', '&override=true', 400],
        ['/missing', '/c.txt', '', 404],
        ['/a.txt', '/docs', '&override=true', 409],
        ['/docs2', '/a.txt', '&override=true', 409],
        ['/a.txt', '/b.txt/below', '', 409],
        ['/a.txt', '/bad\nname', '', 400],
        ['/a.txt', '/nul\0', '', 400],
        ['/a.txt', '/docs/../../alice2/x', '', 400],
        ['/a.txt', '/..', '', 400],
        ['/../alice2/canary.txt', '/c.txt', '', 404],
        ['/a.txt', '', '', 400],
        ['/a.txt', `/${'n'.repeat(256)}`, '', 400],
      ] as const) {
        const response = await patch(from, { action, to, query });
        expect(response.status, `${from} to ${JSON.stringify(to)} ${query}`).toBe(status);
      }
      expect((await readdir(onDisk('/'))).sort()).toEqual(['a.txt', 'b.txt', 'docs', 'docs2', 'empty']);
      expect(await textOf('/a.txt')).toBe('a');
      expect(await readdir(onDisk('/empty'))).toEqual([]);
      expect(await readdir(join(app.root, 'alice2'))).toEqual(['canary.txt']);
    },
  );

  test.each(['', 'COPY', 'Rename', 'move', 'copy%00', 'copy,rename', '__proto__', 'constructor', 'toString'])(
    'refuse the unknown action %j',
    async (action) => {
      expect((await patch('/a.txt', { action })).status).toBe(400);
      expect(await exists('/c.txt')).toBe(false);
    },
  );

  test('without an action or a destination change nothing', async () => {
    for (const query of ['', '?action=copy', '?destination=%2Fc.txt', '?action=copy&destination=']) {
      const response = await app.fetch(`/api/resources/a.txt${query}`, { method: 'PATCH', token: alice });
      expect(response.status, query).toBe(400);
    }
  });

  test('require their permission before anything else is checked', async () => {
    const statuses = async (name: string, query = ''): Promise<number[]> => {
      const token = tokenOf(name);
      return [
        (await patch('/a.txt', { action: 'copy', to: `/${name}-c`, token, query })).status,
        (await patch('/b.txt', { action: 'rename', to: `/${name}-m`, token, query })).status,
      ];
    };
    expect(await statuses('reader')).toEqual([403, 403]);
    expect(await statuses('copier')).toEqual([200, 403]);
    expect(await statuses('mover')).toEqual([403, 200]);
    expect((await patch('/missing', { token: tokenOf('reader') })).status).toBe(403);
    // Replacing needs modify as well, even when there is nothing to replace.
    expect((await patch('/a.txt', { token: tokenOf('copier'), query: '&override=true' })).status).toBe(403);
    expect((await patch('/a.txt', { token: tokenOf('changer'), query: '&override=true' })).status).toBe(200);
  });

  test('decode the destination twice, the second time as form data', async () => {
    for (const name of ['100%', 'a+b', '%41', 'q?x=1&y#z', 'ümläut', 'tab\\back']) {
      const response = await patch('/a.txt', { to: `/${name}` });
      expect(response.status, name).toBe(200);
      expect(await exists(`/${name}`)).toBe(true);
      expect(decodeURIComponent(response.headers.get('x-final-path') ?? '')).toBe(`/${name}`);
    }
    const once = (destination: string): Promise<Response> =>
      app.fetch(`/api/resources/a.txt?action=copy&destination=${destination}`, {
        method: 'PATCH',
        token: alice,
      });
    expect((await once('%2Fplus%2Bsign')).headers.get('x-final-path')).toBe('/plus%20sign');
    expect((await once('/broken%25zz')).status).toBe(400);
    expect((await once('/broken%zz')).status).toBe(400);
    expect((await once('/docs/x/%252e%252e/%252e%252e/%252e%252e/alice2/pwn')).status).toBe(400);
  });

  test('are refused completely when rules deny the source, the destination or anything in the folder', async () => {
    const token = tokenOf('ruled');
    for (const action of ['copy', 'rename']) {
      for (const [from, to] of [
        ['/docs/secret/deny.txt', '/c.txt'],
        ['/docs/ok.txt', '/docs/secret/n.txt'],
        ['//docs//secret/deny.txt', '/c.txt'],
        ['/docs', '/moved'],
      ] as const) {
        expect((await patch(from, { action, to, token })).status, `${action} ${from} ${to}`).toBe(403);
      }
    }
    await mkdir(onDisk('/src/secret'), { recursive: true });
    await writeFile(onDisk('/src/secret/f'), 'f');
    expect((await patch('/src', { to: '/docs', token, query: '&override=true' })).status).toBe(403);
    expect(await readdir(onDisk('/docs/secret'))).toEqual(['deny.txt']);
    expect(await exists('/moved')).toBe(false);
    expect((await patch('/docs/ok.txt', { to: '/fine.txt', token })).status).toBe(200);
  });
});

describe('a free name', () => {
  test('gets its number before the last extension', async () => {
    await writeFile(onDisk('/a.tar.gz'), 'z');
    await writeFile(onDisk('/.env'), 'e');
    for (const [from, to, final] of [
      ['/b.txt', '/unused.txt', '/unused.txt'],
      ['/b.txt', '/a.txt', '/a(1).txt'],
      ['/b.txt', '/a.txt', '/a(2).txt'],
      ['/a.txt', '/a.txt', '/a(3).txt'],
      ['/b.txt', '/a.tar.gz', '/a.tar(1).gz'],
      ['/b.txt', '/.env', '/(1).env'],
      ['/docs2', '/docs', '/docs(1)'],
      ['/docs2', '/docs2', '/docs2(1)'],
    ] as const) {
      const response = await patch(from, { to, query: '&rename=true' });
      expect(response.status).toBe(200);
      expect(decodeURIComponent(response.headers.get('x-final-path') ?? '')).toBe(final);
      expect(await exists(final)).toBe(true);
    }
    expect(await textOf('/a.txt')).toBe('a');
  });

  test('is used for moves, too, and takes precedence over overwriting', async () => {
    const response = await patch('/b.txt', {
      action: 'rename',
      to: '/a.txt',
      query: '&rename=true&override=true',
    });
    expect(decodeURIComponent(response.headers.get('x-final-path') ?? '')).toBe('/a(1).txt');
    expect(await textOf('/a.txt')).toBe('a');
    expect(await textOf('/a(1).txt')).toBe('b');
    expect(await exists('/b.txt')).toBe(false);
  });

  test('is never one that rules deny', async () => {
    await writeFile(onDisk('/a(1).txt'), 'denied');
    const response = await patch('/b.txt', { to: '/a.txt', query: '&rename=true', token: tokenOf('ruled') });
    expect(decodeURIComponent(response.headers.get('x-final-path') ?? '')).toBe('/a(2).txt');
    expect(await textOf('/a(1).txt')).toBe('denied');
  });

  test('is different for each of many concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => patch('/b.txt', { to: '/a.txt', query: '&rename=true' })),
    );
    expect(responses.map((response) => response.status)).toEqual(Array.from({ length: 50 }, () => 200));
    const finals = new Set(responses.map((response) => response.headers.get('x-final-path')));
    expect(finals.size).toBe(50);
    const copies = (await readdir(onDisk('/'))).filter((name) => /^a\(\d+\)\.txt$/.test(name));
    expect(copies).toHaveLength(50);
  });
});

describe('a deletion', () => {
  test('removes a file, a folder with its content, and of a link only the link', async () => {
    await symlink('docs', onDisk('/link'));
    await symlink('nowhere', onDisk('/broken'));
    for (const path of ['/link', '/broken', '/a.txt', '/docs/', '/docs2']) {
      const response = await remove(path);
      expect(response.status, path).toBe(200);
      expect(await response.text()).toBe('200 OK\n');
      if (path === '/link') expect(await textOf('/docs/ok.txt')).toBe('ok');
    }
    expect((await readdir(onDisk('/'))).sort()).toEqual(['b.txt', 'empty']);
  });

  test.each([
    ['', '403'],
    ['/', '403'],
    ['//', '403'],
    ['///', '403'],
    ['/.', '403'],
    ['/./', '403'],
    ['/%2F', '403'],
    ['%2F', '403'],
    ['/%2e', '403'],
    ['/x/..', '400'],
    ['/..', '400'],
    ['/../', '400'],
    ['/%2e%2e', '400'],
    ['/docs/../..', '400'],
  ])('never removes the root as %j', async (path, status) => {
    expect(await rawDelete(path)).toBe(status);
    expect((await readdir(onDisk('/'))).sort()).toEqual(['a.txt', 'b.txt', 'docs', 'docs2', 'empty']);
  });

  test('requires the permission to delete', async () => {
    for (const path of ['/a.txt', '/docs/', '/docs', '/missing', '/']) {
      expect((await remove(path, tokenOf('changer'))).status, path).toBe(403);
    }
    expect(await textOf('/docs/ok.txt')).toBe('ok');
  });

  test('of a missing entry is 404, and a file is removed with a trailing slash, too', async () => {
    expect((await remove('/missing')).status).toBe(404);
    expect((await remove('/missing/deep')).status).toBe(404);
    expect((await remove('/a.txt/')).status).toBe(200);
    expect(await exists('/a.txt')).toBe(false);
  });

  test('is refused completely when a rule denies an entry inside', async () => {
    const token = tokenOf('ruled');
    expect((await remove('/docs', token)).status).toBe(403);
    expect((await remove('/docs/secret/deny.txt', token)).status).toBe(403);
    expect((await remove('//docs///secret/', token)).status).toBe(403);
    expect(await textOf('/docs/ok.txt')).toBe('ok');
    expect((await remove('/docs/ok.txt', token)).status).toBe(200);
  });
});
