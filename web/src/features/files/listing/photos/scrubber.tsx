import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import type { WindowTracker } from '../rows/window-tracker.ts';
import { formatBubble, formatPeriod, scrubberMarks } from './photo-dates.ts';
import type { PhotoLayout } from './photo-layout.ts';
import styles from './photos.module.css';

export interface ScrubberProps {
  readonly layout: PhotoLayout;
  readonly tracker: WindowTracker;
  readonly scrollerRef: RefObject<HTMLElement | null>;
  readonly isPhone: boolean;
  readonly period: 'day' | 'month';
  /** The language of dates, so that the marks are rendered again when it changes. */
  readonly languageTag: string;
  /** Scrolls to a position of the content. */
  readonly onScrollTo: (virtualPx: number) => void;
}

/** The minimum distance between two marks, in px. */
const markDistancePx = 34;
/** The space at both ends of the scrubber, in px. */
const insetPx = 22;
/** The time for which the handle of phones stays after scrolling, in ms. */
const handleMs = 1_500;

/** A time line at the end edge. It shows the date of the visible photos and scrolls to any date. */
export function Scrubber(props: ScrubberProps) {
  const { layout, tracker, scrollerRef, isPhone, period, languageTag, onScrollTo } = props;
  const { t } = useTranslation('listing');
  const track = useRef<HTMLDivElement>(null);
  const [isDragging, setDragging] = useState(false);
  const [hoverPx, setHoverPx] = useState<number | null>(null);
  const { isScrolling, follow } = useScrolling(scrollerRef);
  const heightPx = Math.max(1, tracker.viewportPx - 2 * insetPx);
  const rangePx = Math.max(1, layout.heightPx - tracker.viewportPx);
  const scale = heightPx / layout.heightPx;
  const marks = useMemo(
    () => (isPhone ? [] : scrubberMarks(layout.groups, scale, markDistancePx)),
    // The texts of the marks are in the language of the page.
    // oxlint-disable-next-line react/exhaustive-deps
    [layout, scale, isPhone, languageTag],
  );
  const isNeeded = isPhone ? layout.heightPx > 3 * tracker.viewportPx : layout.hasScrubber;
  if (!isNeeded || layout.heightPx <= tracker.viewportPx) return null;
  const currentMs = layout.groupAt(tracker.virtualPx + 1)?.timeMs ?? layout.groups[0]?.timeMs ?? null;
  const fraction = Math.min(1, tracker.virtualPx / rangePx);
  const fractionAt = (clientY: number): number => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined) return 0;
    return Math.max(0, Math.min(1, (clientY - box.top - insetPx) / heightPx));
  };
  const scrollToFraction = (target: number): void => {
    onScrollTo(target * rangePx);
    follow();
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus({ preventScroll: true });
    setDragging(true);
    scrollToFraction(fractionAt(event.clientY));
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (isDragging) scrollToFraction(fractionAt(event.clientY));
    else if (event.pointerType === 'mouse') setHoverPx(fractionAt(event.clientY) * heightPx);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = keySteps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (step === 'first' || step === 'last') scrollToFraction(step === 'first' ? 0 : 1);
    else scrollToGroup(layout, tracker.virtualPx, step, onScrollTo);
    follow();
  };
  const bubbleMs =
    hoverPx === null || isDragging
      ? currentMs
      : (layout.groupAt((hoverPx / heightPx) * rangePx)?.timeMs ?? currentMs);
  const bubblePx = hoverPx === null || isDragging ? fraction * heightPx : hoverPx;
  return (
    <div
      ref={track}
      className={styles.scrubber}
      role="slider"
      tabIndex={0}
      aria-label={t('scrubber')}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(fraction * 100)}
      aria-valuetext={currentMs === null ? undefined : formatPeriod(currentMs, period)}
      data-phone={isPhone || undefined}
      data-shown={isScrolling || isDragging || undefined}
      data-dragging={isDragging || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
      onPointerLeave={() => setHoverPx(null)}
      onKeyDown={onKeyDown}
    >
      {marks.map(({ timeMs, text, topPx, isYear }) => (
        <span
          key={`${timeMs} ${text}`}
          className={styles.mark}
          data-year={isYear || undefined}
          style={{ insetBlockStart: `${insetPx + topPx * scale}px` }}
          aria-hidden="true"
        >
          {text}
        </span>
      ))}
      {bubbleMs !== null && (
        <span
          className={styles.bubble}
          // Moved without layout, because it follows every frame of scrolling.
          style={{ transform: `translateY(${insetPx + bubblePx}px)` }}
          aria-hidden="true"
        >
          {formatBubble(bubbleMs, isPhone ? 'month' : period)}
        </span>
      )}
    </div>
  );
}

/** Renders again with each frame of scrolling, and when `follow` is called. */
function useScrolling(scrollerRef: RefObject<HTMLElement | null>): {
  isScrolling: boolean;
  follow: () => void;
} {
  const [isScrolling, setScrolling] = useState(false);
  const [, follow] = useReducer((renders: number) => renders + 1, 0);
  useEffect(() => {
    const scroller = scrollerRef.current;
    if (scroller === null) return undefined;
    let frame: number | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = (): void => {
      frame ??= requestAnimationFrame(() => {
        frame = null;
        setScrolling(true);
        follow();
      });
      clearTimeout(timer);
      timer = setTimeout(() => setScrolling(false), handleMs);
    };
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      clearTimeout(timer);
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [scrollerRef]);
  return { isScrolling, follow };
}

/** The keys of the scrubber: to the next or previous date, or to the first or last. */
const keySteps: Readonly<Record<string, 1 | -1 | 10 | -10 | 'first' | 'last'>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
  PageDown: 10,
  PageUp: -10,
  Home: 'first',
  End: 'last',
};

/** Scrolls by a number of groups. */
function scrollToGroup(
  layout: PhotoLayout,
  virtualPx: number,
  step: number,
  onScrollTo: (virtualPx: number) => void,
): void {
  const { groups } = layout;
  const current = layout.groupAt(virtualPx + 1);
  const index = current === null ? -1 : groups.findIndex(({ position }) => position === current.position);
  const target = groups[Math.max(0, Math.min(groups.length - 1, index + step))];
  if (target !== undefined) onScrollTo(target.headTopPx);
}
