import { useEffect, useState } from 'react';
import { blockNavigation } from './block-navigation.ts';

/** A blocked navigation that waits for the user's decision. */
export interface PendingNavigation {
  /** Continues the navigation. */
  proceed: () => void;
  cancel: () => void;
}

/**
 * Blocks navigation while `isGuarded`: links and calls within the app, back and forward, and (with the browser's own
 * prompt) closing or reloading the page. Returns the blocked navigation, for a dialog to resolve.
 */
export function useLeaveGuard(isGuarded: boolean): PendingNavigation | null {
  const [pending, setPending] = useState<PendingNavigation | null>(null);
  useEffect(() => {
    if (!isGuarded) return undefined;
    const release = blockNavigation((proceed) => {
      setPending({
        proceed: () => {
          setPending(null);
          release();
          proceed();
        },
        cancel: () => setPending(null),
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
