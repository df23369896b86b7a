/** The dialogs with input that would be lost with the page. */
const keepers = new Set<symbol>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/**
 * Marks the page as containing something that must survive the end of a session. Returns the function that removes the
 * mark.
 */
export function holdPage(): () => void {
  const keeper = Symbol('keeper');
  keepers.add(keeper);
  tell();
  return () => {
    if (keepers.delete(keeper)) tell();
  };
}

/** Whether the page contains something that would be lost with it. */
export const isPageHeld = (): boolean => keepers.size > 0;

/** Calls `listener` whenever {@link isPageHeld} may have changed. Returns the function that unsubscribes. */
export function subscribeToPageHold(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
