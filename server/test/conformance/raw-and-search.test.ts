import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../start-app.ts';

let app: TestApp;
let token: string;
let scratch: string;
const picture = (
  format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff',
  width = 400,
  height = 300,
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#c04020' } })
    .toFormat(format)
    .toBuffer();

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'filestead-conformance-'));
  app = await startApp({
    files: {
      'a.txt': 'hello\n',
      'page.html': '<script>alert(1)</script>',
      noext: 'plain',
      noextbin: new Uint8Array([0, 1, 2, 200, 255]),
      'empty.txt': '',
      'docs/a.txt': 'one',
      'docs/b,c.txt': 'comma',
      'docs/e+f%20g.txt': 'plus',
      'docs/sub/d.txt': 'deep',
      'docs/sub/z a.txt': 'blank',
      'docs/日本.txt': 'unicode',
      'my file.txt': 'blank',
      '日本語.txt': 'unicode',
      'q\'uo"te;-_.~$&+=:@.txt': 'odd',
      'document.pdf': '%PDF-1.4\n',
      'search/Alpha.TXT': '',
      'search/alphabet/beta.txt': '',
      'search/alphabet/pic.PNG': '',
      'search/sp ace.pdf': '',
      'search/Z.pdf': '',
      'search/song.mp3': '',
      'search/film.mp4': '',
      'pics/photo.png': await picture('png', 2000, 1500),
      'pics/photo.jpg': await picture('jpeg', 2000, 1500),
      'pics/small.png': await picture('png', 40, 30),
      'pics/still.gif': await picture('gif'),
      'pics/photo.tiff': await picture('tiff'),
      'pics/photo.webp': await picture('webp'),
      'pics/broken.png': '\x89PNG\r\n\x1a\nnot really',
      'pics/data.json': '{}',
      'pics/vector.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>',
      'secret/s.txt': 'secret',
    },
    users: [
      { username: 'blind', perm: { download: false } },
      { username: 'ruled', rules: [{ path: '/docs/sub' }, { path: '/search/alphabet' }] },
    ],
  });
  token = await app.signIn('admin');
  await utimes(join(app.root, 'a.txt'), 1_709_287_200, 1_709_287_200);
  await symlink('../secret', join(app.root, 'search/link'));
});
afterAll(async () => {
  await app.close();
  await rm(scratch, { recursive: true, force: true });
});

const raw = (path: string, headers: Record<string, string> = {}, as = token): Promise<Response> =>
  app.fetch(`/api/raw${path}`, { token: as, headers });
const header = (response: Response, name: string): string => response.headers.get(name) ?? '';

