import { useRef, type TouchEvent } from 'react';

/** The direction in which a finger moved. */
export type SwipeDirection = 'left' | 'right' | 'down';

/** A horizontal movement of at least this distance is a swipe, in CSS pixels. */
const sidewaysPx = 60;
/** A downward movement of at least this distance is a swipe, in CSS pixels: it is longer, because it closes the file. */
const downPx = 100;

/** Returns the direction of a movement that is long and straight enough; null for any other. */
export function swipeOf({ x, y }: { readonly x: number; readonly y: number }): SwipeDirection | null {
  if (Math.abs(x) > sidewaysPx && Math.abs(x) > 2 * Math.abs(y)) return x < 0 ? 'left' : 'right';
  return y > downPx && y > 2 * Math.abs(x) ? 'down' : null;
}

/** Whether the target handles movements itself. */
const handlesSwipes = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('video, audio, iframe, input, table, pre, [role="region"], [data-gestures]') !== null;

/** Whether a downward movement scrolls the target, or an element around it below `root`. */
function scrollsDown(target: EventTarget | null, root: Element): boolean {
  for (let at = target instanceof Element ? target : null; at && at !== root; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight && getComputedStyle(at).overflowY !== 'visible') return true;
  }
  return false;
}

/** Detects swipes with one finger over the element: sideways ones, and downward ones where nothing scrolls. */
export function useSwipe(onSwipe: ((direction: SwipeDirection) => void) | undefined) {
  const start = useRef<{ x: number; y: number; canClose: boolean } | null>(null);
  return {
    onTouchStart: ({ touches, target, currentTarget }: TouchEvent) => {
      const first = touches[0];
      start.current =
        first && touches.length === 1 && !handlesSwipes(target)
          ? { x: first.clientX, y: first.clientY, canClose: !scrollsDown(target, currentTarget) }
          : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const last = changedTouches[0];
      const from = start.current;
      start.current = null;
      if (!last || !from || !onSwipe) return;
      const direction = swipeOf({ x: last.clientX - from.x, y: last.clientY - from.y });
      if (direction !== null && (direction !== 'down' || from.canClose)) onSwipe(direction);
    },
  };
}
