import { lazy, Suspense, useState, type ComponentType } from 'react';
import { pageConfig } from '../../api/page-config.ts';
import { currentSession } from '../../features/sessions/session-store.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { isPhoneNow } from '../../ui/hooks/use-media-query.ts';
import { lazyPart, type LazyPart } from '../../ui/overlays/lazy-part.ts';
import { phonePart } from '../frame/phone-part.ts';
import { otherPlaces, startAddress } from './start-address.tsx';

/** Fetches the bars of the mobile layout where they are shown. A failure is reported when they are rendered. */
async function loadBars(): Promise<void> {
  if (isPhoneNow()) await phonePart.load().catch(() => undefined);
}

/** Users and visitors see different screens: each fetches only its own. */
const filesPart = lazyPart(async () => {
  const [{ FilesPage }] = await Promise.all([import('../files/files-page.tsx'), loadBars()]);
  return FilesPage;
});
const publicCode = () => import('./share-routes.tsx');
const publicPart = lazyPart(async () => {
  const [{ PublicShareRoute }] = await Promise.all([publicCode(), loadTexts('shares')]);
  return PublicShareRoute;
});

export const FilesScreen = screenOf(filesPart);
export const PublicScreen = screenOf(publicPart);

/** Returns a component that renders a screen at once if it has been fetched, otherwise after fetching it. */
function screenOf(part: LazyPart<ComponentType>): ComponentType {
  const LazyScreen = lazy(async () => ({ default: await part.load() }));
  return function Screen() {
    // Chosen once: replacing the component would reset its state.
    const [Page] = useState<ComponentType>(() => part.peek() ?? LazyScreen);
    return (
      <Suspense fallback={null}>
        <Page />
      </Suspense>
    );
  };
}

const pathBelowBase = (): string => window.location.pathname.slice(pageConfig.BaseURL.length);

/** Whether the browser is at a public page, which needs no sign-in. */
export const isAtPublicPage = (): boolean => pathBelowBase().startsWith('/share/');

const otherScreen = new RegExp(`^/(?:${otherPlaces}|login|settings|you|403|404|500)(?:/|$)`, 'u');
const isAtOtherScreen = (): boolean => otherScreen.test(pathBelowBase());

/** Starts to fetch the code of the screen at the browser's address while language and session are being determined. */
export function preloadFirstScreen(): void {
  // A failure is reported when the screen is rendered.
  (isAtPublicPage() ? publicCode() : filesPart.load()).catch(() => undefined);
}

/**
 * Waits for the screen at the browser's address, so that it is rendered at once. Call it once the language is known.
 */
export async function firstScreenLoaded(): Promise<void> {
  const { user } = currentSession();
  const isAtStart = /^\/?$/u.test(pathBelowBase());
  if (isAtOtherScreen() || (isAtStart && user !== null && startAddress(user) === '/home')) return loadBars();
  await (isAtPublicPage() ? publicPart : filesPart).load().catch(() => undefined);
}
