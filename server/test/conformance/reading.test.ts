import { chmod, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type TestApp, startApp } from '../start-app.ts';

const tenMiB = 10 * 1024 * 1024;
const objectKeys = ['path', 'name', 'size', 'extension', 'modified', 'mode', 'isDir', 'isSymlink', 'type'];
const listingKeys = ['items', 'numDirs', 'numFiles', 'sorting', ...objectKeys];

interface Entry {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly isDir: boolean;
  readonly [key: string]: unknown;
}
interface Listing extends Entry {
  readonly items: readonly Entry[];
  readonly numDirs: number;
  readonly numFiles: number;
}

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    files: {
      'docs/a.txt': 'hello\n',
      'docs/empty.txt': '',
      'docs/data.json': '{"a":1}',
      'docs/UPPER.TXT': 'x',
      'docs/page.html': '<b>x</b>',
      'docs/noext': 'plain words',
      'docs/binary': new Uint8Array([1, 2, 3, 0]),
      'docs/.env': 'A=1',
      'docs/a.tar.gz': new Uint8Array([0x1f, 0x8b, 8, 0]),
      'docs/doc.pdf': '%PDF-1.4\n',
      'docs/song.mp3': 'ID3\u0001',
      'docs/sub/d.txt': 'deep',
      'films/clip.mp4': new Uint8Array([0, 0, 0, 1]),
      'films/clip.en.vtt': 'WEBVTT\n',
      'films/clip.de.vtt': 'WEBVTT\n',
      'films/other.vtt': 'WEBVTT\n',
      'order/File1.TXT': '1',
      'order/file2.txt': '22',
      'order/file10.txt': '333',
      'order/Zoo/': '',
      'order/alpha/': '',
      'versions/v1.10': '',
      'versions/v1.9': '',
      'versions/v1.9.1': '',
      'odd/100% +&#?.txt': 'odd',
      'odd/a%2Fb': 'percent',
      'odd/naïve 日本 😀.txt': 'unicode',
      'odd/<b>&amp;.txt': 'markup',
      'void/': '',
      'limits/exact.log': new Uint8Array(tenMiB).fill(97),
      'limits/over.log': new Uint8Array(tenMiB + 1).fill(97),
      'limits/cut.unknownext': `${'a'.repeat(511)}é and more`,
      'secret/x.txt': 'x',
      'bob/t.txt': 'mine',
      'bob/.hidden': 'h',
      'bob/.dir/in.txt': 'i',
    },
    users: [
      { username: 'reader', perm: { modify: false } },
      { username: 'bob', scope: '/bob', hideDotfiles: true },
      { username: 'ruled', rules: [{ path: '/secret' }, { regex: true, regexp: { raw: '\\.json$' } }] },
      { username: 'blind', perm: { download: false } },
    ],
  });
  token = await app.signIn('admin');
  await symlink('a.txt', join(app.root, 'docs/link.txt'));
  await symlink('sub', join(app.root, 'docs/linkdir'));
  await symlink('nowhere', join(app.root, 'docs/broken'));
  await chmod(join(app.root, 'docs/a.txt'), 0o644);
  await chmod(join(app.root, 'docs/sub'), 0o755);
  await utimes(join(app.root, 'docs/a.txt'), 1_709_287_200, 1_709_287_200);
  await utimes(join(app.root, 'docs/data.json'), 1_709_287_200, 1_709_287_200.25);
  for (const [name, second] of [
    ['File1.TXT', 3],
    ['file2.txt', 1],
    ['file10.txt', 2],
    ['Zoo', 4],
    ['alpha', 0],
  ] as const) {
    await utimes(join(app.root, 'order', name), 1_700_000_000, 1_700_000_000 + second);
  }
  execFileSync('mkfifo', [join(app.root, 'docs/pipe')]);
});
afterAll(() => app.close());

const get = (path: string, as = token, headers = {}): Promise<Response> =>
  app.fetch(`/api/resources${path}`, { token: as, headers });
