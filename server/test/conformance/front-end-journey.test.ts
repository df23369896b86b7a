import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../start-app.ts';

/** The requests of the v2.23.0 front end as it makes them (docs/reference/filebrowser-api.md §8.14); each step continues the one before. */
describe('a session of an existing front end', () => {
  let app: TestApp;
  let jwt = '';
  let renewed = 0;
  let shareHash = '';
  let shareToken = '';

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const parseToken = (token: string): { id: number } => {
    const [, payload = ''] = token.split('.');
    return (JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as { user: { id: number } }).user;
  };
  const renew = async (): Promise<void> => {
    const response = await app.fetch('/api/renew', { method: 'POST', headers: { 'x-auth': jwt } });
    expect(response.status).toBe(200);
    jwt = await response.text();
    renewed += 1;
  };
  /** Its `fetchURL`: the token always, bodies as text, and a new token when the response asks for one. */
  const fetchUrl = async (url: string, options: RequestInit = {}): Promise<Response> => {
    const response = await app.fetch(url, { ...options, headers: { 'x-auth': jwt } });
    if (response.headers.get('x-renew-token') === 'true') await renew();
    return response;
  };
  const fetchJson = async (url: string): Promise<Record<string, unknown>> => {
    const response = await fetchUrl(url);
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  };
  /** Runs a step of the session; its title is in the message of a failure. */
  const step = async (title: string, run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      throw new Error(`The front end ${title}`, { cause: error });
    }
  };
  /** Its encoding of a whole path, name by name. */
  const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

  test('is served from signing in to signing out', async () => {
    await step('signs in, keeps the token, and reads its user', async () => {
      const response = await app.fetch('/api/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password: testPassword, recaptcha: '' }),
      });
      expect(response.status).toBe(200);
      jwt = await response.text();
      expect(parseToken(jwt).id).toBe(1);
    });

    await step('lists, creates folders, uploads with override false, then true', async () => {
      expect(await fetchJson('/api/resources/')).toMatchObject({ path: '/', items: [], isDir: true });
      const folder = await fetchUrl('/api/resources/My%20docs/', { method: 'POST' });
      expect(folder.status).toBe(200);
      const target = '/api/resources/My%20docs/a%20%2B%20b%2525.txt';
      const first = await fetchUrl(`${target}?override=false`, { method: 'POST', body: 'first' });
      expect(first.status).toBe(200);
      const conflict = await fetchUrl(`${target}?override=false`, { method: 'POST', body: 'second' });
      expect(conflict.status).toBe(409);
      const replaced = await fetchUrl(`${target}?override=true`, { method: 'POST', body: 'second' });
      expect(replaced.status).toBe(200);
      expect(await readFile(join(app.root, 'My docs', 'a + b%25.txt'), 'utf8')).toBe('second');
      const listing = await fetchJson('/api/resources/My%20docs/');
      expect(listing).toMatchObject({ path: '/My docs/', items: [{ name: 'a + b%25.txt', type: 'text' }] });
    });

    await step('saves files, also empty ones', async () => {
      const target = `/api/resources${encodePath('/My docs/a + b%25.txt')}`;
      expect((await fetchUrl(target, { method: 'PUT', body: 'edited' })).status).toBe(200);
      expect(await fetchJson(target)).toMatchObject({ content: 'edited', type: 'text' });
      expect((await fetchUrl(target, { method: 'PUT' })).status).toBe(200);
      expect(await fetchJson(target)).not.toHaveProperty('content');
      expect((await fetchUrl(target, { method: 'PUT', body: 'edited' })).status).toBe(200);
    });

    await step('copies and moves with a destination encoded twice', async () => {
      const from = encodePath('/My docs/a + b%25.txt');
      const move = (action: string, to: string, query: string): Promise<Response> =>
        fetchUrl(
          `/api/resources${from}?action=${action}&destination=${encodeURIComponent(encodePath(to))}${query}`,
          {
            method: 'PATCH',
          },
        );
      expect((await move('copy', '/My docs/a + b%25.txt', '&override=false&rename=true')).status).toBe(200);
      expect((await move('copy', '/100% & more.txt', '&override=false&rename=false')).status).toBe(200);
      expect((await move('copy', '/100% & more.txt', '&override=false&rename=false')).status).toBe(409);
      expect((await move('rename', '/100% & more.txt', '&override=true&rename=false')).status).toBe(200);
      const { items } = await fetchJson('/api/resources/My%20docs');
      expect((items as { name: string }[]).map(({ name }) => name)).toEqual(['a + b%25(1).txt']);
      expect(await readFile(join(app.root, '100% & more.txt'), 'utf8')).toBe('edited');
    });

    await step('downloads by URL, with the token in the query or the cookie', async () => {
      const raw = `/api/raw${encodePath('/100% & more.txt')}`;
      expect(await (await app.fetch(`${raw}?auth=${jwt}`)).text()).toBe('edited');
      expect((await app.fetch(`${raw}?inline=true`, { headers: { cookie: `auth=${jwt}` } })).status).toBe(
        200,
      );
      const files = ['/My docs', '/100% & more.txt'].map(encodeURIComponent).join(',');
      const zip = await app.fetch(`/api/raw/?files=${encodeURIComponent(files)}&algo=zip&auth=${jwt}`);
      expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip']);
      const checksum = await fetchJson(`/api/resources${encodePath('/100% & more.txt')}?checksum=md5`);
      expect(checksum.checksums).toEqual({ md5: createHash('md5').update('edited').digest('hex') });
    });

    await step('searches and reads the disk usage', async () => {
      const response = await fetchUrl('/api/search/?query=more');
      expect(await response.json()).toEqual([{ dir: false, path: '100% & more.txt' }]);
      expect(Object.keys(await fetchJson('/api/usage/')).toSorted()).toEqual([
        'kept',
        'reclaimable',
        'total',
        'used',
      ]);
    });

    await step('creates shares with parameters in the query and the body, and lists them', async () => {
      const response = await fetchUrl('/api/share/My%20docs/?expires=7&unit=days', {
        method: 'POST',
        body: JSON.stringify({ password: 'pass wörd', expires: '7', unit: 'days' }),
      });
      expect(response.status).toBe(200);
      shareHash = ((await response.json()) as { hash: string }).hash;
      const ofPath = await fetchUrl('/api/share/My%20docs/');
      expect(await ofPath.json()).toMatchObject([{ hash: shareHash, path: '/My docs/', userID: 1 }]);
      expect((await (await fetchUrl('/api/shares')).json()) as object[]).toHaveLength(1);
    });

    await step('lets a visitor enter the password, browse and download', async () => {
      const open = (path: string, password: string): Promise<Response> =>
        app.fetch(`/api/public/share/${shareHash}${path}`, {
          headers: { 'x-share-password': encodeURIComponent(password) },
        });
      expect((await open('', '')).status).toBe(401);
      const response = await open('', 'pass wörd');
      expect(response.status).toBe(200);
      const shown = (await response.json()) as { token: string; items: { name: string }[]; path: string };
      expect(shown).toMatchObject({ path: '/', items: [{ name: 'a + b%25(1).txt' }] });
      shareToken = shown.token;
      const file = `${shareHash}${encodePath('/a + b%25(1).txt')}`;
      const bytes = await app.fetch(
        `/api/public/dl/${file}?inline=true&token=${encodeURIComponent(shareToken)}`,
      );
      expect(await bytes.text()).toBe('edited');
      // The front end joins hash and path, then encodes them as one.
      const joined = encodeURIComponent(`${shareHash}/a + b%25(1).txt`);
      const other = await app.fetch(`/api/public/dl/${joined}?token=${encodeURIComponent(shareToken)}`);
      expect(await other.text()).toBe('edited');
      const files = encodeURIComponent(encodeURIComponent('/a + b%25(1).txt'));
      const some = await app.fetch(
        `/api/public/dl/${shareHash}?files=${files}&algo=zip&token=${encodeURIComponent(shareToken)}`,
      );
      expect(some.headers.get('content-type')).toBe('application/zip');
    });

    await step('saves the profile as text, and gets a new token automatically', async () => {
      const before = renewed;
      const response = await fetchUrl('/api/users/1', {
        method: 'PUT',
        body: JSON.stringify({
          what: 'user',
          which: ['locale', 'hideDotfiles', 'singleClick', 'dateFormat'],
          data: { id: 1, locale: 'fr', hideDotfiles: true, singleClick: true, dateFormat: true },
        }),
      });
      expect(response.status).toBe(200);
      await fetchJson('/api/resources/');
      expect(renewed).toBe(before + 1);
      await fetchJson('/api/resources/');
      expect(renewed).toBe(before + 1);
      expect(parseToken(jwt)).toMatchObject({ locale: 'fr', singleClick: true, dateFormat: true });
    });

    await step('writes the settings as read, and creates, changes and deletes a user', async () => {
      const settings = await fetchJson('/api/settings');
      const put = await fetchUrl('/api/settings', { method: 'PUT', body: JSON.stringify(settings) });
      expect(put.status).toBe(200);
      const { defaults } = settings as { defaults: Record<string, unknown> };
      const made = await fetchUrl('/api/users', {
        method: 'POST',
        body: JSON.stringify({
          what: 'user',
          which: [],
          data: {
            ...defaults,
            username: 'newcomer',
            password: testPassword,
            rules: [],
            lockPassword: false,
            id: 0,
          },
        }),
      });
      expect(made.status).toBe(201);
      const id = Number(made.headers.get('location')?.replace('/settings/users/', ''));
      const user = await fetchJson(`/api/users/${id}`);
      const changed = await fetchUrl(`/api/users/${id}`, {
        method: 'PUT',
        body: JSON.stringify({
          what: 'user',
          which: ['all'],
          data: { ...user, password: '', viewMode: 'mosaic gallery' },
        }),
      });
      expect(changed.status).toBe(200);
      expect(await fetchJson(`/api/users/${id}`)).toEqual({ ...user, viewMode: 'mosaic gallery' });
      expect((await fetchUrl(`/api/users/${id}`, { method: 'DELETE' })).status).toBe(200);
    });

    await step('deletes the share and the files', async () => {
      expect((await fetchUrl(`/api/share/${shareHash}`, { method: 'DELETE' })).status).toBe(200);
      expect(
        (await app.fetch(`/api/public/dl/${shareHash}?token=${encodeURIComponent(shareToken)}`)).status,
      ).toBe(404);
      expect((await fetchUrl('/api/resources/My%20docs/', { method: 'DELETE' })).status).toBe(200);
      expect((await fetchUrl('/api/resources/My%20docs/')).status).toBe(404);
    });

    await step('stays signed in by renewing, and is signed out by 401', async () => {
      await renew();
      expect((await fetchUrl('/api/resources/')).status).toBe(200);
      expect((await app.fetch('/api/logout', { method: 'POST', token: jwt })).status).toBe(200);
      expect((await fetchUrl('/api/resources/')).status).toBe(401);
      expect((await app.fetch('/api/renew', { method: 'POST', headers: { 'x-auth': jwt } })).status).toBe(
        401,
      );
    });
  });
});

