import type { LocaleCode } from '@filestead/contract/values/locales';
import { availableLocales } from './i18n.ts';
import { languageTagOf } from './language-tag.ts';

export interface LanguageOption {
  value: string;
  label: string;
  /** The language of the label. */
  lang?: string;
}

/** Chromium knows the names of languages in most languages, but not in Icelandic (`Intl.DisplayNames`). */
const unknownToBrowsers: Partial<Record<LocaleCode, string>> = { is: 'íslenska' };

/** Returns the name of a language in that language. */
const ownName = (locale: LocaleCode): string => {
  const override = unknownToBrowsers[locale];
  if (override !== undefined) return override;
  const tag = languageTagOf(locale);
  return new Intl.DisplayNames([tag], { type: 'language' }).of(locale === 'en' ? 'en' : tag) ?? tag;
};

/** Returns the available languages, each with its name in that language. */
export const languageOptions = (): LanguageOption[] =>
  [...availableLocales()].map((locale) => ({
    value: locale,
    label: ownName(locale),
    lang: languageTagOf(locale),
  }));