const details = async (path: string, as = token): Promise<Entry> => {
  const response = await get(path, as);
  expect(response.status).toBe(200);
  return (await response.json()) as Entry;
};
const listing = async (path: string, as = token): Promise<Listing> => (await details(path, as)) as Listing;
const namesOf = ({ items }: Listing): string[] => items.map(({ name }) => name);
const itemOf = ({ items }: Listing, name: string): Entry | undefined =>
  items.find((item) => item.name === name);

describe('a folder (docs/reference/filebrowser-api.md §1.5, appendix A)', () => {
  /** Stores a sorting for the user until the end of the test; `field` is its name in the request. */
  const sortBy = async (by: string, asc: boolean, field = 'sorting'): Promise<void> => {
    const put = async (sorting: object): Promise<void> => {
      const json = { what: 'user', which: [field], data: { id: 1, sorting } };
      expect((await app.fetch('/api/users/1', { method: 'PUT', token, json })).status).toBe(200);
    };
    onTestFinished(() => put({ by: 'name', asc: false }));
    await put({ by, asc });
  };

  test('has all keys in their order, and is JSON in UTF-8 without a line end', async () => {
    const response = await get('/docs/');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toMatch(/no-store/);
    const text = await response.text();
    expect(text).not.toMatch(/\n$/);
    const folder = JSON.parse(text) as Listing;
    expect(Object.keys(folder)).toEqual(listingKeys);
    for (const item of folder.items) {
      expect(Object.keys(item).filter((key) => key !== 'subtitles')).toEqual(objectKeys);
    }
    expect(folder).toMatchObject({
      path: '/docs/',
      name: 'docs',
      extension: '',
      isDir: true,
      isSymlink: false,
      type: '',
      sorting: { by: 'name', asc: false },
    });
    expect(folder.numDirs + folder.numFiles).toBe(folder.items.length);
    expect(folder.numDirs).toBe(folder.items.filter(({ isDir }) => isDir).length);
  });

  test('returns the requested path; its entries have full paths without a trailing slash', async () => {
    const [bare, slashed] = [await listing('/docs'), await listing('/docs/')];
    expect([bare.path, slashed.path]).toEqual(['/docs', '/docs/']);
    expect(bare.items).toEqual(slashed.items);
    expect(itemOf(bare, 'sub')).toMatchObject({
      path: '/docs/sub',
      isDir: true,
      type: '',
      size: expect.any(Number),
    });
  });

  test('is returned for the root with and without its slash', async () => {
    for (const path of ['', '/']) {
      const root = await listing(path);
      expect(root.isDir).toBe(true);
      expect(itemOf(root, 'docs')?.path).toBe('/docs');
    }
  });

  test('has an empty list if it is empty', async () => {
    expect(await listing('/void')).toMatchObject({ items: [], numDirs: 0, numFiles: 0 });
  });

  test('reports modes, links and times of its entries', async () => {
    const docs = await listing('/docs');
    expect(itemOf(docs, 'a.txt')).toMatchObject({ mode: 420, size: 6, extension: '.txt', type: 'text' });
    expect(itemOf(docs, 'sub')).toMatchObject({ mode: 2_147_484_141 });
    expect(itemOf(docs, 'link.txt')).toMatchObject({ isSymlink: true, isDir: false, size: 6, type: 'text' });
    expect(itemOf(docs, 'linkdir')).toMatchObject({ isSymlink: true, isDir: true, type: '' });
    expect(itemOf(docs, 'broken')).toMatchObject({ isSymlink: true, type: 'invalid_link' });
    expect(Date.parse(String(itemOf(docs, 'a.txt')?.modified))).toBe(1_709_287_200_000);
    expect(itemOf(docs, 'a.txt')?.modified).toMatch(/^2024-03-01T\d\d:00:00(?:Z|[+-]\d\d:\d\d)$/);
    expect(itemOf(docs, 'data.json')?.modified).toMatch(/:00\.25(?:Z|[+-]\d\d:\d\d)$/);
  });

  test('reports types as for a user with the permission modify', async () => {
    const reader = await app.signIn('reader');
    const docs = await listing('/docs', reader);
    const types = Object.fromEntries(docs.items.map(({ name, type }) => [name, type]));
    expect(types).toMatchObject({
      'a.txt': 'text',
      'data.json': 'text',
      'UPPER.TXT': 'text',
      'page.html': 'text',
      'doc.pdf': 'pdf',
      'song.mp3': 'audio',
      'a.tar.gz': 'blob',
      pipe: 'blob',
    });
    expect(Object.values(types)).not.toContain('textImmutable');
  });

  test('reports subtitles beside a video in the order of their names', async () => {
    const films = await listing('/films');
    expect(itemOf(films, 'clip.mp4')).toMatchObject({
      type: 'video',
      subtitles: ['/films/clip.de.vtt', '/films/clip.en.vtt'],
    });
    expect(itemOf(films, 'other.vtt')).not.toHaveProperty('subtitles');
  });

  test.each([
    ['name', false, ['alpha', 'Zoo', 'File1.TXT', 'file2.txt', 'file10.txt']],
    ['name', true, ['Zoo', 'alpha', 'file10.txt', 'file2.txt', 'File1.TXT']],
    ['modified', false, ['Zoo', 'File1.TXT', 'file10.txt', 'file2.txt', 'alpha']],
    ['modified', true, ['alpha', 'file2.txt', 'file10.txt', 'File1.TXT', 'Zoo']],
  ])('is sorted by %s, asc %s', async (by, asc, names) => {
    await sortBy(by, asc);
    const folder = await listing('/order');
    expect(folder.sorting).toEqual({ by, asc });
    expect(namesOf(folder)).toEqual(names);
  });

  test.each([
    [false, ['file10.txt', 'file2.txt', 'File1.TXT']],
    [true, ['File1.TXT', 'file2.txt', 'file10.txt']],
  ])('has folders last or first when sorted by size, asc %s', async (asc, files) => {
    await sortBy('size', asc, 'Sorting');
    const folder = await listing('/order');
    expect(folder.items.filter(({ isDir }) => !isDir).map(({ name }) => name)).toEqual(files);
    expect(folder.items.slice(asc ? 0 : 3, asc ? 2 : 5).every(({ isDir }) => isDir)).toBe(true);
  });

  test('sorts numbers in names by value', async () => {
    expect(namesOf(await listing('/versions'))).toEqual(['v1.9', 'v1.9.1', 'v1.10']);
  });
});

