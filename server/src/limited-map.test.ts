import { expect, test } from 'vitest';
import { LimitedMap } from './limited-map.ts';

test('a limited map is emptied before it exceeds its size', () => {
  const map = new LimitedMap<string, number>(2);
  map.set('a', 1).set('b', 2);
  expect([...map.keys()]).toEqual(['a', 'b']);
  map.set('c', 3);
  expect([...map.keys()]).toEqual(['c']);
});

test('a full limited map keeps its entries when one of them is replaced', () => {
  const map = new LimitedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3);
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
});
