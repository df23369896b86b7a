import { useRef, type TouchEvent } from 'react';

/** A horizontal movement of at least this distance is a swipe, in CSS pixels. */
const swipePx = 60;

/** Whether the target handles horizontal movements itself. */
const handlesSwipes = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('video, audio, iframe, input, table, pre, [role="region"], [data-gestures]') !== null;

/** Detects horizontal swipes with one finger over the element; reports the direction in which the finger moved. */
export function useSidewaysSwipe(onSwipe: ((direction: 'left' | 'right') => void) | undefined) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const first = touches[0];
      start.current =
        first && touches.length === 1 && !handlesSwipes(target)
          ? { x: first.clientX, y: first.clientY }
          : null;
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
