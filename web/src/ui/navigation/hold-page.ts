/** What somebody is filling in, in dialogs that would go with the page. */
const keepers = new Set<symbol>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Says that the page holds something that should outlast the end of a session. Returns the way to take it back. */
export function holdPage(): () => void {
  const keeper = Symbol('keeper');
  keepers.add(keeper);
  tell();
  return () => {
    if (keepers.delete(keeper)) tell();
  };
}

/** Whether something on the page would be lost with it. */
export const isPageHeld = (): boolean => keepers.size > 0;

/** Calls `listener` whenever {@link isPageHeld} may have changed. Returns the way to stop. */
export function subscribeToPageHold(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
