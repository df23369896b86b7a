import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import { previewKindOf, type PreviewEntry } from '../preview-entry.ts';
import { hasSmallerPicture } from './picture-source.ts';
import {
  clampView,
  fittedView,
  isSameStage,
  minZoom,
  naturalZoom,
  zoomBy,
  zoomIncrement,
  zoomTo,
  type ImageView,
  type Stage,
} from './zoom.ts';

const middle = { x: 0, y: 0 };

/** The zoom state of one image. Each image starts fitted. */
interface StoredZoom {
  readonly path: VirtualPath;
  readonly view: ImageView;
  readonly wantsFullSize: boolean;
  /** Whether the original is being loaded and is to be shown at actual size as soon as its size is known. */
  readonly isAwaited: boolean;
}

/** The measurements of one image; those of the previous image do not apply to the next one. */
interface MeasuredStage {
  readonly path: VirtualPath;
  readonly stage: Stage;
}

/**
 * The zoom and position of the previewed image, and the functions that change them. They can be called before the image has loaded, and
 * several times before the next rendering: a key that is pressed early or repeated is not lost.
 */
export interface ImageZoom {
  readonly view: ImageView;
  /** Whether to load all pixels of the image instead of as many as the window shows. */
  readonly wantsFullSize: boolean;
  readonly isActualSize: boolean;
  /** Whether the image has more pixels than are shown. */
  readonly hasActualSize: boolean;
  /** Whether the image has loaded. */
  readonly isShown: boolean;
  /** The scale in relation to the image's own pixels, 1 for actual size; null for a file that cannot be zoomed. */
  readonly percent: number | null;
  setView(view: ImageView): void;
  /** Zooms by one increment around the center. */
  zoom(increments: 1 | -1): void;
  toggleActualSize(): void;
  /** Reports the measured image and window after every change of the layout. */
  measure(stage: Stage): void;
}

/** Changes the scale by one increment. The scale of an image that has not loaded is limited once its size is known. */
function zoomByIncrement(view: ImageView, increments: 1 | -1, stage: Stage | null): ImageView {
  if (stage) return zoomBy(view, increments, middle, stage);
  return { ...view, scale: Math.max(minZoom, view.scale + increments * zoomIncrement) };
}

/** Keeps the zoom state of the image `entry`; each image starts fitted into the window. */
export function useImageZoom(entry: PreviewEntry, canDownload: boolean): ImageZoom {
  const { path } = entry;
  const [stored, setStored] = useState<StoredZoom | null>(null);
  const [measured, setMeasured] = useState<MeasuredStage | null>(null);
  const stage = measured?.path === path ? measured.stage : null;
  const initial: StoredZoom = { path, view: fittedView, wantsFullSize: false, isAwaited: false };
  const current = stored?.path === path ? stored : initial;
  const { view, wantsFullSize } = current;
  const isSmaller = hasSmallerPicture(entry);
  const isImage = previewKindOf(entry) === 'image' && canDownload;
  const isAtNatural = isImage && stage !== null && Math.abs(view.scale - naturalZoom(stage)) < 0.001;
  const isActualSize = current.isAwaited || (isAtNatural && (isSmaller ? wantsFullSize : view.scale !== 1));
  const hasActualSize = isImage && stage !== null && (isSmaller || naturalZoom(stage) > 1);

  const change = (next: (previous: StoredZoom) => StoredZoom) =>
    setStored((previous) => next(previous?.path === path ? previous : initial));
  // Zooming in loads the original with all its pixels.
  const changeView = (next: (previous: ImageView) => ImageView) =>
    change((previous) => {
      const changed = next(previous.view);
      const isFullSize = previous.wantsFullSize || (isSmaller && changed.scale > 1);
      return { ...previous, view: changed, wantsFullSize: isFullSize, isAwaited: false };
    });
  const measure = (next: Stage) => {
    // Most layout changes leave the measurements equal.
    setMeasured((previous) =>
      previous?.path === path && isSameStage(previous.stage, next) ? previous : { path, stage: next },
    );
    if (!current.isAwaited || naturalZoom(next) <= 1) return;
    changeView(() => zoomTo(fittedView, naturalZoom(next), middle, next));
  };
  const toggleActualSize = () => {
    if (!isImage) return;
    if (isActualSize) setStored(initial);
    else if (stage === null || (isSmaller && !wantsFullSize))
      change((previous) => ({ ...previous, wantsFullSize: isSmaller, isAwaited: true }));
    else if (hasActualSize) changeView((previous) => zoomTo(previous, naturalZoom(stage), middle, stage));
  };
  return {
    view,
    wantsFullSize,
    isActualSize,
    hasActualSize,
    isShown: stage !== null,
    percent: isImage && stage !== null ? clampView(view, stage).scale / naturalZoom(stage) : null,
    setView: (next) => changeView(() => next),
    zoom: (increments) => {
      if (isImage) changeView((previous) => zoomByIncrement(previous, increments, stage));
    },
    toggleActualSize,
    measure,
  };
}
