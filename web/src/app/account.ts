import type { LocaleCode } from '@filestead/contract/locales';
import { useTranslation } from 'react-i18next';
import { pageConfig } from '../api/page-config.ts';
import { signOut, updateOwnUser } from '../features/sessions/session-store.ts';
import { availableLocales, i18n, showLocale } from '../i18n/i18n.ts';
import { languageTagOf } from '../i18n/locale.ts';
import { themeChoices } from '../styles/theme.ts';
import { showToast } from '../ui/toast.ts';

/** Where the server signs everyone in by itself, nobody signs out (existing API §2.1). */
export const canSignOut: boolean = !pageConfig.NoAuth && pageConfig.LoginPage;

/** Signs out, and says so when only this browser knows of it. */
export async function leave(): Promise<void> {
  const isToldServer = await signOut();
  if (!isToldServer) showToast({ tone: 'error', message: i18n.t('frame.signedOutHereOnly', { ns: 'app' }) });
}

/** Stores the user's language and shows it. The empty text leaves it to the browser. */
export async function chooseLanguage(locale: string): Promise<void> {
  try {
    await showLocale(locale);
    await updateOwnUser({ locale: locale as LocaleCode | '' });
  } catch {
    showToast({ tone: 'error', message: i18n.t('frame.languageNotSaved', { ns: 'app' }) });
  }
}

/** What a language calls itself. */
const ownName = (locale: LocaleCode): string => {
  const tag = languageTagOf(locale);
  return new Intl.DisplayNames([tag], { type: 'language' }).of(locale === 'en' ? 'en' : tag) ?? tag;
};

/** The languages to choose from; none while there is only one. */
export function useLanguageOptions(): { value: string; label: string; lang?: string }[] {
  const { t } = useTranslation('app');
  const locales = [...availableLocales()];
  if (locales.length < 2) return [];
  return [
    { value: '', label: t('frame.browserLanguage') },
    ...locales.map((locale) => ({ value: locale, label: ownName(locale), lang: languageTagOf(locale) })),
  ];
}

export function useThemeOptions() {
  const { t } = useTranslation('app');
  return themeChoices.map((value) => ({ value, label: t(`frame.themes.${value}`) }));
}
