import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import type { JobDetails, JobRequest } from '@filestead/contract/jobs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasTool, pipeThrough, unpack } from '../../test/fixtures/archive-reading.ts';
import { docsAt, noise, text } from '../../test/fixtures/archived-docs.ts';
import { craft7z } from '../../test/fixtures/crafted-7z.ts';
import { craftTar, craftZip } from '../../test/fixtures/crafted-archives.ts';
import { jobsClient } from '../../test/fixtures/jobs-client.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    users: [
      { username: 'alice', scope: '/alice' },
      { username: 'ruled', scope: '/ruled', rules: [{ path: '/out/secret' }, { path: '/locked.zip' }] },
      { username: 'reader', scope: '/alice', perm: { create: false } },
      { username: 'blind', scope: '/alice', perm: { download: false } },
    ],
    files: {
      ...docsAt('/alice/docs'),
      '/outside.txt': 'outside',
      '/ruled/x': '',
    },
  });
  token = await app.signIn('alice');
});
afterAll(() => app.close());

const disk = (path: string): string => join(app.root, path);
const plant = (path: string, bytes: Uint8Array | string): void => writeFileSync(disk(path), bytes);
const read = (path: string): string | null =>
  existsSync(disk(path)) ? readFileSync(disk(path), 'latin1') : null;
const namesIn = (path: string): string[] =>
  readdirSync(disk(path), { recursive: true, encoding: 'utf8' }).sort();

const post = (request: unknown, as = token): Promise<Response> => jobsClient(app, as).post(request);
const run = (request: JobRequest, as = token): Promise<JobDetails> => jobsClient(app, as).run(request);
const extract = (from: string, to: string, as = token): Promise<JobDetails> =>
  run({ kind: 'extract', items: [{ from, to, rename: true }] }, as);
const compress = (paths: string[], to: string, format?: string): Promise<JobDetails> =>
  run({
    kind: 'compress',
    items: paths.map((from) => ({ from })),
    to,
    ...(format && { format }),
    rename: true,
  });

const treeOfDocs = ['deep', 'deep/er', 'deep/er/größe.txt', 'empty.txt', 'hollow', 'noise.bin', 'text.txt'];
const expectDocs = (path: string): void => {
  expect(namesIn(path)).toEqual(treeOfDocs);
  expect(read(`${path}/text.txt`)).toBe(text);
  expect(readFileSync(disk(`${path}/noise.bin`)).equals(noise)).toBe(true);
  expect(read(`${path}/empty.txt`)).toBe('');
};

const formats = [
  ['zip', 'zip'],
  ['tar', 'tar'],
  ['targz', 'tar.gz'],
  ['tarbz2', 'tar.bz2'],
  ['tarxz', 'tar.xz'],
  ['tarlz4', 'tar.lz4'],
  ['tarsz', 'tar.sz'],
  ['tarbr', 'tar.br'],
  ['tarzst', 'tar.zst'],
] as const;

