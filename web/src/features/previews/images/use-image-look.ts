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
  /** All pixels are being loaded; they are shown one by one as soon as their size is known. */
  readonly isAwaited: boolean;
}

/** Zoom and position of the image that is previewed, and the ways to change them. */
export interface ImageLook {
  readonly view: ImageView;
  /** All pixels of the image are needed, not only as many as the window shows. */
  readonly wantsWhole: boolean;
  readonly isActualSize: boolean;
  /** The image has more pixels than are shown. */
  readonly hasActualSize: boolean;
  setView(view: ImageView): void;
  /** Zooms by one increment around the middle. */
  zoom(increments: 1 | -1): void;
  toggleActualSize(): void;
  /** Takes the size of the image and of its window, whenever something changes around the image. */
  measure(stage: Stage): void;
  /** Forgets the sizes, so that they do not steer the next image. */
  forgetStage(): void;
}

/** Keeps how the image `entry` is looked at; each image starts fitted into the window. */
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

  // An image that is looked at closer needs all of its pixels.
  const setView = (next: ImageView) =>
    setKept({
      ...look,
      view: next,
      wantsWhole: wantsWhole || (isSmaller && next.scale > 1),
      isAwaited: false,
    });
  const measure = (measured: Stage) => {
    // Most changes around the image leave its size as it was.
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
