import { useRef, type TouchEvent } from 'react';

/** A finger that moves sideways at least this far turns the page, in CSS pixels. */
const swipePx = 60;

/** Parts that use a sideways movement themselves. */
const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('video, audio, iframe, input, table, pre, [role="region"], [data-gestures]') !== null;

/** One finger that sweeps over the element: `left` or `right` as it moved. */
export function useSidewaysSwipe(onSwipe: ((towards: 'left' | 'right') => void) | undefined) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const first = touches[0];
      start.current =
        first && touches.length === 1 && !isTaken(target) ? { x: first.clientX, y: first.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const last = changedTouches[0];
      const from = start.current;
      start.current = null;
      if (!last || !from || !onSwipe) return;
      const x = last.clientX - from.x;
      if (Math.abs(x) > swipePx && Math.abs(x) > 2 * Math.abs(last.clientY - from.y))
        onSwipe(x < 0 ? 'left' : 'right');
    },
  };
}
