import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import type { FoundEntry } from '../../features/search/find-entries.ts';
import { findPhotos, type FindPage } from './find-photos.ts';

const noon = Date.parse('2026-11-15T12:00:00Z');
const photo = (number: number, modifiedMs: number): FoundEntry => ({
  path: virtualPath(`/${number}.jpg`),
  name: `${number}.jpg`,
  isFolder: false,
  size: number,
  modifiedMs,
  type: 'image',
  isSimilar: false,
  isFavorite: false,
  tags: [],
});

/** A server that returns at most `limit` of `photos`. */
function serverOf(photos: readonly FoundEntry[], limit: number): { find: FindPage; requests: () => number } {
  let requests = 0;
  const find: FindPage = async (query, _signal, offset = 0) => {
    requests += 1;
    const [, sign = '', second = ''] = /changed:(<=)?(\S+)/u.exec(query) ?? [];
    const found = photos.filter(({ modifiedMs, name }) => {
      const time = new Date(modifiedMs ?? 0).toISOString().slice(0, 19);
      const isInTime = second === '' || (sign === '<=' ? time <= second : time === second);
      return isInTime && (!/ 1\b/u.test(query) || name.includes('1'));
    });
    return { entries: found.slice(offset, offset + limit), hasMore: found.length > offset + limit };
  };
  return { find, requests: () => requests };
}

async function allOf(find: FindPage, words = ''): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const entries of findPhotos(new AbortController().signal, { words, find })) {
    for (const { name } of entries) names.add(name);
  }
  return names;
}

test('finds all photos of many days, page after page', async () => {
  const photos = Array.from({ length: 1234 }, (_, index) => photo(index, noon - index * 3_600_000));
  const { find, requests } = serverOf(photos, 100);
  expect((await allOf(find)).size).toBe(1234);
  expect(requests()).toBeLessThan(20);
});

test('finds all photos of a day with many pages', async () => {
  const photos = Array.from({ length: 1950 }, (_, index) => ({
    ...photo(index, noon - index * 1000),
    size: 7,
  }));
  const { find, requests } = serverOf(photos, 100);
  expect((await allOf(find)).size).toBe(1950);
  expect(requests()).toBeLessThan(30);
});

test('finds all photos of the same second and size, although they are more than one page', async () => {
  const photos = Array.from({ length: 950 }, (_, index) => ({ ...photo(index, noon), size: 7 }));
  const others = Array.from({ length: 50 }, (_, index) =>
    photo(2000 + index, noon - 86_400_000 * index - 1000),
  );
  const { find, requests } = serverOf([...photos, ...others], 100);
  expect((await allOf(find)).size).toBe(1000);
  expect(requests()).toBeLessThan(60);
});

test('finds photos of types and times that the words name', async () => {
  const queries: string[] = [];
  const find: FindPage = async (query) => {
    queries.push(query);
    return { entries: [photo(1, noon), { ...photo(2, noon), type: 'pdf' }], hasMore: false };
  };
  expect(await allOf(find, 'ext:pdf,jpg changed:2026')).toEqual(new Set(['1.jpg']));
  expect(await allOf(find, 'beach -old')).toEqual(new Set(['1.jpg']));
  expect(queries).toEqual([
    'kind:file ext:pdf,jpg changed:2026',
    'kind:file type:image type:video beach -old',
  ]);
});

test('finds only the photos that match words', async () => {
  const photos = Array.from({ length: 900 }, (_, index) => photo(index, noon - index * 3_600_000));
  const { find } = serverOf(photos, 500);
  expect((await allOf(find, '1')).size).toBe(photos.filter(({ name }) => name.includes('1')).length);
});
