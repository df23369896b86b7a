import { lstat, mkdir, readFile, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../start-app.ts';

let app: TestApp;
let token: string;
const asUser: Record<string, string> = {};
let folder = '';
let count = 0;

beforeAll(async () => {
  app = await startApp({
    users: [
      { username: 'nothing', perm: { create: false, rename: false, modify: false, delete: false } },
      { username: 'creator', perm: { rename: false, modify: false, delete: false } },
      { username: 'renamer', perm: { create: false, modify: false, delete: false } },
      { username: 'ruled', rules: [{ path: '/denied' }, { path: '/tree/secret' }] },
    ],
  });
  token = await app.signIn('admin');
  for (const name of ['nothing', 'creator', 'renamer', 'ruled']) asUser[name] = await app.signIn(name);
});
afterAll(() => app.close());
beforeEach(async () => {
  count += 1;
  folder = `/t${count}`;
  await mkdir(join(app.root, folder, 'sub'), { recursive: true });
  await writeFile(join(app.root, folder, 'a.txt'), 'hello\n');
  await writeFile(join(app.root, folder, 'sub/d.txt'), 'deep');
});

const disk = (path: string): string => join(app.root, folder, path);
const text = (path: string): Promise<string> => readFile(disk(path), 'utf8');
const send = (method: string, path: string, body?: string, as = token): Promise<Response> =>
  app.fetch(`/api/resources${folder}${path}`, { method, token: as, ...(body === undefined ? {} : { body }) });
const okLine = async (response: Response): Promise<void> => {
  expect(await response.text()).toBe('200 OK\n');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
};
/** A path as a front end puts it into `destination`: its names encoded, then all of it. */
const twice = (path: string): string => encodeURIComponent(path.split('/').map(encodeURIComponent).join('/'));
const patch = (from: string, to: string, query: string, as = token): Promise<Response> =>
  send('PATCH', `${from}?destination=${twice(folder + to)}&${query}`, undefined, as);

describe('POST (docs/reference/filebrowser-api.md §1.6)', () => {
  test('creates a folder with its parents, also repeatedly', async () => {
    await okLine(await send('POST', '/new/deep/'));
    expect((await stat(disk('new/deep'))).isDirectory()).toBe(true);
    await okLine(await send('POST', '/new/deep/'));
    await okLine(await send('POST', '/sub/', 'a body that is ignored'));
    expect(await text('sub/d.txt')).toBe('deep');
  });

  test('answers 200 for a new file, 409 for an existing one, and 200 with exactly override=true', async () => {
    const made = await send('POST', '/new.txt', 'one');
    expect(made.headers.get('etag')).toMatch(/^"[\da-f]+"$/);
    await okLine(made);
    for (const query of ['', '?override=false', '?override=1', '?override=TRUE', '?override']) {
      const response = await send('POST', `/new.txt${query}`, 'two');
      expect([response.status, await response.text()]).toEqual([409, '409 Conflict\n']);
    }
    await okLine(await send('POST', '/new.txt?override=true', 'three'));
    expect(await text('new.txt')).toBe('three');
  });

  test('returns the time in nanoseconds and the size as ETag, in hexadecimal', async () => {
    const response = await send('POST', '/tagged.bin', 'x'.repeat(300));
    const { mtimeNs, size } = await stat(disk('tagged.bin'), { bigint: true });
    expect(response.headers.get('etag')).toBe(`"${mtimeNs.toString(16)}${size.toString(16)}"`);
  });

  test('accepts empty files, missing parents, any content type and unusual names', async () => {
    await okLine(await send('POST', '/p/q/empty'));
    expect((await stat(disk('p/q/empty'))).size).toBe(0);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const raw = await app.fetch(`/api/resources${folder}/form.bin`, {
      method: 'POST',
      token,
      body: '--x--',
      headers,
    });
    await okLine(raw);
    expect(await text('form.bin')).toBe('--x--');
    for (const name of ['100% +&#?.txt', 'a%2Fb', '日本 😀.txt', '.env', 'it\'s "quoted"']) {
      await okLine(await send('POST', `/${encodeURIComponent(name)}`, name));
      expect(await text(name)).toBe(name);
    }
  });

  test('needs the permissions of the change', async () => {
    expect((await send('POST', '/x.txt', 'x', asUser.nothing)).status).toBe(403);
    expect((await send('POST', '/x/', undefined, asUser.nothing)).status).toBe(403);
    expect((await send('POST', '/x.txt', 'x', asUser.creator)).status).toBe(200);
    expect((await send('POST', '/x.txt', 'y', asUser.creator)).status).toBe(409);
    expect((await send('POST', '/x.txt?override=true', 'y', asUser.creator)).status).toBe(403);
    expect(await text('x.txt')).toBe('x');
  });

  test('is rejected when a folder or file has the name', async () => {
    expect((await send('POST', '/sub', 'x')).status).toBe(409);
    const over = await send('POST', '/sub?override=true', 'x');
    expect(over.status).toBe(405);
    expect(await text('sub/d.txt')).toBe('deep');
    for (const path of ['/a.txt/x', '/a.txt/']) {
      const response = await send('POST', path, 'x');
      expect(response.status).toBe(409);
    }
    expect(await text('a.txt')).toBe('hello\n');
  });
});

describe('PUT (docs/reference/filebrowser-api.md §1.6, §9.2)', () => {
  test('saves and returns an ETag; an empty body empties the file', async () => {
    const saved = await send('PUT', '/a.txt', 'changed');
    expect(saved.headers.get('etag')).toMatch(/^"[\da-f]+"$/);
    await okLine(saved);
    expect(await text('a.txt')).toBe('changed');
    await okLine(await send('PUT', '/a.txt'));
    expect(await text('a.txt')).toBe('');
  });

  test('answers 404 for a missing file, 405 with a trailing slash, and rejects a folder', async () => {
    expect((await send('PUT', '/none.txt', 'x')).status).toBe(404);
    expect((await send('PUT', '/sub/', 'x')).status).toBe(405);
    expect((await send('PUT', '/newdir/', 'x')).status).toBe(405);
    const response = await send('PUT', '/sub', 'x');
    expect(response.status).toBe(405);
    expect((await send('PUT', '/a.txt', 'x', asUser.creator)).status).toBe(403);
    expect(existsSync(disk('none.txt'))).toBe(false);
  });

  test('writes through a link and keeps the permission bits', async () => {
    await symlink('a.txt', disk('link'));
    const { mode } = await stat(disk('a.txt'));
    await okLine(await send('PUT', '/link', 'through'));
    expect(await text('a.txt')).toBe('through');
    expect(await readlink(disk('link'))).toBe('a.txt');
    expect((await stat(disk('a.txt'))).mode).toBe(mode);
  });
});

describe('DELETE (docs/reference/filebrowser-api.md §1.6, §9.2, §10)', () => {
  test('deletes files, folders with their contents, and links', async () => {
    await symlink('sub', disk('linkdir'));
    await symlink('nowhere', disk('broken'));
    expect((await send('DELETE', '/linkdir')).status).toBe(200);
    expect((await send('DELETE', '/broken')).status).toBe(200);
    expect(await text('sub/d.txt')).toBe('deep');
    await okLine(await send('DELETE', '/a.txt'));
    await okLine(await send('DELETE', '/sub/'));
    expect(await readdir(disk(''))).toEqual([]);
    expect((await send('DELETE', '/a.txt')).status).toBe(404);
  });

  test('needs the permission delete', async () => {
    expect((await send('DELETE', '/a.txt', undefined, asUser.creator)).status).toBe(403);
    expect(existsSync(disk('a.txt'))).toBe(true);
  });

  test.each([
    '',
    '/',
    '//',
    '/.',
    '/./',
    '/%2F',
    '/%2f%2f',
    '/%2e/',
    '/x/..',
    '/..',
    '/%2e%2e',
    '?x=1',
    '/?x=1',
  ])('never deletes the root, spelled "%s"', async (path) => {
    const response = await app.rawRequest(
      `DELETE /api/resources${path} HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 (?:400|403) /);
    expect(existsSync(disk('a.txt'))).toBe(true);
  });
});

describe('PATCH (docs/reference/filebrowser-api.md §1.6, §9.2, §10)', () => {
  test('copies and renames', async () => {
    await okLine(await patch('/a.txt', '/copy.txt', 'action=copy'));
    expect([await text('a.txt'), await text('copy.txt')]).toEqual(['hello\n', 'hello\n']);
    await okLine(await patch('/a.txt', '/moved.txt', 'action=rename'));
    expect(existsSync(disk('a.txt'))).toBe(false);
    await okLine(await patch('/sub', '/sub2', 'action=copy'));
    await okLine(await patch('/sub/', '/sub3/', 'action=rename'));
    expect([await text('sub2/d.txt'), await text('sub3/d.txt')]).toEqual(['deep', 'deep']);
  });

  test.each(['100% +&#?.txt', 'a%41b+c d.txt', '日本 😀.txt', "it's (1).txt"])(
    'accepts the destination %j, encoded twice as front ends do',
    async (name) => {
      await okLine(await patch('/a.txt', `/${name}`, 'action=copy&override=false&rename=false'));
      expect(await text(name)).toBe('hello\n');
    },
  );

  test('decodes a destination twice even if it is encoded once', async () => {
    const once = encodeURIComponent(`${folder}/a+b%20c.txt`);
    await okLine(await send('PATCH', `/a.txt?action=copy&destination=${once}`));
    expect(await text('a b c.txt')).toBe('hello\n');
  });

  test('answers 409 for an existing name, adds a number with rename=true, and replaces with override=true', async () => {
    await writeFile(disk('b.txt'), 'other');
    expect((await patch('/a.txt', '/b.txt', 'action=copy')).status).toBe(409);
    expect((await patch('/a.txt', '/b.txt', 'action=rename')).status).toBe(409);
    await okLine(await patch('/a.txt', '/b.txt', 'action=copy&rename=true'));
    await okLine(await patch('/a.txt', '/b.txt', 'action=copy&override=false&rename=true'));
    expect([await text('b(1).txt'), await text('b(2).txt')]).toEqual(['hello\n', 'hello\n']);
    expect(await text('b.txt')).toBe('other');
    await okLine(await patch('/a.txt', '/b.txt', 'action=copy&override=true'));
    expect(await text('b.txt')).toBe('hello\n');
  });

  test.each([
    ['a.tar.gz', 'a.tar(1).gz'],
    ['.env', '(1).env'],
    ['noext', 'noext(1)'],
  ])('adds the number of %s before the last dot', async (name, numbered) => {
    await writeFile(disk(name), 'x');
    await okLine(await patch(`/${name}`, `/${name}`, 'action=copy&rename=true'));
    expect(await text(numbered)).toBe('x');
  });

  test('merges a folder into another one, and rejects a copy onto itself', async () => {
    await mkdir(disk('other'));
    await writeFile(disk('other/own.txt'), 'own');
    await okLine(await patch('/sub', '/other', 'action=copy&override=true'));
    expect([await text('other/own.txt'), await text('other/d.txt')]).toEqual(['own', 'deep']);
    const self = await patch('/a.txt', '/a.txt', 'action=copy&override=true');
    expect(self.status).toBe(400);
    expect(await text('a.txt')).toBe('hello\n');
    expect((await patch('/a.txt', '/a.txt', 'action=copy')).status).toBe(409);
  });

  test('answers 400 for a folder into itself, but not for a sibling whose name begins alike', async () => {
    expect((await patch('/sub', '/sub/x', 'action=copy')).status).toBe(400);
    expect((await patch('/sub', '/sub/x', 'action=rename')).status).toBe(400);
    await okLine(await patch('/sub', '/sub-more', 'action=rename'));
  });

  test('answers 403 for the root as source or destination, in any spelling', async () => {
    expect((await send('PATCH', '/sub?action=copy&destination=%2F')).status).toBe(403);
    for (const path of ['', '/', '//']) {
      const response = await app.fetch(`/api/resources${path}?action=rename&destination=%2Fx`, {
        method: 'PATCH',
        token,
      });
      expect(response.status).toBe(403);
    }
  });

  test.each([
    ['no destination', '/a.txt?action=copy', 400],
    ['no action', '/a.txt?destination=%2Fx', 400],
    ['an unknown action', '/a.txt?action=link&destination=%2Fx', 400],
    ['an empty destination', '/a.txt?action=copy&destination=', 400],
    ['a destination with ..', '/a.txt?action=copy&destination=%2F..%2Fx', 400],
    ['a destination with a malformed escape', '/a.txt?action=copy&destination=%2F%25zz', 400],
    ['a missing source', '/none?action=copy&destination=%2Fnone2', 404],
  ])('answers a request with %s at %s with %d', async (_case, path, status) => {
    expect((await send('PATCH', path)).status).toBe(status);
  });

  test('creates a missing destination folder with usable permission bits', async () => {
    await okLine(await patch('/a.txt', '/made/deep/a.txt', 'action=rename'));
    expect(await text('made/deep/a.txt')).toBe('hello\n');
    expect((await stat(disk('made'))).mode & 0o100).toBe(0o100);
  });

  test('moves links as links', async () => {
    await symlink('a.txt', disk('link'));
    await okLine(await patch('/link', '/link2', 'action=rename'));
    expect((await lstat(disk('link2'))).isSymbolicLink()).toBe(true);
  });

  test('needs the permissions of the change', async () => {
    const { nothing, creator, renamer } = asUser;
    expect((await patch('/a.txt', '/n.txt', 'action=copy', nothing)).status).toBe(403);
    expect((await patch('/a.txt', '/n.txt', 'action=rename', nothing)).status).toBe(403);
    expect((await patch('/a.txt', '/c.txt', 'action=copy', creator)).status).toBe(200);
    expect((await patch('/a.txt', '/c2.txt', 'action=rename', creator)).status).toBe(403);
    expect((await patch('/a.txt', '/free.txt', 'action=copy&override=true', creator)).status).toBe(403);
    expect((await patch('/a.txt', '/r.txt', 'action=copy', renamer)).status).toBe(403);
    expect((await patch('/a.txt', '/r.txt', 'action=rename', renamer)).status).toBe(200);
  });

  test('a denied child stops the whole operation (docs/reference/filebrowser-api.md §9.1)', async () => {
    await mkdir(join(app.root, 'tree/secret'), { recursive: true });
    await writeFile(join(app.root, 'tree/secret/s.txt'), 's');
    await writeFile(join(app.root, 'tree/open.txt'), 'o');
    const ruled = asUser.ruled ?? '';
    const move = (action: string): Promise<Response> =>
      app.fetch(`/api/resources/tree?action=${action}&destination=%2F${action}d`, {
        method: 'PATCH',
        token: ruled,
      });
    expect((await move('copy')).status).toBe(403);
    expect((await move('rename')).status).toBe(403);
    expect((await app.fetch('/api/resources/tree', { method: 'DELETE', token: ruled })).status).toBe(403);
    expect(existsSync(join(app.root, 'copyd')) || existsSync(join(app.root, 'renamed'))).toBe(false);
    expect(existsSync(join(app.root, 'tree/secret/s.txt'))).toBe(true);
    expect((await patch('/a.txt', '/../denied/x', 'action=copy', ruled)).status).toBe(400);
    const into = await app.fetch(`/api/resources${folder}/a.txt?action=copy&destination=%2Fdenied%2Fx`, {
      method: 'PATCH',
      token: ruled,
    });
    expect(into.status).toBe(403);
  });
});

describe('methods (docs/reference/filebrowser-api.md §1.1)', () => {
  test.each([
    ['GET', '/api/renewal', 404],
    ['POST', '/api/usage/', 405],
    ['PUT', '/api/search/', 405],
    ['DELETE', '/api/raw/a.txt', 405],
    ['OPTIONS', '/api/resources/', 405],
    ['PATCH', '/api/users', 405],
    ['DELETE', '/api/settings', 405],
    ['POST', '/api/public/share/x', 405],
    ['DELETE', '/api/public/dl/x', 405],
    ['POST', '/no/such', 404],
    ['GET', '/api', 404],
    ['GET', '/api/', 404],
    ['GET', '/api/nothing', 404],
    ['GET', '/api/users/', 404],
  ])('%s %s is %d', async (method, path, status) => {
    const response = await app.fetch(path, { method, token });
    expect(response.status).toBe(status);
    if (status === 405) expect(response.headers.get('allow')).not.toBeNull();
  });

  test.each(['TRACE', 'PROPFIND', 'MOVE', 'COPY', 'MKCOL', 'LOCK', 'REPORT', 'PURGE', 'SUBSCRIBE'])(
    '%s is 405 on existing endpoints, and 404 elsewhere',
    async (method) => {
      const sendMethod = (path: string): Promise<string> =>
        app.rawRequest(
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nConnection: close\r\n\r\n`,
        );
      const response = await sendMethod('/api/resources/a.txt');
      expect(response).toMatch(/^HTTP\/1\.1 405 /);
      expect(response).toMatch(/\r\nallow: DELETE, GET, HEAD, PATCH, POST, PUT\r\n/i);
      expect(response).not.toContain(token);
      expect(await sendMethod('/api/users')).toMatch(/^HTTP\/1\.1 405 /);
      expect(await sendMethod('/api/none')).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  test.each(['/api/resources/', '/api/usage/', '/api/raw/', '/api/users', '/api/settings', '/health'])(
    'HEAD %s is served like GET, without a body',
    async (path) => {
      const response = await app.fetch(path, { method: 'HEAD', token });
      expect([response.status, await response.text()]).toEqual([200, '']);
    },
  );
});
