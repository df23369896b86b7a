import type { PageConfig } from '@filestead/contract/page-config';
import type { GlobalSettings } from '../../access/global-settings.ts';
import { type SignInMethod, hasLoginPage } from '../../config/auth-method.ts';
import { captchaService } from '../../config/captcha-service.ts';
import type { Config } from '../../config/config.ts';
import { searchesContents } from '../../contents/open-contents.ts';
import { version } from '../../version.ts';

/** The page shown after signing out unless the administrator chose another. */
const signInPage = '/login';

/** The captcha part of the page configuration; empty without a captcha. */
function captchaConfigOf({ recaptcha }: SignInMethod): Partial<PageConfig> {
  if (recaptcha === null) return {};
  const { host, key } = recaptcha;
  return { ReCaptchaHost: host, ReCaptchaKey: key, ReCaptchaScript: captchaService(host).scriptUrl };
}

/**
 * The configuration that the page passes to the web application. `CSS`, whether there is a custom stylesheet,
 * is set when the page is sent.
 */
export function pageConfigOf({ current }: GlobalSettings, config: Config, signIn: SignInMethod): PageConfig {
  const { baseUrl, hasCatalogue, isExecEnabled, keepsDeleted, makesThumbnails, makesBigPictures } = config;
  const { branding } = current;
  return {
    AuthMethod: signIn.method,
    BaseURL: baseUrl,
    CSS: false,
    Color: branding.color,
    DisableExternal: branding.disableExternal,
    DisableUsedPercentage: branding.disableUsedPercentage,
    EnableCatalogue: hasCatalogue,
    EnableContents: searchesContents(config),
    EnableExec: isExecEnabled,
    EnableThumbs: makesThumbnails,
    EnableTrash: keepsDeleted,
    HideLoginButton: current.hideLoginButton,
    LoginPage: hasLoginPage(signIn),
    LogoutPage: signIn.logoutPage === '' ? signInPage : signIn.logoutPage,
    Name: branding.name,
    NoAuth: signIn.method === 'noauth',
    ReCaptcha: signIn.recaptcha !== null,
    ...captchaConfigOf(signIn),
    ReportURL: branding.disableExternal ? '' : branding.reportURL,
    ResizePreview: makesBigPictures,
    ShareDefaults: current.shareDefaults,
    Signup: current.signup && signIn.method === 'json',
    StaticURL: `${baseUrl}/static`,
    Theme: branding.theme,
    TrashDays: current.trashDays,
    TusSettings: current.tus,
    Version: version,
  };
}
