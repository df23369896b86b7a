/** The scales that a double click or double tap cycles through (docs/reference/behaviour.md §9). */
export const zoomSteps = [1, 2, 4] as const;
/** The smallest scale; at 1 the whole image fits into the window (docs/reference/behaviour.md §9). */
export const minZoom = 0.25;
/** The change of scale by one notch of the wheel or one press of + (docs/reference/behaviour.md §9). */
export const zoomIncrement = 0.25;
/** The largest scale is this much more than the scale of the image's own pixels (docs/reference/behaviour.md §9). */
const zoomBeyondNatural = 4;

/** A size in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * An offset from the center of the window in CSS pixels. Directions are physical, the same in both writing
 * directions.
 */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The scale and position of an image: `x` and `y` are its center, measured from the center of the window. */
export interface ImageView extends Point {
  readonly scale: number;
}

/** The measurements of an image and its window. */
export interface Stage {
  /** The space that the image may fill, without the margins. */
  readonly frame: Size;
  readonly natural: Size;
}

const isSameSize = (a: Size, b: Size): boolean => a.width === b.width && a.height === b.height;

export const isSameStage = (a: Stage, b: Stage): boolean =>
  isSameSize(a.frame, b.frame) && isSameSize(a.natural, b.natural);

export const fittedView: ImageView = { scale: 1, x: 0, y: 0 };

/** Returns the size of the image at scale 1: as large as the frame allows, but not larger than its own pixels. */
export function displayedSize({ frame, natural }: Stage): Size {
  if (natural.width <= 0 || natural.height <= 0) return { width: 0, height: 0 };
  const ratio = Math.min(1, frame.width / natural.width, frame.height / natural.height);
  return { width: natural.width * ratio, height: natural.height * ratio };
}

/** Returns the scale at which one pixel of the image is one CSS pixel; 1 for images that fit. */
export function naturalZoom(stage: Stage): number {
  const displayed = Math.max(displayedSize(stage).width, displayedSize(stage).height);
  return displayed > 0 ? Math.max(stage.natural.width, stage.natural.height) / displayed : 1;
}

export const maxZoom = (stage: Stage): number => naturalZoom(stage) + zoomBeyondNatural;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Limits the scale, and the position so that the image covers the frame; an image that fits is centered. */
export function clampView(view: ImageView, stage: Stage): ImageView {
  const scale = clamp(view.scale, minZoom, maxZoom(stage));
  const { width, height } = displayedSize(stage);
  const maxX = Math.max(0, (width * scale - stage.frame.width) / 2);
  const maxY = Math.max(0, (height * scale - stage.frame.height) / 2);
  return { scale, x: clamp(view.x, -maxX, maxX), y: clamp(view.y, -maxY, maxY) };
}

/** Changes the scale and keeps the point `about` in place, as far as the edges allow. */
export function zoomTo(view: ImageView, scale: number, about: Point, stage: Stage): ImageView {
  const target = clamp(scale, minZoom, maxZoom(stage));
  const factor = target / view.scale;
  return clampView(
    { scale: target, x: about.x - (about.x - view.x) * factor, y: about.y - (about.y - view.y) * factor },
    stage,
  );
}

/** Zooms in (`1`) or out (`-1`) by one notch. */
export const zoomBy = (view: ImageView, direction: 1 | -1, about: Point, stage: Stage): ImageView =>
  zoomTo(view, view.scale + direction * zoomIncrement, about, stage);

/** Zooms to the next larger of {@link zoomSteps}, and from the largest to the first. */
export function cycleZoom(view: ImageView, about: Point, stage: Stage): ImageView {
  const next = zoomSteps.find((step) => step > view.scale + 0.01 && step <= maxZoom(stage));
  return zoomTo(view, next ?? zoomSteps[0], about, stage);
}

/** Moves the image by an offset. */
export const panBy = (view: ImageView, by: Point, stage: Stage): ImageView =>
  clampView({ scale: view.scale, x: view.x + by.x, y: view.y + by.y }, stage);

/** The positions of two fingers on the image. */
export interface Pinch {
  readonly middle: Point;
  /** The distance between the fingers, in CSS pixels. */
  readonly distance: number;
}

export const pinchOf = (first: Point, second: Point): Pinch => ({
  middle: { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 },
  distance: Math.hypot(first.x - second.x, first.y - second.y),
});

/** Zooms and moves the image as two fingers move from `before` to `now`. */
export function pinchBy(view: ImageView, before: Pinch, now: Pinch, stage: Stage): ImageView {
  const factor = before.distance > 0 ? now.distance / before.distance : 1;
  const moved = {
    ...view,
    x: view.x + now.middle.x - before.middle.x,
    y: view.y + now.middle.y - before.middle.y,
  };
  return zoomTo(moved, view.scale * factor, now.middle, stage);
}

/** Enlarges `size` in its proportions until it reaches the edges of `frame`. A larger size is returned unchanged. */
export function fill(size: Size, frame: Size): Size {
  if (size.width <= 0 || size.height <= 0) return size;
  const ratio = Math.max(1, Math.min(frame.width / size.width, frame.height / size.height));
  return { width: size.width * ratio, height: size.height * ratio };
}
