/** The place of the height that the favourites had in the sidebar, in local storage. */
const key = 'favoritesHeight';

/** The place of the favourites before they have arrived: as high as at the last visit, so that the tree does not move. */
export function FavoritesSpace() {
  const heightPx = Number(localStorage.getItem(key) ?? 0) || 0;
  return heightPx > 0 && <div style={{ blockSize: `${heightPx}px` }} />;
}

/** Remembers the height of the favourites for the next visit. */
export const rememberFavoritesHeight = (heightPx: number): void =>
  localStorage.setItem(key, String(heightPx));
