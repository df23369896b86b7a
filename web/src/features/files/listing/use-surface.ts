import { type RefObject, useLayoutEffect, useRef } from 'react';
import { lazyPart } from '../../../ui/overlays/lazy-part.ts';
import { attachAnnouncer } from './announcer.ts';
import { attachDrag } from './dragging/drag.ts';
import { attachKeys } from './attach-keys.ts';
import { attachLinks } from './links.ts';
import type { ListingProps } from './listing-options.ts';
import { attachMarquee } from './dragging/attach-marquee.ts';
import { attachPointer } from './pointer.ts';
import type { ScrollPace } from './dragging/scroll-pace.ts';
import { attachSelectionMarks } from './selection-marks.ts';
import { ListingSurface } from './surface.ts';
import { attachTooltips } from './tooltips.ts';
import type { RowWindowState } from './rows/use-row-window.ts';

interface SurfaceParts {
  readonly props: ListingProps;
  readonly rows: RowWindowState;
  readonly pace: ScrollPace;
  readonly scrollerRef: RefObject<HTMLDivElement | null>;
  readonly onPointerKind: (kind: string) => void;
  readonly startRename: (id: number) => void;
}

const pullToRefresh = lazyPart(() => import('./dragging/pull-to-refresh.ts'));

/** Attaches the gestures of touch screens, whose code is fetched only where there is one. */
function attachTouch(surface: ListingSurface): () => void {
  if (navigator.maxTouchPoints === 0) return () => undefined;
  // Without the gesture the listing works; the next visit tries again.
  pullToRefresh.load().catch(() => undefined);
  return pullToRefresh.whenLoaded(({ attachPullToRefresh }) => attachPullToRefresh(surface));
}

/**
 * Attaches the interactions to the elements once; they read the latest properties. Returns the ref of the root
 * element and sets `surfaceRef`.
 */
export function useSurface(
  surfaceRef: RefObject<ListingSurface | null>,
  { props, rows, pace, scrollerRef, onPointerKind, startRename }: SurfaceParts,
): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef({ props, geometry: rows.geometry });
  useLayoutEffect(() => {
    latest.current = { props, geometry: rows.geometry };
  });
  const { tracker, anchor, showWindow } = rows;

  useLayoutEffect(() => {
    const rootElement = root.current;
    const scroller = scrollerRef.current;
    const layer = (name: string): HTMLElement | null =>
      rootElement?.querySelector<HTMLElement>(`:scope > [data-layer="${name}"]`) ?? null;
    const marquee = layer('marquee');
    const live = layer('live');
    const pull = layer('pull');
    if (!rootElement || !scroller || !marquee || !live || !pull) return undefined;
    const surface = new ListingSurface({
      elements: { root: rootElement, scroller, marquee, live, pull },
      props: () => latest.current.props,
      geometry: () => latest.current.geometry,
      tracker,
      anchor,
      pace,
      showWindow,
      startRename,
    });
    surfaceRef.current = surface;
    const follow = (): void => surface.follow();
    scroller.addEventListener('scroll', follow, { passive: true });
    const detach = [
      attachPointer(surface, onPointerKind),
      attachKeys(surface),
      attachMarquee(surface),
      attachDrag(surface),
      attachTouch(surface),
      attachAnnouncer(surface),
      attachSelectionMarks(surface),
      attachTooltips(rootElement),
      attachLinks(surface),
    ];
    return () => {
      scroller.removeEventListener('scroll', follow);
      surface.stop();
      for (const stop of detach) stop();
      surfaceRef.current = null;
    };
  }, [surfaceRef, scrollerRef, tracker, anchor, pace, showWindow, startRename, onPointerKind]);

  useLayoutEffect(() => {
    // The focus of a removed entry moves to the one that took its position.
    surfaceRef.current?.keepFocus();
    surfaceRef.current?.fillWindow();
  });
  return root;
}
