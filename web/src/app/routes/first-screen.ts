import { pageConfig } from '../../api/page-config.ts';
import { currentSession } from '../../features/sessions/session-store.ts';
import { homeCode, homePart } from './app-routes.tsx';
import { filesPart, loadBars, publicCode, publicPart } from './screens.tsx';
import { otherPlaces, startAddress } from './start-address.tsx';

const pathBelowBase = (): string => window.location.pathname.slice(pageConfig.BaseURL.length);

/** Whether the browser is at a public page, which needs no sign-in. */
export const isAtPublicPage = (): boolean => pathBelowBase().startsWith('/share/');

/** The addresses of screens that are fetched when they are rendered, and that of Home. */
const otherScreen = new RegExp(`^/(?:${otherPlaces}|login|settings|you|403|404|500)(?:/|$)`, 'u');

/** Starts to fetch the code of the screen at the browser's address while language and session are being determined. */
export function preloadFirstScreen(): void {
  const load = isAtPublicPage() ? publicCode : pathBelowBase() === '/home' ? homeCode : filesPart.load;
  // A failure is reported when the screen is rendered.
  load().catch(() => undefined);
}

/**
 * Waits for the screen at the browser's address, so that it is rendered at once. Call it once the language is known.
 */
export async function firstScreenLoaded(): Promise<void> {
  const { user } = currentSession();
  const path = pathBelowBase();
  const start = user && (path.length < 2 ? startAddress(user) : path);
  if (start !== '/home' && otherScreen.test(path)) return loadBars();
  const part = isAtPublicPage() ? publicPart : start === '/home' ? homePart : filesPart;
  await part.load().catch(() => undefined);
}