describe('raw of one file (docs/reference/filebrowser-api.md §1.7)', () => {
  test('is an attachment with modification time, name and support for ranges', async () => {
    const response = await raw('/a.txt');
    expect([response.status, await response.text()]).toEqual([200, 'hello\n']);
    expect(header(response, 'content-disposition')).toMatch(/^attachment; filename\*=utf-8''a\.txt(?:;|$)/);
    expect(header(response, 'accept-ranges')).toBe('bytes');
    expect(header(response, 'content-length')).toBe('6');
    expect(header(response, 'last-modified')).toBe('Fri, 01 Mar 2024 10:00:00 GMT');
    expect(header(response, 'cache-control')).toMatch(/^private/);
    expect(header(response, 'content-security-policy')).not.toBe('');
    expect(header(response, 'x-content-type-options')).toBe('nosniff');
  });

  test.each([
    ['/document.pdf', "filename*=utf-8''document.pdf"],
    ['/my%20file.txt', "filename*=utf-8''my%20file.txt"],
    [`/${encodeURIComponent('日本語.txt')}`, "filename*=utf-8''%E6%97%A5%E6%9C%AC%E8%AA%9E.txt"],
    [`/${encodeURIComponent('q\'uo"te;-_.~$&+=:@.txt')}`, "filename*=utf-8''q%27uo%22te%3B-_.~$&+=:@.txt"],
  ])('sends %s under its own name', async (path, name) => {
    for (const [query, kind] of [
      ['', 'attachment'],
      ['?inline=true', 'inline'],
    ] as const) {
      const response = await raw(path + query);
      expect(header(response, 'content-disposition').startsWith(`${kind}; ${name}`)).toBe(true);
      if (kind === 'attachment') {
        // Attachments have a media type that browsers do not execute.
        expect(header(response, 'content-type')).not.toMatch(/html|svg|xml|script/);
      }
    }
  });

  test('has an inline type by extension or content, never an active one', async () => {
    const typeOf = async (path: string): Promise<string> =>
      header(await raw(`${path}?inline=true`), 'content-type');
    expect(await typeOf('/a.txt')).toBe('text/plain; charset=utf-8');
    expect(await typeOf('/noext')).toMatch(/^text\/plain/);
    expect(await typeOf('/noextbin')).toBe('application/octet-stream');
    expect(await typeOf('/document.pdf')).toBe('application/pdf');
    expect(await typeOf('/pics/photo.png')).toBe('image/png');
    expect(await typeOf('/page.html')).not.toMatch(/html/);
  });

  test.each([
    ['bytes=1-2', 206, 'el', 'bytes 1-2/6'],
    ['bytes=2-', 206, 'llo\n', 'bytes 2-5/6'],
    ['bytes=-2', 206, 'o\n', 'bytes 4-5/6'],
    ['bytes=-100', 206, 'hello\n', 'bytes 0-5/6'],
    ['bytes=0-100', 206, 'hello\n', 'bytes 0-5/6'],
    ['bytes=6-', 416, null, 'bytes */6'],
    ['bytes=-0', 416, null, 'bytes */6'],
    ['bytes=3-2', 200, 'hello\n', ''],
    ['lines=1-2', 200, 'hello\n', ''],
    ['bytes=x', 200, 'hello\n', ''],
  ])('answers Range: %s with %d', async (range, status, body, contentRange) => {
    const response = await raw('/a.txt', { range });
    expect([response.status, header(response, 'content-range')]).toEqual([status, contentRange]);
    const sent = await response.text();
    if (body !== null) expect(sent).toBe(body);
  });

  test('answers several ranges as multipart', async () => {
    const response = await raw('/a.txt', { range: 'bytes=0-0, 2-3,-1' });
    expect(response.status).toBe(206);
    const [, boundary = ''] =
      /^multipart\/byteranges; boundary=(\S+)$/.exec(header(response, 'content-type')) ?? [];
    const body = await response.text();
    expect(body.split(`--${boundary}`)).toHaveLength(5);
    expect([...body.matchAll(/Content-Range: (.*)\r\n/gi)].map(([, range]) => range)).toEqual([
      'bytes 0-0/6',
      'bytes 2-3/6',
      'bytes 5-5/6',
    ]);
    expect(header(response, 'content-length')).toBe(String(body.length));
    expect((await raw('/a.txt', { range: 'bytes=10-11, 20-21' })).status).toBe(416);
    const one = await raw('/a.txt', { range: 'bytes=1-2, 20-21' });
    expect([one.status, header(one, 'content-range'), await one.text()]).toEqual([206, 'bytes 1-2/6', 'el']);
    const many = await raw('/a.txt', { range: `bytes=${'0-5,'.repeat(400)}0-5` });
    expect((await many.text()).length).toBeLessThan(4096);
  });

  test('answers conditional requests', async () => {
    const date = 'Fri, 01 Mar 2024 10:00:00 GMT';
    const earlier = 'Thu, 29 Feb 2024 10:00:00 GMT';
    const notModified = await raw('/a.txt', { 'if-modified-since': date });
    expect([notModified.status, await notModified.text()]).toEqual([304, '']);
    expect((await raw('/a.txt', { 'if-modified-since': earlier })).status).toBe(200);
    expect((await raw('/a.txt', { 'if-unmodified-since': earlier })).status).toBe(412);
    expect((await raw('/a.txt', { range: 'bytes=1-2', 'if-range': date })).status).toBe(206);
    expect((await raw('/a.txt', { range: 'bytes=1-2', 'if-range': earlier })).status).toBe(200);
    const etag = header(await raw('/a.txt'), 'etag');
    if (etag !== '') {
      expect((await raw('/a.txt', { 'if-none-match': etag })).status).toBe(304);
      expect((await raw('/a.txt', { range: 'bytes=1-2', 'if-range': etag })).status).toBe(206);
    }
  });

  test('answers HEAD, serves empty files, and never compresses', async () => {
    const head = await app.fetch('/api/raw/a.txt', { method: 'HEAD', token });
    expect([head.status, header(head, 'content-length')]).toEqual([200, '6']);
    const empty = await raw('/empty.txt');
    expect([empty.status, header(empty, 'content-length'), await empty.text()]).toEqual([200, '0', '']);
    expect(header(await raw('/a.txt', { 'accept-encoding': 'gzip' }), 'content-encoding')).toBe('');
  });

  test('rejects missing files, denied paths and missing permissions', async () => {
    const blind = await app.signIn('blind');
    const ruled = await app.signIn('ruled');
    for (const path of ['/a.txt', '/a.txt?inline=true', '/docs', '/docs?files=a.txt']) {
      expect((await raw(path, {}, blind)).status).toBe(403);
    }
    expect((await raw('/docs/sub/d.txt', {}, ruled)).status).toBe(403);
    expect((await raw('/none.txt')).status).toBe(404);
    expect((await raw('/docs?algo=rar')).status).toBe(400);
  });
});

