/** Where to go after signing in when nothing else is asked for (docs/reference/behaviour.md §2). */
export const defaultRedirect = '/files/';

/**
 * The place within this application that a `redirect` parameter names. Everything that leads elsewhere, to another
 * origin or back to the login page, becomes the default.
 */
export function safeRedirect(wanted: string | null): string {
  // Backslashes and control characters are read differently by different parsers.
  if (wanted === null || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(wanted)) return defaultRedirect;
  let url: URL;
  try {
    url = new URL(wanted, window.location.origin);
  } catch {
    return defaultRedirect;
  }
  const isHere = url.origin === window.location.origin && !url.pathname.startsWith('//');
  if (!isHere || /^\/login\/?$/u.test(url.pathname)) return defaultRedirect;
  return `${url.pathname}${url.search}${url.hash}`;
}
