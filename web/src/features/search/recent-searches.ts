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

function write(userId: number, queries: readonly string[]): void {
  try {
    localStorage.setItem(storageKey(userId), JSON.stringify(queries.slice(0, maxSearches)));
  } catch {
    // Searching works without storage too.
  }
}

/** Adds a search in front of the others, if the browser allows storage. */
export function storeSearch(userId: number, query: string): void {
  const trimmed = query.trim();
  if (trimmed === '') return;
  write(userId, [trimmed, ...recentSearches(userId).filter((other) => other !== trimmed)]);
}

/** Deletes one search of a user. */
export function forgetSearch(userId: number, query: string): void {
  write(
    userId,
    recentSearches(userId).filter((other) => other !== query),
  );
}
