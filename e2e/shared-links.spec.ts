// The page “Shared”, with the links of the user.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { dialogOf, signIn, tabTo } from './support/journey.ts';
import { pngOf, write } from './support/sample-files.ts';
import { shareAsAdministrator, useSharedTree } from './support/shared-tree.ts';
import { longPress } from './support/touch.ts';

useSharedTree();

test('several links are selected, copied, deleted at once, and restored', async ({ page, product }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const hashes = new Map<string, string>();
  for (const path of ['/Trip/notes.txt', '/Trip/song.wav', '/Trip/tram.png', '/Many/'])
    hashes.set(path, await shareAsAdministrator(product, path));
  await signIn(page, product, { at: '/shared' });
  const rows = page.locator('tbody [data-share]');
  const choice = (name: string) => page.getByRole('checkbox', { name: `Select ⁨${name}⁩` });
  const bar = page.getByRole('toolbar');
  await expect(rows).toHaveCount(4);
  // The picture has a thumbnail, the folder and the other files have icons.
  await expect(rows.locator('img')).toHaveCount(1);
  await expect(rows.filter({ hasText: 'tram.png' }).locator('[data-loaded] img')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Storage' })).toBeVisible();

  await test.step('Shift selects a range, the box of the header and Ctrl+A all, and Escape none', async () => {
    await rows.nth(0).getByRole('checkbox').click();
    await expect(bar).toContainText('1 selected');
    await rows
      .nth(2)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await expect(bar).toContainText('3 selected');
    const all = page.getByRole('checkbox', { name: 'Select all' });
    await expect(all).toHaveJSProperty('indeterminate', true);
    await all.click();
    await expect(bar).toContainText('4 selected');
    await page.keyboard.press('Escape');
    await expect(bar).toBeHidden();
    await page.keyboard.press('Control+a');
    await expect(bar).toContainText('4 selected');
    await page.keyboard.press('Escape');
  });

  await test.step('the addresses of the selected ones are copied, one per line', async () => {
    await choice('notes.txt').click();
    await choice('Many').click();
    await bar.getByRole('button', { name: 'Copy links' }).click();
    await expect(page.getByText('2 links copied.')).toBeVisible();
    const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    const addressOf = (path: string) => `${product.url}/share/${hashes.get(path) ?? ''}`;
    expect(copied.toSorted()).toEqual([addressOf('/Many/'), addressOf('/Trip/notes.txt')].toSorted());
  });

  await test.step('Delete ends them, the focus stays in the list, and one undo restores them', async () => {
    await choice('Many').focus();
    await page.keyboard.press('Delete');
    await expect(page.getByText('2 links deleted.')).toBeVisible();
    await expect(rows).toHaveCount(2);
    await expect(bar).toBeHidden();
    await expect(rows.getByRole('checkbox').and(page.locator(':focus'))).toHaveCount(1);
    for (const [path, status] of [
      ['/Many/', 404],
      ['/Trip/tram.png', 200],
    ] as const) {
      const answer = await fetch(`${product.url}/api/public/share/${hashes.get(path) ?? ''}`);
      expect(answer.status).toBe(status);
    }
    await page.keyboard.press('Control+z');
    await expect(rows).toHaveCount(4);
  });

  await test.step('links that the search hides are no longer selected', async () => {
    await page.keyboard.press('Control+a');
    await page.getByLabel('Search shared').fill('tram');
    await expect(bar).toContainText('1 selected');
  });
});

test(
  'links are sorted by their columns, with the pointer and the keyboard, and stay so',
  extended,
  async ({ page, product }) => {
    await shareAsAdministrator(product, '/Trip/song.wav', { expires: '9', unit: 'days' });
    await shareAsAdministrator(product, '/Many/');
    const visited = await shareAsAdministrator(product, '/Trip/notes.txt', { expires: '2', unit: 'days' });
    await fetch(`${product.url}/api/public/share/${visited}`);
    await signIn(page, product, { at: '/shared' });
    const names = page.locator('tbody [data-share]');
    const head = (name: string) => page.getByRole('columnheader', { name });
    await expect(head('Created')).toHaveAttribute('aria-sort', 'descending');

    await head('Name').getByRole('button').click();
    await expect(names).toHaveText([/^Many/u, /^notes/u, /^song/u]);
    await expect(head('Name')).toHaveAttribute('aria-sort', 'ascending');
    await expect(head('Created')).toHaveAttribute('aria-sort', 'none');
    await tabTo(page, head('Visits').getByRole('button'));
    await page.keyboard.press('Enter');
    await expect(head('Visits')).toHaveAttribute('aria-sort', 'descending');
    await expect(names.first()).toHaveText(/^notes/u);
    await tabTo(page, head('Expires').getByRole('button'));
    await page.keyboard.press('Space');
    await expect(names).toHaveText([/^notes/u, /^song/u, /^Many/u]);
    await page.keyboard.press('Space');
    await expect(names).toHaveText([/^Many/u, /^song/u, /^notes/u]);
    await page.reload();
    await expect(head('Expires')).toHaveAttribute('aria-sort', 'descending');
    await expect(names).toHaveText([/^Many/u, /^song/u, /^notes/u]);
  },
);

test(
  'links show the size of their entries, whose details open beside them, and mark a missing one',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'Trip', 'lost.png'), pngOf(300, 200));
    for (const path of ['/Trip/notes.txt', '/Trip/tram.png', '/Trip/lost.png', '/Many/'])
      await shareAsAdministrator(product, path);
    await rm(join(root, 'Trip', 'lost.png'));
    const previews: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/preview/')) previews.push(new URL(request.url()).pathname);
    });
    await signIn(page, product, { at: '/shared' });
    const row = (name: string) => page.locator('tbody [data-share]').filter({ hasText: name });
    await expect(row('notes.txt')).toContainText(`Trip · ${'Take the tram.'.length} B`);
    await expect(row('Many')).toContainText('230 items · 230 B');
    await expect(row('tram.png').locator('[data-loaded] img')).toBeVisible();
    await expect(row('lost.png')).toContainText('No longer exists');
    await expect(row('lost.png').getByRole('link')).toHaveCount(0);
    expect(previews).toEqual(['/api/preview/thumb/Trip/tram.png']);

    await row('notes.txt').getByRole('link').focus();
    await page.keyboard.press('Control+i');
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect(details.getByText('notes.txt')).toBeVisible();
    // The table is narrow beside the details, and the boxes keep their column.
    await page.setViewportSize({ width: 1310, height: 900 });
    const leftOf = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().left);
    const insetPx = 44;
    const list = page.getByRole('table', { name: 'Shared' });
    expect(await leftOf(row('Many').getByRole('rowheader'))).toBe((await leftOf(list)) + insetPx);
    await row('Many').getByRole('checkbox').click();
    await expect(details.getByText('Many')).toBeVisible();
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await expect(page.getByRole('menuitem', { name: 'New folder' })).toBeVisible();
  },
);