describe('archives (docs/reference/filebrowser-api.md §1.7, §10)', () => {
  const unpack = async (response: Response, name: string, command: string[]): Promise<string[]> => {
    const folder = await mkdtemp(join(scratch, 'out-'));
    const file = join(scratch, name);
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    const [program = '', ...args] = command;
    execFileSync(program, [...args, file], { cwd: folder });
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .toSorted();
  };
  const all = ['a.txt', 'b,c.txt', 'e+f%20g.txt', 'sub/d.txt', 'sub/z a.txt', '日本.txt'].toSorted();

  test.each([
    ['', 'docs.zip', 'application/zip', ['unzip', '-q']],
    ['?algo=', 'docs.zip', 'application/zip', ['unzip', '-q']],
    ['?algo=zip', 'docs.zip', 'application/zip', ['unzip', '-q']],
    ['?algo=true', 'docs.zip', 'application/zip', ['unzip', '-q']],
    ['?algo=tar', 'docs.tar', 'application/octet-stream', ['tar', 'xf']],
    ['?algo=targz', 'docs.tar.gz', 'application/x-gzip', ['tar', 'xzf']],
    ['?algo=tarbz2', 'docs.tar.bz2', 'application/octet-stream', ['tar', 'xjf']],
    ['?algo=tarxz', 'docs.tar.xz', 'application/octet-stream', ['tar', 'xJf']],
    ['?algo=tarlz4', 'docs.tar.lz4', 'application/octet-stream', ['tar', '-I', 'lz4', '-xf']],
    ['?algo=tarzst', 'docs.tar.zst', 'application/octet-stream', ['tar', '--zstd', '-xf']],
  ])('a folder with %s is %s', async (query, name, type, command) => {
    const response = await raw(`/docs${query}`);
    expect([response.status, header(response, 'content-type')]).toEqual([200, type]);
    expect(header(response, 'content-disposition')).toMatch(
      new RegExp(`^attachment; filename\\*=utf-8''${name.replaceAll('.', '\\.')}(?:;|$)`),
    );
    expect(await unpack(response, name, command)).toEqual(all);
  });

  test('a folder can be packed as framed snappy', async () => {
    const response = await raw('/docs?algo=tarsz');
    expect(header(response, 'content-disposition')).toContain("utf-8''docs.tar.sz");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 10).toString('latin1')).toBe('\xff\x06\0\0sNaPpY');
  });

  test('several entries keep their names, and the archive is named after their folder', async () => {
    const files = [
      encodeURIComponent('a.txt'),
      encodeURIComponent('b,c.txt'),
      encodeURIComponent('e+f%20g.txt'),
      'sub',
    ];
    const response = await raw(`/docs/?files=${encodeURIComponent(files.join(','))}&algo=zip`);
    expect(header(response, 'content-disposition')).toContain("utf-8''_docs.zip");
    expect(await unpack(response, '_docs.zip', ['unzip', '-q'])).toEqual(
      ['a.txt', 'b,c.txt', 'e+f%20g.txt', 'sub/d.txt', 'sub/z a.txt'].toSorted(),
    );
    const root = await raw(`/?files=${encodeURIComponent('/docs/a.txt,/secret/s.txt')}`);
    expect(header(root, 'content-disposition')).toContain("utf-8''_root.zip");
    expect(await unpack(root, '_root.zip', ['unzip', '-q'])).toEqual(['docs/a.txt', 'secret/s.txt']);
  });

  test('a single listed file is packed with its name; a single listed folder without it', async () => {
    const one = await raw('/docs?files=a.txt');
    expect(await unpack(one, 'one.zip', ['unzip', '-q'])).toEqual(['a.txt']);
    const folder = await raw('/?files=docs');
    expect(header(folder, 'content-disposition')).toContain("utf-8''docs.zip");
    expect(await unpack(folder, 'folder.zip', ['unzip', '-q'])).toEqual(all);
  });

  test('inline is ignored, the root is named after the served folder, and rules apply inside', async () => {
    expect(header(await raw('/docs?inline=true'), 'content-disposition')).toMatch(/^attachment/);
    expect(header(await raw('/'), 'content-disposition')).toContain("utf-8''root.zip");
    const ruled = await app.signIn('ruled');
    const response = await raw('/docs', {}, ruled);
    expect(await unpack(response, 'ruled.zip', ['unzip', '-q'])).toEqual(
      all.filter((name) => !name.startsWith('sub/')),
    );
  });
});

