import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import { previewKindOf, type PreviewEntry } from '../preview-entry.ts';
import { hasSmallerPicture } from './picture-source.ts';
import { fittedView, isSameStage, naturalZoom, zoomBy, zoomTo, type ImageView, type Stage } from './zoom.ts';

const middle = { x: 0, y: 0 };

/** The zoom state of one image. Each image starts fitted. */
interface Look {
  readonly path: VirtualPath;
  readonly view: ImageView;
  readonly wantsWhole: boolean;
  /** Whether the original is being loaded and is to be shown at actual size as soon as its size is known. */
  readonly isAwaited: boolean;
}

/** The zoom and position of the previewed image, and the functions that change them. */
export interface ImageLook {
  readonly view: ImageView;
  /** Whether to load all pixels of the image instead of as many as the window shows. */
  readonly wantsWhole: boolean;
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
export function useImageLook(entry: PreviewEntry, canDownload: boolean): ImageLook {
  const [kept, setKept] = useState<Look | null>(null);
  const [stage, setStage] = useState<Stage | null>(null);
  const fresh: Look = { path: entry.path, view: fittedView, wantsWhole: false, isAwaited: false };
  const look = kept?.path === entry.path ? kept : fresh;
  const { view, wantsWhole } = look;
  const isSmaller = hasSmallerPicture(entry);
  const isZoomable = previewKindOf(entry) === 'image' && canDownload && stage !== null;
  const isAtNatural = isZoomable && Math.abs(view.scale - naturalZoom(stage)) < 0.001;
  const isActualSize = isSmaller
    ? wantsWhole && (look.isAwaited || isAtNatural)
    : isAtNatural && view.scale !== 1;
  const hasActualSize = isZoomable && (isSmaller || naturalZoom(stage) > 1);

  // Zooming in loads the original with all its pixels.
  const setView = (next: ImageView) =>
    setKept({
      ...look,
      view: next,
      wantsWhole: wantsWhole || (isSmaller && next.scale > 1),
      isAwaited: false,
    });
  const measure = (measured: Stage) => {
    // Most layout changes leave the measurements equal.
    setStage((known) => (known && isSameStage(known, measured) ? known : measured));
    if (!look.isAwaited || naturalZoom(measured) <= 1) return;
    setKept({ ...look, view: zoomTo(fittedView, naturalZoom(measured), middle, measured), isAwaited: false });
  };
  const toggleActualSize = () => {
    if (!hasActualSize) return;
    if (isActualSize) setKept(fresh);
    else if (isSmaller && !wantsWhole) setKept({ ...look, wantsWhole: true, isAwaited: true });
    else setView(zoomTo(view, naturalZoom(stage), middle, stage));
  };
  return {
    view,
    wantsWhole,
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
