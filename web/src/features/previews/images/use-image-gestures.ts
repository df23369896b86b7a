import { doubleTapMs } from '@filestead/contract/values/limits';
import { useEffect, useRef, type PointerEvent } from 'react';
import { type SwipeDirection, swipeOf } from './use-swipe.ts';
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
/**
 * The wheel movement of one zoom step, in CSS pixels. A mouse sends 100 to 120 at once, a touch pad a few at a time.
 */
const wheelStepPx = 80;
/** The height of a line for wheels that report lines, in CSS pixels. */
const wheelLinePx = 40;

interface Gestures {
  stage: Stage;
  view: ImageView;
  onView: (view: ImageView) => void;
  /** Called after a swipe over the fitted image, with the direction in which the finger moved. */
  onSwipe: (direction: SwipeDirection) => void;
}

interface Touch {
  readonly point: Point;
  readonly start: Point;
}

/** Converts a position on the screen to an offset from the center of the stage, which is `element`. */
function stagePoint(
  element: HTMLElement | null,
  { clientX, clientY }: { clientX: number; clientY: number },
): Point {
  const box = element?.getBoundingClientRect() ?? { left: 0, top: 0, width: 0, height: 0 };
  return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
}

/** Handles wheel, drag, pinch, swipe, double click and double tap on the element that gets the returned props. */
export function useImageGestures(element: HTMLElement | null, gestures: Gestures) {
  const latest = useRef(gestures);
  useEffect(() => {
    latest.current = gestures;
  });
  const touches = useRef(new Map<number, Touch>());
  const lastTap = useRef<{ atMs: number; point: Point } | null>(null);
  const wasPinched = useRef(false);
  const isMouse = useRef(true);

  useEffect(() => {
    if (!element) return undefined;
    let remainingPx = 0;
    // React's wheel listeners are passive and cannot keep the page from scrolling or zooming.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { stage, view, onView } = latest.current;
      const about = stagePoint(element, event);
      const deltaPx =
        event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * wheelLinePx;
      if (event.ctrlKey && Math.abs(deltaPx) < wheelStepPx / 2) {
        // Browsers report a pinch on a touch pad as small wheel steps with Ctrl.
        onView(zoomTo(view, view.scale * Math.exp(-deltaPx / 100), about, stage));
        return;
      }
      remainingPx += deltaPx;
      if (Math.abs(remainingPx) < wheelStepPx) return;
      onView(zoomBy(view, remainingPx < 0 ? 1 : -1, about, stage));
      remainingPx = 0;
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [element]);

  const onPointerDown = (event: PointerEvent) => {
    isMouse.current = event.pointerType === 'mouse';
    if (event.button !== 0) return;
    const point = stagePoint(element, event);
    touches.current.set(event.pointerId, { point, start: point });
    wasPinched.current = touches.current.size > 1;
    element?.setPointerCapture(event.pointerId);
  };

  const onPointerMove = (event: PointerEvent) => {
    const touch = touches.current.get(event.pointerId);
    if (!touch) return;
    const point = stagePoint(element, event);
    const { stage, view, onView } = latest.current;
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
    const { stage, view, onView, onSwipe } = latest.current;
    if (Math.hypot(moved.x, moved.y) < tapSlopPx) {
      const previousTap = lastTap.current;
      const isSecond =
        previousTap !== null &&
        event.timeStamp - previousTap.atMs < doubleTapMs &&
        Math.hypot(previousTap.point.x - touch.point.x, previousTap.point.y - touch.point.y) < 4 * tapSlopPx;
      lastTap.current = isSecond ? null : { atMs: event.timeStamp, point: touch.point };
      if (isSecond) onView(cycleZoom(view, touch.point, stage));
      return;
    }
    const isFitted = displayedSize(stage).width * view.scale <= stage.frame.width + 1;
    const direction = isFitted ? swipeOf(moved) : null;
    if (direction !== null) onSwipe(direction);
  };

  const onPointerCancel = (event: PointerEvent) => {
    touches.current.delete(event.pointerId);
  };

  const onDoubleClick = (event: { clientX: number; clientY: number }) => {
    // A double tap is handled in `onPointerUp`; browsers report it as a double click too.
    if (!isMouse.current) return;
    const { stage, view, onView } = latest.current;
    onView(cycleZoom(view, stagePoint(element, event), stage));
  };

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onDoubleClick };
}
