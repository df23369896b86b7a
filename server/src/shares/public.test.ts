import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resource } from '@filestead/contract/files';
import type { Share } from '@filestead/contract/shares';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  password,
  alice,
  app,
  makeShare,
  share,
  info,
  download,
  show,
  withPassword,
  status,
  usePublicShares,
} from '../../test/fixtures/public-shares.ts';

usePublicShares();

describe('a shared folder', () => {
  let hash: string;
  beforeAll(async () => {
    hash = await share('/docs');
  });

  test('is listed by name, with paths relative to the share and nothing about its owner', async () => {
    const response = await info(hash);
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('set-cookie')).toBeNull();
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
    const response = await subtitle('/movie.en.vtt');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/vtt; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(await response.text()).toBe('WEBVTT');
    expect(await status(subtitle('/ok.txt'))).toBe(400);
    expect(await status(subtitle('/none.vtt'))).toBe(404);
    expect(await status(subtitle('/secret/deny.vtt'))).toBe(403);
    expect(await status(subtitle('/sub%2F..%2F..%2Fa.vtt'))).toBe(400);
    const locked = await share('/docs', { password: 'open sesame' });
    expect(await status(app.fetch(`/api/public/subtitle/${locked}/movie.en.vtt`))).toBe(401);
  });

  test('is listed as rows for clients that accept NDJSON', async () => {
    const response = await info(hash, { accept: 'application/x-ndjson' });
    const lines = (await response.text()).trimEnd().split('\n');
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
    const response = await download(`${hash}?algo=tar`);
    expect(response.headers.get('content-disposition')).toContain("utf-8''docs.tar");
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    const bytes = Buffer.from(await response.arrayBuffer()).toString('latin1');
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
  ])('does not serve %s', async (rest, downloaded, shown = downloaded) => {
    for (const [endpoint, expected] of [
      ['share', shown],
      ['dl', downloaded],
    ] as const) {
      const response = await app.rawRequest(
        `GET /api/public/${endpoint}/${hash}${rest} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      const code = Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);
      expect(code, endpoint).toBe(expected);
      expect(response).not.toMatch(/canary|alice/);
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
      const response = await download(`${hash}${rest}`);
      expect([response.status, await response.text()]).toEqual([200, 'fine']);
      expect(response.headers.get('content-disposition')).toContain("utf-8''ok.txt");
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
    const details = await show(movie);
    expect(details).toMatchObject({ name: 'movie.mp4', path: '', type: 'video' });
    expect(details).not.toHaveProperty('subtitles');
    expect(Object.keys(details)).toEqual([
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
    const readme = await share('/README');
    const path = join(app.root, 'users/alice/README');
    await rm(path);
    expect(await status(info(readme))).toBe(404);
    await mkdir(path);
    await writeFile(join(path, 'canary.txt'), 'canary');
    expect([await status(info(readme)), await status(download(`${readme}/canary.txt`))]).toEqual([404, 404]);
    await rm(path, { recursive: true });
    await writeFile(path, 'back');
    expect(await (await download(readme)).text()).toBe('back');
  });
});

test('counts the requests of one visitor as one visit, and not those without the password', async () => {
  const created = await makeShare('/docs', { password });
  const visits = async (): Promise<number | undefined> => {
    const shares = (await (await app.fetch('/api/shares', { token: alice })).json()) as Share[];
    return shares.find(({ hash }) => hash === created.hash)?.visits;
  };
  expect(await status(info(created.hash))).toBe(401);
  expect(await visits()).toBe(0);
  await show(created.hash, withPassword(password));
  await show(`${created.hash}/sub`, withPassword(password));
  expect(await status(download(`${created.hash}/ok.txt`, withPassword(password)))).toBe(200);
  expect(await visits()).toBe(1);
});
