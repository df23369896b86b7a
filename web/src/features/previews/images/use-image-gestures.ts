import { doubleTapMs } from '@filestead/contract/values/limits';
import { useEffect, useRef, type PointerEvent } from 'react';
import {
  cycleZoom,
  displayedSize,
  panBy,
  pinchBy,
  pinchOf,
  zoomBy,
  zoomTo,
  type ImageView,
  type Point,
  type Stage,
} from './zoom.ts';

/** A touch that moves less than this is a tap, in CSS pixels. */
const tapSlopPx = 10;
/** A touch that moves sideways at least this far turns the page, in CSS pixels. */
const swipePx = 60;
/** Wheel movement that makes one step, in CSS pixels; a mouse sends 100 to 120 at once, a touch pad a few at a time. */
const wheelStepPx = 80;
/** A line of a wheel that counts in lines, in CSS pixels. */
const wheelLinePx = 40;

interface Gestures {
  stage: Stage;
  view: ImageView;
  onView: (view: ImageView) => void;
  /** A finger swept over the fitted image: `left` or `right` as it moved. */
  onSwipe: (towards: 'left' | 'right') => void;
}

interface Touch {
  readonly point: Point;
  readonly start: Point;
}

/** Wheel, drag, pinch, swipe, double click and double tap on the element that the returned props are given to. */
export function useImageGestures(element: HTMLElement | null, gestures: Gestures) {
  const current = useRef(gestures);
  useEffect(() => {
    current.current = gestures;
  });
  const touches = useRef(new Map<number, Touch>());
  const lastTap = useRef<{ atMs: number; point: Point } | null>(null);
  const wasPinched = useRef(false);
  const isMouse = useRef(true);

  /** A position on the screen, measured from the middle of the stage. */
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = element?.getBoundingClientRect() ?? { left: 0, top: 0, width: 0, height: 0 };
    return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
  };

  useEffect(() => {
    if (!element) return undefined;
    let left = 0;
    // React listens to the wheel passively, and then the page would scroll or zoom as a whole.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { stage, view, onView } = current.current;
      const box = element.getBoundingClientRect();
      const about = {
        x: event.clientX - box.left - box.width / 2,
        y: event.clientY - box.top - box.height / 2,
      };
      const deltaPx =
        event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * wheelLinePx;
      if (event.ctrlKey && Math.abs(deltaPx) < wheelStepPx / 2) {
        // Two fingers on a touch pad arrive as a finely stepped wheel with Ctrl.
        onView(zoomTo(view, view.scale * Math.exp(-deltaPx / 100), about, stage));
        return;
      }
      left += deltaPx;
      if (Math.abs(left) < wheelStepPx) return;
      onView(zoomBy(view, left < 0 ? 1 : -1, about, stage));
      left = 0;
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [element]);

  const onPointerDown = (event: PointerEvent) => {
    isMouse.current = event.pointerType === 'mouse';
    if (event.button !== 0) return;
    const point = pointOf(event);
    touches.current.set(event.pointerId, { point, start: point });
    if (touches.current.size > 1) wasPinched.current = true;
    else wasPinched.current = false;
    element?.setPointerCapture(event.pointerId);
  };

  const onPointerMove = (event: PointerEvent) => {
    const touch = touches.current.get(event.pointerId);
    if (!touch) return;
    const point = pointOf(event);
    const { stage, view, onView } = current.current;
    const [other] = [...touches.current].filter(([id]) => id !== event.pointerId).map(([, value]) => value);
    touches.current.set(event.pointerId, { ...touch, point });
    if (other) onView(pinchBy(view, pinchOf(touch.point, other.point), pinchOf(point, other.point), stage));
    else onView(panBy(view, { x: point.x - touch.point.x, y: point.y - touch.point.y }, stage));
  };

  const onPointerUp = (event: PointerEvent) => {
    const touch = touches.current.get(event.pointerId);
    touches.current.delete(event.pointerId);
    if (!touch || wasPinched.current || event.pointerType === 'mouse') return;
    const moved = { x: touch.point.x - touch.start.x, y: touch.point.y - touch.start.y };
    const { stage, view, onView, onSwipe } = current.current;
    if (Math.hypot(moved.x, moved.y) < tapSlopPx) {
      const before = lastTap.current;
      const isSecond =
        before !== null &&
        event.timeStamp - before.atMs < doubleTapMs &&
        Math.hypot(before.point.x - touch.point.x, before.point.y - touch.point.y) < 4 * tapSlopPx;
      lastTap.current = isSecond ? null : { atMs: event.timeStamp, point: touch.point };
      if (isSecond) onView(cycleZoom(view, touch.point, stage));
      return;
    }
    const isFitted = displayedSize(stage).width * view.scale <= stage.frame.width + 1;
    if (isFitted && Math.abs(moved.x) > swipePx && Math.abs(moved.x) > 2 * Math.abs(moved.y)) {
      onSwipe(moved.x < 0 ? 'left' : 'right');
    }
  };

  const onPointerCancel = (event: PointerEvent) => {
    touches.current.delete(event.pointerId);
  };

  const onDoubleClick = (event: { clientX: number; clientY: number }) => {
    // Two taps have been followed above; browsers report them as a double click too.
    if (!isMouse.current) return;
    const { stage, view, onView } = current.current;
    onView(cycleZoom(view, pointOf(event), stage));
  };

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onDoubleClick };
}
