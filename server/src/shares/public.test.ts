import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resource } from '@filestead/contract/files';
import type { Share } from '@filestead/contract/shares';
import type { User } from '@filestead/contract/users';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';

/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const password = 'let me in';
let app: TestApp;
let admin: string;
let alice: string;
beforeAll(async () => {
  app = await startApp({
    files: {
      'users/alice/a.txt': 'of alice',
      'users/alice/README': 'a text without an extension',
      'users/alice/docs/ok.txt': 'fine',
      'users/alice/docs/a b+c%.txt': 'odd name',
      'users/alice/docs/sub/deep.txt': 'deep',
      'users/alice/docs/secret/deny.txt': 'canary-denied',
      'users/alice/docs/.dot/hidden.txt': 'canary-hidden',
      'users/alice/docs/pixel.png': pixel,
      'users/alice/docs/movie.mp4': 'not really',
      'users/alice/docs/movie.en.vtt': 'WEBVTT',
      'users/alice/docs/x.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
      'users/alice/private/secret.txt': 'canary-private',
    },
    users: [
      {
        username: 'alice',
        scope: '/users/alice',
        rules: [{ path: '/docs/secret' }],
        hideDotfiles: true,
      },
    ],
  });
  await symlink('../private', join(app.root, 'users/alice/docs/to-private'));
  await symlink('../private/secret.txt', join(app.root, 'users/alice/docs/to-secret'));
  await symlink('sub', join(app.root, 'users/alice/docs/to-sub'));
  admin = await app.signIn('admin');
  alice = await app.signIn('alice');
});
afterAll(() => app.close());

