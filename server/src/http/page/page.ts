import { createHash } from 'node:crypto';
import type { PageConfig } from '@filestead/contract/page-config';

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, also inside quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => htmlEscapes[character] ?? '');

/** JSON that is safe inside a script element: it cannot end the element or start a comment. */
const scriptJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

/** A page with a content security policy that allows exactly its own inline scripts. */
export interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** Returns the hash sources of the inline scripts that a browser would run. */
function scriptHashes(html: string): string[] {
  const hashes: string[] = [];
  for (const [, attributes = '', text = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)) {
    if (/\bsrc\s*=/.test(attributes) || text === '' || /type="application\/json"/.test(attributes)) continue;
    hashes.push(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  }
  return hashes;
}

/**
 * Builds the content security policy. `captcha` contains the origins of a captcha; no other external origin
 * is allowed.
 */
function policyOf(html: string, captcha: readonly string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes(html), ...captcha].join(' '),
    // The editor and positioned elements set styles at run time.
    ["style-src 'self' 'unsafe-inline'", ...captcha].join(' '),
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...captcha].join(' '),
    ["frame-src 'self' blob:", ...captcha].join(' '),
    "worker-src 'self' blob:",
    "manifest-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Global object that existing front ends and administrators' own scripts read
 * (docs/reference/filebrowser-api.md §2.1).
 */
const configScript =
  "<script>window.FileBrowser=JSON.parse(document.getElementById('config').textContent)</script>";

/** Links to icons and manifest; the files come from the build or the branding folder. */
function headLinks({ BaseURL, StaticURL }: PageConfig): string {
  const icons = `${escapeHtml(StaticURL)}/img/icons`;
  return (
    `<link rel="icon" sizes="32x32" href="${icons}/favicon.ico">` +
    `<link rel="apple-touch-icon" href="${icons}/apple-touch-icon.png">` +
    `<link rel="manifest" href="${escapeHtml(BaseURL)}/manifest.webmanifest">`
  );
}

/**
 * Inserts base URL, name, color, the administrator's stylesheet and the configuration into the built page.
 */
export function renderPage(built: string, config: PageConfig, captchaOrigins: readonly string[] = []): Page {
  const script = `<script type="application/json" id="config">${scriptJson(config)}</script>${configScript}`;
  let html = built.replaceAll(/\b(src|href)="\.\//g, `$1="${escapeHtml(config.BaseURL)}/`);
  if (config.Name !== '') {
    html = html.replace(/<title>[^<]*<\/title>/i, () => `<title>${escapeHtml(config.Name)}</title>`);
  }
  if (config.Color !== '') {
    const color = `content="${escapeHtml(config.Color)}"`;
    html = html.replaceAll(/<meta name="theme-color"[^>]*>/gi, (meta) =>
      meta.replace(/\bcontent="[^"]*"/i, () => color),
    );
  }
  if (config.CSS) {
    // After the application's own stylesheet, so that it overrides it.
    const link = `<link rel="stylesheet" href="${escapeHtml(config.StaticURL)}/custom.css">`;
    html = html.replace(/<\/body>/i, (end) => `${link}${end}`);
  }
  html = html.replace(/<\/head>/i, (end) => `${headLinks(config)}${end}`);
  // Before everything else, so that the configuration exists when the first script runs.
  html = html.replace(/<head\b[^>]*>/i, (head) => `${head}${script}`);
  return { html, contentSecurityPolicy: policyOf(html, captchaOrigins) };
}
