// The listing on a touch screen, with real touch events.
import { expect, test } from '@playwright/test';
import { centerOf, nameOf, openListing, positions, probeCalls, rowAt } from './support/listing-page.ts';
import { type ListingProbe, startListingProbe } from './support/listing-probe.ts';
import { doubleTap } from './support/touch.ts';

/** Longer than the timeouts of a double tap (300 ms) and a long press (500 ms). */
const slowTapPauseMs = 400;
const longPressPauseMs = 650;

test.use({ hasTouch: true, viewport: { width: 375, height: 760 } });

let probe: ListingProbe;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  probe = await startListingProbe();
});
test.afterAll(() => probe.stop());

test('a folder opens by its name, a file by two taps, and nothing scrolls sideways', async ({ page }) => {
  await openListing(probe, page, { count: 300, view: 'list' });
  await nameOf(rowAt(page, 0)).tap();
  expect(await probeCalls(page, 'open')).toHaveLength(1);
  const file = rowAt(page, 7);
  await nameOf(file).tap();
  expect(await probeCalls(page, 'open')).toHaveLength(1);
  expect(await positions(page)).toEqual([7]);
  await page.waitForTimeout(slowTapPauseMs);
  await doubleTap(page, nameOf(file));
  await expect.poll(async () => (await probeCalls(page, 'open')).length).toBe(2);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  const box = await rowAt(page, 0).boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
});

test('two taps open while the page is busy, two slow ones do not', async ({ page }) => {
  await openListing(probe, page, { count: 300, view: 'list' });
  const file = rowAt(page, 7);
  await nameOf(file).tap();
  await page.waitForTimeout(slowTapPauseMs);
  await nameOf(file).tap();
  expect(await probeCalls(page, 'open')).toEqual([]);
  await page.evaluate(() => {
    const change = () => {
      const end = performance.now() + 600;
      while (performance.now() < end);
    };
    document.addEventListener('click', change, { once: true });
  });
  await doubleTap(page, nameOf(rowAt(page, 8)));
  await expect.poll(async () => (await probeCalls(page, 'open')).length).toBe(1);
});

test('a long press selects, taps then add and remove, a moving finger does neither', async ({ page }) => {
  await openListing(probe, page, { count: 300, view: 'list' });
  const touch = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const at7 = await centerOf(nameOf(rowAt(page, 7)));
  await send('touchStart', [at7]);
  await expect.poll(() => page.evaluate(() => window.probe.model.isSelecting)).toBe(true);
  await send('touchEnd', []);
  expect(await positions(page)).toEqual([7]);
  await nameOf(rowAt(page, 8)).tap();
  await nameOf(rowAt(page, 0)).tap();
  expect(await positions(page)).toEqual([0, 7, 8]);
  await nameOf(rowAt(page, 7)).tap();
  expect(await positions(page)).toEqual([0, 8]);
  const from = await centerOf(nameOf(rowAt(page, 9)));
  await send('touchStart', [from]);
  await send('touchMove', [{ x: from.x, y: from.y - 60 }]);
  await page.waitForTimeout(longPressPauseMs);
  await send('touchEnd', []);
  expect(await positions(page)).toEqual([0, 8]);
  expect(await probeCalls(page, 'open')).toEqual([]);
});
