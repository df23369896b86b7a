import { expect, test } from 'vitest';
import { fuzzyMatch } from './fuzzy-match.ts';

test.each([
  ['', 'New folder', []],
  ['new', 'New folder', [0, 1, 2]],
  ['nf', 'New folder', [0, 4]],
  ['fol', 'New folder', [4, 5, 6]],
  ['cafe', 'Open café', [5, 6, 7, 8]],
  ['grosse', 'Größe', null],
  ['größe', 'Größe', [0, 1, 2, 3, 4]],
  ['go t f', 'Go to Files', [0, 1, 3, 6]],
  ['xyz', 'New folder', null],
  ['redlof', 'New folder', null],
  ['設定', 'ユーザー設定', [4, 5]],
])('matches %j in %j at %j', (query, text, positions) => {
  expect(fuzzyMatch(query, text)?.positions ?? null).toEqual(positions);
});

test.each([
  ['del', 'Delete', 'Model'],
  ['nf', 'New folder', 'Information'],
  ['sort', 'Sort by name', 'Show the original text'],
  ['dark', 'Dark', 'Day mark'],
  ['copy', 'Copy', 'Copy to clipboard'],
])('ranks the match of %j with %j above %j', (query, better, worse) => {
  expect(fuzzyMatch(query, better)?.score).toBeGreaterThan(fuzzyMatch(query, worse)?.score ?? -Infinity);
});
