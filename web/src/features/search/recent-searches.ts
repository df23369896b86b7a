/** Maximum number of remembered searches. */
const maxSearches = 8;

const storageKey = (userId: number): string => `filestead.searches.${userId}`;

/** Returns the latest searches of a user in this browser, the most recent first. */
export function recentSearches(userId: number): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(userId)) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((query) => typeof query === 'string').slice(0, maxSearches)
      : [];
  } catch {
    return [];
  }
}

/** Adds a search in front of the others, if the browser allows storage. */
export function storeSearch(userId: number, query: string): void {
  const trimmed = query.trim();
  if (trimmed === '') return;
  const stored = [trimmed, ...recentSearches(userId).filter((other) => other !== trimmed)].slice(
    0,
    maxSearches,
  );
  try {
    localStorage.setItem(storageKey(userId), JSON.stringify(stored));
  } catch {
    // Searching works without storage too.
  }
}

/** Deletes the searches of a user. */
export function forgetSearches(userId: number): void {
  try {
    localStorage.removeItem(storageKey(userId));
  } catch {
    // Without storage there is nothing to delete.
  }
}
