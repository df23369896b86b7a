import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { emptySearch, openedFileOf, requestOf, searchAddress, searchOf } from './search-address.ts';

const parse = (address: string) => searchOf(new URL(address, 'http://host').searchParams);

test('an address contains the whole search', () => {
  const search = {
    ...emptySearch,
    query: 'bank 100% + "a&b"',
    from: virtualPath('/Docs/a b'),
    isHere: true,
    part: 'contents',
    kind: 'pdf',
    date: 'week',
    size: 'large',
    tag: 'to do',
    isFavorite: true,
    sort: 'size',
    isReversed: true,
  } as const;
  expect(parse(searchAddress(search))).toEqual(search);
  expect(parse(searchAddress(search, virtualPath('/Docs/x y.pdf')))).toEqual(search);
  expect(searchAddress(emptySearch)).toBe('/search');
});

test('unknown values of an address count as absent', () => {
  expect(
    parse('/search?kind=constructor&date=never&size=&sort=magic&part=some&in=here&from=..%2F..'),
  ).toEqual(emptySearch);
});

test.each([
  ['/search', null],
  ['/search/', null],
  ['/search/Docs/x%20y.pdf', '/Docs/x y.pdf'],
  ['/search/..%2Fetc', undefined],
  ['/search/%zz', undefined],
])('%s opens %s', (pathname, file) => {
  expect(openedFileOf(pathname)).toBe(file);
});

test('restrictions become operators before the words', () => {
  const from = virtualPath('/Docs');
  expect(requestOf({ ...emptySearch, query: ' bank ', kind: 'image', size: 'huge', from })).toMatchObject({
    folder: '/',
    near: '/Docs',
    query: 'type:image size:>1G bank',
    sort: 'rank',
  });
  expect(requestOf({ ...emptySearch, kind: 'folder', from, isHere: true })).toMatchObject({
    folder: '/Docs',
    query: 'kind:folder',
  });
  expect(requestOf({ ...emptySearch, query: 'plan', tag: 'to "do"', isFavorite: true })).toMatchObject({
    query: 'tag:"to do" in:favorites plan',
  });
});

test('a search for nothing sends no request', () => {
  expect(requestOf({ ...emptySearch, query: '  ', sort: 'size' })).toBeNull();
});

test.each([
  ['name', false, undefined],
  ['name', true, 'desc'],
  ['size', false, undefined],
  ['size', true, 'asc'],
  ['rank', true, undefined],
] as const)('sorted by %s (reversed: %s) asks for the order %s', (sort, isReversed, order) => {
  expect(requestOf({ ...emptySearch, query: 'x', sort, isReversed })?.order).toBe(order);
});
