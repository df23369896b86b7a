import { useTranslation } from './use-translation.ts';
import type { LocaleCode } from '@filestead/contract/values/locales';
import { currentDirection, currentLanguageTag, currentLocale } from './i18n.ts';
import type { Direction } from './locale.ts';

/** Returns the locale of the page; the component renders again when it changes. */
export function useLocale(): { locale: LocaleCode; languageTag: string; direction: Direction } {
  useTranslation();
  return { locale: currentLocale(), languageTag: currentLanguageTag(), direction: currentDirection() };
}
