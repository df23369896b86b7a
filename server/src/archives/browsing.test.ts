import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '@filestead/contract/files';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unpack } from '../../test/fixtures/archive-reading.ts';
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
      { username: 'ruled', scope: '/ruled', rules: [{ path: '/locked.zip' }] },
      { username: 'blind', scope: '/alice', perm: { download: false } },
    ],
    files: {
      ...docsAt('/alice/docs'),
      '/ruled/x': '',
    },
  });
  token = await app.signIn('alice');
  for (const [format, extension] of [
    ['zip', 'zip'],
    ['tar', 'tar'],
    ['targz', 'tar.gz'],
    ['tarxz', 'tar.xz'],
  ] as const) {
    const request = {
      kind: 'compress',
      items: [{ from: '/docs' }],
      to: `/docs.${extension}`,
      format,
    } as const;
    expect(await jobsClient(app, token).run(request)).toMatchObject({ state: 'done', failures: [] });
  }
  plant('ruled/a.tar', craftTar([{ name: 'b.txt', content: 'b' }]));
  plant('ruled/locked.zip', craftZip([{ name: 'a', content: 'a' }]));
  plant('alice/encrypted.zip', craftZip([{ name: 'a', content: 'a', flags: 0x801 }]));
  plant(
    'alice/overlap.zip',
    craftZip([
      { name: 'a', content: text },
      { name: 'b', content: text, offset: 0 },
    ]),
  );
});
afterAll(() => app.close());

const disk = (path: string): string => join(app.root, path);
const plant = (path: string, bytes: Uint8Array): void => writeFileSync(disk(path), bytes);
const list = (archive: string, inside = '/', as = token): Promise<Response> =>
  app.fetch(`/api/archive/list${inside}?archive=${encodeURIComponent(archive)}`, {
    token: as,
    headers: { accept: 'application/json' },
  });
const raw = (
  archive: string,
  inside: string,
  init: Parameters<TestApp['fetch']>[1] = {},
): Promise<Response> =>
  app.fetch(`/api/archive/raw${inside}?archive=${encodeURIComponent(archive)}`, { token, ...init });

test.each(['/docs.zip', '/docs.tar', '/docs.tar.xz'])('%s is listed like a folder', async (archive) => {
  const top = (await (await list(archive)).json()) as Resource;
  expect(top.items?.map(({ name, isDir }) => [name, isDir])).toEqual([['docs', true]]);
  const folder = (await (await list(archive, '/docs/')).json()) as Resource;
  expect(folder.items?.map(({ name, size }) => [name, size])).toEqual([
    ['deep', 0],
    ['hollow', 0],
    ['empty.txt', 0],
    ['noise.bin', noise.length],
    ['text.txt', text.length],
  ]);
  expect((await list(archive, '/docs/nothing')).status).toBe(404);
});

test.each(['/docs.zip', '/docs.tar', '/docs.tar.xz'])(
  'a file of %s is sent whole and in ranges',
  async (archive) => {
    const whole = await raw(archive, '/docs/noise.bin');
    expect(whole.status).toBe(200);
    expect(Buffer.from(await whole.arrayBuffer()).equals(noise)).toBe(true);
    const part = await raw(archive, '/docs/text.txt', { headers: { range: 'bytes=700000-700020' } });
    expect([part.status, await part.text()]).toEqual([206, text.slice(700_000, 700_021)]);
  },
);

test('a 7z is listed, its files are sent, and it is extracted', async () => {
  const entries = [
    { name: 'docs/text.txt', content: text, modifiedMs: 1_600_000_000_000 },
    { name: 'docs/noise.bin', content: noise },
  ];
  plant('alice/own.7z', craft7z({ blocks: [{ entries }], entries: [{ name: 'docs/hollow' }] }));
  const folder = (await (await list('/own.7z', '/docs/')).json()) as Resource;
  expect(folder.items?.map(({ name, size }) => [name, size])).toEqual([
    ['hollow', 0],
    ['noise.bin', noise.length],
    ['text.txt', text.length],
  ]);
  expect(await (await raw('/own.7z', '/docs/text.txt')).text()).toBe(text);
  const jobs = jobsClient(app, token);
  const items = [{ from: '/own.7z', to: '/from 7z', rename: true }];
  expect(await jobs.run({ kind: 'extract', items })).toMatchObject({ state: 'done', failures: [] });
  expect(readdirSync(disk('alice/from 7z')).sort()).toEqual(['hollow', 'noise.bin', 'text.txt']);
  expect(readFileSync(disk('alice/from 7z/noise.bin')).equals(noise)).toBe(true);
  expect(statSync(disk('alice/from 7z/text.txt')).mtimeMs).toBe(1_600_000_000_000);
  const refused = await jobs.post({
    kind: 'compress',
    items: [{ from: '/docs' }],
    to: '/a.7z',
    format: '7z',
  });
  expect(refused.status).toBe(400);
});

test('a folder of an archive is sent as an archive', async () => {
  const response = await app.fetch(`/api/archive/raw/docs/deep/?archive=/docs.tar.gz&algo=tar`, { token });
  const tree = unpack(Buffer.from(await response.arrayBuffer()), 'tar');
  expect([...tree.keys()].sort()).toEqual(['er', 'er/größe.txt']);
});

test('the contents of an archive are refused without permission, and for bad requests', async () => {
  expect((await list('/locked.zip', '/', await app.signIn('ruled'))).status).toBe(403);
  expect((await list('/docs.zip', '/', await app.signIn('blind'))).status).toBe(403);
  expect((await list('/nothing.zip')).status).toBe(404);
  expect((await list('/docs/text.txt')).status).toBe(400);
  expect((await list('/../ruled/a.tar')).status).toBe(400);
  expect((await list('docs.zip')).status).toBe(400);
  expect((await list('/overlap.zip')).status).toBe(422);
  expect((await raw('/encrypted.zip', '/a')).status).toBe(422);
  expect((await list('/docs')).status).toBe(405);
});
