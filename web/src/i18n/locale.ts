import { knownLocale, type LocaleCode } from '@filestead/contract/values/locales';

export type Direction = 'ltr' | 'rtl';

const rightToLeft: ReadonlySet<LocaleCode> = new Set(['ar', 'he']);

export function directionOf(locale: LocaleCode): Direction {
  return rightToLeft.has(locale) ? 'rtl' : 'ltr';
}

/** Returns the product's locale for one language tag of a browser (`de-AT`, `zh-Hant-HK`), or null if there is none. */
export function localeOfTag(tag: string): LocaleCode | null {
  const parts = tag.toLowerCase().split(/[-_]/u);
  const [language = '', ...rest] = parts;
  if (language === 'zh') {
    const isTraditional =
      rest.includes('hant') ||
      (!rest.includes('hans') && rest.some((part) => ['tw', 'hk', 'mo'].includes(part)));
    return isTraditional ? 'zh-tw' : 'zh-cn';
  }
  // Older systems use the former code 'iw' for Hebrew.
  const modern = language === 'iw' ? 'he' : language;
  return knownLocale(parts.join('-')) || knownLocale(modern) || null;
}

/**
 * Returns the locale to show: the user's own choice, else the first of the browser's languages, else English. Only
 * locales in `available` are chosen.
 */
export function chooseLocale(
  userLocale: string,
  browserLanguages: readonly string[],
  available: ReadonlySet<LocaleCode>,
): LocaleCode {
  const preferred = userLocale === '' ? browserLanguages : [userLocale, ...browserLanguages];
  for (const tag of preferred) {
    const locale = localeOfTag(tag);
    if (locale !== null && available.has(locale)) return locale;
  }
  return 'en';
}
