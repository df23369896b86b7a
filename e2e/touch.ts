import type { Locator, Page } from '@playwright/test';

/** Taps twice without a pause, however busy the page is with the first tap. */
export async function doubleTap(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('There is nothing to tap.');
  const session = await page.context().newCDPSession(page);
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const down = () => session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  const up = () => session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await Promise.all([down(), up(), down(), up()]);
}
