import { array, assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasType,
  highlightedTerms,
  highlightTerms,
  queryParts,
  toggleType,
  toWalkQuery,
} from './search-query.ts';

describe('types', () => {
  test('adds a type in front of the query, and removes it', () => {
    expect(toggleType('tram', 'image')).toBe('type:image tram');
    expect(toggleType('type:image tram', 'pdf')).toBe('type:pdf type:image tram');
    expect(toggleType('type:pdf type:image tram', 'pdf')).toBe('type:image tram');
    expect(toggleType('', 'video')).toBe('type:video ');
  });

  test('treats music as audio', () => {
    expect(hasType('type:music', 'audio')).toBe(true);
    expect(toggleType('type:music song', 'audio')).toBe('song');
  });

  test('ignores words that merely contain a type', () => {
    expect(hasType('mytype:image', 'image')).toBe(false);
    expect(hasType('type:images', 'image')).toBe(false);
  });
});

test.each<[query: string, terms: string[]]>([
  ['', []],
  ['  ', []],
  ['tram lisbon', ['tram', 'lisbon']],
  ['"tram lisbon"', ['tram lisbon']],
  ['"', ['"']],
  ['type:image case:sensitive size:>10M Tram -lisbon', ['Tram']],
  ['tram*stop', ['tram', 'stop']],
  ['"tram 28" lisbon', ['tram 28', 'lisbon']],
  ['case:sensitively', ['case:sensitively']],
])('returns the terms of %j that are marked in names', (query, terms) => {
  expect(highlightedTerms(query)).toEqual(terms);
});

describe('highlighting', () => {
  test('finds terms case-insensitively', () => {
    expect(highlightTerms('Tram 28.JPG', ['tram', 'jpg'])).toEqual([
      { at: 0, text: 'Tram', isHit: true },
      { at: 4, text: ' 28.', isHit: false },
      { at: 8, text: 'JPG', isHit: true },
    ]);
  });

  test('finds letters with and without diacritics', () => {
    expect(highlightTerms('Müller', ['mull'])).toEqual([
      { at: 0, text: 'Müll', isHit: true },
      { at: 4, text: 'er', isHit: false },
    ]);
    expect(highlightTerms('Muller', ['mül'])[0]).toEqual({ at: 0, text: 'Mul', isHit: true });
  });

  test('merges adjacent matches', () => {
    expect(highlightTerms('aab', ['a', 'ab'])).toEqual([{ at: 0, text: 'aab', isHit: true }]);
  });

  test('preserves the name, for any terms', () => {
    assert(
      property(string(), array(string(), { maxLength: 3 }), (name, terms) => {
        const parts = highlightTerms(name, terms);
        expect(parts.map(({ text }) => text).join('')).toBe(name);
      }),
    );
  });
});

describe('a query for the search that walks the folders', () => {
  test.each<[query: string, sent: string]>([
    ['tram lisbon', 'tram lisbon'],
    ['"tram 28"', '"tram 28"'],
    ['"tram 28" lisbon', 'tram 28 lisbon'],
    [
      'type:image ext:png,.jpg case:sensitive Tram -old size:>1M',
      'type:image type:png type:jpg case:sensitive Tram',
    ],
    ['tr?m*stop', 'tr m stop'],
    ['', ''],
  ])('sends %j as %j', (query, sent) => {
    expect(toWalkQuery(query).sent).toBe(sent);
  });

  test.each<[query: string, path: string, isFolder: boolean, isAccepted: boolean]>([
    ['tram lisbon', 'Lisbon/Tram 28.png', false, true],
    ['tram lisbon', 'Lisbon/menu.pdf', false, false],
    // A word of the query is in the name itself, not only in the folders above.
    ['lisbon', 'Lisbon/menu.pdf', false, false],
    ['tram -28', 'Tram 28.png', false, false],
    ['"tram 28"', 'Tram 128.png', false, false],
    ['kind:folder tram', 'Tram 28.png', false, false],
    ['kind:folder tram', 'Tram', true, true],
    ['case:sensitive tram', 'Tram', true, false],
    ['tram*.png', 'Tram 28.png', false, true],
    ['tr?m', 'Tram 28.png', false, false],
    ['a.b', 'axb', false, false],
  ])('%j matches the path %j (folder: %s): %s', (query, path, isFolder, isAccepted) => {
    expect(toWalkQuery(query).accepts(path, isFolder)).toBe(isAccepted);
  });
});

test('a value in quotes may contain spaces', () => {
  expect(queryParts('tag:"to do" in:favorites "a phrase" plan')).toEqual({
    words: ['a phrase', 'plan'],
    excluded: [],
    operators: [
      ['tag', 'to do'],
      ['in', 'favorites'],
    ],
  });
});

test('tags and favorites, which a walk does not know, match nothing', () => {
  expect(toWalkQuery('tag:tax plan').accepts('plan.txt', false)).toBe(false);
  expect(toWalkQuery('in:favourites').accepts('plan.txt', false)).toBe(false);
  expect(toWalkQuery('in:here plan').accepts('plan.txt', false)).toBe(true);
});
