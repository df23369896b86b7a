/** The texts of one namespace: nested objects whose leaves are strings. */
export type Texts = { [key: string]: string | Texts };

/** The suffix that i18next adds to a key for each plural category. */
export const pluralSuffix = /_(?:zero|one|two|few|many|other)$/u;

/** `files.count_one` → `files.count` */
export const withoutPlural = (key: string): string => key.replace(pluralSuffix, '');

/**
 * Returns the texts of a language, with the English text wherever one is missing. A text with plural forms gets every
 * plural form of the language, because i18next looks for those only; a category that English does not have uses its
 * `other` form. `languageTag` is a BCP 47 tag.
 */
export function withEnglishFallback(texts: Texts, english: Texts, languageTag: string): Texts {
  const { pluralCategories } = new Intl.PluralRules(languageTag).resolvedOptions();
  const merged: Texts = { ...texts };
  for (const [key, value] of Object.entries(english)) {
    if (typeof value !== 'string') {
      const translated = texts[key];
      merged[key] = withEnglishFallback(typeof translated === 'object' ? translated : {}, value, languageTag);
    } else if (pluralSuffix.test(key)) {
      const base = withoutPlural(key);
      for (const category of pluralCategories) {
        const form = `${base}_${category}`;
        const fallback = english[form] ?? english[`${base}_other`] ?? value;
        merged[form] ??= fallback;
      }
    } else merged[key] ??= value;
  }
  return merged;
}
