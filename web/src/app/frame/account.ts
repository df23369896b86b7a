import type { LocaleCode } from '@filestead/contract/values/locales';
import { useTranslation } from 'react-i18next';
import { pageConfig } from '../../api/page-config.ts';
import { signOut, updateOwnUser } from '../../features/sessions/session-store.ts';
import { mayLeave } from '../../features/uploads/leave-question.tsx';
import { uploadQueue } from '../../features/uploads/queue/page-queue.ts';
import { i18n, showLocale } from '../../i18n/i18n.ts';
import { languageOptions, type LanguageOption } from '../../i18n/language-options.ts';
import { themeChoices } from '../../styles/theme.ts';
import { navigateWhenAllowed } from '../../ui/navigation/block-navigation.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/** Where a browser goes after signing out, when that is not the login page of the product. */
const logoutAddress = addressAfterLogout(pageConfig.LogoutPage);

/**
 * Where the server signs everyone in by itself, nobody signs out (docs/reference/filebrowser-api.md §2.1), unless there is another place that
 * ends the session.
 */
export const canSignOut: boolean = !pageConfig.NoAuth && (pageConfig.LoginPage || logoutAddress !== null);

/** The address of a logout page that the administrator chose; null for the product's own. */
function addressAfterLogout(page: string): string | null {
  if (page === '' || page === '/login') return null;
  const base = new URL(`${pageConfig.BaseURL}/`, window.location.origin);
  const url = new URL(page.startsWith('/') ? `.${page}` : page, base);
  return ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}

/** Signs out, after a question where unsaved changes or uploads would be lost. */
export function leave(): void {
  navigateWhenAllowed(() => void signOutHere());
}

/** Says so when only this browser knows of it. */
async function signOutHere(): Promise<void> {
  if (!(await mayLeave(uploadQueue))) return;
  const isToldServer = await signOut();
  if (logoutAddress !== null) {
    window.location.assign(logoutAddress);
    return;
  }
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

/** The languages to choose from; none while there is only one. */
export function useLanguageOptions(): LanguageOption[] {
  const { t } = useTranslation('app');
  const languages = languageOptions();
  if (languages.length < 2) return [];
  return [{ value: '', label: t('frame.browserLanguage') }, ...languages];
}

export function useThemeOptions() {
  const { t } = useTranslation('app');
  return themeChoices.map((value) => ({ value, label: t(`frame.themes.${value}`) }));
}
