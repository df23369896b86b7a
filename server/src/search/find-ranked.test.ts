import type { FindEnd, FindRow } from '@filestead/contract/endpoints/find';
import { rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { permissionNames, type Permissions } from '@filestead/contract/values/permissions';
import { expect, test } from 'vitest';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { parseFind } from '../catalogue/query/parse-find.ts';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import { narrowTo } from '../storage/views/narrow-to.ts';
import { findRanked } from './find-ranked.ts';
import { type MarksByPlace, marksBelow } from './folder-marks.ts';
import type { ResultPart } from './send-results.ts';

type FindPart = ResultPart<FindRow, FindEnd>;

const can = Object.fromEntries(permissionNames.map((name) => [name, true])) as Permissions;
const marks: MarksByPlace = new Map([
  [virtualPath('/docs/report.txt'), { isFavorite: true, tags: ['Tax'] }],
  [virtualPath('/docs/secret/report.txt'), { isFavorite: false, tags: ['Tax'] }],
  [virtualPath('/docs/gone.txt'), { isFavorite: false, tags: ['Tax'] }],
  [virtualPath('/other/report.txt'), { isFavorite: false, tags: ['Tax'] }],
]);

/** Searches `/docs` with a catalogue that contains nothing of it. */
async function search(query: string, limit = 200): Promise<FindPart[]> {
  const storage = narrowTo(
    await openMemoryStorage({
      '/docs/report.txt': 'x',
      '/docs/report 2.txt': 'x',
      '/docs/secret/report.txt': 'x',
      '/other/report.txt': 'x',
    }),
    { allows: (path) => !path.startsWith('/docs/secret'), hideDotfiles: false, can },
  );
  const place = virtualPath('/docs');
  const catalogue: Pick<Catalogue, 'isOn' | 'find'> = {
    isOn: true,
    find: async () => ({
      kind: 'found',
      id: 1,
      rows: [],
      hasMore: false,
      coverage: 'parts',
      checkedAt: null,
    }),
  };
  const visible = {
    place,
    bases: [place],
    scope: rootPath,
    rules: [],
    globalRules: [],
    hidesDotfiles: false,
    letterCases: [],
  };
  const parts: FindPart[] = [];
  const found = findRanked({
    catalogue: catalogue as Catalogue,
    target: { storage, isFolder: true, visible },
    folder: place,
    query: parseFind(query, 0),
    near: null,
    used: [],
    marks: marksBelow(marks, place),
    limit,
    sort: 'rank',
    isDescending: true,
    signal: new AbortController().signal,
    views: { typeOf: () => 'text', formatModified: String },
  });
  for await (const part of found) parts.push(part);
  return parts;
}

const rowsOf = (parts: readonly FindPart[]): unknown[] =>
  parts.flatMap((part) => ('end' in part ? [] : part.map(({ path, tags }) => [path, tags])));

test('finds marked entries on the disk that the catalogue lacks, and that the user may list', async () => {
  expect(rowsOf(await search('tag:tax'))).toEqual([['report.txt', ['Tax']]]);
  expect(rowsOf(await search('in:favorites report'))).toEqual([['report.txt', ['Tax']]]);
  expect(rowsOf(await search('tag:tax other'))).toEqual([]);
  expect(rowsOf(await search('tag:nothing'))).toEqual([]);
});

test('entries on the disk have their marks in a search without a restriction to them', async () => {
  expect(rowsOf(await search('report'))).toEqual([
    ['report 2.txt', undefined],
    ['report.txt', ['Tax']],
  ]);
});
