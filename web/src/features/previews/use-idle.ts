import { useEffect, useRef, useState } from 'react';

/** Controls are hidden after this time without a movement (docs/reference/behaviour.md §9). */
const idleAfterMs = 1500;
/** The shortest interval between two handled movements (docs/reference/behaviour.md §9). */
const throttleMs = 500;

/** Returns whether pointer and fingers have been still for a while. `wake` shows the controls again. */
export function useIdle(): { isIdle: boolean; wake: () => void } {
  const [isIdle, setIsIdle] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const handledMs = useRef(0);
  const [wake] = useState(() => () => {
    const nowMs = Date.now();
    setIsIdle(false);
    if (nowMs - handledMs.current < throttleMs) return;
    handledMs.current = nowMs;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsIdle(true), idleAfterMs);
  });
  useEffect(() => {
    const events = ['pointermove', 'pointerdown', 'touchmove'] as const;
    const options = { passive: true, capture: true };
    for (const name of events) window.addEventListener(name, wake, options);
    wake();
    return () => {
      for (const name of events) window.removeEventListener(name, wake, options);
      clearTimeout(timer.current);
      handledMs.current = 0;
    };
  }, [wake]);
  return { isIdle, wake };
}
