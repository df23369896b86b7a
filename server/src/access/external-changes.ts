/**
 * Resolves after changes that other processes made to the database have been read. Called before every
 * request, so that a user removed on the command line is refused by the next request.
 */
export type ReadExternalChanges = () => Promise<void>;

/**
 * Opens the check for external changes. `wasChanged` returns true once per change, `refresh` reads the new
 * state. A refresh that fails is retried at the next call.
 */
export function openExternalChanges(parts: {
  wasChanged: () => boolean;
  refresh: () => Promise<void>;
}): ReadExternalChanges {
  let isStale = false;
  let running: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    try {
      while (isStale) {
        isStale = false;
        await parts.refresh();
      }
    } catch (error) {
      isStale = true;
      throw error;
    } finally {
      running = undefined;
    }
  };
  return async () => {
    if (parts.wasChanged()) isStale = true;
    if (isStale) running ??= refresh();
    if (running !== undefined) await running;
  };
}