describe('compress and extract', () => {
  test.each(formats)(
    'a folder that is compressed as %s is extracted unchanged',
    async (format, extension) => {
      if (format === 'tarzst' && !('createZstdCompress' in zlib) && !hasTool('zstd')) return;
      const job = await compress(['/docs'], `/docs.${extension}`, format);
      expect(job).toMatchObject({ kind: 'compress', state: 'done', failures: [] });
      expect(job.results).toEqual([{ index: 0, path: '/docs', to: `/docs.${extension}` }]);
      const extracted = await extract(`/docs.${extension}`, `/from ${extension}`);
      expect(extracted).toMatchObject({
        state: 'done',
        failures: [],
        items: { total: 1, done: 1, failed: 0 },
      });
      expectDocs(`alice/from ${extension}`);
    },
  );

  test.each([
    ['tar.bz2', 'bzip2', ['-c']],
    ['tar.bz2', 'bzip2', ['-1c']],
    ['tar.xz', 'xz', ['-c']],
    ['tar.lz4', 'lz4', ['-c']],
    ['tar.lz4', 'lz4', ['-9BD', '-c']],
  ] as const)('a %s that was compressed by %s with %j is extracted', async (extension, tool, args) => {
    if (!hasTool(tool)) return;
    await compress(['/docs'], '/plain.tar', 'tar');
    const name = `foreign${args.join('')}.${extension}`;
    plant(`alice/${name}`, pipeThrough(tool, [...args], readFileSync(disk('alice/plain.tar'))));
    expect(await extract(`/${name}`, `/of ${name}`)).toMatchObject({ state: 'done', failures: [] });
    expectDocs(`alice/of ${name}`);
  });

  test('a zip is smaller than its files, and can be read by other programs', async () => {
    await compress(['/docs/text.txt', '/docs/deep', '/docs/noise.bin'], '/selection.zip');
    const bytes = readFileSync(disk('alice/selection.zip'));
    expect(bytes.length).toBeLessThan(noise.length + text.length / 2);
    const tree = unpack(bytes, 'zip');
    expect([...tree.keys()].sort()).toEqual([
      'deep',
      'deep/er',
      'deep/er/größe.txt',
      'noise.bin',
      'text.txt',
    ]);
    expect(tree.get('text.txt')?.content).toBe(text);
  });

  test('a name that exists gets a number before the whole extension', async () => {
    const first = await compress(['/docs/empty.txt'], '/twice.tar.gz', 'targz');
    const second = await compress(['/docs/empty.txt'], '/twice.tar.gz', 'targz');
    expect([first.results[0]?.to, second.results[0]?.to]).toEqual(['/twice.tar.gz', '/twice(1).tar.gz']);
    const extracted = [await extract('/twice.tar.gz', '/v1.2'), await extract('/twice.tar.gz', '/v1.2')];
    expect(extracted.map(({ results }) => results[0]?.to)).toEqual(['/v1.2', '/v1.2(1)']);
  });

  test('an extracted file keeps its modification time', async () => {
    plant('alice/time.tar', craftTar([{ name: 'old.txt', content: 'old' }]));
    await extract('/time.tar', '/time');
    expect(statSync(disk('alice/time/old.txt')).mtimeMs).toBe(1_700_000_000_000);
  });

  test('undo moves an extracted folder and a new archive to the trash', async () => {
    await compress(['/docs'], '/to undo.zip');
    const { id } = await extract('/to undo.zip', '/undone');
    const undo = await app.fetch(`/api/operations/${id}/undo`, { method: 'POST', token });
    expect([undo.status, existsSync(disk('alice/undone'))]).toEqual([200, false]);
    const compressed = await compress(['/docs/text.txt'], '/undone.zip');
    expect(compressed.state).toBe('done');
    const second = await app.fetch(`/api/operations/${compressed.id}/undo`, { method: 'POST', token });
    expect([second.status, existsSync(disk('alice/undone.zip'))]).toEqual([200, false]);
  });
});