describe('previews (docs/reference/filebrowser-api.md §1.8, §9.2)', () => {
  const preview = (path: string, headers = {}, as = token): Promise<Response> =>
    app.fetch(`/api/preview${path}`, { token: as, headers });
  const shape = async (response: Response): Promise<unknown[]> => {
    const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    return [width, height, format];
  };

  test.each([
    ['/thumb/pics/photo.jpg', [256, 256, 'jpeg']],
    ['/thumb/pics/photo.png', [256, 256, 'jpeg']],
    ['/thumb/pics/small.png', [256, 256, 'jpeg']],
    ['/thumb/pics/photo.tiff', [256, 256, 'jpeg']],
    ['/big/pics/photo.jpg', [1080, 810, 'jpeg']],
    ['/big/pics/photo.png', [1080, 810, 'png']],
    ['/big/pics/small.png', [40, 30, 'png']],
    ['/big/pics/still.gif', [400, 300, 'gif']],
  ])('of %s have the size and format %j', async (path, expected) => {
    const response = await preview(`${path}?inline=true&key=1709287200`);
    expect(response.status).toBe(200);
    expect(header(response, 'content-type')).toBe(`image/${String(expected[2])}`);
    expect(header(response, 'cache-control')).toMatch(/^private/);
    expect(header(response, 'last-modified')).not.toBe('');
    expect(await shape(response)).toEqual(expected);
  });

  test('answer conditional requests and ranges', async () => {
    const first = await preview('/thumb/pics/photo.jpg');
    const since = header(first, 'last-modified');
    expect((await preview('/thumb/pics/photo.jpg', { 'if-modified-since': since })).status).toBe(304);
    const part = await preview('/thumb/pics/photo.jpg', { range: 'bytes=0-1' });
    expect([part.status, Buffer.from(await part.arrayBuffer()).toString('hex')]).toEqual([206, 'ffd8']);
  });

  test.each([
    ['/huge/pics/photo.jpg', 400],
    ['/Thumb/pics/photo.jpg', 400],
    ['/thumb/pics/data.json', 501],
    ['/thumb/pics', 501],
    ['/thumb/pics/', 501],
    ['/thumb/', 501],
    ['/thumb/none.png', 404],
    ['/big/pics/broken.png', 422],
  ])('responds to %s with %d', async (path, status) => {
    expect((await preview(path)).status).toBe(status);
  });

  test('an SVG is sent unchanged and cannot run scripts', async () => {
    const response = await preview('/thumb/pics/vector.svg?inline=true');
    expect(response.status).toBe(200);
    expect(header(response, 'content-security-policy')).toMatch(
      /sandbox|script-src 'none'|default-src 'none'/,
    );
    expect(await response.text()).toBe(await readFile(join(app.root, 'pics/vector.svg'), 'utf8'));
  });

  test('previews need the permission download', async () => {
    expect((await preview('/thumb/pics/photo.jpg', {}, await app.signIn('blind'))).status).toBe(403);
  });
});

