import type { LocaleCode } from '@filestead/contract/locales';
import { availableLocales } from './i18n.ts';
import { languageTagOf } from './locale.ts';

export interface LanguageOption {
  value: string;
  label: string;
  /** The language of the label itself. */
  lang?: string;
}

/** What a language calls itself. */
const ownName = (locale: LocaleCode): string => {
  const tag = languageTagOf(locale);
  return new Intl.DisplayNames([tag], { type: 'language' }).of(locale === 'en' ? 'en' : tag) ?? tag;
};

/** The languages that can be shown, each by the name that its speakers give it. */
export const languageOptions = (): LanguageOption[] =>
  [...availableLocales()].map((locale) => ({
    value: locale,
    label: ownName(locale),
    lang: languageTagOf(locale),
  }));