test.describe('from right to left', () => {
  test.use({ locale: 'ar' });

  test('the size of a shared entry follows its folder', extended, async ({ page, product }) => {
    await shareAsAdministrator(product, '/Trip/notes.txt');
    await signIn(page, product, { at: '/shared' });
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    const folder = page.locator('tbody [data-share]').getByText('Trip', { exact: true });
    await expect(folder).toBeVisible();
    const [folderLeft, sizeRight] = await folder.evaluate((element) => {
      const size = element.nextSibling;
      const range = document.createRange();
      if (size) range.selectNodeContents(size);
      return [element.getBoundingClientRect().left, range.getBoundingClientRect().right];
    });
    expect(sizeRight).toBeGreaterThan(0);
    expect(sizeRight).toBeLessThanOrEqual((folderLeft ?? 0) + 1);
  });
});

test.describe('on the phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test(
    'a long press or the menu selects a link, and taps select others',
    extended,
    async ({ page, product }) => {
      for (const name of ['notes.txt', 'song.wav', 'tram.png'])
        await shareAsAdministrator(product, `/Trip/${name}`);
      await signIn(page, product, { at: '/shared' });
      const cards = page.locator('[data-share]');
      const card = (name: string) => cards.filter({ hasText: name });
      await page.getByRole('button', { name: 'Sort by' }).tap();
      await page.getByRole('menuitemradio', { name: 'Name' }).tap();
      await expect(cards).toHaveText([/^notes/u, /^song/u, /^tram/u]);
      await page.getByRole('menuitemradio', { name: 'Z to A' }).tap();
      await expect(cards).toHaveText([/^tram/u, /^song/u, /^notes/u]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menu')).toBeHidden();
      const top = page.getByRole('banner');
      await longPress(page, card('song.wav').getByRole('link'), () =>
        expect(top).toContainText('1 selected'),
      );
      await expect(top).toContainText('1 selected');
      await expect(page).toHaveURL(/\/shared$/u);
      await card('notes.txt').getByRole('link').tap();
      await expect(top).toContainText('2 selected');
      await expect(page).toHaveURL(/\/shared$/u);
      await card('song.wav').tap();
      await expect(top).toContainText('1 selected');
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete links' }).tap();
      await expect(page.getByText('Share deleted!')).toBeVisible();
      await expect(card('notes.txt')).toBeHidden();
      await expect(page.getByRole('navigation', { name: 'Places' })).toBeInViewport();
      await card('tram.png')
        .getByRole('button', { name: /^More actions/u })
        .tap();
      await page.getByRole('menuitem', { name: /^Select/u }).tap();
      await expect(top).toContainText('1 selected');
      await page.getByRole('button', { name: 'Clear selection' }).tap();
      const more = card('tram.png').getByRole('button', { name: /^More actions/u });
      await more.tap();
      await page.getByRole('menuitem', { name: 'Details' }).tap();
      await expect(dialogOf(page)).toContainText('tram.png');
      await expect(dialogOf(page)).toContainText('PNG image');
      await page.keyboard.press('Escape');
      await expect(dialogOf(page)).toBeHidden();
      await expect(card('tram.png').locator(':focus')).toBeVisible();
      // The folder below the name belongs to the link, and the lines are close together.
      const folder = (await card('tram.png').getByText('Trip').boundingBox()) ?? { x: 0, y: 0 };
      await page.touchscreen.tap(folder.x + 4, folder.y + 4);
      await expect(page).toHaveURL(/\/files\/Trip\/tram\.png$/u);
      await page.goBack();
      const { height = 0 } = (await card('tram.png').boundingBox()) ?? {};
      expect(height).toBeGreaterThan(0);
      expect(height).toBeLessThan(90);
      await card('tram.png').getByRole('link').tap();
      await expect(page).toHaveURL(/\/files\/Trip\/tram\.png$/u);
    },
  );
});
