import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import { previewKindOf, type PreviewEntry } from '../preview-entry.ts';
import { hasSmallerPicture } from './picture-source.ts';
import { fittedView, isSameStage, naturalZoom, zoomBy, zoomTo, type ImageView, type Stage } from './zoom.ts';

const middle = { x: 0, y: 0 };

/** The zoom state of one image. Each image starts fitted. */
interface StoredZoom {
  readonly path: VirtualPath;
  readonly view: ImageView;
  readonly wantsFullSize: boolean;
  /** Whether the original is being loaded and is to be shown at actual size as soon as its size is known. */
  readonly isAwaited: boolean;
}

/** The zoom and position of the previewed image, and the functions that change them. */
export interface ImageZoom {
  readonly view: ImageView;
  /** Whether to load all pixels of the image instead of as many as the window shows. */
  readonly wantsFullSize: boolean;
  readonly isActualSize: boolean;
  /** Whether the image has more pixels than are shown. */
  readonly hasActualSize: boolean;
  setView(view: ImageView): void;
  /** Zooms by one increment around the centre. */
  zoom(increments: 1 | -1): void;
  toggleActualSize(): void;
  /** Reports the measured image and window after every change of the layout. */
  measure(stage: Stage): void;
  /** Discards the measurements, which do not apply to the next image. */
  forgetStage(): void;
}

/** Keeps the zoom state of the image `entry`; each image starts fitted into the window. */
export function useImageZoom(entry: PreviewEntry, canDownload: boolean): ImageZoom {
  const [stored, setStored] = useState<StoredZoom | null>(null);
  const [stage, setStage] = useState<Stage | null>(null);
  const initial: StoredZoom = { path: entry.path, view: fittedView, wantsFullSize: false, isAwaited: false };
  const current = stored?.path === entry.path ? stored : initial;
  const { view, wantsFullSize } = current;
  const isSmaller = hasSmallerPicture(entry);
  const isZoomable = previewKindOf(entry) === 'image' && canDownload && stage !== null;
  const isAtNatural = isZoomable && Math.abs(view.scale - naturalZoom(stage)) < 0.001;
  const isActualSize = isSmaller
    ? wantsFullSize && (current.isAwaited || isAtNatural)
    : isAtNatural && view.scale !== 1;
  const hasActualSize = isZoomable && (isSmaller || naturalZoom(stage) > 1);

  // Zooming in loads the original with all its pixels.
  const setView = (next: ImageView) =>
    setStored({
      ...current,
      view: next,
      wantsFullSize: wantsFullSize || (isSmaller && next.scale > 1),
      isAwaited: false,
    });
  const measure = (measured: Stage) => {
    // Most layout changes leave the measurements equal.
    setStage((previous) => (previous && isSameStage(previous, measured) ? previous : measured));
    if (!current.isAwaited || naturalZoom(measured) <= 1) return;
    setStored({
      ...current,
      view: zoomTo(fittedView, naturalZoom(measured), middle, measured),
      isAwaited: false,
    });
  };
  const toggleActualSize = () => {
    if (!hasActualSize) return;
    if (isActualSize) setStored(initial);
    else if (isSmaller && !wantsFullSize) setStored({ ...current, wantsFullSize: true, isAwaited: true });
    else setView(zoomTo(view, naturalZoom(stage), middle, stage));
  };
  return {
    view,
    wantsFullSize,
    isActualSize,
    hasActualSize,
    setView,
    zoom: (increments) => {
      if (isZoomable) setView(zoomBy(view, increments, middle, stage));
    },
    toggleActualSize,
    measure,
    forgetStage: () => setStage(null),
  };
}
