/** Where the token lies, for existing front ends too (docs/reference/behaviour.md §4). */
const storageKey = 'jwt';

/** Only used while storage is forbidden; then each tab signs in for itself. */
let tokenInMemory: string | null = null;
const listeners = new Set<() => void>();

/** The token that calls are signed with, or null. Read anew each time: another tab may have changed it a moment ago. */
export function currentToken(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return tokenInMemory;
  }
}

/** Signs further calls with `token`, or with none. */
export function keepToken(token: string | null): void {
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
    // A null key: everything was cleared.
    if (event.key === storageKey || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}
