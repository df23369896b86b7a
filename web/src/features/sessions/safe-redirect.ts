/** The page after signing in unless another was requested (docs/reference/behaviour.md §2). */
export const defaultRedirect = '/files/';

/**
 * Returns the address within this application that a `redirect` parameter contains. Addresses of other origins and of
 * the login page are replaced by the default.
 */
export function safeRedirect(requested: string | null): string {
  // Parsers disagree about backslashes and control characters.
  if (requested === null || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(requested)) return defaultRedirect;
  let url: URL;
  try {
    url = new URL(requested, window.location.origin);
  } catch {
    return defaultRedirect;
  }
  const isOwnOrigin = url.origin === window.location.origin && !url.pathname.startsWith('//');
  if (!isOwnOrigin || /^\/login\/?$/u.test(url.pathname)) return defaultRedirect;
  return `${url.pathname}${url.search}${url.hash}`;
}