/** The requests of newer front ends for resumable uploads (docs/reference/filebrowser-api.md §6.3, §9.1). */
describe('resumable uploads of newer front ends', () => {
  let app: TestApp;
  let token = '';
  beforeAll(async () => {
    app = await startApp({
      files: { 'there.txt': 'there', 'folder/': '' },
      users: [{ username: 'reader', perm: { create: false } }],
    });
    token = await app.signIn('admin');
  });
  afterAll(() => app.close());

  const create = (path: string, length: string, as = token): Promise<Response> =>
    app.fetch(`/api/tus${path}`, { method: 'POST', token: as, headers: { 'upload-length': length } });
  const part = (path: string, offset: number, body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
    app.fetch(`/api/tus${path}`, {
      method: 'PATCH',
      token,
      headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
      body,
    });

  test('send several parts and get the new offset for each', async () => {
    const bytes = new Uint8Array(3 * 65_536 + 17).map((_, index) => index % 251);
    const made = await create('/up/big%20file.bin?override=false', String(bytes.length));
    expect([made.status, made.headers.get('location')]).toEqual([201, '/api/tus/up/big%20file.bin']);
    for (let offset = 0; offset < bytes.length; offset += 65_536) {
      const end = Math.min(offset + 65_536, bytes.length);
      const head = await app.fetch('/api/tus/up/big%20file.bin', { method: 'HEAD', token });
      expect([head.status, head.headers.get('upload-offset'), head.headers.get('upload-length')]).toEqual([
        200,
        String(offset),
        String(bytes.length),
      ]);
      const response = await part('/up/big%20file.bin', offset, bytes.slice(offset, end));
      expect([response.status, response.headers.get('upload-offset')]).toEqual([204, String(end)]);
    }
    expect(new Uint8Array(await readFile(join(app.root, 'up/big file.bin')))).toEqual(bytes);
  });

  test('get 409 for a wrong offset, 415 for a wrong type, 413 for too many bytes, and can continue then', async () => {
    expect((await create('/five.txt', '5')).status).toBe(201);
    expect((await part('/five.txt', 3, 'lo')).status).toBe(409);
    const typed = await app.fetch('/api/tus/five.txt', {
      method: 'PATCH',
      token,
      headers: { 'content-type': 'text/plain', 'upload-offset': '0' },
      body: 'hello',
    });
    expect(typed.status).toBe(415);
    expect((await part('/five.txt', 0, 'x'.repeat(5000))).status).toBe(413);
    expect((await part('/five.txt', 0, 'hello')).status).toBe(204);
    expect(await readFile(join(app.root, 'five.txt'), 'utf8')).toBe('hello');
  });

  test('are rejected for existing files, malformed headers and missing permissions', async () => {
    expect((await create('/there.txt', '3')).status).toBe(409);
    expect((await create('/bad.txt', '-1')).status).toBe(400);
    expect((await create('/bad.txt', 'x')).status).toBe(400);
    expect((await create('/folder', '3')).status).toBe(400);
    expect((await create('/r.txt', '3', await app.signIn('reader'))).status).toBe(403);
    expect((await app.fetch('/api/tus/none', { method: 'HEAD', token })).status).toBe(404);
    expect((await part('/none', 0, 'x')).status).toBe(404);
  });

  test('create an empty file at once, and leave nothing when cancelled', async () => {
    expect((await create('/empty.txt', '0')).status).toBe(201);
    expect(await readFile(join(app.root, 'empty.txt'), 'utf8')).toBe('');
    expect((await create('/given-up.txt', '5')).status).toBe(201);
    expect((await part('/given-up.txt', 0, 'he')).status).toBe(204);
    expect((await app.fetch('/api/tus/given-up.txt', { method: 'DELETE', token })).status).toBe(204);
    await expect(readFile(join(app.root, 'given-up.txt'))).rejects.toThrow();
  });
});
