import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AutoScroll } from './auto-scroll.ts';

/** Animation frames that the test runs at its own times. */
class Frames {
  #atMs = 5_000;
  #callback: FrameRequestCallback | null = null;

  get isWaiting(): boolean {
    return this.#callback !== null;
  }

  readonly request = (callback: FrameRequestCallback): number => {
    this.#callback = callback;
    return 1;
  };
  readonly cancel = (): void => {
    this.#callback = null;
  };
  readonly now = (): number => this.#atMs;

  /** Runs frames of equal length for `ms`. */
  run(ms: number, framesPerS: number): void {
    for (let frame = 0; frame < (ms * framesPerS) / 1000; frame += 1) {
      this.#atMs += 1000 / framesPerS;
      const callback = this.#callback;
      this.#callback = null;
      callback?.(this.#atMs);
    }
  }
}

/** The height of the scroller and of its content, in px. */
const heightPx = 800;
const contentPx = 20_000;

/** Creates a scroller at `topPx` that rounds and limits positions like a browser. */
function scrollerAt(topPx: number): HTMLElement {
  const scroller = document.createElement('div');
  Object.defineProperty(scroller, 'scrollTop', {
    get: () => topPx,
    set(px: number) {
      topPx = Math.min(contentPx - heightPx, Math.max(0, Math.round(px)));
    },
  });
  scroller.getBoundingClientRect = () => new DOMRect(0, 0, 600, heightPx);
  return scroller;
}

let frames: Frames;

beforeEach(() => {
  frames = new Frames();
  vi.stubGlobal('requestAnimationFrame', frames.request);
  vi.stubGlobal('cancelAnimationFrame', frames.cancel);
  vi.spyOn(performance, 'now').mockImplementation(frames.now);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Measures how far a pointer at `y` scrolls within a second, in px. */
function pxInOneSecond(y: number, framesPerS: number): number {
  const scroller = scrollerAt(10_000);
  const autoScroll = new AutoScroll(scroller);
  autoScroll.point(y, () => undefined);
  frames.run(1000, framesPerS);
  autoScroll.stop();
  return scroller.scrollTop - 10_000;
}

test.each([144, 60, 5, 1])('scrolls the same distance in a second at %i frames per second', (rate) => {
  for (const [y, px] of [
    [heightPx - 1, 1404],
    [heightPx + 100, 1440],
    [heightPx - 30, 360],
    [heightPx - 39, 120],
    [30, -360],
    [-100, -1440],
  ] as const) {
    // Frames may not end exactly with the second, and positions are rounded.
    expect(Math.abs(pxInOneSecond(y, rate) - px), `at ${y} px`).toBeLessThanOrEqual(1);
  }
});

test('does not jump after the page was suspended', () => {
  const scroller = scrollerAt(0);
  const autoScroll = new AutoScroll(scroller);
  autoScroll.point(heightPx, () => undefined);
  frames.run(60_000, 1 / 60);
  expect(scroller.scrollTop).toBe(1440);
});

test('stops at the end of the listing, away from the edge, and on request', () => {
  const scroller = scrollerAt(contentPx - heightPx - 100);
  const autoScroll = new AutoScroll(scroller);
  const onStep = vi.fn();
  autoScroll.point(heightPx, onStep);
  frames.run(1000, 60);
  expect(scroller.scrollTop).toBe(contentPx - heightPx);
  expect(frames.isWaiting).toBe(false);
  expect(onStep).toHaveBeenCalled();

  scroller.scrollTop = 5_000;
  autoScroll.point(heightPx, onStep);
  frames.run(100, 60);
  autoScroll.point(heightPx / 2, onStep);
  frames.run(100, 60);
  expect(frames.isWaiting).toBe(false);

  autoScroll.point(heightPx, onStep);
  autoScroll.stop();
  expect(frames.isWaiting).toBe(false);
});
