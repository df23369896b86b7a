/** The storage key of the token, which existing front ends use too (docs/reference/behaviour.md §4). */
const storageKey = 'jwt';

/** Used only if storage is forbidden; then each tab signs in separately. */
let tokenInMemory: string | null = null;
const listeners = new Set<() => void>();

/** Returns the token of the session, or null. Read from storage each time, because another tab may have changed it. */
export function currentToken(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return tokenInMemory;
  }
}

/** Stores the token for further calls, or removes it. */
export function storeToken(token: string | null): void {
  tokenInMemory = token;
  try {
    if (token === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, token);
  } catch {
    // Storage is forbidden or full.
  }
  for (const listener of listeners) listener();
}

/** Calls `listener` whenever the token changes, in this tab or in another one. */
export function subscribeToToken(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (event.key === storageKey || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}
