/** The object that the server puts into the page, with the names that existing front ends read (existing API §2.1). */
export interface PageConfig {
  AuthMethod: 'json' | 'proxy' | 'hook' | 'noauth';
  /** `''` or `/prefix`, without a trailing slash. */
  BaseURL: string;
  CSS: boolean;
  Color: string;
  DisableExternal: boolean;
  EnableExec: boolean;
  EnableThumbs: boolean;
  LoginPage: boolean;
  /** Empty when the administrator has chosen none. */
  Name: string;
  NoAuth: boolean;
  ReCaptcha: boolean;
  ResizePreview: boolean;
  Signup: boolean;
  StaticURL: string;
  Theme: '' | 'light' | 'dark';
  Version: string;
}
