/** One symbol per call of {@link holdPage} that is not released. */
const holds = new Set<symbol>();
const listeners = new Set<() => void>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/**
 * Keeps the page when the session ends, because it contains input that would be lost. Returns the function that releases
 * the hold.
 */
export function holdPage(): () => void {
  const hold = Symbol('page hold');
  holds.add(hold);
  notifyListeners();
  return () => {
    if (holds.delete(hold)) notifyListeners();
  };
}

/** Whether the page is kept when the session ends. */
export const isPageHeld = (): boolean => holds.size > 0;

/** Calls `listener` whenever {@link isPageHeld} may have changed. Returns the function that unsubscribes. */
export function subscribeToPageHold(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