describe('search (docs/reference/filebrowser-api.md §1.10, §6.2, §9.2)', () => {
  interface Found {
    readonly dir: boolean;
    readonly path: string;
  }
  const search = async (query: string, path = '/search/', as = token): Promise<Found[]> => {
    const response = await app.fetch(`/api/search${path}?query=${encodeURIComponent(query)}`, { token: as });
    expect([response.status, header(response, 'content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    return (await response.json()) as Found[];
  };
  const paths = async (query: string): Promise<string[]> => (await search(query)).map(({ path }) => path);
  const everything = [
    'Alpha.TXT',
    'Z.pdf',
    'alphabet',
    'alphabet/beta.txt',
    'alphabet/pic.PNG',
    'film.mp4',
    'link',
    'song.mp3',
    'sp ace.pdf',
  ];

  test.each([
    ['', everything],
    ['alpha', ['Alpha.TXT', 'alphabet']],
    ['ALPHA', ['Alpha.TXT', 'alphabet']],
    ['case:sensitive alpha', ['alphabet']],
    ['alpha case:sensitive', ['alphabet']],
    ['case:insensitive alpha', ['Alpha.TXT', 'alphabet']],
    ['z a.t', ['Alpha.TXT', 'Z.pdf', 'alphabet/beta.txt']],
    ['"sp ace"', ['sp ace.pdf']],
    ['sp ace', ['sp ace.pdf']],
    ['type:image', ['alphabet/pic.PNG']],
    ['type:image type:pdf', ['Z.pdf', 'alphabet/pic.PNG', 'sp ace.pdf']],
    ['type:audio', ['song.mp3']],
    ['type:music', ['song.mp3']],
    ['type:video', ['film.mp4']],
    ['type:pdf z', ['Z.pdf']],
    ['type:PDF', []],
    ['type:txt', ['alphabet/beta.txt']],
    ['nothing like it', []],
  ])('%j finds %j', async (query, expected) => {
    expect((await paths(query)).toSorted()).toEqual(expected.toSorted());
  });

  test('returns names in byte order, depth first, without the folder itself, and links as files', async () => {
    const found = await search('');
    expect(found.map(({ path }) => path)).toEqual(everything);
    expect(found.find(({ path }) => path === 'alphabet')).toEqual({ dir: true, path: 'alphabet' });
    expect(found.find(({ path }) => path === 'link')).toEqual({ dir: false, path: 'link' });
    expect(Object.keys(found[0] ?? {})).toEqual(['dir', 'path']);
  });

  test('accepts the folder with and without a slash, requires a query, and applies rules', async () => {
    expect(await search('beta', '/search')).toEqual([{ dir: false, path: 'alphabet/beta.txt' }]);
    expect(await search('beta', '')).toEqual([{ dir: false, path: 'search/alphabet/beta.txt' }]);
    expect((await app.fetch('/api/search/search', { token })).status).toBe(200);
    expect(await search('beta', '/search/', await app.signIn('ruled'))).toEqual([]);
  });

  test('returns rows to clients that accept NDJSON', async () => {
    const headers = { accept: 'application/x-ndjson' };
    const response = await app.fetch('/api/search/search?query=type%3Apdf', { token, headers });
    expect(header(response, 'content-type')).toMatch(/^application\/x-ndjson/);
    const rows = (await response.text()).split('\n').filter((row) => row !== '');
    expect(rows.map((row) => JSON.parse(row) as unknown)).toEqual([
      { dir: false, path: 'Z.pdf' },
      { dir: false, path: 'sp ace.pdf' },
    ]);
  });
});
