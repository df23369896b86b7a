import { lazy, Suspense, useState, type ComponentType } from 'react';
import { loadTexts } from '../../i18n/i18n.ts';
import { isPhoneNow } from '../../ui/hooks/use-media-query.ts';
import { lazyPart, type LazyPart } from '../../ui/overlays/lazy-part.ts';
import { phonePart } from '../frame/phone-part.ts';

/** Fetches the bars of the mobile layout where they are shown. A failure is reported when they are rendered. */
export async function loadBars(): Promise<void> {
  if (isPhoneNow()) await phonePart.load().catch(() => undefined);
}

/** Users and visitors see different screens: each fetches only its own. */
export const filesPart = lazyPart(async () => {
  const [{ FilesPage }] = await Promise.all([import('../files/files-page.tsx'), loadBars()]);
  return FilesPage;
});
export const publicCode = () => import('./share-routes.tsx');
export const publicPart = lazyPart(async () => {
  const [{ PublicShareRoute }] = await Promise.all([publicCode(), loadTexts('shares')]);
  return PublicShareRoute;
});

export const FilesScreen = screenOf(filesPart);
export const PublicScreen = screenOf(publicPart);

/** Returns a component that renders a screen at once if it has been fetched, otherwise after fetching it. */
export function screenOf(part: LazyPart<ComponentType>): ComponentType {
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
