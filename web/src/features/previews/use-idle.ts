import { useEffect, useRef, useState } from 'react';

/** Navigation hides after this time without a movement (docs/reference/behaviour.md §9). */
const idleAfterMs = 1500;
/** Movements are looked at this often at most (docs/reference/behaviour.md §9). */
const lookIntervalMs = 500;

/** True when neither pointer nor finger has moved for a while. `wake` shows everything again. */
export function useIdle(): { isIdle: boolean; wake: () => void } {
  const [isIdle, setIsIdle] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const lookedMs = useRef(0);
  const [wake] = useState(() => () => {
    const nowMs = Date.now();
    setIsIdle(false);
    if (nowMs - lookedMs.current < lookIntervalMs) return;
    lookedMs.current = nowMs;
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
      lookedMs.current = 0;
    };
  }, [wake]);
  return { isIdle, wake };
}
