import { useRef, type PointerEvent, type RefObject } from 'react';

/** Far enough, or fast enough over a short way, that it was meant. */
const closesAfterPx = 96;
const closesAtPxPerMs = 0.5;
const fastAfterPx = 24;

interface Swipe {
  startY: number;
  startedAtMs: number;
}

/** Handlers for the head of a bottom sheet: the sheet follows a finger and is closed by a swipe down. */
export function useSwipeDown(sheet: RefObject<HTMLElement | null>, isEnabled: boolean, onClose: () => void) {
  const swipe = useRef<Swipe | null>(null);
  const moveTo = (distance: number) => {
    if (sheet.current) sheet.current.style.translate = distance > 0 ? `0 ${distance}px` : '';
  };
  const cancel = () => {
    swipe.current = null;
    moveTo(0);
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const isOnButton = event.target instanceof Element && event.target.closest('button') !== null;
      if (!isEnabled || event.pointerType === 'mouse' || isOnButton) return;
      swipe.current = { startY: event.clientY, startedAtMs: event.timeStamp };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (swipe.current) moveTo(event.clientY - swipe.current.startY);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!swipe.current) return;
      const distance = event.clientY - swipe.current.startY;
      const speed = distance / Math.max(1, event.timeStamp - swipe.current.startedAtMs);
      swipe.current = null;
      if (distance > closesAfterPx || (distance > fastAfterPx && speed > closesAtPxPerMs)) onClose();
      else moveTo(0);
    },
    onPointerCancel: cancel,
  };
}
