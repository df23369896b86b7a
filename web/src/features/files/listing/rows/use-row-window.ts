import type { ViewMode } from '@filestead/contract/users';
import { type RefObject, useLayoutEffect, useMemo, useReducer, useState, useSyncExternalStore } from 'react';
import {
  type ChosenSizes,
  fitsPockets,
  ListingGeometry,
  type ListingLayout,
  measure,
} from '../model/listing-geometry.ts';
import type { ListingModel } from '../model/listing-model.ts';
import { ScrollAnchor } from '../model/scroll-anchor.ts';
import type { PhotoGrouping, PhotoLayout } from '../photos/photo-layout.ts';
import type { PhotoView } from '../photos/photo-view.ts';
import { type RowWindow, WindowTracker } from './window-tracker.ts';

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The photos of a listing that shows them, once that part of the page is loaded. */
export interface ShownPhotos {
  readonly view: PhotoView;
  readonly grouping: PhotoGrouping;
}

const neverChanges = (): (() => void) => () => undefined;

export interface RowWindowState {
  readonly geometry: ListingLayout;
  /** The layout of photos; null for other views. */
  readonly photoLayout: PhotoLayout | null;
  readonly tracker: WindowTracker;
  readonly anchor: ScrollAnchor;
  readonly window: RowWindow;
  readonly orderVersion: number;
  /** Whether the size of the scroller is known. */
  readonly isMeasured: boolean;
  /** Renders the current window of `tracker`. */
  readonly showWindow: () => void;
}

/** Tracks which rows of `model` are rendered, through scrolling, resizing and changes of the entries. */
export function useRowWindow(
  model: ListingModel,
  view: ViewMode,
  isPhone: boolean,
  scrollerRef: RefObject<HTMLElement | null>,
  { rowHeightPx, tileWidthPx, hasExcerpts, hasPockets: canHavePockets = false, headingPx }: ChosenSizes = {},
  hasNewRow = false,
  photos: ShownPhotos | null = null,
): RowWindowState {
  const [size, setSize] = useState<Size | null>(null);
  const orderVersion = useSyncExternalStore(model.subscribe, () => model.orderVersion);
  const [, showWindow] = useReducer((renders: number) => renders + 1, 0);
  const { numFolders, numFiles } = model;
  const hasPockets = canHavePockets && fitsPockets(numFolders);
  const measures = useMemo(
    () =>
      measure(view, size?.widthPx ?? 0, isPhone, {
        rowHeightPx,
        tileWidthPx,
        hasExcerpts,
        hasPockets,
        headingPx,
      }),
    [view, size?.widthPx, isPhone, rowHeightPx, tileWidthPx, hasExcerpts, hasPockets, headingPx],
  );
  const grid = useMemo(
    () => new ListingGeometry(measures, numFolders, numFiles, hasNewRow),
    [measures, numFolders, numFiles, hasNewRow],
  );
  useSyncExternalStore(photos?.view.subscribe ?? neverChanges, () => photos?.view.version ?? 0);
  const widthPx = size?.widthPx ?? 0;
  const photoLayout =
    photos?.view.layout(
      { widthPx, isPhone, hasNewRow, tileWidthPx, grouping: photos.grouping },
      orderVersion,
    ) ?? null;
  const geometry: ListingLayout = photoLayout ?? grid;
  const [tracker] = useState(() => new WindowTracker(geometry, 0));
  const [anchor] = useState(() => new ScrollAnchor());
  const window = tracker.reshape(geometry, size?.heightPx ?? 0);

  useLayoutEffect(() => {
    const element = scrollerRef.current;
    if (element === null) return undefined;
    const read = (): void => {
      // A scroller without layout, as in a hidden part of the page, counts as large as the page.
      const widthPx = element.clientWidth || innerWidth;
      const heightPx = element.clientHeight || innerHeight;
      setSize((old) => (old?.widthPx === widthPx && old.heightPx === heightPx ? old : { widthPx, heightPx }));
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scrollerRef]);

  useLayoutEffect(() => {
    const element = scrollerRef.current;
    const virtualPx = anchor.restore(model, geometry, tracker, orderVersion);
    if (element === null || virtualPx === null) return;
    element.scrollTop = tracker.moveTo(virtualPx);
    tracker.scrolled(element.scrollTop);
    anchor.record(model, geometry, tracker);
    showWindow();
  }, [geometry, model, orderVersion, anchor, scrollerRef, tracker]);

  return {
    geometry,
    photoLayout,
    tracker,
    anchor,
    window,
    orderVersion,
    isMeasured: size !== null,
    showWindow,
  };
}
