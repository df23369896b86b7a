/**
 * Waits until what other processes have changed in the database is known here. Called before every request, so that a user
 * whom the command line removes is refused by the next one.
 */
export type ReadExternalChanges = () => Promise<void>;

/** `wasChanged` says once that there is something new, `refresh` reads it. A refresh that fails is tried again. */
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
