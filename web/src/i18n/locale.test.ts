import { describe, expect, test } from 'vitest';
import { locales, type LocaleCode } from '@filestead/contract/values/locales';
import { languageTagOf } from './language-tag.ts';
import { chooseLocale, directionOf, localeOfTag } from './locale.ts';

const all: ReadonlySet<LocaleCode> = new Set(locales);

describe('localeOfTag', () => {
  test.each([
    ['de-AT', 'de'],
    ['EN_us', 'en'],
    ['pt-BR', 'pt-br'],
    ['pt-AO', 'pt'],
    ['pt-PT', 'pt'],
    ['zh', 'zh-cn'],
    ['zh-Hans-SG', 'zh-cn'],
    ['zh-Hans-TW', 'zh-cn'],
    ['zh-HK', 'zh-tw'],
    ['zh-Hant', 'zh-tw'],
    ['uk-UA', 'ua'],
    ['ua', 'ua'],
    ['sv', 'sv-se'],
    ['sv-FI', 'sv-se'],
    ['nl-NL', 'nl-be'],
    ['iw-IL', 'he'],
    ['ar-EG', 'ar'],
  ])('maps %s to %s', (tag, locale) => {
    expect(localeOfTag(tag)).toBe(locale);
  });

  test.each(['', 'xx', 'eo', 'constructor', '__proto__'])('returns null for %j', (tag) => {
    expect(localeOfTag(tag)).toBeNull();
  });
});

describe('chooseLocale', () => {
  test("prefers the user's own locale to the browser's languages", () => {
    expect(chooseLocale('he', ['de', 'en'], all)).toBe('he');
  });
  test("chooses the browser's first available language unless the user has chosen one", () => {
    expect(chooseLocale('', ['eo', 'fr-CA', 'de'], all)).toBe('fr');
  });
  test('skips a locale without texts', () => {
    expect(chooseLocale('ja', ['ko', 'de-CH'], new Set(['en', 'de']))).toBe('de');
  });
  test('chooses English if nothing matches', () => {
    expect(chooseLocale('', [], all)).toBe('en');
    expect(chooseLocale('', ['eo'], all)).toBe('en');
  });
});

test('has a language tag that Intl accepts for every locale', () => {
  for (const locale of locales) {
    const tag = languageTagOf(locale);
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
    expect(Intl.PluralRules.supportedLocalesOf(tag)).toEqual([tag]);
  }
});

test('writes only Arabic and Hebrew from right to left', () => {
  expect(locales.filter((locale) => directionOf(locale) === 'rtl')).toEqual(['he', 'ar']);
});