const makeShare = async (path: string, json: object = {}): Promise<Share> => {
  const answer = await app.fetch(`/api/share${path}`, { method: 'POST', token: alice, json });
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as Share;
};
const share = async (path: string, json: object = {}): Promise<string> => (await makeShare(path, json)).hash;
const info = (rest: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.fetch(`/api/public/share/${rest}`, { headers });
const download = (rest: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.fetch(`/api/public/dl/${rest}`, { headers });
const show = async (rest: string, headers: Record<string, string> = {}): Promise<Resource> => {
  const answer = await info(rest, headers);
  if (answer.status !== 200) throw new Error(`${answer.status}`);
  return (await answer.json()) as Resource;
};
const withPassword = (text: string): Record<string, string> => ({
  'x-share-password': encodeURIComponent(text),
});
const status = async (answer: Promise<Response>): Promise<number> => {
  const { status: code, headers } = await answer;
  if (code === 200 && headers.get('content-type') === null) throw new Error('no type');
  return code;
};

describe('a shared folder', () => {
  let hash: string;
  beforeAll(async () => {
    hash = await share('/docs');
  });

  test('is listed by name, with paths relative to the share and nothing about its owner', async () => {
    const answer = await info(hash);
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('set-cookie')).toBeNull();
    const folder = JSON.parse(text) as Resource;
    expect(folder).toMatchObject({
      path: '/',
      name: 'docs',
      isDir: true,
      type: '',
      numDirs: 2,
      numFiles: 6,
      sorting: { by: 'name', asc: false },
    });
    expect(folder.items?.map(({ path }) => path)).toEqual([
      '/sub',
      '/to-sub',
      '/a b+c%.txt',
      '/movie.en.vtt',
      '/movie.mp4',
      '/ok.txt',
      '/pixel.png',
      '/x.svg',
    ]);
    expect(folder.items?.[4]?.subtitles).toEqual(['/movie.en.vtt']);
    expect(folder).not.toHaveProperty('token');
    expect(text).not.toMatch(/alice|users|userID|scope|rules|canary|secret|dot|private/);
  });

  test('shows its contents under paths relative to the share', async () => {
    expect(await show(`${hash}/sub/`)).toMatchObject({ path: '/sub/', name: 'sub', numFiles: 1 });
    expect(await show(`${hash}/sub`)).toMatchObject({ path: '/sub', name: 'sub' });
    expect((await show(`${hash}/to-sub/`)).items).toMatchObject([{ path: '/to-sub/deep.txt' }]);
    const file = await show(`${hash}/ok.txt`);
    expect(file).toMatchObject({ path: '/ok.txt', name: 'ok.txt', size: 4, type: 'text', isDir: false });
    expect(file).not.toHaveProperty('content');
    expect(await show(`${hash}%2Fsub%2Fdeep.txt`)).toMatchObject({ path: '/sub/deep.txt' });
  });

  test('reports its expiry in every form, and nothing if it does not expire', async () => {
    const { hash: ending, expire } = await makeShare('/docs', { expires: '2', unit: 'hours' });
    expect(expire).toBeGreaterThan(Date.now() / 1000);
    expect(await show(ending)).toMatchObject({ name: 'docs', expire });
    expect(await show(`${ending}/ok.txt`)).toMatchObject({ name: 'ok.txt', expire });
    const [header = ''] = (await (await info(ending, { accept: 'application/x-ndjson' })).text()).split('\n');
    expect(JSON.parse(header)).toMatchObject({ name: 'docs', expire });
    expect(await show(hash)).not.toHaveProperty('expire');
  });

  test('serves its subtitles as WebVTT, and no other file that way', async () => {
    const subtitle = (path: string) => app.fetch(`/api/public/subtitle/${hash}${path}`);
    const answer = await subtitle('/movie.en.vtt');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/vtt; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(await answer.text()).toBe('WEBVTT');
    expect(await status(subtitle('/ok.txt'))).toBe(400);
    expect(await status(subtitle('/none.vtt'))).toBe(404);
    expect(await status(subtitle('/secret/deny.vtt'))).toBe(403);
    expect(await status(subtitle('/sub%2F..%2F..%2Fa.vtt'))).toBe(400);
    const locked = await share('/docs', { password: 'open sesame' });
    expect(await status(app.fetch(`/api/public/subtitle/${locked}/movie.en.vtt`))).toBe(401);
  });

  test('is listed as rows for clients that accept NDJSON', async () => {
    const answer = await info(hash, { accept: 'application/x-ndjson' });
    const lines = (await answer.text()).trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ path: '/', name: 'docs', numDirs: 2 });
    expect(lines.slice(1, -1).map((line) => (JSON.parse(line) as string[])[0])).toHaveLength(8);
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ end: true, numDirs: 2, numFiles: 6 });
    expect(lines.join()).not.toMatch(/secret|private/);
  });

  test('serves its files with ranges, inline or as attachment, in a sandbox', async () => {
    const whole = await download(`${hash}/ok.txt`);
    expect([whole.status, await whole.text()]).toEqual([200, 'fine']);
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(whole.headers.get('cache-control')).toMatch(/^private/);
    expect(whole.headers.get('set-cookie')).toBeNull();
    const encoded = await download(`${hash}%2Fok.txt`);
    expect(await encoded.text()).toBe('fine');
    const part = await download(`${hash}/ok.txt`, { range: 'bytes=1-2' });
    expect([part.status, await part.text()]).toEqual([206, 'in']);
    const outside = await download(`${hash}/ok.txt`, { range: 'bytes=9-' });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, 'bytes */4']);
    const svg = await download(`${hash}/x.svg?inline=true`);
    expect(svg.headers.get('content-disposition')).toMatch(/^inline;/);
    expect(svg.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    const etag = whole.headers.get('etag') ?? '';
    expect((await download(`${hash}/ok.txt`, { 'if-none-match': etag })).status).toBe(304);
    expect(await (await download(`${hash}/${encodeURIComponent('a b+c%.txt')}`)).text()).toBe('odd name');
    const head = await app.fetch(`/api/public/dl/${hash}/ok.txt`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '4']);
  });

  test('is downloaded as an archive with its name and exactly the visible entries', async () => {
    const answer = await download(`${hash}?algo=tar`);
    expect(answer.headers.get('content-disposition')).toContain("utf-8''docs.tar");
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    const bytes = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    for (const found of ['ok.txt', 'sub/deep.txt', 'to-sub/deep.txt', 'movie.mp4'])
      expect(bytes).toContain(found);
    expect(bytes).not.toMatch(/canary|secret|hidden|private/);
    const zip = await download(hash);
    expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect((await zip.text()).slice(0, 2)).toBe('PK');
    expect((await download(`${hash}/sub/`)).headers.get('content-disposition')).toContain("utf-8''sub.zip");
  });

  test('serves a selection of its files as an archive', async () => {
    const some = await download(`${hash}?algo=tar&files=ok.txt,sub`);
    expect(some.headers.get('content-disposition')).toContain("utf-8''_docs.tar");
    const bytes = Buffer.from(await some.arrayBuffer()).toString('latin1');
    expect(bytes).toContain('sub/deep.txt');
    expect(bytes).not.toMatch(/movie|canary|secret/);
    for (const [files, expected] of [
      ['secret', 403],
      ['ok.txt,secret%2Fdeny.txt', 403],
      ['..%2Fprivate', 400],
      ['..', 400],
      ['to-private', 404],
      ['to-private%2Fsecret.txt', 403],
      ['missing', 404],
    ] as const) {
      expect(await status(download(`${hash}?files=${encodeURIComponent(files)}`)), files).toBe(expected);
    }
    expect(await status(download(`${hash}?algo=rar`))).toBe(400);
  });

  test('serves thumbnails of its files', async () => {
    const preview = (rest: string): Promise<Response> => app.fetch(`/api/public/preview/${rest}`);
    const picture = await preview(`thumb/${hash}/pixel.png`);
    expect(picture.headers.get('content-type')).toMatch(/^image\//);
    expect(picture.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(await status(preview(`big/${hash}%2Fpixel.png`))).toBe(200);
    expect(await status(preview(`huge/${hash}/pixel.png`))).toBe(400);
    expect(await status(preview(`thumb/${hash}/secret/deny.txt`))).toBe(403);
    expect(await status(preview(`thumb/${hash}/missing.png`))).toBe(404);
    expect(await status(preview(`thumb/${'x'.repeat(32)}/pixel.png`))).toBe(404);
    const file = await share('/docs/pixel.png', { password });
    expect(await status(preview(`thumb/${file}`))).toBe(401);
    const { token } = await show(file, withPassword(password));
    expect(await status(preview(`thumb/${file}?token=${token}`))).toBe(200);
    expect(await status(preview(`thumb/${file}/whatever.jpg?token=${token}`))).toBe(200);
    expect(await status(preview(`thumb/${hash}/pixel.png?token=${token}`))).toBe(200);
  });

  test.each([
    ['/secret/', 403],
    ['/secret/deny.txt', 403],
    ['/secret/neither', 403],
    ['/sub/../secret/deny.txt', 400],
    ['//secret//deny.txt', 403],
    ['/secret%2Fdeny.txt', 403],
    ['/.dot', 403],
    ['/missing', 404],
    ['/to-private', 403, 404],
    ['/to-private/', 404, 404],
    ['/to-private/secret.txt', 403],
    ['/to-secret', 403, 404],
    ['/..', 400],
    ['/../private/secret.txt', 400],
    ['/..%2Fprivate%2Fsecret.txt', 400],
    ['/%2e%2e/private/secret.txt', 400],
    ['/%00', 400],
    ['/%zz', 400],
  ])('does not serve %s', async (rest, download, shown = download) => {
    for (const [place, expected] of [
      ['share', shown],
      ['dl', download],
    ] as const) {
      const answer = await app.rawRequest(
        `GET /api/public/${place}/${hash}${rest} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      const code = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
      expect(code, place).toBe(expected);
      expect(answer).not.toMatch(/canary|alice/);
    }
  });
});

describe('a shared file', () => {
  let hash: string;
  beforeAll(async () => {
    hash = await share('/docs/ok.txt');
  });

  test('is served for any path after the hash', async () => {
    for (const rest of ['', '/', '/any-name.txt', '/movie.mp4', '/sub/deep.txt', '/secret/', '%2Fx.svg']) {
      expect(await show(`${hash}${rest}`)).toMatchObject({ path: '', name: 'ok.txt', size: 4, type: 'text' });
      const answer = await download(`${hash}${rest}`);
      expect([answer.status, await answer.text()]).toEqual([200, 'fine']);
      expect(answer.headers.get('content-disposition')).toContain("utf-8''ok.txt");
    }
    expect(await (await download(`${hash}?files=x.svg`)).text()).toBe('fine');
    expect(await (await download(`${hash}?files=..%2Fa.txt&algo=tar`)).text()).not.toContain('of alice');
    const up = await app.rawRequest(
      `GET /api/public/dl/${hash}/../movie.mp4 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(up).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('reveals nothing about its siblings', async () => {
    const movie = await share('/docs/movie.mp4');
    const told = await show(movie);
    expect(told).toMatchObject({ name: 'movie.mp4', path: '', type: 'video' });
    expect(told).not.toHaveProperty('subtitles');
    expect(Object.keys(told)).toEqual([
      'path',
      'name',
      'size',
      'extension',
      'modified',
      'mode',
      'isDir',
      'isSymlink',
      'type',
    ]);
  });

  test('has no subtitles', async () => {
    const movie = await share('/docs/movie.mp4');
    expect(await status(app.fetch(`/api/public/subtitle/${movie}/movie.en.vtt`))).toBe(400);
  });

  test('has the type of its content', async () => {
    expect(await show(await share('/README'))).toMatchObject({ type: 'text' });
  });

  test('is missing while another entry has its name, and available again afterwards', async () => {
    const made = await share('/README');
    const path = join(app.root, 'users/alice/README');
    const { rm, mkdir } = await import('node:fs/promises');
    await rm(path);
    expect(await status(info(made))).toBe(404);
    await mkdir(path);
    await writeFile(join(path, 'canary.txt'), 'canary');
    expect([await status(info(made)), await status(download(`${made}/canary.txt`))]).toEqual([404, 404]);
    await rm(path, { recursive: true });
    await writeFile(path, 'back');
    expect(await (await download(made)).text()).toBe('back');
  });
});

describe('a protected share', () => {
  let hash: string;
  let token: string;
  beforeEach(async () => {
    hash = await share('/docs', { password: `  ${password} ` });
    token = (await show(hash, withPassword(password))).token ?? '';
  });

  test('serves nothing without its password, to visitors and users', async () => {
    const file = await share('/a.txt', { password });
    const folderAnswer = await info(hash);
    const fileAnswer = await info(file);
    const headersOf = ({ headers }: Response): string[] =>
      [...headers]
        .filter(([name]) => name !== 'x-request-id' && name !== 'date')
        .map((header) => header.join());
    expect(headersOf(folderAnswer)).toEqual(headersOf(fileAnswer));
    expect(await folderAnswer.text()).toBe('401 Unauthorized\n');
    expect(await fileAnswer.text()).toBe('401 Unauthorized\n');
    for (const rest of [
      hash,
      `${hash}/`,
      `${hash}/ok.txt`,
      `${hash}/missing`,
      `${hash}/secret/deny.txt`,
      file,
    ]) {
      for (const place of ['share', 'dl', 'preview/thumb']) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await app.fetch(`/api/public/${place}/${rest}?inline=true`, {
            method,
            token: alice,
            headers: { range: 'bytes=0-1', cookie: `auth=${alice}` },
          });
          expect(answer.status, `${method} ${place} ${rest}`).toBe(401);
          expect(answer.headers.get('content-length')).toBe('17');
          expect(answer.headers.get('cache-control')).toBe('no-store');
          expect(await answer.text()).toMatch(/^(401 Unauthorized\n)?$/);
        }
      }
    }
    expect(await status(info(hash, { 'x-share-password': '' }))).toBe(401);
  });

  test('opens with the password and returns a token that is valid for this share only', async () => {
    expect(token).toMatch(/^[A-Za-z0-9_-]{72}$/);
    const opened = await info(hash, withPassword(password));
    expect(opened.headers.get('cache-control')).toBe('no-store');
    expect(opened.headers.get('vary')).toContain('x-share-password');
    const rows = await info(hash, { ...withPassword(password), accept: 'application/x-ndjson' });
    expect(JSON.parse((await rows.text()).split('\n')[0] ?? '')).toHaveProperty('token');
    expect(await show(`${hash}?token=${token}`)).toMatchObject({ name: 'docs', token });
    expect(await show(`${hash}/sub/?token=${token}`)).toMatchObject({ name: 'sub', token });
    expect(await (await download(`${hash}/ok.txt?token=${token}`)).text()).toBe('fine');
    expect(await status(download(`${hash}/ok.txt?token=${token}`, { range: 'bytes=0-1' }))).toBe(206);
    expect(await status(download(`${hash}?algo=tar&token=${token}`))).toBe(200);
    expect(await status(download(`${hash}?algo=tar`))).toBe(401);
    expect(await status(download(`${hash}?files=ok.txt,sub&token=${token}`))).toBe(200);
    expect(await (await download(`${hash}/ok.txt`, withPassword(password))).text()).toBe('fine');

    const other = await share('/docs', { password });
    const file = await share('/docs/ok.txt', { password });
    const fileToken = (await show(file, withPassword(password))).token ?? '';
    expect(await (await download(`${file}?token=${fileToken}`)).text()).toBe('fine');
    for (const [link, wrong] of [
      [other, token],
      [file, token],
      [hash, fileToken],
    ] as const) {
      expect(await status(info(`${link}?token=${wrong}`))).toBe(401);
    }
  });

  test.each([
    ['an empty token', () => '?token='],
    ['a token without a value', () => '?token'],
    ['“undefined”', () => '?token=undefined'],
    ['the beginning of the token', () => `?token=${token.slice(0, 40)}`],
    ['another case', () => `?token=${token.toLowerCase()}`],
    ['a list', () => `?token[]=${token}`],
    ['a longer end of life', () => `?token=B${token.slice(1)}`],
    ['something behind it', () => `?token=${token}A`],
    ['padding', () => `?token=${token}%3D`],
    ['the hash', () => `?token=${hash}`],
    ['a session', () => `?token=${alice}`],
    ['the session’s parameter', () => `?auth=${alice}`],
  ])('does not open with %s', async (_name, query) => {
    for (const place of ['share', 'dl']) {
      expect(await status(app.fetch(`/api/public/${place}/${hash}/ok.txt${query()}`))).toBe(401);
    }
  });

  test('rejects a token of the maximum length of a request', async () => {
    const answer = await app.rawRequest(
      `GET /api/public/share/${hash}?token=${'x'.repeat(10_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4(01|14|31) /);
  });

  test('an unprotected share needs no password and returns no token', async () => {
    const open = await share('/docs');
    expect(await show(`${open}?token=`, { 'x-share-password': '%zz' })).not.toHaveProperty('token');
    expect(await status(download(`${open}/ok.txt?token=undefined`))).toBe(200);
  });

  test.each([
    ['wrong', 401],
    ['%', 400],
    ['%zz', 400],
    ['%ff', 400],
    ['%00', 401],
    ['let%20me%20in%00', 401],
    ['Let%20me%20in', 401],
    ['let%2520me%2520in', 401],
    ['x'.repeat(10_000), 401],
    ['l\xc3\xa9t', 401],
    ['let%20me%20in', 200],
    ['let+me+in', 200],
    ['let me in', 200],
    ['%20let%20me%20in%20', 200],
  ])('answers the password header %j with %d', async (header, expected) => {
    const answer = await app.rawRequest(
      Buffer.from(
        `GET /api/public/share/${hash} HTTP/1.1\r\nHost: x\r\nX-Share-Password: ${header}\r\nConnection: close\r\n\r\n`,
        'latin1',
      ),
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${expected} `));
  });

  test('rejects two password headers', async () => {
    const line = 'X-Share-Password: let%20me%20in\r\n';
    const answer = await app.rawRequest(
      `GET /api/public/share/${hash} HTTP/1.1\r\nHost: x\r\n${line}${line}Connection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('returns problem details to clients that request JSON', async () => {
    const answer = await info(hash, { accept: 'application/json' });
    expect(await answer.json()).toMatchObject({ status: 401, code: 'password_required' });
  });

  test('and its token are invalid when its owner deletes it', async () => {
    const ended = await app.fetch(`/api/share/${hash}`, { method: 'DELETE', token: alice });
    expect(ended.status).toBe(200);
    const again = await share('/docs', { password });
    expect(await status(info(`${hash}?token=${token}`))).toBe(404);
    expect(await status(info(`${again}?token=${token}`))).toBe(401);
  });
});

describe('the expiry of a share', () => {
  test('applies to details, downloads and tokens alike', async () => {
    const hash = await share('/docs', { expires: '2', unit: 'seconds', password });
    const made = Date.now();
    const { token } = await show(hash, withPassword(password));
    await expect.poll(() => Date.now() - made, { timeout: 2_000 }).toBeGreaterThan(1_000);
    expect(await status(download(`${hash}/ok.txt?token=${token}`))).toBe(200);
    await expect.poll(() => Date.now() - made, { timeout: 3_000 }).toBeGreaterThan(3_000);
    expect(await status(info(hash, withPassword(password)))).toBe(404);
    expect(await status(info(`${hash}?token=${token}`))).toBe(404);
    expect(await status(download(`${hash}/ok.txt?token=${token}`))).toBe(404);
  });
});

describe('unknown shares', () => {
  test('are not found, even with similar hashes', async () => {
    const hash = await share('/docs');
    const flipped = [...hash]
      .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
      .join('');
    for (const other of [
      flipped,
      `${hash}%20`,
      `${hash}%00`,
      `${hash}A`,
      hash.slice(0, -1),
      `%20${hash}`,
      'x'.repeat(200),
      '__proto__',
      'constructor',
      '%F0%9F%92%A9',
      '',
    ]) {
      const answer = await info(`${other}/x`);
      expect([answer.status, await answer.text()], other).toEqual([404, '404 Not Found\n']);
    }
  });

  test.each([
    '/api/public/share/',
    '/api/public/share',
    '/api/public/dl/',
    '/api/public/dl/%2f',
    '/api/public/x',
  ])('%s is not found', async (path) => {
    expect(await status(app.fetch(path))).toBe(404);
  });

  test.each(['/api/public/share/..%2f..%2f', '/api/public/dl/%00', '/api/public/dl/%ff'])(
    '%s is refused',
    async (path) => {
      const answer = await app.rawRequest(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    },
  );
});

describe('a write request', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is rejected for a share', async (method) => {
    const hash = await share('/docs');
    for (const path of [
      `share/${hash}/ok.txt`,
      `dl/${hash}/ok.txt`,
      `preview/thumb/${hash}/ok.txt`,
      `subtitle/${hash}/movie.en.vtt`,
      `share/${hash}`,
    ]) {
      const answer = await app.fetch(`/api/public/${path}?action=rename&destination=/x`, {
        method,
        token: alice,
        body: 'overwritten',
      });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    expect(await (await download(`${hash}/ok.txt`)).text()).toBe('fine');
  });
});

describe('the owner of a share', () => {
  const change = async (data: Partial<User>): Promise<void> => {
    const users = (await (await app.fetch('/api/users', { token: admin })).json()) as User[];
    const user = users.find(({ username }) => username === 'alice');
    const answer = await app.fetch(`/api/users/${user?.id}`, {
      method: 'PUT',
      token: admin,
      json: { what: 'user', which: Object.keys(data), data: { ...user, ...data } },
    });
    if (answer.status !== 200) throw new Error(await answer.text());
  };
  const allowed = {
    admin: false,
    execute: false,
    create: true,
    rename: true,
    modify: true,
    delete: true,
    share: true,
    download: true,
  };

  test.each(['share', 'download'] as const)(
    'without the permission “%s” shares nothing',
    async (permission) => {
      const hash = await share('/docs');
      const locked = await share('/docs', { password });
      const { token } = await show(locked, withPassword(password));
      expect([await status(info(hash)), await status(download(`${hash}/ok.txt`))]).toEqual([200, 200]);
      try {
        await change({ perm: { ...allowed, [permission]: false } });
        expect([await status(info(hash)), await status(download(`${hash}/ok.txt`))]).toEqual([403, 403]);
        expect(await status(info(locked))).toBe(401);
        expect(await status(info(`${locked}?token=${token}`))).toBe(403);
      } finally {
        await change({ perm: allowed });
      }
      expect([await status(info(hash)), await status(download(`${hash}/ok.txt`))]).toEqual([200, 200]);
    },
  );

  test('without the permission modify shares texts as textImmutable', async () => {
    const hash = await share('/docs');
    try {
      await change({ perm: { ...allowed, modify: false } });
      expect(await show(`${hash}/ok.txt`)).toMatchObject({ type: 'textImmutable' });
    } finally {
      await change({ perm: allowed });
    }
  });

  test('is bound by later rules on the real paths', async () => {
    const hash = await share('/docs');
    const rule = { regex: false, allow: false, regexp: null };
    const before = [{ ...rule, path: '/docs/secret' }];
    try {
      await change({ rules: [...before, { ...rule, path: '/docs/sub' }] });
      expect(await status(info(`${hash}/sub/`))).toBe(403);
      expect(await status(info(`${hash}/to-sub/`))).toBe(403);
      expect(await status(info(`${hash}/ok.txt`))).toBe(200);
      await change({ rules: [...before, { ...rule, path: '/sub' }] });
      expect(await status(info(`${hash}/sub/`))).toBe(200);
      await change({ rules: [...before, { ...rule, path: '/docs' }] });
      expect(await status(info(hash))).toBe(403);
    } finally {
      await change({ rules: before });
    }
    expect(await status(info(`${hash}/sub/`))).toBe(200);
  });
});
