/** Where the token of a protected link lies until the tab is closed; the password itself is kept nowhere. */
const storageKey = (hash: string): string => `filestead.share.${hash}`;

/** For browsers that forbid storage: until the page is left. */
const inMemory = new Map<string, string>();

/** The token that has opened a link in this tab before. */
export function keptToken(hash: string): string | undefined {
  try {
    return sessionStorage.getItem(storageKey(hash)) ?? inMemory.get(hash);
  } catch {
    return inMemory.get(hash);
  }
}

/** Keeps the token of a link, or forgets it. */
export function keepShareToken(hash: string, token: string | undefined): void {
  if (token === undefined) inMemory.delete(hash);
  else inMemory.set(hash, token);
  try {
    if (token === undefined) sessionStorage.removeItem(storageKey(hash));
    else sessionStorage.setItem(storageKey(hash), token);
  } catch {
    // Storage is forbidden or full.
  }
}
