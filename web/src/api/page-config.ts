import type { PageConfig } from '@filestead/contract/page-config';

/** What a page that no server has filled in works with, such as under Vite's own server and in tests. */
const bareConfig: PageConfig = {
  AuthMethod: 'json',
  BaseURL: '',
  CSS: false,
  Color: '',
  DisableExternal: false,
  DisableUsedPercentage: false,
  EnableExec: false,
  EnableThumbs: false,
  HideLoginButton: false,
  LoginPage: true,
  LogoutPage: '/login',
  Name: '',
  NoAuth: false,
  ReCaptcha: false,
  ReportURL: '',
  ResizePreview: false,
  ShareDefaults: { duration: 0, unit: 'hours' },
  Signup: false,
  StaticURL: '/static',
  Theme: '',
  TusSettings: { chunkSize: 10 * 1024 * 1024, retryCount: 5 },
  Version: '',
};

/** The configuration in `text`; what is missing or unreadable takes its default. */
export function parsePageConfig(text: string | null | undefined): PageConfig {
  if (!text?.trim()) return bareConfig;
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null ? { ...bareConfig, ...parsed } : bareConfig;
}

/** What the server wrote into the page: `<script type="application/json" id="config">`. */
export const pageConfig: PageConfig = parsePageConfig(document.getElementById('config')?.textContent);

/** The administrator's name for this place, else the product's. */
export const productName: string = pageConfig.Name || 'Filestead';
