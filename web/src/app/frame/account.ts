import type { LocaleCode } from '@filestead/contract/values/locales';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pageConfig } from '../../api/page-config.ts';
import { signOut, updateOwnUser } from '../../features/sessions/session-store.ts';
import { uploadCode } from '../files/upload-code.ts';
import { i18n, showLocale } from '../../i18n/i18n.ts';
import { languageOptions, type LanguageOption } from '../../i18n/language-options.ts';
import { themeChoices } from '../../styles/theme.ts';
import { navigateWhenAllowed } from '../../ui/navigation/block-navigation.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/** The page to open after signing out, if it is not the product's login page. */
const logoutAddress = addressAfterLogout(pageConfig.LogoutPage);

/**
 * Signing out is not offered if the server signs users in by itself (docs/reference/filebrowser-api.md §2.1), unless a
 * logout page ends that session.
 */
export const canSignOut: boolean = !pageConfig.NoAuth && (pageConfig.LoginPage || logoutAddress !== null);

/** Returns the address of a logout page that the administrator set; null for the product's own. */
function addressAfterLogout(page: string): string | null {
  if (page === '' || page === '/login') return null;
  const base = new URL(`${pageConfig.BaseURL}/`, window.location.origin);
  const url = new URL(page.startsWith('/') ? `.${page}` : page, base);
  return ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}

/** Signs out, after a prompt if unsaved changes or uploads would be lost. */
export function requestSignOut(): void {
  navigateWhenAllowed(() => void signOutHere());
}

/** Signs out and notifies the user if the server could not be reached. */
async function signOutHere(): Promise<void> {
  const uploads = uploadCode.peek();
  if (uploads !== null && !(await uploads.confirmSignOut(uploads.uploadQueue))) return;
  const isServerNotified = await signOut();
  if (logoutAddress !== null) {
    window.location.assign(logoutAddress);
    return;
  }
  if (!isServerNotified)
    showToast({ tone: 'error', message: i18n.t('frame.signedOutHereOnly', { ns: 'app' }) });
}

/** Stores the user's language and shows it. The empty string means the browser's language. */
export async function chooseLanguage(locale: string): Promise<void> {
  try {
    await showLocale(locale);
    await updateOwnUser({ locale: locale as LocaleCode | '' });
  } catch {
    showToast({ tone: 'error', message: i18n.t('frame.languageNotSaved', { ns: 'app' }) });
  }
}

/** Returns the available languages; none if there is only one. */
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
