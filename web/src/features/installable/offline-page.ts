import { pageConfig, productName } from '../../api/page-config.ts';
import { i18n } from '../../i18n/i18n.ts';
import { cacheName, offlinePagePath } from './worker-names.ts';

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/gu, (character) => htmlEscapes[character] ?? '');

/** Copies of the colors and sizes in styles/tokens.css: nothing can be loaded while this page is shown. */
const style = `
:root { color-scheme: light dark; }
:root[data-theme='light'] { color-scheme: light; }
:root[data-theme='dark'] { color-scheme: dark; }
body { display: grid; place-items: center; min-block-size: 100dvh; margin: 0; padding: 24px; box-sizing: border-box;
  background: light-dark(#f5f3ee, #151412); color: light-dark(#1e1c19, #f0ede8);
  font: 400 1rem/1.5 system-ui, sans-serif; text-align: center; }
main { max-inline-size: 360px; }
svg { color: light-dark(#5f5a52, #aea89f); }
h1 { margin: 16px 0 8px; font: 650 1.25rem/1.75rem system-ui, sans-serif; }
p { margin: 0 0 24px; color: light-dark(#5f5a52, #aea89f); }
a { display: inline-flex; align-items: center; min-block-size: 44px; padding-inline: 24px; border-radius: 8px;
  background: light-dark(#1d5fd1, #8ab4ff); color: light-dark(#fff, #0b1a33); font-weight: 500; text-decoration: none; }
a:focus-visible { outline: 2px solid light-dark(#1d5fd1, #8ab4ff); outline-offset: 2px; }
@media (forced-colors: active) { a { border: 1px solid ButtonText; } }`;

/** Renders the page that is shown while the server cannot be reached, in the language and theme of this page. */
export function offlinePage(): string {
  const { lang, dir, dataset } = document.documentElement;
  const text = (key: 'title' | 'text' | 'retry') =>
    escapeHtml(i18n.t(`offline.${key}`, { ns: 'installable', name: productName }));
  const theme = dataset['theme'] === undefined ? '' : ` data-theme="${escapeHtml(dataset['theme'])}"`;
  return `<!doctype html>
<html lang="${escapeHtml(lang)}" dir="${escapeHtml(dir)}"${theme}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text('title')}</title>
<style>${style}</style>
</head>
<body>
<main>
<svg width="40" height="40" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 20h.01M8.5 16.43a5 5 0 0 1 7 0M5 12.86a10 10 0 0 1 5.17-2.7M19 12.86a10 10 0 0 0-2-1.5M2 8.82a15 15 0 0 1 4.18-2.65M22 8.82a15 15 0 0 0-11.29-3.76M2 2l20 20"/></svg>
<h1>${text('title')}</h1>
<p>${text('text')}</p>
<a href="">${text('retry')}</a>
</main>
</body>
</html>
`;
}

/** Stores {@link offlinePage} in the cache of the service worker. Without storage the worker has a plain page. */
export async function storeOfflinePage(): Promise<void> {
  const scope = `${pageConfig.BaseURL}/`;
  try {
    const cache = await caches.open(cacheName(scope, 'offline'));
    const headers = { 'Content-Type': 'text/html; charset=utf-8' };
    await cache.put(scope + offlinePagePath, new Response(offlinePage(), { headers }));
  } catch {
    // Storage is forbidden or full; the worker has a plain page.
  }
}
