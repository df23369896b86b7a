import type { TFunction } from 'i18next';

const systems: readonly [string, RegExp][] = [
  ['iPhone', /\biPhone\b/u],
  ['iPad', /\biPad\b/u],
  ['Android', /\bAndroid\b/u],
  ['Windows', /\bWindows\b/u],
  ['ChromeOS', /\bCrOS\b/u],
  ['macOS', /\bMac OS X\b/u],
  ['Linux', /\bLinux\b/u],
];

/**
 * Returns the name of the program of a session. The server names the browsers that it knows, such as `Firefox 128,
 * Linux`, and sends the beginning of the user agent of others.
 */
export function programName(userAgent: string, t: TFunction<'sessions'>): string {
  if (userAgent === '') return t('unknownProgram');
  if (!userAgent.startsWith('Mozilla/')) return userAgent;
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return system === undefined ? t('unknownBrowser') : t('unknownBrowserOn', { system });
}
