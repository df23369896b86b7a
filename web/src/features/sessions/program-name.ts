import { operatingSystemOf } from '@filestead/contract/values/operating-systems';
import type { TFunction } from 'i18next';

/**
 * Returns the name of the program of a session. The server names the browsers that it knows, such as `Firefox 128,
 * Linux`, and sends the beginning of the user agent of others.
 */
export function programName(userAgent: string, t: TFunction<'sessions'>): string {
  if (userAgent === '') return t('unknownProgram');
  if (!userAgent.startsWith('Mozilla/')) return userAgent;
  const system = operatingSystemOf(userAgent);
  return system === null ? t('unknownBrowser') : t('unknownBrowserOn', { system });
}
