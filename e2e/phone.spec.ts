import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { changeAdministrator, redirectAfterTransfers } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, listing } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { pngOf, write } from './support/sample-files.ts';
import { textOf } from './screens/screen.ts';
import { doubleTap, longPress, swipe } from './support/touch.ts';

test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

async function expectNoHorizontalScrolling(page: Page): Promise<void> {
  const widths = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
    wide: [...document.querySelectorAll<HTMLElement>('main *')]
      .filter((element) => {
        const { overflowX } = getComputedStyle(element);
        return (overflowX === 'auto' || overflowX === 'scroll') && element.scrollWidth > element.clientWidth;
      })
      .map((element) => element.className),
  }));
  expect(widths.page).toBeLessThanOrEqual(widths.window);
  expect(widths.wide).toEqual([]);
}

/** Expects a dialog at the bottom edge, as wide as the screen. */
async function expectSheet(page: Page, dialog: Locator): Promise<void> {
  // A sheet with a field appears only after the on-screen keyboard, or once it is clear that there is none.
  await expect(page.locator('[data-dialog-overlay]')).toHaveCSS('opacity', '1');
  await expect(dialog).toBeVisible();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await expect
    .poll(async () => {
      const box = await dialog.boundingBox();
      return box && [Math.round(box.x), Math.round(box.width), Math.round(box.y + box.height)];
    })
    .toEqual([0, width, height]);
}

async function signInByTouch(page: Page, url: string, password: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).tap();
  await page.waitForURL('**/files/**');
}

const longName = `${'a very long name that goes on and on '.repeat(4)}.txt`;

test.beforeEach(async ({ root }) => {
  await write(join(root, 'Photos', 'boat.png'), pngOf(300, 200));
  await write(join(root, 'Photos', 'empty', '.keep'), '');
  await write(join(root, 'one.txt'), 'one');
  await write(join(root, 'two.txt'), 'two');
  await write(join(root, longName), 'long');
});

