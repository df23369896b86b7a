import { array, assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasType, markTerms, toTerms, toggleType } from './search-query.ts';

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
  ['type:image case:sensitive Tram', ['Tram']],
  ['case:sensitively', ['case:sensitively']],
])('splits %j into terms', (query, terms) => {
  expect(toTerms(query)).toEqual(terms);
});

describe('marks', () => {
  test('marks terms case-insensitively', () => {
    expect(markTerms('Tram 28.JPG', ['tram', 'jpg'])).toEqual([
      { at: 0, text: 'Tram', isHit: true },
      { at: 4, text: ' 28.', isHit: false },
      { at: 8, text: 'JPG', isHit: true },
    ]);
  });

  test('merges adjacent marks', () => {
    expect(markTerms('aab', ['a', 'ab'])).toEqual([{ at: 0, text: 'aab', isHit: true }]);
  });

  test('preserves the name, for any terms', () => {
    assert(
      property(string(), array(string(), { maxLength: 3 }), (name, terms) => {
        const parts = markTerms(name, terms);
        expect(parts.map(({ text }) => text).join('')).toBe(name);
      }),
    );
  });
});
