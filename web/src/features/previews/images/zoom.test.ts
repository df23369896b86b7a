import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cycleZoom,
  displayedSize,
  fittedView,
  maxZoom,
  minZoom,
  naturalZoom,
  panBy,
  pinchBy,
  pinchOf,
  clampView,
  zoomBy,
  zoomTo,
  type ImageView,
  type Stage,
} from './zoom.ts';

const wide: Stage = { frame: { width: 800, height: 600 }, natural: { width: 4000, height: 1000 } };
const center = { x: 0, y: 0 };

const length = fc.integer({ min: 1, max: 20_000 });
const size = fc.record({ width: length, height: length });
const stages = fc.record({ frame: size, natural: size });
const coordinate = fc.double({ min: -10_000, max: 10_000, noNaN: true });
const points = fc.record({ x: coordinate, y: coordinate });
const views = fc.record({
  scale: fc.double({ min: 0.01, max: 100, noNaN: true }),
  x: coordinate,
  y: coordinate,
});

test('fits a large image, and keeps the pixels of a small one', () => {
  expect(displayedSize(wide)).toEqual({ width: 800, height: 200 });
  expect(naturalZoom(wide)).toBe(5);
  expect(maxZoom(wide)).toBe(9);
  const icon = { frame: wide.frame, natural: { width: 32, height: 16 } };
  expect(displayedSize(icon)).toEqual({ width: 32, height: 16 });
  expect(maxZoom(icon)).toBe(5);
});

test('yields finite numbers for an image without a size', () => {
  const empty = { frame: wide.frame, natural: { width: 0, height: 0 } };
  expect(displayedSize(empty)).toEqual({ width: 0, height: 0 });
  expect(clampView(fittedView, empty)).toEqual(fittedView);
});

test('cycles through the scales 1, 2, 4 and back to 1 by double clicks', () => {
  const scales: number[] = [];
  let view: ImageView = fittedView;
  for (let click = 0; click < 4; click += 1) {
    view = cycleZoom(view, center, wide);
    scales.push(view.scale);
  }
  expect(scales).toEqual([2, 4, 1, 2]);
  expect(cycleZoom({ ...fittedView, scale: 2.5 }, center, wide).scale).toBe(4);
  expect(cycleZoom({ ...fittedView, scale: 7 }, center, wide).scale).toBe(1);
});

test('changes the scale by a quarter per notch of the wheel', () => {
  expect(zoomBy(fittedView, 1, center, wide).scale).toBe(1.25);
  expect(zoomBy(fittedView, -1, center, wide).scale).toBe(0.75);
  expect(zoomBy({ ...fittedView, scale: minZoom }, -1, center, wide).scale).toBe(minZoom);
});

test('keeps an image that fits in the center', () => {
  expect(panBy(fittedView, { x: 50, y: 50 }, wide)).toEqual(fittedView);
  expect(panBy({ ...fittedView, scale: 2 }, { x: 9999, y: 50 }, wide)).toEqual({ scale: 2, x: 400, y: 0 });
});

test('keeps the scale within its limits and leaves no gap at the edges, for any view', () => {
  fc.assert(
    fc.property(
      views,
      stages,
      points,
      fc.double({ min: 0.001, max: 200, noNaN: true }),
      (view, stage, about, scale) => {
        const result = zoomTo(view, scale, about, stage);
        expect(result.scale).toBeGreaterThanOrEqual(minZoom);
        expect(result.scale).toBeLessThanOrEqual(maxZoom(stage));
        const { width, height } = displayedSize(stage);
        const maxX = Math.max(0, (width * result.scale - stage.frame.width) / 2);
        const maxY = Math.max(0, (height * result.scale - stage.frame.height) / 2);
        expect(Math.abs(result.x)).toBeLessThanOrEqual(maxX);
        expect(Math.abs(result.y)).toBeLessThanOrEqual(maxY);
        expect(clampView(result, stage)).toEqual(result);
      },
    ),
  );
});

test('keeps the point under the pointer in place while zooming, unless an edge prevents it', () => {
  fc.assert(
    fc.property(points, fc.double({ min: 2, max: 8, noNaN: true }), (about, scale) => {
      const view = { scale: 4, x: 30, y: 0 };
      const result = zoomTo(view, scale, about, wide);
      const { width } = displayedSize(wide);
      const maxX = Math.max(0, (width * result.scale - wide.frame.width) / 2);
      if (Math.abs(result.x) >= maxX) return;
      const before = (about.x - view.x) / view.scale;
      const after = (about.x - result.x) / result.scale;
      expect(after).toBeCloseTo(before, 6);
    }),
  );
});

test('moves the image with two parallel fingers, and enlarges it about their center when they spread', () => {
  const view = { scale: 4, x: 0, y: 0 };
  const before = pinchOf({ x: -10, y: 0 }, { x: 10, y: 0 });
  expect(pinchBy(view, before, pinchOf({ x: 20, y: 0 }, { x: 40, y: 0 }), wide)).toEqual({
    scale: 4,
    x: 30,
    y: 0,
  });
  expect(pinchBy(view, before, pinchOf({ x: -20, y: 0 }, { x: 20, y: 0 }), wide).scale).toBe(8);
});
