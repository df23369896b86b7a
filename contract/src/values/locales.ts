/** The locales of docs/reference/behaviour.md §9; an empty string means the browser's language. */
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

/** Standard language tags that are accepted for the product's own locale codes. */
export const localeAliases: Readonly<Record<string, LocaleCode>> = {
  uk: 'ua',
  sv: 'sv-se',
  nl: 'nl-be',
  'pt-pt': 'pt',
};

/** Returns the locale for a stored or received code, or null for an unknown one. The empty string stays empty. */
export function knownLocale(code: string): LocaleCode | '' | null {
  const lower = code.toLowerCase();
  if (lower === '') return '';
  const alias = Object.hasOwn(localeAliases, lower) ? localeAliases[lower] : undefined;
  return alias ?? locales.find((locale) => locale === lower) ?? null;
}
