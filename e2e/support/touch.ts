import type { Locator, Page } from '@playwright/test';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the center of an element in CSS pixels of the window. Throws if it is not visible. */
export async function centerOf(target: Locator): Promise<Point> {
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${String(target)} has no place on the screen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Taps twice without a pause, even if the page is busy with the first tap. */
export async function doubleTap(page: Page, target: Locator): Promise<void> {
  const point = await centerOf(target);
  const session = await page.context().newCDPSession(page);
  const at = (type: 'touchStart' | 'touchEnd', afterMs: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchStart' ? [point] : [],
      timestamp: (startMs + afterMs) / 1000,
    });
  // The times of the fingers, because a busy machine may stall between two of these messages.
  const startMs = Date.now() - 150;
  await Promise.all([at('touchStart', 0), at('touchEnd', 40), at('touchStart', 100), at('touchEnd', 140)]);
}

/** Moves a finger from the middle of `target` by some px, in steps as a hand does, and lifts it. */
export async function swipe(page: Page, target: Locator, by: { x?: number; y?: number }): Promise<void> {
  const from = await centerOf(target);
  const session = await page.context().newCDPSession(page);
  const steps = 8;
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
  for (let step = 1; step <= steps; step++) {
    const point = { x: from.x + ((by.x ?? 0) * step) / steps, y: from.y + ((by.y ?? 0) * step) / steps };
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Holds a finger on `target` until `isDone` resolves. */
export async function longPress(page: Page, target: Locator, isDone: () => Promise<void>): Promise<void> {
  // Waits until it is in view and no notice covers it.
  await target.tap({ trial: true });
  const point = await centerOf(target);
  const session = await page.context().newCDPSession(page);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await isDone();
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Moves several fingers over the screen at once, each from one point to another, and lifts them. */
export async function drag(
  page: Page,
  fingers: readonly (readonly [from: Point, to: Point])[],
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const steps = 6;
  const at = (fraction: number) =>
    fingers.map(([from, to], id) => ({
      id,
      x: from.x + (to.x - from.x) * fraction,
      y: from.y + (to.y - from.y) * fraction,
    }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let step = 1; step <= steps; step++) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / steps) });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
