import { type RefObject, useLayoutEffect, useRef } from 'react';
import { attachAnnouncer } from './announcer.ts';
import { attachDrag } from './dragging/drag.ts';
import { attachKeys } from './attach-keys.ts';
import type { ListingProps } from './listing-options.ts';
import { attachMarquee } from './dragging/marquee.ts';
import { attachPointer } from './pointer.ts';
import { attachPull } from './dragging/pull.ts';
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

/**
 * Joins the interactions to the page once; they read what was rendered last. Returns the ref of the whole area and puts
 * the surface into `surfaceRef`.
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
  const { tracker, place, showWindow } = rows;

  useLayoutEffect(() => {
    const area = root.current;
    const scrolling = scrollerRef.current;
    const layer = (name: string): HTMLElement | null =>
      area?.querySelector<HTMLElement>(`:scope > [data-layer="${name}"]`) ?? null;
    const marquee = layer('marquee');
    const pill = layer('pill');
    const live = layer('live');
    const pull = layer('pull');
    if (!area || !scrolling || !marquee || !pill || !live || !pull) return undefined;
    const made = new ListingSurface({
      elements: { root: area, scroller: scrolling, marquee, pill, live, pull },
      props: () => latest.current.props,
      geometry: () => latest.current.geometry,
      tracker,
      place,
      pace,
      showWindow,
      startRename,
    });
    surfaceRef.current = made;
    const follow = (): void => made.follow();
    scrolling.addEventListener('scroll', follow, { passive: true });
    const detach = [
      attachPointer(made, onPointerKind),
      attachKeys(made),
      attachMarquee(made),
      attachDrag(made),
      attachPull(made),
      attachAnnouncer(made),
      attachSelectionMarks(made),
      attachTooltips(area),
    ];
    return () => {
      scrolling.removeEventListener('scroll', follow);
      for (const stop of detach) stop();
      made.autoScroll.stop();
      surfaceRef.current = null;
    };
  }, [surfaceRef, scrollerRef, tracker, place, pace, showWindow, startRename, onPointerKind]);

  // The entry that had the keyboard has gone: the one that took its place gets it.
  useLayoutEffect(() => surfaceRef.current?.keepFocus());
  return root;
}
