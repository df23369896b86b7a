import type { LocaleCode } from '@filestead/contract/values/locales';

/** The BCP 47 tags of locales whose code in this product is not a tag that `Intl` understands as intended. */
const languageTags: Readonly<Partial<Record<LocaleCode, string>>> = {
  // For browsers that name no region; see {@link regionalTagOf}.
  en: 'en-GB',
  'nl-be': 'nl-BE',
  // Without a country, browsers format numbers and dates as in Brazil.
  pt: 'pt-PT',
  'pt-br': 'pt-BR',
  'sv-se': 'sv-SE',
  ua: 'uk',
  'zh-cn': 'zh-CN',
  'zh-tw': 'zh-TW',
};

/** Returns the BCP 47 tag of a locale, for `Intl` and the `lang` attribute. */
export function languageTagOf(locale: LocaleCode): string {
  return languageTags[locale] ?? locale;
}

/**
 * Returns the BCP 47 tag by which dates, times and numbers of a locale are formatted. English follows the region of the browser:
 * "Nov 12" and "2:02 PM" in the United States, "12 Nov" and "14:02" in Great Britain.
 */
export const regionalTagOf = (locale: LocaleCode, browserLanguages = navigator.languages): string =>
  (locale === 'en' && browserLanguages.find((tag) => /^en-[a-z]{2}$/iu.test(tag))) || languageTagOf(locale);

/** Whether English is spelled as in Great Britain where a tag is used: everywhere but in the United States and the Philippines. */
export const hasBritishSpelling = (tag: string): boolean => !/^en-(?:US|PH)$/iu.test(tag);
