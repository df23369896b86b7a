import { createHash, randomBytes } from 'node:crypto';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BelowEntry, Resource } from '@filestead/contract/files';
import iconv from 'iconv-lite';
import { afterEach, describe, expect, it } from 'vitest';
import { type RequestOptions, type StartApp, type TestApp, startApp } from '../../../test/start-app.ts';

let app: TestApp;
afterEach(() => app.close());

type Get = (path: string, options?: RequestOptions) => Promise<Response>;

/** Starts a server with the users `ann` (everything), `viewer` (neither download nor modify) and `reader` (no modify). */
async function start(setup: StartApp = {}): Promise<{ ann: Get; viewer: Get; reader: Get }> {
  app = await startApp({
    ...setup,
    users: [
      { username: 'ann' },
      { username: 'viewer', perm: { download: false, modify: false } },
      { username: 'reader', perm: { modify: false } },
      ...(setup.users ?? []),
    ],
  });
  const as = async (name: string): Promise<Get> => {
    const token = await app.signIn(name);
    return (path, options) => app.fetch(path, { token, ...options });
  };
  return { ann: await as('ann'), viewer: await as('viewer'), reader: await as('reader') };
}

const details = async (response: Promise<Response>): Promise<Resource> =>
  (await (await response).json()) as Resource;

describe('texts in other encodings', () => {
  const texts: [string, string, Buffer][] = [
    ['utf-16le', 'Grüße', iconv.encode('Grüße', 'utf-16le', { addBOM: true })],
    [
      'windows-1251',
      'Привет, мир! Это проверка кодировки.',
      iconv.encode('Привет, мир! Это проверка кодировки.', 'win1251'),
    ],
    ['shift_jis', 'これは日本語のテキストです。', iconv.encode('これは日本語のテキストです。', 'shift_jis')],
  ];

  it.each(texts)('in %s are decoded and cannot be edited', async (encoding, text, bytes) => {
    const { ann } = await start({ files: { '/a.txt': bytes } });
    expect(await details(ann('/api/resources/a.txt'))).toMatchObject({
      type: 'textImmutable',
      content: text,
      encoding,
    });
  });

  it('in UTF-8 have no encoding field and can be edited, up to and including 10 MiB', async () => {
    const { ann, reader } = await start({ files: { '/a.txt': 'Grüße', '/big.log': '', '/bigger.log': '' } });
    const small = await details(ann('/api/resources/a.txt'));
    expect(small).toMatchObject({ type: 'text', content: 'Grüße' });
    expect(Object.keys(small)).toEqual([
      'path',
      'name',
      'size',
      'extension',
      'modified',
      'mode',
      'isDir',
      'isSymlink',
      'type',
      'content',
    ]);
    expect((await details(reader('/api/resources/a.txt'))).type).toBe('textImmutable');
    await writeFile(join(app.root, 'big.log'), 'x'.repeat(10 * 1024 * 1024));
    await truncate(join(app.root, 'bigger.log'), 10 * 1024 * 1024 + 1);
    const big = await details(ann('/api/resources/big.log'));
    expect([big.type, big.content?.length]).toEqual(['text', 10 * 1024 * 1024]);
    const bigger = await details(ann('/api/resources/bigger.log'));
    expect([bigger.type, bigger.content]).toEqual(['blob', undefined]);
  });
});

describe('X-Encoding', () => {
  const raw = { headers: { 'x-encoding': 'true' } };
  const csv = Buffer.from('a,b\n\xe9,2\n', 'latin1');

  it('sends a text as its bytes', async () => {
    const { ann, reader } = await start({ files: { '/a.csv': csv, '/empty.txt': '', '/i.png': '\x89PNG' } });
    for (const get of [ann, reader]) {
      const response = await get('/api/resources/a.csv', raw);
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(Buffer.from(await response.arrayBuffer())).toEqual(csv);
    }
    expect((await (await ann('/api/resources/empty.txt', raw)).arrayBuffer()).byteLength).toBe(0);
    const head = await ann('/api/resources/a.csv', { ...raw, method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(csv.length)]);
  });

  it('changes nothing for other entries', async () => {
    const { ann } = await start({ files: { '/i.png': '\x89PNG', '/a.txt': 'a', '/docs/': '' } });
    expect((await details(ann('/api/resources/i.png', raw))).type).toBe('image');
    expect((await details(ann('/api/resources/docs', raw))).items).toEqual([]);
    const other = await details(ann('/api/resources/a.txt', { headers: { 'x-encoding': 'false' } }));
    expect(other.content).toBe('a');
  });

  it('requires the permission to download', async () => {
    const { viewer } = await start({ files: { '/a.csv': csv } });
    expect((await viewer('/api/resources/a.csv', raw)).status).toBe(403);
    const without = await details(viewer('/api/resources/a.csv'));
    expect([without.type, without.content]).toEqual(['textImmutable', undefined]);
  });
});

