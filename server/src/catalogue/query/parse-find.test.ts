import { expect, test } from 'vitest';
import { parseFind } from './parse-find.ts';

const seconds = (text: string): number => Date.parse(text) / 1000;
const changedOf = (value: string) => parseFind(`changed:${value}`, seconds('2026-11-22T10:00:00Z')).changed;

test.each([
  ['2026', '2026-01-01T00:00:00Z', '2026-12-31T23:59:59Z'],
  ['2026-12', '2026-12-01T00:00:00Z', '2026-12-31T23:59:59Z'],
  ['2026-02-28', '2026-02-28T00:00:00Z', '2026-02-28T23:59:59Z'],
  ['2026-05-31T14', '2026-05-31T14:00:00Z', '2026-05-31T14:59:59Z'],
  ['2026-05-31T23:59', '2026-05-31T23:59:00Z', '2026-05-31T23:59:59Z'],
  ['2026-05-31T14:21:07', '2026-05-31T14:21:07Z', '2026-05-31T14:21:07Z'],
])('changed:%s is the time from %s to %s', (value, from, to) => {
  expect(changedOf(value)).toEqual([seconds(from), seconds(to)]);
});

test('compares with the beginning or the end of a time', () => {
  expect(changedOf('<=2026-05-31T14:21:07')?.[1]).toBe(seconds('2026-05-31T14:21:07Z'));
  expect(changedOf('<2026-05-31T14:21:07')?.[1]).toBe(seconds('2026-05-31T14:21:06Z'));
  expect(changedOf('>2026-05-31')?.[0]).toBe(seconds('2026-06-01T00:00:00Z'));
});

test.each([
  '2026-13',
  '2026-05-32',
  '2026-05-31T24',
  '2026-05-31T10:60',
  '2026-05-31T10:00:60',
  '26-05',
  '2026-05T10',
])('changed:%s is a word', (value) => {
  const query = parseFind(`changed:${value}`, 0);
  expect(query.changed).toBeNull();
  expect(query.words).toHaveLength(1);
});

const parsedAt = (query: string) => parseFind(query, seconds('2026-11-22T10:00:00Z'));

test.each([
  ['larger:10M', 'size:>10M'],
  ['smaller:2GiB', 'size:<2GiB'],
  ['larger:1M smaller:5M', 'size:1000001..4999999'],
  ['before:2026-05', 'changed:<2026-05'],
  ['after:2026-05-31', 'changed:>2026-05-31'],
  ['before:7d', 'changed:>7d'],
  ['after:1y', 'changed:<1y'],
  ['kind:image', 'type:image'],
  ['kind:music', 'type:audio'],
])('%s means %s', (query, same) => {
  expect(parsedAt(query)).toEqual(parsedAt(same));
});

test('before and after are a range', () => {
  expect(parsedAt('after:2026-01 before:2026-05').changed).toEqual([
    seconds('2026-02-01T00:00:00Z'),
    seconds('2026-04-30T23:59:59Z'),
  ]);
});

test.each(['larger:big', 'smaller:>5M', 'larger:1M..5M', 'before:', 'after:soon', 'before:>2026'])(
  '%s is a word',
  (query) => {
    expect(parsedAt(query).words).toHaveLength(1);
  },
);

test('only the first eight words, excluded words and tags of a query count', () => {
  const many = (prefix: string): string => Array.from({ length: 100 }, (_, i) => `${prefix}w${i}`).join(' ');
  const { words, excluded, tags } = parseFind(`${many('')} ${many('-')} ${many('tag:')}`, 0);
  expect([words.length, excluded.length, tags.length]).toEqual([8, 8, 8]);
  expect(words.map(({ text }) => text)).toEqual(['w0', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7']);
});
