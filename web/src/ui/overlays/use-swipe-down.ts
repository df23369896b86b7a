import { useRef, type PointerEvent } from 'react';

/** Far enough, or fast enough over a short way, that it was meant. */
const closesAfterPx = 96;
const closesAtPxPerMs = 0.5;
const fastAfterPx = 24;

interface Swipe {
  startY: number;
  startedAtMs: number;
}

export interface SwipeDownOptions {
  isEnabled: boolean;
  /** The finger is this many px below where it began; 0 when it was lifted or turned back. */
  onMove: (distancePx: number) => void;
  onSwiped: () => void;
}

/** Handlers for the head of a bottom sheet: the sheet follows a finger and is closed by a swipe down. */
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