describe('checksums', () => {
  it.each(['md5', 'sha1', 'sha256', 'sha512'])('with %s are computed for a large file', async (algorithm) => {
    const bytes = randomBytes(2_000_001);
    const { ann, viewer } = await start({ files: { '/a.bin': bytes } });
    const found = await details(ann(`/api/resources/a.bin?checksum=${algorithm}`));
    expect(found.checksums).toEqual({ [algorithm]: createHash(algorithm).update(bytes).digest('hex') });
    expect(found.content).toBeUndefined();
    const refused = await viewer(`/api/resources/a.bin?checksum=${algorithm}`);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toBe('403 Forbidden\n');
  });

  it('with other algorithms are refused, and ignored for folders', async () => {
    const { ann } = await start({ files: { '/a.txt': 'a', '/docs/': '' } });
    for (const name of ['sha3', 'MD5', '__proto__', '%00']) {
      expect((await ann(`/api/resources/a.txt?checksum=${name}`)).status).toBe(400);
    }
    expect((await ann('/api/resources/docs?checksum=sha3')).status).toBe(200);
    expect((await details(ann('/api/resources/a.txt?checksum='))).content).toBe('a');
  });
});

describe('subtitles', () => {
  const srt = '1\n00:00:01,000 --> 00:00:02,000\nHi<br>you\n';
  const files = {
    '/film.mp4': 'm',
    '/film.en.vtt': 'WEBVTT\n',
    '/film.DE.SRT': srt,
    '/film.txt': 'x',
    '/other.vtt': 'x',
    '/Subs/fr.srt': srt,
    '/Subs/film.it.ass': 'x',
    '/Subs/film/2_en.srt': srt,
    '/Subs/else/3_en.srt': srt,
    '/subtitles/notes.txt': 'x',
  };

  it('are found beside a video, and in subtitle folders when it is opened', async () => {
    const { ann } = await start({ files });
    expect((await details(ann('/api/resources/film.mp4'))).subtitles).toEqual([
      '/film.DE.SRT',
      '/film.en.vtt',
      '/Subs/film.it.ass',
      '/Subs/fr.srt',
      '/Subs/film/2_en.srt',
    ]);
    const folder = await details(ann('/api/resources/'));
    expect(folder.items?.find(({ name }) => name === 'film.mp4')?.subtitles).toEqual([
      '/film.DE.SRT',
      '/film.en.vtt',
    ]);
    expect((await details(ann('/api/resources/film.txt'))).subtitles).toBeUndefined();
  });

  it('exclude files that rules deny', async () => {
    await start({
      files,
      users: [{ username: 'bob', rules: [{ path: '/Subs' }, { path: '/film.en.vtt' }] }],
    });
    const token = await app.signIn('bob');
    const found = await details(app.fetch('/api/resources/film.mp4', { token }));
    expect(found.subtitles).toEqual(['/film.DE.SRT']);
    expect((await app.fetch('/api/subtitle/Subs/fr.srt', { token })).status).toBe(403);
  });

  it('are served as WebVTT in every source format', async () => {
    const ass = '[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,{\\i1}Привет{\\i0}\n';
    const russian = iconv.encode(srt.replace('Hi', 'Привет, как дела у вас сегодня'), 'win1251');
    const { ann } = await start({
      files: {
        ...files,
        '/a.ass': ass,
        '/b.SSA': ass,
        '/c.srt': russian,
        '/d.vtt': 'WEBVTT\n\nanything <b>goes',
      },
    });
    const vtt = async (path: string): Promise<string> => {
      const response = await ann(`/api/subtitle${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/vtt; charset=utf-8');
      return response.text();
    };
    const cue = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n';
    expect(await vtt('/film.DE.SRT')).toBe(`${cue}Hi\nyou\n\n`);
    expect(await vtt('/a.ass')).toBe(`${cue}<i>Привет</i>\n\n`);
    expect(await vtt('/b.SSA')).toBe(`${cue}<i>Привет</i>\n\n`);
    expect(await vtt('/c.srt')).toBe(`${cue}Привет, как дела у вас сегодня\nyou\n\n`);
    expect(await vtt('/d.vtt')).toBe('WEBVTT\n\nanything <b>goes');
  });

  it.each<[string, number]>([
    ['/film.mp4', 400],
    ['/Subs', 400],
    ['/Subs/', 400],
    ['/none.srt', 404],
    ['/big.srt', 400],
    ['', 400],
    ['/%zz.srt', 400],
  ])('cannot be read from %j', async (path, status) => {
    const { ann } = await start({ files: { ...files, '/big.srt': '' } });
    await truncate(join(app.root, 'big.srt'), 5 * 1024 * 1024);
    expect((await ann(`/api/subtitle${path}`)).status).toBe(status);
  });

  it('require the permission to download, and accept the cookie', async () => {
    const { viewer } = await start({ files });
    expect((await viewer('/api/subtitle/film.DE.SRT')).status).toBe(403);
    expect((await app.fetch('/api/subtitle/film.DE.SRT')).status).toBe(401);
    const token = await app.signIn('reader');
    const response = await app.fetch(`/api/subtitle/film.DE.SRT?auth=${token}`);
    expect(response.status).toBe(200);
  });
});

describe('GET /api/recursive', () => {
  const files = {
    '/docs/nested/file.txt': 'hello',
    '/docs/a.txt': 'a',
    '/recursive/r.txt': 'r',
    '/.dot/x': '',
  };

  it('is a flat list of everything below a folder', async () => {
    const { ann } = await start({ files });
    await symlink('docs', join(app.root, 'link'));
    const list = (await (await ann('/api/recursive/docs')).json()) as BelowEntry[];
    expect(
      list.map(({ path, name, isDir }) => ({ path, name, isDir })).sort((a, b) => (a.path < b.path ? -1 : 1)),
    ).toEqual([
      { path: '/docs/a.txt', name: 'a.txt', isDir: false },
      { path: '/docs/nested', name: 'nested', isDir: true },
      { path: '/docs/nested/file.txt', name: 'file.txt', isDir: false },
    ]);
    const file = list.find(({ name }) => name === 'file.txt');
    expect(Object.keys(file ?? {})).toEqual(['path', 'name', 'size', 'modified', 'isDir']);
    expect(file?.size).toBe(5);
    const shown = (await details(ann('/api/resources/docs/nested/file.txt'))).modified;
    expect(file?.modified).toBe(shown);
    const rows = await ann('/api/recursive/docs/', { headers: { accept: 'application/x-ndjson' } });
    expect(rows.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(
      (await rows.text())
        .trimEnd()
        .split('\n')
        .map((row) => JSON.parse(row) as BelowEntry),
    ).toEqual(list);
    const whole = (await (await ann('/api/recursive')).json()) as BelowEntry[];
    expect(whole.some(({ path }) => path.startsWith('/link/'))).toBe(false);
  });

  it('does not hide a folder with the name of the endpoint', async () => {
    const { ann } = await start({ files });
    expect((await details(ann('/api/resources/recursive'))).items?.map(({ name }) => name)).toEqual([
      'r.txt',
    ]);
    expect((await details(ann('/api/resources/recursive/r.txt'))).content).toBe('r');
  });

  it('excludes entries that are denied by rules or hidden', async () => {
    await start({
      files,
      users: [{ username: 'bob', hideDotfiles: true, rules: [{ path: '/docs/nested' }] }],
    });
    const token = await app.signIn('bob');
    const list = (await (await app.fetch('/api/recursive/', { token })).json()) as BelowEntry[];
    expect(list.map(({ path }) => path).sort()).toEqual([
      '/docs',
      '/docs/a.txt',
      '/recursive',
      '/recursive/r.txt',
    ]);
    expect((await app.fetch('/api/recursive/docs/nested', { token })).status).toBe(403);
  });

  it('works for folders only', async () => {
    const { ann } = await start({ files: { ...files, '/empty/': '' } });
    expect((await ann('/api/recursive/docs/a.txt')).status).toBe(409);
    expect((await ann('/api/recursive/none')).status).toBe(404);
    expect((await ann('/api/recursive/%00')).status).toBe(400);
    expect(await (await ann('/api/recursive/empty')).text()).toBe('[]');
    expect((await app.fetch('/api/recursive/')).status).toBe(401);
  });
});
