import { lazy, Suspense, useState, type ComponentType } from 'react';
import { pageConfig } from '../../api/page-config.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { lazyPart, type LazyPart } from '../../ui/overlays/lazy-part.ts';

/** Users and visitors come to different screens: each fetches only its own. */
const filesPart = lazyPart(async () => (await import('../files/files-page.tsx')).FilesPage);
const publicCode = () => import('./share-routes.tsx');
const publicPart = lazyPart(async () => {
  const [{ PublicShareRoute }] = await Promise.all([publicCode(), loadTexts('shares')]);
  return PublicShareRoute;
});

export const FilesScreen = screenOf(filesPart);
export const PublicScreen = screenOf(publicPart);

/** A screen that is rendered at once when it has been fetched before, else when it has come. */
function screenOf(part: LazyPart<ComponentType>): ComponentType {
  const Later = lazy(async () => ({ default: await part.load() }));
  return function Screen() {
    // Chosen once: another component in its place would start anew.
    const [Page] = useState<ComponentType>(() => part.peek() ?? Later);
    return (
      <Suspense fallback={null}>
        <Page />
      </Suspense>
    );
  };
}

const pathBelowBase = (): string => window.location.pathname.slice(pageConfig.BaseURL.length);

/** Whether the browser is at a public page, which needs nobody to be signed in. */
export const isAtPublicPage = (): boolean => pathBelowBase().startsWith('/share/');

const isAtOtherScreen = (): boolean => /^\/(?:login|settings|403|404|500)(?:\/|$)/u.test(pathBelowBase());

/** Begins to fetch the code of the screen at the browser's address, while language and session are being found out. */
export function beginFirstScreen(): void {
  // A failure shows when the screen is rendered.
  (isAtPublicPage() ? publicCode() : filesPart.load()).catch(() => undefined);
}

/** Waits for the screen at the browser's address, so that it is rendered at once. Call it once the language is known. */
export async function finishFirstScreen(): Promise<void> {
  if (isAtOtherScreen()) return;
  await (isAtPublicPage() ? publicPart : filesPart).load().catch(() => undefined);
}
