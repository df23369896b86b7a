import { useEffect, useRef, useState } from 'react';

/** Controls are hidden after this time without a movement (docs/reference/behaviour.md §9). */
const idleAfterMs = 1500;
/** The shortest interval between two handled movements (docs/reference/behaviour.md §9). */
const throttleMs = 500;

/** Determines whether the controls are to be hidden, because neither pointer nor finger has moved for a while. */
export function useIdle(): { isIdle: boolean; showControls: () => void } {
  const [isIdle, setIsIdle] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const handledMs = useRef(0);
  const [showControls] = useState(() => () => {
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
    for (const name of events) window.addEventListener(name, showControls, options);
    showControls();
    return () => {
      for (const name of events) window.removeEventListener(name, showControls, options);
      clearTimeout(timer.current);
      handledMs.current = 0;
    };
  }, [showControls]);
  return { isIdle, showControls };
}
