import type { PageConfig } from '@filestead/contract/page-config';

/** The configuration of a page that no server has filled in, such as that of Vite's development server and in tests. */
const bareConfig: PageConfig = {
  AuthMethod: 'json',
  BaseURL: '',
  CSS: false,
  Color: '',
  DisableExternal: false,
  DisableUsedPercentage: false,
  EnableCatalogue: false,
  EnableContents: false,
  EnableExec: false,
  EnableThumbs: false,
  EnableTrash: false,
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
  TrashDays: 30,
  TusSettings: { chunkSize: 10 * 1024 * 1024, retryCount: 5 },
  Version: '',
};

/** Parses the configuration in `text`; missing or invalid values get their defaults. */
export function parsePageConfig(text: string | null | undefined): PageConfig {
  if (!text?.trim()) return bareConfig;
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null ? { ...bareConfig, ...parsed } : bareConfig;
}

/** The configuration that the server wrote into the page: `<script type="application/json" id="config">`. */
export const pageConfig: PageConfig = parsePageConfig(document.getElementById('config')?.textContent);

/** The name of this installation as set by the administrator, else that of the product. */
export const productName: string = pageConfig.Name || 'Filestead';
