const listeners = new Set<() => void>();

/** Notifies the listeners that shares were created or deleted in this tab. */
export function announceShareChange(): void {
  for (const listener of listeners) listener();
}

/** Calls `listener` after shares were created or deleted in this tab, until the returned function is called. */
export function onShareChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
