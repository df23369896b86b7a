import { useRef, type PointerEvent } from 'react';

/** The minimum distance, or the minimum speed over a shorter one, of a deliberate swipe. */
const closesAfterPx = 96;
const closesAtPxPerMs = 0.5;
const fastAfterPx = 24;

interface Swipe {
  startY: number;
  startedAtMs: number;
}

export interface SwipeDownOptions {
  isEnabled: boolean;
  /** The distance of the finger below its start, in px; 0 after it was lifted or moved back. */
  onMove: (distancePx: number) => void;
  onSwiped: () => void;
}

/** Handlers for the header of a bottom sheet: the sheet follows the finger and is closed by a swipe down. */
export function useSwipeDown({ isEnabled, onMove, onSwiped }: SwipeDownOptions) {
  const swipe = useRef<Swipe | null>(null);
  const cancel = () => {
    swipe.current = null;
    onMove(0);
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const isOnButton = event.target instanceof Element && event.target.closest('button') !== null;
      if (!isEnabled || event.pointerType === 'mouse' || isOnButton) return;
      swipe.current = { startY: event.clientY, startedAtMs: event.timeStamp };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (swipe.current) onMove(Math.max(0, event.clientY - swipe.current.startY));
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!swipe.current) return;
      const distance = event.clientY - swipe.current.startY;
      const speed = distance / Math.max(1, event.timeStamp - swipe.current.startedAtMs);
      swipe.current = null;
      if (distance > closesAfterPx || (distance > fastAfterPx && speed > closesAtPxPerMs)) onSwiped();
      else onMove(0);
    },
    onPointerCancel: cancel,
  };
}
