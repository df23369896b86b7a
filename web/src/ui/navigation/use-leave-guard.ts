import { useEffect, useState } from 'react';
import { blockNavigation } from './block-navigation.ts';

/** A way out of the page that waits for an answer. */
export interface PendingLeave {
  /** Goes where the user wanted to go. */
  leave: () => void;
  stay: () => void;
}

/**
 * Holds every way of leaving while `isGuarded`: links and calls within the app, back and forward, and (with the
 * browser's own question) closing or reloading the page. Returns the held one, for a dialog to decide.
 */
export function useLeaveGuard(isGuarded: boolean): PendingLeave | null {
  const [pending, setPending] = useState<PendingLeave | null>(null);
  useEffect(() => {
    if (!isGuarded) return undefined;
    const release = blockNavigation((proceed) => {
      setPending({
        leave: () => {
          setPending(null);
          release();
          proceed();
        },
        stay: () => setPending(null),
      });
    });
    const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => {
      release();
      window.removeEventListener('beforeunload', onBeforeUnload);
    };
  }, [isGuarded]);

  return pending;
}
