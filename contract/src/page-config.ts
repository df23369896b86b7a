import type { ShareUnit } from './shares.ts';

/**
 * The configuration that the server writes into the page, with the property names that existing front ends read
 * (docs/reference/filebrowser-api.md §2.1).
 */
export interface PageConfig {
  AuthMethod: 'json' | 'proxy' | 'hook' | 'noauth';
  /** `''` or `/prefix`, without a trailing slash. */
  BaseURL: string;
  CSS: boolean;
  Color: string;
  DisableExternal: boolean;
  DisableUsedPercentage: boolean;
  /** Whether the server keeps a catalogue of names and sizes, for ranked search and folder sizes. */
  EnableCatalogue: boolean;
  /** Whether the text of documents can be searched. */
  EnableContents: boolean;
  EnableExec: boolean;
  EnableThumbs: boolean;
  /** Whether deleted entries are kept in the trash. */
  EnableTrash: boolean;
  /** Whether the sign-in link is hidden from visitors of a share. */
  HideLoginButton: boolean;
  /** False if signing in needs no input: the application signs in by itself with empty fields. */
  LoginPage: boolean;
  /** The address to which the browser goes after signing out: a path below the base URL, or an absolute URL. */
  LogoutPage: string;
  /** Empty if the administrator has set none. */
  Name: string;
  NoAuth: boolean;
  ReCaptcha: boolean;
  /** Like the next two, present only if a captcha is configured. */
  ReCaptchaHost?: string;
  /** The site key of the captcha. */
  ReCaptchaKey?: string;
  /** The script that defines `grecaptcha`; also for services other than reCAPTCHA. */
  ReCaptchaScript?: string;
  /**
   * The address at which users report problems (`https:`, `http:` or `mailto:`); empty if the administrator has set no address or has
   * disabled external links.
   */
  ReportURL: string;
  ResizePreview: boolean;
  /** The default duration of a new share, in `unit`; 0 means permanent. */
  ShareDefaults: { duration: number; unit: ShareUnit };
  Signup: boolean;
  StaticURL: string;
  Theme: '' | 'light' | 'dark';
  /** The number of days for which deleted entries are kept; 0: without a limit. */
  TrashDays: number;
  /** The chunk size of resumable uploads in bytes, and how often a chunk is retried. */
  TusSettings: { chunkSize: number; retryCount: number };
  Version: string;
}
