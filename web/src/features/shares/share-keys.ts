/** The session storage key of the token of a protected share; the password itself is never stored. */
const storageKey = (hash: string): string => `filestead.share.${hash}`;

/** If storage is forbidden: until the page is left. */
const inMemory = new Map<string, string>();

/** Returns the stored token of a share in this tab. */
export function storedShareToken(hash: string): string | undefined {
  try {
    return sessionStorage.getItem(storageKey(hash)) ?? inMemory.get(hash);
  } catch {
    return inMemory.get(hash);
  }
}

/** Stores the token of a share, or removes it. */
export function storeShareToken(hash: string, token: string | undefined): void {
  if (token === undefined) inMemory.delete(hash);
  else inMemory.set(hash, token);
  try {
    if (token === undefined) sessionStorage.removeItem(storageKey(hash));
    else sessionStorage.setItem(storageKey(hash), token);
  } catch {
    // Storage is forbidden or full.
  }
}
