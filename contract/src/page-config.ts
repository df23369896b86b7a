import type { ShareUnit } from './shares.ts';

/** The object that the server puts into the page, with the names that existing front ends read (docs/reference/filebrowser-api.md §2.1). */
export interface PageConfig {
  AuthMethod: 'json' | 'proxy' | 'hook' | 'noauth';
  /** `''` or `/prefix`, without a trailing slash. */
  BaseURL: string;
  CSS: boolean;
  Color: string;
  DisableExternal: boolean;
  DisableUsedPercentage: boolean;
  EnableExec: boolean;
  EnableThumbs: boolean;
  /** Whether visitors of a shared link are not offered to sign in. */
  HideLoginButton: boolean;
  /** False when nobody types anything to sign in: the application does it by itself, with empty fields. */
  LoginPage: boolean;
  /** Where a browser goes after signing out: a path below the base URL, or an address of the web. */
  LogoutPage: string;
  /** Empty when the administrator has chosen none. */
  Name: string;
  NoAuth: boolean;
  ReCaptcha: boolean;
  /** This and the next two only when there is a captcha. */
  ReCaptchaHost?: string;
  /** What the captcha is shown with. */
  ReCaptchaKey?: string;
  /** The script that makes `grecaptcha`; also for services other than reCAPTCHA. */
  ReCaptchaScript?: string;
  /**
   * Where users report problems (`https:`, `http:` or `mailto:`); empty when the administrator has named no address or has
   * disabled external links.
   */
  ReportURL: string;
  ResizePreview: boolean;
  /** The duration that is filled in for a new link, in `unit`; 0 is permanent. */
  ShareDefaults: { duration: number; unit: ShareUnit };
  Signup: boolean;
  StaticURL: string;
  Theme: '' | 'light' | 'dark';
  /** How resumable uploads are cut: the part that is sent at once in bytes, and how often it is repeated. */
  TusSettings: { chunkSize: number; retryCount: number };
  Version: string;
}
