import { storedText, storeText } from '../../ui/browser-storage.ts';

/** The key of the last height of the favorites in local storage. */
const key = 'favoritesHeight';

/** Reserves the space of favorites that are not loaded yet: their height at the last visit, so that the tree does not move. */
export function FavoritesSpace() {
  const heightPx = Number(storedText(key) ?? 0) || 0;
  return heightPx > 0 && <div style={{ blockSize: `${heightPx}px` }} />;
}

/** Stores the height of the favorites for the next visit. */
export const rememberFavoritesHeight = (heightPx: number): void => storeText(key, String(heightPx));
