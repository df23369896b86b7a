import { array, assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasType, markTerms, termsOf, toggleType } from './search-query.ts';

describe('types', () => {
  test('are put before what is typed, and taken out again', () => {
    expect(toggleType('tram', 'image')).toBe('type:image tram');
    expect(toggleType('type:image tram', 'pdf')).toBe('type:pdf type:image tram');
    expect(toggleType('type:pdf type:image tram', 'pdf')).toBe('type:image tram');
    expect(toggleType('', 'video')).toBe('type:video ');
  });

  test('music is audio', () => {
    expect(hasType('type:music', 'audio')).toBe(true);
    expect(toggleType('type:music song', 'audio')).toBe('song');
  });

  test('a word that only contains the same letters is none', () => {
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
])('terms of %j', (query, terms) => {
  expect(termsOf(query)).toEqual(terms);
});

describe('marks', () => {
  test('stand where a term is, whatever its case', () => {
    expect(markTerms('Tram 28.JPG', ['tram', 'jpg'])).toEqual([
      { at: 0, text: 'Tram', isHit: true },
      { at: 4, text: ' 28.', isHit: false },
      { at: 8, text: 'JPG', isHit: true },
    ]);
  });

  test('that touch are one', () => {
    expect(markTerms('aab', ['a', 'ab'])).toEqual([{ at: 0, text: 'aab', isHit: true }]);
  });

  test('never change the name', () => {
    assert(
      property(string(), array(string(), { maxLength: 3 }), (name, terms) => {
        const parts = markTerms(name, terms);
        expect(parts.map(({ text }) => text).join('')).toBe(name);
      }),
    );
  });
});
