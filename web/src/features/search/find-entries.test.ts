import type { FindEnd, FindRow } from '@filestead/contract/endpoints/find';
import { rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../api/page-config.ts';
import { forgetCatalogueOff } from '../../test-catalogue.ts';
import { findEntries, type FindRequest, type FoundEntry } from './find-entries.ts';

const row = (path: string): FindRow => ({
  path,
  dir: false,
  size: 7,
  modified: '2026-01-02T03:04:05Z',
  type: 'text',
});
const end: FindEnd = { end: true, more: true, similar: false, checkedAt: null, coverage: 'all' };
const lines = (values: readonly object[]): Response =>
  new Response(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
const refusal = (status: number, code: string): Response =>
  new Response(JSON.stringify({ status, code, message: code }), { status });

let requested: string[] = [];
let respond: (url: string) => Response = () => lines([]);
beforeEach(() => {
  requested = [];
  vi.stubGlobal('fetch', async (url: string) => {
    requested.push(url);
    return respond(url);
  });
  pageConfig.EnableCatalogue = true;
});
afterEach(() => {
  vi.unstubAllGlobals();
  pageConfig.EnableCatalogue = false;
  forgetCatalogueOff();
});

async function find(request: Partial<FindRequest> = {}) {
  const found: FoundEntry[] = [];
  const hasMore = await findEntries(
    { folder: virtualPath('/docs'), near: rootPath, query: 'tram stop', limit: 5, sort: 'rank', ...request },
    { signal: new AbortController().signal, onFound: (entries) => found.push(...entries) },
  );
  return { paths: found.map(({ path }) => path), found, hasMore };
}

test('searches the catalogue', async () => {
  respond = () => lines([row('Old/tram stop.md'), end]);
  const { found, hasMore } = await find();
  expect(hasMore).toBe(true);
  expect(found).toEqual([
    {
      path: '/docs/Old/tram stop.md',
      name: 'tram stop.md',
      isFolder: false,
      size: 7,
      modifiedMs: Date.UTC(2026, 0, 2, 3, 4, 5),
      type: 'text',
      isSimilar: false,
      isFavorite: false,
      tags: [],
    },
  ]);
  expect(requested).toHaveLength(1);
});

test('rejects a response without its end', async () => {
  respond = () => lines([row('tram.txt')]);
  await expect(find()).rejects.toMatchObject({ code: 'no_connection' });
});

test('walks the folders where the page knows that there is no catalogue, and shows entries with all words', async () => {
  pageConfig.EnableCatalogue = false;
  respond = () =>
    lines([
      { path: 'tram.txt', dir: false },
      { path: 'tram/stop.md', dir: false },
      { path: 'Tram stop', dir: true },
    ]);
  const { paths, hasMore } = await find();
  expect(paths).toEqual(['/docs/tram/stop.md', '/docs/Tram stop']);
  expect(hasMore).toBe(false);
  expect(requested.map((url) => new URL(url, 'http://a').pathname)).toEqual(['/api/search/docs/']);
});

test('ends a walk once enough entries are found', async () => {
  pageConfig.EnableCatalogue = false;
  respond = () => lines(['a', 'b', 'c'].map((name) => ({ path: `tram stop ${name}`, dir: false })));
  const { paths, hasMore } = await find({ limit: 2 });
  expect(paths).toHaveLength(2);
  expect(hasMore).toBe(true);
});

test('walks the folders after the server has answered that its catalogue is off', async () => {
  respond = (url) =>
    url.includes('/api/find/')
      ? refusal(409, 'catalogue_off')
      : lines([{ path: 'tram stop.md', dir: false }]);
  expect((await find()).paths).toEqual(['/docs/tram stop.md']);
  expect((await find()).paths).toEqual(['/docs/tram stop.md']);
  expect(requested.filter((url) => url.includes('/api/find/'))).toHaveLength(1);
});