test('the product can be used by touch', async ({ page, product, root }) => {
  await redirectAfterTransfers(product, await signInByApi(product));
  await test.step('the user signs in', async () => {
    await page.goto(`${product.url}/login`);
    await expectNoHorizontalScrolling(page);
    await signInByTouch(page, product.url, product.password);
    await expect(entry(page, 'one.txt')).toBeVisible();
    await expectNoHorizontalScrolling(page);
  });

  await test.step('the row above the list sorts it and changes the view', async () => {
    const head = page.getByRole('group', { name: 'Sort and display' });
    await expect(page.getByRole('columnheader')).toHaveCount(0);
    await head.getByRole('button', { name: 'Sort by: Name' }).tap();
    const lastRow = page.locator('[data-id]').last();
    await expect(lastRow).toContainText('two.txt');
    await page.getByRole('menuitemradio', { name: 'Z to A' }).tap();
    await expect(lastRow).toContainText('a very long name');
    await page.getByRole('menuitemradio', { name: 'A to Z' }).tap();
    await expect(lastRow).toContainText('two.txt');
    const date = entry(page, 'Photos').getByText(/^Today/u);
    await expect(entry(page, 'Photos')).toContainText(/3 items\s*107\sKB/u);
    await expect(date).toBeHidden();
    await page.getByRole('menuitemradio', { name: 'Last modified' }).tap();
    await expect(date).toBeVisible();
    await page.getByRole('menuitemradio', { name: 'Name', exact: true }).tap();
    await expect(date).toBeHidden();
    await page.keyboard.press('Escape');
    await head.locator('label').nth(1).tap();
    await expect(page.locator('[data-view="mosaic"]')).toBeVisible();
    await head.locator('label').first().tap();
    await expect(page.locator('[data-view="list"]')).toBeVisible();
  });

  await test.step('a tap on the name of a folder opens it', async () => {
    await entry(page, 'Photos').getByText('Photos', { exact: true }).tap();
    await expect(listing(page, 'Photos')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Photos');
    // The parent is above the title, and not part of its name.
    const title = page.getByRole('heading', { name: 'Photos', exact: true });
    const parent = await title.evaluate((element) => getComputedStyle(element, '::before').content);
    expect(parent).toContain('My files');
    await expectNoHorizontalScrolling(page);
  });

  await test.step('two taps open the preview of a picture', async () => {
    await doubleTap(page, entry(page, 'boat.png').getByText('boat.png', { exact: true }));
    const preview = page.getByRole('dialog', { name: 'boat.png' });
    await expect(preview.getByRole('img', { name: /^boat\.png/u })).toHaveJSProperty('naturalWidth', 300);
    await expectNoHorizontalScrolling(page);
    await preview.getByRole('button', { name: 'Close preview' }).tap();
    // The picture remains selected by the first tap.
    await page.getByRole('button', { name: 'Clear selection' }).tap();
    await page.getByRole('link', { name: 'Back to My files' }).tap();
    await expect(entry(page, 'one.txt')).toBeVisible();
  });

  await test.step('a long press selects an entry, and further taps add others', async () => {
    await longPress(page, entry(page, 'one.txt').getByText('one.txt', { exact: true }), () =>
      expect(entry(page, 'one.txt')).toHaveAttribute('aria-selected', 'true'),
    );
    await entry(page, 'two.txt').getByText('two.txt', { exact: true }).tap();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('2 selected');
    await expect(page.getByRole('banner').getByText(/^6\sB$/u)).toBeVisible();
    await expectNoHorizontalScrolling(page);
  });

  await test.step('selected entries are copied with a sheet', async () => {
    await page
      .getByRole('toolbar', { name: 'Selected items' })
      .getByRole('button', { name: 'Copy to…' })
      .tap();
    const sheet = page.getByRole('dialog', { name: 'Copy 2 items' });
    await expectSheet(page, sheet);
    await sheet.getByRole('treeitem', { name: 'Photos', exact: true }).tap();
    await sheet.getByRole('button', { name: 'Copy', exact: true }).tap();
    await expect(sheet).toBeHidden();
    await expect
      .poll(async () => (await readdir(join(root, 'Photos'))).toSorted())
      .toEqual(['boat.png', 'empty', 'one.txt', 'two.txt']);
    // The destination is shown, with the first copy selected.
    await expect(listing(page, 'Photos')).toBeVisible();
    await expect(entry(page, 'one.txt')).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('button', { name: 'Clear selection' }).tap();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Photos');
    await page.getByRole('link', { name: 'Back to My files' }).tap();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('My files');
  });

  await test.step('the round button creates and uploads', async () => {
    // The toast about the copies is shown, and does not cover the button.
    const copied = page.getByText(/^2 items copied to/u);
    await expect(copied).toBeVisible();
    const notice = await copied.locator('..').boundingBox();
    const add = await page.getByRole('button', { name: 'Add', exact: true }).boundingBox();
    expect((notice?.y ?? 0) + (notice?.height ?? 0)).toBeLessThanOrEqual(add?.y ?? 0);
    await page.getByRole('button', { name: 'Add', exact: true }).tap();
    await page.getByRole('menuitem', { name: 'New folder' }).tap();
    const sheet = page.getByRole('dialog', { name: 'New folder' });
    await expectSheet(page, sheet);
    await sheet.getByLabel('Name').fill('Sommer');
    await sheet.getByRole('button', { name: 'Create' }).tap();
    await expect(entry(page, 'Sommer')).toBeVisible();
    await page.getByRole('button', { name: 'Clear selection' }).tap();

    // Browsers on phones have no file picker besides that of the input.
    await page.evaluate(() => Reflect.deleteProperty(window, 'showOpenFilePicker'));
    await page.getByRole('button', { name: 'Add', exact: true }).tap();
    const picking = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Upload files' }).tap();
    await (
      await picking
    ).setFiles([{ name: 'shot.txt', mimeType: 'text/plain', buffer: Buffer.from('a shot') }]);
    await expect(entry(page, 'shot.txt')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Activity' })).toContainText('1 uploaded');
    await expectNoHorizontalScrolling(page);
    await page.getByRole('button', { name: 'Close uploads' }).tap();
    expect(await readFile(join(root, 'shot.txt'), 'utf8')).toBe('a shot');
  });

  await test.step('a swipe closes a sheet', async () => {
    // Uploaded files are selected.
    await page.getByRole('button', { name: 'Clear selection' }).tap();
    await page.getByRole('button', { name: 'Add', exact: true }).tap();
    await page.getByRole('menuitem', { name: 'New folder' }).tap();
    const sheet = page.getByRole('dialog', { name: 'New folder' });
    await expectSheet(page, sheet);
    await swipe(page, sheet.getByRole('heading', { name: 'New folder' }), { y: 160 });
    await expect(sheet).toBeHidden();
  });

  await test.step('pulling the list down reloads the folder', async () => {
    await write(join(root, 'meanwhile.txt'), 'came later');
    const row = entry(page, 'one.txt');
    await expect(async () => {
      await swipe(page, row, { y: 260 });
      await expect(entry(page, 'meanwhile.txt')).toBeVisible({ timeout: 4000 });
    }).toPass();
  });

  await test.step("the user's shares have a page of their own", async () => {
    const places = page.getByRole('navigation', { name: 'Places' });
    await places.getByRole('link', { name: 'Shared' }).tap();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shared');
    await expect(places.getByRole('link', { name: 'Shared' })).toHaveAttribute('aria-current', 'page');
    await expectNoHorizontalScrolling(page);
    await places.getByRole('link', { name: 'Files' }).tap();
    await expect(entry(page, 'one.txt')).toBeVisible();
  });

  await test.step('deleting needs no confirmation', async () => {
    await longPress(page, entry(page, 'shot.txt').getByText('shot.txt', { exact: true }), () =>
      expect(entry(page, 'shot.txt')).toHaveAttribute('aria-selected', 'true'),
    );
    await page.getByRole('toolbar', { name: 'Selected items' }).getByRole('button', { name: 'Delete' }).tap();
    await expect(entry(page, 'shot.txt')).toBeHidden();
    await expect.poll(() => readdir(root)).not.toContain('shot.txt');
    // The next tap opens an entry again.
    await expect(page.locator('[data-selecting]')).toHaveCount(0);
  });

  await test.step('the page You leads to places and settings, and back', async () => {
    const places = page.getByRole('navigation', { name: 'Places' });
    await places.getByRole('link', { name: 'You' }).tap();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You');
    await expect(page.getByRole('progressbar', { name: 'Storage' })).toBeVisible();
    await expectNoHorizontalScrolling(page);
    await page.getByRole('link', { name: /^Favourites/u }).tap();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Favourites');
    await expect(places.getByRole('link', { name: 'You' })).toHaveAttribute('aria-current', 'true');
    await page.getByRole('link', { name: 'Back to You' }).tap();
    await page.getByRole('button', { name: 'Help' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(places.getByRole('link', { name: 'You' })).toHaveAttribute('aria-current', 'page');
  });

  await test.step('the user signs out', async () => {
    await page.getByRole('button', { name: 'Logout' }).tap();
    await expect(page.getByLabel('Username')).toBeVisible();
  });
});

test('the phone layout is mirrored from right to left', extended, async ({ page, product }) => {
  await signInByTouch(page, product.url, product.password);
  await entry(page, 'Photos').getByText('Photos', { exact: true }).tap();
  await expect(entry(page, 'boat.png')).toBeVisible();
  await page.evaluate(() => (document.documentElement.dir = 'rtl'));
  const back = await page.getByRole('link', { name: 'Back to My files' }).boundingBox();
  expect(back?.x).toBeGreaterThan(375 / 2);
  const icon = await entry(page, 'boat.png').locator('[data-part=icon]').boundingBox();
  expect(icon?.x).toBeGreaterThan(375 / 2);
  await expectNoHorizontalScrolling(page);
});

test(
  'the names of places are broken between words only, also on narrow screens',
  extended,
  async ({ page, product }) => {
    await signInByTouch(page, product.url, product.password);
    await page.setViewportSize({ width: 320, height: 640 });
    const token = await signInByApi(product);
    // The languages with the longest names.
    for (const locale of ['pt-br', 'ru', 'tr']) {
      await changeAdministrator(product, token, { locale });
      await page.goto(product.url);
      const places = page.getByRole('navigation', { name: textOf(locale)('app:frame.places') });
      await expect(places).toBeVisible();
      const broken = await places.getByRole('link').evaluateAll((links) =>
        links
          .map((link) => link.querySelector('span'))
          .filter((name) => name !== null)
          .filter((name) => {
            const range = document.createRange();
            range.selectNodeContents(name);
            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
            return lines.size > (name.textContent ?? '').split(' ').length;
          })
          .map((name) => name.textContent),
      );
      expect(broken, locale).toEqual([]);
      await expectNoHorizontalScrolling(page);
    }
  },
);

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1280, height: 800 }, hasTouch: false, isMobile: false });

  test('the frame is mirrored from right to left', extended, async ({ page, product }) => {
    await page.goto(`${product.url}/login`);
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill(product.password);
    await page.keyboard.press('Enter');
    await expect(entry(page, 'one.txt')).toBeVisible();
    const box = async (locator: Locator) =>
      (await locator.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    const main = page.getByRole('main');
    expect((await box(sidebar)).x).toBeLessThan((await box(main)).x);
    const chooseLanguage = async (name: string) => {
      await page.keyboard.press('Control+Shift+P');
      await page.getByRole('dialog').getByRole('combobox').fill(name);
      await page.getByRole('option', { name }).click();
      await expect(page.getByRole('dialog')).toBeHidden();
    };
    await chooseLanguage('العربية');
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
    const mirrored = page.getByRole('complementary', { name: textOf('ar')('app:frame.sidebar') });
    expect((await box(mirrored)).x).toBeGreaterThan((await box(main)).x);
    const row = entry(page, 'one.txt');
    const icon = await box(row.locator('[data-part=icon]'));
    const rowBox = await box(row);
    expect(icon.x).toBeGreaterThan(rowBox.x + rowBox.width / 2);
    await expectNoHorizontalScrolling(page);
    await chooseLanguage('English');
    await expect(page.locator('html')).toHaveAttribute('dir', 'ltr');
    await expect(sidebar).toBeVisible();
    expect((await box(sidebar)).x).toBeLessThan((await box(main)).x);
    await expectNoHorizontalScrolling(page);
  });
});
