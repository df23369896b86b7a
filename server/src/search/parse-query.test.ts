import { describe, expect, it } from 'vitest';
import { parseQuery } from './parse-query.ts';

const plain = { terms: [], isCaseSensitive: false, media: [], extensions: [] };

describe('the query language', () => {
  it.each<[string, Partial<ReturnType<typeof parseQuery>>]>([
    ['', {}],
    ['   ', {}],
    ['z a.t', { terms: ['z', 'a.t'] }],
    ['a  b', { terms: ['a', 'b'] }],
    ['"sp ace"', { terms: ['sp ace'] }],
    ['" "', { terms: [' '] }],
    ['""', {}],
    ['"', { terms: ['"'] }],
    ['"a" b', { terms: ['"a"', 'b'] }],
    ['type:image type:pdf', { media: ['image'], extensions: ['pdf'] }],
    ['type:music report', { media: ['audio'], terms: ['report'] }],
    ['type:video"two words"', { media: ['video'], terms: ['two words'] }],
    ['type:IMAGE', { extensions: ['IMAGE'] }],
    ['type:', { terms: ['type:'] }],
    ['type:tar.gz', { extensions: ['tar'], terms: ['.gz'] }],
    ['type:constructor', { extensions: ['constructor'] }],
    ['case:sensitive Foo', { isCaseSensitive: true, terms: ['Foo'] }],
    ['Foo case:insensitive', { terms: ['Foo'] }],
    ['case:insensitive case:sensitive', { isCaseSensitive: true }],
  ])('reads %j', (query, expected) => {
    expect(parseQuery(query)).toEqual({ ...plain, ...expected });
  });
});
