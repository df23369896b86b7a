import { expect, test } from 'vitest';
import { withBritishSpelling } from './british-spelling.ts';
import type { Texts } from './english-fallback.ts';
import { texts } from './locales/en/index.ts';

const valuesOf = (texts: Texts): string[] =>
  Object.values(texts).flatMap((value) => (typeof value === 'string' ? [value] : valuesOf(value)));

test('spells texts at any depth as in Great Britain, and no key', () => {
  expect(withBritishSpelling({ color: 'Color', more: { favorites: '{{number}} favorites' } })).toEqual({
    color: 'Colour',
    more: { favorites: '{{number}} favourites' },
  });
});

test('English texts contain no option of the command line, which has one spelling for all', () => {
  expect(valuesOf(texts).filter((text) => /--[a-z]/u.test(text))).toEqual([]);
});

test('English texts have American spelling, so that both kinds of spelling are consistent', () => {
  const british =
    /\b\w*(?:avourite|hequered|olour|gnise|imise|anise|centre|ancelled|licence|catalogue|grey)\w*/giu;
  expect([...valuesOf(texts).join('\n').matchAll(british)].map(([word]) => word)).toEqual([]);
});
