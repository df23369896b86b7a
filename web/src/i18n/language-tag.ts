import type { LocaleCode } from '@filestead/contract/values/locales';

/** The BCP 47 tags of locales whose code in this product is not a tag that `Intl` understands as intended. */
const languageTags: Readonly<Partial<Record<LocaleCode, string>>> = {
  // For dates and times such as "12 Nov" and "14:02".
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
