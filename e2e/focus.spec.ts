import type { Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, fillLogin, openFolder, select, signIn } from './support/journey.ts';
import { writeSamples } from './support/sample-files.ts';

test.beforeEach(({ root }) => writeSamples(root));

/** A short description of the focused element, `BODY` if there is none. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) return 'BODY';
    const name = activeElement.getAttribute('aria-label') ?? activeElement.textContent;
    return `${activeElement.tagName} ${name}`.slice(0, 60);
  });

/**
 * Presses Tab many times and returns the focused elements that are neither within `cover` nor in the browser's own
 * bars.
 */
async function focusStopsOutside(page: Page, cover: string): Promise<string[]> {
  const outside: string[] = [];
  for (let press = 0; press < 30; press++) {
    await page.keyboard.press('Tab');
    const isInside = await page.evaluate((selector) => {
      const { activeElement } = document;
      // After the last tab stop a page passes the focus to the browser.
      return activeElement === document.body || activeElement?.closest(selector) !== null;
    }, cover);
    if (!isInside) outside.push(await focused(page));
  }
  return outside;
}

test('the focus never leaves an open file, and returns to a useful element after every action', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/login`);
  await fillLogin(page, 'admin', product.password);
  // The element that had the focus was removed with its page.
  await expect(page.locator('[data-id]:focus')).toBeVisible();

  await test.step('a preview contains the focus', async () => {
    await (await select(page, 'picture.png')).press('Enter');
    await expect(page.getByRole('dialog', { name: 'picture.png' })).toBeVisible();
    expect(await focusStopsOutside(page, '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(entry(page, 'picture.png')).toBeFocused();
  });
  await test.step('the editor contains the focus', async () => {
    await (await select(page, 'file 1.txt')).press('Enter');
    await expect(page.getByRole('textbox', { name: 'Text of file 1.txt' })).toBeFocused();
    await page.keyboard.press('Control+m');
    expect(await focusStopsOutside(page, 'section[aria-label="file 1.txt"]')).toEqual([]);
    await expect(page.locator('h1:not([inert] *)')).toHaveCount(1);
    await page.getByRole('button', { name: 'Close editor' }).press('Enter');
    await expect(entry(page, 'file 1.txt')).toBeFocused();
  });
  await test.step('deleting by keyboard moves the focus to the next row', async () => {
    await select(page, 'file 10.txt');
    await page.keyboard.press('Delete');
    await expect(entry(page, 'file 11.txt')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(entry(page, 'file 13.txt')).toBeFocused();
  });
  await test.step('deleting by the selection bar moves the focus to the next row', async () => {
    const bar = page.getByRole('toolbar', { name: 'Selected items' });
    await bar.getByRole('button', { name: 'Delete' }).press('Enter');
    await expect(entry(page, 'file 14.txt')).toBeFocused();
  });
  await test.step('moving entries moves the focus to the next row', async () => {
    await select(page, 'file 16.txt');
    const bar = page.getByRole('toolbar', { name: 'Selected items' });
    await bar.getByRole('button', { name: 'Move to…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Move/u });
    await dialog.getByRole('treeitem', { name: 'folder 12', exact: true }).click();
    await dialog.getByRole('button', { name: /^Move/u }).press('Enter');
    await expect(entry(page, 'file 16.txt')).toHaveCount(0);
    await expect(entry(page, 'file 17.txt')).toBeFocused();
  });
  await test.step('a renamed row keeps the focus', async () => {
    await page.keyboard.press('Control+Space');
    await page.keyboard.press('F2');
    await page.keyboard.type('file 17b');
    await page.keyboard.press('Enter');
    await expect(entry(page, 'file 17b.txt')).toBeFocused();
  });
  await test.step('emptying a folder moves the focus to its empty state', async () => {
    await openFolder(page, 'folder 9');
    await select(page, 'file 9.txt');
    await page.keyboard.press('Delete');
    await expect(page.locator('*:focus')).toContainText('It feels lonely here...');
  });
});

test('a key pressed while the editor closes acts on the listing', extended, async ({ page, product }) => {
  await signIn(page, product);
  await (await select(page, 'file 1.txt')).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Text of file 1.txt' })).toBeFocused();
  // The listeners of the window are called last, and before the address of the page changes.
  await page.evaluate(() =>
    addEventListener(
      'keydown',
      () => {
        document.body.dataset['focusedAfterKey'] = document.activeElement?.textContent ?? '';
      },
      { once: true },
    ),
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.body.dataset['focusedAfterKey'])).toContain('file 1');
  await expect(entry(page, 'file 2.txt')).toBeFocused();
});
