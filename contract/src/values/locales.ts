/** The locales of the docs/reference/behaviour.md §9; an empty text means the browser's language. */
export const locales = [
  'he',
  'ar',
  'de',
  'en',
  'es',
  'fr',
  'is',
  'it',
  'ja',
  'ko',
  'nl-be',
  'pl',
  'pt',
  'pt-br',
  'ro',
  'ru',
  'sk',
  'sv-se',
  'tr',
  'ua',
  'zh-cn',
  'zh-tw',
] as const satisfies readonly string[];
export type LocaleCode = (typeof locales)[number];

/** Standard codes that are accepted for the product's own ones above. */
export const localeAliases: Readonly<Record<string, LocaleCode>> = {
  uk: 'ua',
  sv: 'sv-se',
  nl: 'nl-be',
  'pt-pt': 'pt',
};

/** The locale a stored or sent code means, or null when it means none. The empty text stays empty. */
export function knownLocale(code: string): LocaleCode | '' | null {
  const lower = code.toLowerCase();
  if (lower === '') return '';
  const alias = Object.hasOwn(localeAliases, lower) ? localeAliases[lower] : undefined;
  return alias ?? locales.find((locale) => locale === lower) ?? null;
}