describe('bad archives', () => {
  test('members whose names lead out of the folder are left out', async () => {
    const members = [
      { name: '../evil.txt', content: 'evil' },
      { name: 'a/../../evil.txt', content: 'evil' },
      { name: '/absolute.txt', content: 'inside' },
      { name: 'fine.txt', content: 'fine' },
    ];
    for (const [name, bytes] of [
      ['slip.tar', craftTar(members)],
      ['slip.zip', craftZip([...members, { name: '..\\evil.txt', content: 'evil' }])],
      ['slip.7z', craft7z({ blocks: [{ entries: members }] })],
    ] as const) {
      plant(`alice/${name}`, bytes);
      const job = await extract(`/${name}`, `/out of ${name}`);
      expect(job.state).toBe('done');
      expect(namesIn(`alice/out of ${name}`)).toEqual(['absolute.txt', 'fine.txt']);
      expect(new Set(job.failures.map(({ code }) => code))).toEqual(new Set(['invalid_path']));
      expect(job.failures.length).toBe(name === 'slip.zip' ? 3 : 2);
    }
    expect([read('alice/evil.txt'), read('evil.txt')]).toEqual([null, null]);
  });

  test('links and devices are left out, and nothing is written through a link', async () => {
    plant(
      'alice/links.tar',
      craftTar([
        { name: 'link', type: '2', link: '/' },
        { name: 'link/outside.txt', content: 'overwritten' },
        { name: 'device', type: '3' },
        { name: 'pipe', type: '6' },
        { name: 'file.txt', content: 'file' },
        { name: 'hard.txt', type: '1', link: 'file.txt' },
        { name: 'escape.txt', type: '1', link: '../../outside.txt' },
      ]),
    );
    const job = await extract('/links.tar', '/links');
    expect(namesIn('alice/links')).toEqual(['file.txt', 'hard.txt', 'link', 'link/outside.txt']);
    expect(read('alice/links/hard.txt')).toBe('file');
    expect(read('outside.txt')).toBe('outside');
    expect(job.failures.map(({ path, code }) => [path, code])).toEqual([
      ['link', 'external_link'],
      ['device', 'special_file'],
      ['pipe', 'special_file'],
      ['escape.txt', 'external_link'],
    ]);
    plant('alice/link.zip', craftZip([{ name: 'link', content: '/etc/passwd', mode: 0o120777 }]));
    expect(await extract('/link.zip', '/link of zip')).toMatchObject({
      state: 'failed',
      failures: [{ code: 'external_link' }, { code: 'external_link' }],
    });
    expect(read('alice/link of zip')).toBeNull();
  });

  test.each([
    [
      'a truncated zip',
      'cut.zip',
      (): Buffer => craftZip([{ name: 'a', content: text }]).subarray(0, -30),
      'unsupported_archive_format',
    ],
    [
      'a truncated tar',
      'cut.tar',
      (): Buffer => craftTar([{ name: 'a', content: text }]).subarray(0, 2048),
      'archive_damaged',
    ],
    [
      'a wrong checksum',
      'crc.zip',
      (): Buffer => craftZip([{ name: 'a', content: 'a', crc: 1 }]),
      'archive_damaged',
    ],
    [
      'more content than declared',
      'more.zip',
      (): Buffer => craftZip([{ name: 'a', content: text, size: 10 }]),
      'archive_damaged',
    ],
    [
      'contents that overlap',
      'overlap.zip',
      (): Buffer =>
        craftZip([
          { name: 'a', content: text },
          { name: 'b', content: text, offset: 0 },
        ]),
      'archive_damaged',
    ],
    [
      'files that are encrypted',
      'locked.zip',
      (): Buffer => craftZip([{ name: 'a', content: 'a', flags: 0x801 }]),
      'archive_encrypted',
    ],
    [
      'an unknown compression',
      'method.zip',
      (): Buffer => craftZip([{ name: 'a', content: 'a', method: 97 }]),
      'unsupported_archive_format',
    ],
    [
      'a huge declared size',
      'bomb.zip',
      (): Buffer => craftZip([{ name: 'a', content: 'a', size: 0xfffffff0 }]),
      'archive_too_large',
    ],
    [
      'a text with the name of a tar',
      'text.tar',
      (): Buffer => Buffer.from(text),
      'unsupported_archive_format',
    ],
    ['a text with the name of a tar.gz', 'text.tar.gz', (): Buffer => Buffer.from(text), 'archive_damaged'],
    ['a text with the name of a tar.xz', 'text.tar.xz', (): Buffer => Buffer.from(text), 'archive_damaged'],
    ['a text with the name of a tar.bz2', 'text.tar.bz2', (): Buffer => Buffer.from(text), 'archive_damaged'],
    ['a text with the name of a tar.lz4', 'text.tar.lz4', (): Buffer => Buffer.from(text), 'archive_damaged'],
    ['a text with the name of a tar.sz', 'text.tar.sz', (): Buffer => Buffer.from(text), 'archive_damaged'],
    ['an empty zip file', 'empty.zip', (): Buffer => Buffer.alloc(0), 'unsupported_archive_format'],
    [
      'a text with the name of a 7z',
      'text.7z',
      (): Buffer => Buffer.from(text),
      'unsupported_archive_format',
    ],
    [
      'a 7z whose files are encrypted',
      'locked.7z',
      (): Buffer =>
        craft7z({ blocks: [{ entries: [{ name: 'a', content: 'a' }], coders: [{ method: '06f10701' }] }] }),
      'archive_encrypted',
    ],
    [
      'a 7z with a huge declared size',
      'bomb.7z',
      (): Buffer => craft7z({ blocks: [{ entries: [{ name: 'a', content: 'a' }], size: 2 ** 32 }] }),
      'archive_too_large',
    ],
    ['an unsupported format', 'a.rar', (): Buffer => Buffer.from('Rar!'), 'unsupported_archive_format'],
  ])('%s is refused without leaving files', async (_, name, bytes, code) => {
    plant(`alice/${name}`, bytes());
    const job = await extract(`/${name}`, `/left of ${name}`);
    expect(job.state).toBe('failed');
    expect(job.failures.at(-1)?.code).toBe(code);
    expect(existsSync(disk(`alice/left of ${name}`))).toBe(false);
  });

  test('a later member with the same name replaces an earlier one, and a file never replaces a folder', async () => {
    plant(
      'alice/again.tar',
      craftTar([
        { name: 'a.txt', content: 'first' },
        { name: 'folder/b.txt', content: 'b' },
        { name: 'folder', content: 'a file' },
        { name: 'a.txt', content: 'second' },
      ]),
    );
    const job = await extract('/again.tar', '/again');
    expect([read('alice/again/a.txt'), read('alice/again/folder/b.txt')]).toEqual(['second', 'b']);
    expect(job.failures.map(({ path, code }) => [path, code])).toEqual([['folder', 'already_exists']]);
  });
});

