/** Searches that are kept, the last one first. */
const most = 8;

const keyOf = (userId: number): string => `filestead.searches.${userId}`;

/** What a user has searched for in this browser, the last one first. */
export function recentSearches(userId: number): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((query) => typeof query === 'string').slice(0, most) : [];
  } catch {
    return [];
  }
}

/** Puts a search before the others. Where the browser keeps nothing, nothing is kept. */
export function rememberSearch(userId: number, query: string): void {
  const wanted = query.trim();
  if (wanted === '') return;
  const kept = [wanted, ...recentSearches(userId).filter((other) => other !== wanted)].slice(0, most);
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(kept));
  } catch {
    // A full or forbidden store is no reason not to search.
  }
}

/** Forgets all of them. */
export function forgetSearches(userId: number): void {
  try {
    localStorage.removeItem(keyOf(userId));
  } catch {
    // There is nothing to forget where nothing can be kept.
  }
}
