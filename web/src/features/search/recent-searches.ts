import { storedJson, storeJson } from '../../ui/browser-storage.ts';

/** Maximum number of remembered searches. */
const maxSearches = 8;

const storageKey = (userId: number): string => `filestead.searches.${userId}`;

/** Returns the latest searches of a user in this browser, the most recent first. */
export function recentSearches(userId: number): readonly string[] {
  const stored = storedJson(storageKey(userId));
  return Array.isArray(stored)
    ? stored.filter((query) => typeof query === 'string').slice(0, maxSearches)
    : [];
}

const write = (userId: number, queries: readonly string[]): void =>
  storeJson(storageKey(userId), queries.slice(0, maxSearches));

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