describe('permissions', () => {
  test.each([
    ['extract', 'reader'],
    ['compress', 'reader'],
    ['extract', 'blind'],
    ['compress', 'blind'],
  ] as const)('%s is forbidden for %s', async (kind, username) => {
    const as = await app.signIn(username);
    const request = { kind, items: [{ from: '/docs.zip', to: '/new' }], to: '/new.zip' };
    expect((await post(request, as)).status).toBe(403);
  });

  test('rules apply to the archive and to every file that is extracted', async () => {
    const as = await app.signIn('ruled');
    plant(
      'ruled/a.tar',
      craftTar([
        { name: 'secret/a.txt', content: 's' },
        { name: 'b.txt', content: 'b' },
      ]),
    );
    plant('ruled/locked.zip', craftZip([{ name: 'a', content: 'a' }]));
    const job = await extract('/a.tar', '/out', as);
    expect(namesIn('ruled/out')).toEqual(['b.txt']);
    expect(new Set(job.failures.map(({ code }) => code))).toEqual(new Set(['forbidden']));
    expect(await extract('/locked.zip', '/unlocked', as)).toMatchObject({
      state: 'failed',
      failures: [{ code: 'forbidden' }],
    });
  });

  test.each([
    ['no destination', { kind: 'extract', items: [{ from: '/docs.zip' }] }, 400],
    ['no archive to create', { kind: 'compress', items: [{ from: '/docs' }] }, 400],
    ['the extension of another format', { kind: 'compress', items: [{ from: '/docs' }], to: '/a.tar' }, 400],
    ['an unknown format', { kind: 'compress', items: [{ from: '/docs' }], to: '/a.rar', format: 'rar' }, 400],
    ['a path that leads out', { kind: 'compress', items: [{ from: '/docs' }], to: '/../a.zip' }, 400],
  ])('a request with %s is refused', async (_, request, status) => {
    expect((await post(request)).status).toBe(status);
  });
});
