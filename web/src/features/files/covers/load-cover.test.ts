import type { FindResult, FindRow } from '@filestead/contract/endpoints/find';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../../api/page-config.ts';
import { announceChange } from '../entries/changes.ts';
import { emptyCover, loadCover } from './load-cover.ts';

const { signal } = new AbortController();
const row = (path: string, type: FindRow['type']): FindRow => ({
  path,
  dir: false,
  size: 10,
  modified: '2026-01-01T00:00:00Z',
  type,
});
const result = (rows: FindRow[]): FindResult => ({
  end: true,
  more: false,
  similar: false,
  checkedAt: null,
  coverage: 'all',
  rows,
});

let requested: string[] = [];
let found: Record<string, FindRow[]> = {};
beforeEach(() => {
  pageConfig.EnableCatalogue = true;
  pageConfig.EnableThumbs = true;
  requested = [];
  found = {};
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const query = searchParams.get('query') ?? '';
    requested.push(`${pathname} ${query}`);
    return Response.json(result(found[query] ?? []));
  });
});
afterEach(() => {
  announceChange({ folders: [] });
  vi.unstubAllGlobals();
});

test('shows the latest pictures of a folder', async () => {
  found['type:image'] = [row('in/a.jpg', 'image'), row('b.jpg', 'image')];
  const { pictures, slips } = await loadCover(virtualPath('/photos'), signal);
  expect(pictures).toEqual([
    expect.stringContaining('/photos/in/a.jpg'),
    expect.stringContaining('/photos/b.jpg'),
  ]);
  expect(slips).toEqual([]);
});

test('shows the kinds of the files in a folder without pictures', async () => {
  found['kind:file'] = [row('bill.pdf', 'pdf'), row('sums.xlsx', 'blob')];
  expect(await loadCover(virtualPath('/bills'), signal)).toEqual({ pictures: [], slips: ['pdf', 'sheet'] });
});

test('requests a cover once, and again after a change of files', async () => {
  const path = virtualPath('/once');
  await loadCover(path, signal);
  const { length } = requested;
  await loadCover(path, signal);
  expect(requested).toHaveLength(length);
  announceChange({ folders: [path] });
  await loadCover(path, signal);
  expect(requested).toHaveLength(2 * length);
});

test('requests nothing without a catalogue, or for a folder that is no longer shown', async () => {
  expect(await loadCover(virtualPath('/gone'), AbortSignal.abort())).toEqual(emptyCover);
  pageConfig.EnableCatalogue = false;
  expect(await loadCover(virtualPath('/off'), signal)).toEqual(emptyCover);
  expect(requested).toEqual([]);
});