describe('a file (docs/reference/filebrowser-api.md §1.5, §9.2)', () => {
  test('has its keys in order, its text, and no list', async () => {
    const file = await details('/docs/a.txt');
    expect(Object.keys(file).filter((key) => key !== 'resolution')).toEqual([...objectKeys, 'content']);
    expect(file).toMatchObject({
      path: '/docs/a.txt',
      name: 'a.txt',
      size: 6,
      extension: '.txt',
      mode: 420,
      isDir: false,
      isSymlink: false,
      type: 'text',
      content: 'hello\n',
    });
  });

  test.each([
    ['/docs/empty.txt', 'text', undefined],
    ['/docs/data.json', 'text', '{"a":1}'],
    ['/docs/noext', 'text', 'plain words'],
    ['/docs/binary', 'blob', undefined],
    ['/docs/pipe', 'blob', undefined],
    ['/docs/doc.pdf', 'pdf', undefined],
    ['/docs/.env', 'text', 'A=1'],
    ['/docs/link.txt', 'text', 'hello\n'],
    ['/limits/over.log', 'blob', undefined],
    ['/limits/cut.unknownext', 'text', `${'a'.repeat(511)}é and more`],
  ])('%s is %s', async (path, type, content) => {
    const file = await details(path);
    expect(file.type).toBe(type);
    expect(file.content).toBe(content);
  });

  test('includes text of up to 10 MiB', async () => {
    const file = await details('/limits/exact.log');
    expect([file.type, String(file.content).length]).toEqual(['text', tenMiB]);
  });

  test.each([
    ['/docs/.env', '.env'],
    ['/docs/a.tar.gz', '.gz'],
    ['/docs/UPPER.TXT', '.TXT'],
    ['/docs/noext', ''],
  ])('the extension of %s is "%s"', async (path, extension) => {
    expect((await details(path)).extension).toBe(extension);
  });

  test('has the type textImmutable without the permission modify', async () => {
    const reader = await app.signIn('reader');
    expect(await details('/docs/a.txt', reader)).toMatchObject({ type: 'textImmutable', content: 'hello\n' });
  });

  test('has neither text nor checksum without the permission download', async () => {
    const blind = await app.signIn('blind');
    expect(await details('/docs/a.txt', blind)).not.toHaveProperty('content');
    expect((await get('/docs/a.txt?checksum=md5', blind)).status).toBe(403);
  });

  test.each([
    ['md5', 'b1946ac92492d2347c6235b4d2611184'],
    ['sha1', 'f572d396fae9206628714fb2ce00f72e94f2258f'],
    ['sha256', '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03'],
    [
      'sha512',
      'e7c22b994c59d9cf2b48e549b1e24666636045930d3da7c1acb299d1c3b7f931f94aae41edda2c2b207a36e10f8bcb8d45223e54878f5b316e7ce3b6bc019629',
    ],
  ])('has the checksum %s instead of the text', async (algorithm, digest) => {
    const file = await details(`/docs/a.txt?checksum=${algorithm}`);
    expect(file.checksums).toEqual({ [algorithm]: digest });
    expect(file).not.toHaveProperty('content');
  });

  test('answers 400 for an unknown checksum; folders ignore the parameter', async () => {
    expect((await get('/docs/a.txt?checksum=crc32')).status).toBe(400);
    expect((await get('/docs/a.txt?checksum=MD5')).status).toBe(400);
    expect((await get('/docs?checksum=crc32')).status).toBe(200);
    expect(await listing('/docs?checksum=md5')).not.toHaveProperty('checksums');
  });

  test('is sent as raw text with X-Encoding, other files as JSON', async () => {
    const raw = await get('/docs/a.txt', token, { 'x-encoding': 'true' });
    expect([raw.status, raw.headers.get('content-type'), await raw.text()]).toEqual([
      200,
      'application/octet-stream',
      'hello\n',
    ]);
    const blob = await get('/docs/binary', token, { 'x-encoding': 'true' });
    expect(blob.headers.get('content-type')).toMatch(/^application\/json/);
    const no = await get('/docs/a.txt', token, { 'x-encoding': 'false' });
    expect(no.headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('paths (docs/reference/filebrowser-api.md §1.1, §10)', () => {
  test.each([
    ['/odd/100%25%20%2B%26%23%3F.txt', '100% +&#?.txt', 'odd'],
    ['/odd/100%25%20+%26%23%3F.txt', '100% +&#?.txt', 'odd'],
    ['/odd/a%252Fb', 'a%2Fb', 'percent'],
    [`/odd/${encodeURIComponent('naïve 日本 😀.txt')}`, 'naïve 日本 😀.txt', 'unicode'],
    ['/odd%2F%3Cb%3E%26amp%3B.txt', '<b>&amp;.txt', 'markup'],
    ['//odd/./%3Cb%3E%26amp%3B.txt', '<b>&amp;.txt', 'markup'],
  ])('%s is %s', async (path, name, content) => {
    expect(await details(path)).toMatchObject({ path: `/odd/${name}`, name, content });
  });

  test.each([
    ['/nowhere', 404],
    ['/docs/nowhere/deeper', 404],
    ['/docs/broken', 404],
    ['/docs/%', 400],
    ['/docs/%zz', 400],
    ['/docs/%00', 400],
    ['/docs/%ff', 400],
    [`/${'x'.repeat(300)}`, 400],
  ])('%s is %d', async (path, status) => {
    const response = await get(path);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toMatch(new RegExp(`^${status} [A-Z][\\w ]+(?: \\(.*\\))?\\n$`));
  });

  test('a file is served with a trailing slash, which its path contains', async () => {
    const response = await get('/docs/a.txt/');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ path: '/docs/a.txt/', name: 'a.txt', isDir: false });
  });

  test('raw request targets are normalized', async () => {
    const send = (target: string): Promise<string> =>
      app.rawRequest(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nConnection: close\r\n\r\n`);
    expect(await send('/api/resources/docs/../docs/')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await send('/api/resources/./docs//')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send('/api/resourcesX')).toMatch(/^HTTP\/1\.1 404 /);
    expect(await send('http://x/api/resources/docs')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send('/api/resources/%2e%2e/docs')).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('rules and hidden names (docs/reference/filebrowser-api.md §3.3)', () => {
  test('denied paths answer 403, whether they exist or not, and are left out of lists and counts', async () => {
    const ruled = await app.signIn('ruled');
    for (const path of [
      '/secret',
      '/secret/',
      '/secret/x.txt',
      '/secret/none',
      '//secret/x.txt',
      '/docs/data.json',
      '/docs/none.json',
    ]) {
      expect((await get(path, ruled)).status).toBe(403);
    }
    expect((await get('/secretive', ruled)).status).toBe(404);
    expect(namesOf(await listing('/', ruled))).not.toContain('secret');
    const [mine, all] = [await listing('/docs', ruled), await listing('/docs')];
    expect(mine.numFiles).toBe(all.numFiles - 1);
  });

  test('hideDotfiles forbids names that begin with a dot', async () => {
    const bob = await app.signIn('bob');
    expect(namesOf(await listing('/', bob))).toEqual(['t.txt']);
    expect((await get('/.hidden', bob)).status).toBe(403);
    expect((await get('/.dir/', bob)).status).toBe(403);
    const made = await app.fetch('/api/resources/.new', { method: 'POST', token: bob, body: 'x' });
    expect(made.status).toBe(403);
  });
});

describe('usage (docs/reference/filebrowser-api.md §1.9)', () => {
  test('is returned for folders, and is zero for files', async () => {
    const root = (await (await app.fetch('/api/usage/', { token })).json()) as Record<string, number>;
    expect(Object.keys(root)).toEqual(['total', 'used', 'kept', 'reclaimable']);
    expect(root.total).toBeGreaterThan(Number(root.used));
    expect(await (await app.fetch('/api/usage', { token })).json()).toHaveProperty('total');
    const file = await app.fetch('/api/usage/docs/a.txt', { token });
    expect([file.status, await file.json()]).toEqual([200, { total: 0, used: 0, kept: 0, reclaimable: 0 }]);
    expect((await app.fetch('/api/usage/none', { token })).status).toBe(404);
    const ruled = await app.signIn('ruled');
    expect((await app.fetch('/api/usage/secret', { token: ruled })).status).toBe(403);
  });
});

describe('everything below a folder and subtitles (docs/reference/filebrowser-api.md §6.4)', () => {
  test('everything below a folder is returned as a flat list', async () => {
    const response = await app.fetch('/api/recursive/films', { token });
    const found = (await response.json()) as Entry[];
    expect(found).toHaveLength(4);
    expect(Object.keys(found[0] ?? {})).toEqual(['path', 'name', 'size', 'modified', 'isDir']);
    expect((await app.fetch('/api/recursive/none', { token })).status).toBe(404);
  });

  test('the address of newer clients is supported', async () => {
    const response = await app.fetch('/api/resources/recursive/docs/sub', { token });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject([
      { path: '/docs/sub/d.txt', name: 'd.txt', size: 4, isDir: false },
    ]);
    expect((await app.fetch('/api/resources/recursive/docs/a.txt', { token })).status).toBe(400);
    expect((await app.fetch('/api/resources/recursive/none', { token })).status).toBe(404);
    expect((await app.fetch('/api/resources/recursive', { token })).status).toBe(404);
    expect((await app.fetch('/api/resources/recursive/', { token })).status).toBe(200);
    const ruled = await app.signIn('ruled');
    expect((await app.fetch('/api/resources/recursive/secret', { token: ruled })).status).toBe(403);
  });

  test('a folder with the name of that address remains reachable', async () => {
    await mkdir(join(app.root, 'recursive/docs'), { recursive: true });
    onTestFinished(() => rm(join(app.root, 'recursive'), { recursive: true }));
    await writeFile(join(app.root, 'recursive/docs/own.txt'), 'own');
    const folder = await listing('/recursive/docs');
    expect(namesOf(folder)).toEqual(['own.txt']);
  });

  test('subtitles are served as WebVTT', async () => {
    const response = await app.fetch('/api/subtitle/films/clip.en.vtt', { token });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/vtt/);
    expect((await app.fetch('/api/subtitle/docs/a.txt', { token })).status).toBe(400);
  });
});
