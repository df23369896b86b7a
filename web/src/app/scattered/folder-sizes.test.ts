import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, expect, test, vi } from 'vitest';
import { ListingModel } from '../../features/files/listing/model/listing-model.ts';
import { pageConfig } from '../../api/page-config.ts';
import { loadFolderSizes, showFolderSizes } from './folder-sizes.ts';
import { listEntries } from './list-entries.ts';

const paths = ['/a', '/b/x', '/b/y', '/gone/z'].map(virtualPath);
const total = (name: string, bytes: number) => ({
  name,
  bytes,
  allocated: bytes,
  files: 2,
  folders: 1,
  checkedAt: null,
});

afterEach(() => {
  Object.assign(pageConfig, { EnableCatalogue: false });
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('loads the sizes of folders in several folders with one request for each of these', async () => {
  Object.assign(pageConfig, { EnableCatalogue: true });
  const requested: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const path = new URL(url, 'http://localhost').pathname.replace(/^.*\/api\/totals/u, '');
    requested.push(path);
    const rows = { '/': [total('a', 5)], '/b/': [total('x', 7), total('y', 9)] }[path];
    return rows
      ? new Response(JSON.stringify({ self: null, rows, checkedAt: null, coverage: 'all' }))
      : new Response('{}', { status: 404 });
  });
  const model = new ListingModel();
  const entry = { isFolder: true, size: null, modifiedMs: null, type: null } as const;
  listEntries(
    model,
    paths.map((path) => ({ ...entry, path })),
  );
  await showFolderSizes(model, paths, new AbortController().signal);
  const sizeOf = (path: string) => model.total(model.find(path.slice(1)) ?? -1);
  expect(paths.map((path) => sizeOf(path)?.bytes)).toEqual([5, 7, 9, undefined]);
  expect(sizeOf('/b/x')?.entries).toBe(3);
  expect(requested).toEqual(['/', '/b/', '/gone/']);
});

test('loads the sizes of more folders than are updated one by one', async () => {
  Object.assign(pageConfig, { EnableCatalogue: true });
  vi.stubGlobal('fetch', async () =>
    Response.json({ self: null, rows: [total('x', 7)], checkedAt: null, coverage: 'all' }),
  );
  const many = Array.from({ length: 250 }, (_, i) => virtualPath(`/${i}/x`));
  const model = new ListingModel();
  const entry = { isFolder: true, size: null, modifiedMs: null, type: null } as const;
  listEntries(
    model,
    many.map((path) => ({ ...entry, path })),
  );
  await showFolderSizes(model, many, new AbortController().signal);
  const sizes = many.map((path) => model.total(model.find(path.slice(1)) ?? -1)?.bytes);
  expect(sizes).toEqual(many.map(() => 7));
});

test('asks again for the sizes that the catalogue does not know while it is being built', async () => {
  Object.assign(pageConfig, { EnableCatalogue: true });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const requested: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    requested.push(new URL(url, 'http://localhost').pathname.replace(/^.*\/api\/totals/u, ''));
    if (requested.at(-1) === '/') return Response.json({ rows: [total('a', 5)], coverage: 'all' });
    const isBuilt = requested.length > 3;
    const rows = [isBuilt ? total('x', 7) : { ...total('x', 0), bytes: null }];
    return Response.json({ rows, coverage: isBuilt ? 'all' : 'building' });
  });
  const shown: (readonly [string, number])[][] = [];
  const done = loadFolderSizes(
    ['/a', '/b/x'].map(virtualPath),
    new AbortController().signal,
    (totals) => void shown.push([...(totals ?? [])].map(([path, { bytes }]) => [path, bytes])),
  );
  await vi.runAllTimersAsync();
  await done;
  expect(requested).toEqual(['/', '/b/', '/b/', '/b/']);
  expect(shown[0]).toEqual([['a', 5]]);
  expect(shown.at(-1)).toEqual([
    ['a', 5],
    ['b/x', 7],
  ]);
});
