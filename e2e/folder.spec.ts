import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, listing, nameAt, selectionBar, showView, signIn, typeName } from './support/journey.ts';
import { write } from './support/sample-files.ts';

const fileCount = 20_500;
const folderCount = 3;
/** A screen of rows and the overscan around it, far below the number of entries. */
const maxRows = 150;
const maxElements = 3000;

const fileName = (number: number): string => `file ${String(number).padStart(5, '0')}.txt`;

async function makeLargeFolder(folder: string): Promise<void> {
  for (let number = 1; number <= folderCount; number++) {
    await write(join(folder, `folder ${number}`, 'inside.txt'), 'inside');
  }
  const numbers = Array.from({ length: fileCount }, (_, index) => index + 1);
  for (let from = 0; from < fileCount; from += 100) {
    const batch = numbers.slice(from, from + 100);
    await Promise.all(
      batch.map((number) => writeFile(join(folder, fileName(number)), '.'.repeat(number % 50))),
    );
  }
  await writeFile(join(folder, fileName(12_345)), 'x'.repeat(100_000));
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
  await utimes(join(folder, fileName(7777)), tomorrow, tomorrow);
}

async function expectFewElements(page: Page): Promise<void> {
  expect(await page.locator('[data-id]').count()).toBeLessThan(maxRows);
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(maxElements);
}

test(
  'a folder of 20,500 files opens, scrolls, selects and sorts',
  extended,
  async ({ page, product, root }) => {
    await test.step('the folder is created on the disk', () => makeLargeFolder(join(root, 'large')));
    await signIn(page, product, { at: '/files/large/' });
    const grid = listing(page, 'large');

    await test.step('the folder opens', async () => {
      await expect(grid).toHaveAttribute('aria-rowcount', String(fileCount + folderCount + 1));
      await expect(nameAt(page, 0)).toHaveText('folder 1');
      await expect(nameAt(page, folderCount)).toHaveText(fileName(1));
      await expectFewElements(page);
    });

    await test.step('the listing scrolls and renders few rows', async () => {
      await grid.hover();
      await page.mouse.wheel(0, 200_000);
      await expect(entry(page, fileName(1))).toBeHidden();
      await expectFewElements(page);
      // The wheel scrolls smoothly, on a busy machine for seconds, also after a key has moved the cursor.
      const row = page.locator('[data-id]').nth(5);
      let before: string | null = null;
      const isStill = async (): Promise<boolean> => before === (before = await row.textContent());
      await expect.poll(isStill, { intervals: [500] }).toBe(true);
      await row.click();
      await page.keyboard.press('End');
      await expect(entry(page, fileName(fileCount))).toBeInViewport();
      await expect(entry(page, fileName(fileCount))).toBeFocused();
      await expectFewElements(page);
      await expect(await typeName(page, fileName(10_000))).toBeInViewport();
      await page.keyboard.press('Home');
      await expect(entry(page, 'folder 1')).toBeFocused();
      await expect(entry(page, 'folder 1')).toBeInViewport();
    });

    await test.step('all entries are selected', async () => {
      await page.keyboard.press('Control+A');
      await expect(selectionBar(page)).toContainText('20,503 selected');
      await page.keyboard.press('End');
      await expect(selectionBar(page)).toContainText('1 selected');
      await page.keyboard.press('Control+A');
      await expect(entry(page, fileName(fileCount))).toHaveAttribute('aria-selected', 'true');
      await expectFewElements(page);
      await page.keyboard.press('Escape');
      await expect(selectionBar(page)).toBeHidden();
      await page.keyboard.press('Home');
    });

    await test.step('the listing is sorted by size, kind, date and name', async () => {
      await grid.getByRole('button', { name: 'Size' }).click();
      await expect(grid.getByRole('columnheader', { name: 'Size' })).toHaveAttribute(
        'aria-sort',
        'descending',
      );
      await expect(nameAt(page, folderCount)).toHaveText(fileName(12_345));
      await grid.getByRole('button', { name: 'Kind' }).click();
      await expect(grid.getByRole('columnheader', { name: 'Kind' })).toHaveAttribute(
        'aria-sort',
        'ascending',
      );
      await expect(nameAt(page, folderCount)).toHaveText(fileName(1));
      await expect(
        entry(page, fileName(1)).getByRole('gridcell', { name: 'Text', exact: true }),
      ).toBeVisible();
      await expect(
        entry(page, 'folder 1').getByRole('gridcell', { name: /^Folder(?: · |$)/u }),
      ).toBeVisible();
      await grid.getByRole('button', { name: 'Modified' }).click();
      await expect(nameAt(page, folderCount)).toHaveText(fileName(7777));
      await grid.getByRole('button', { name: 'Name' }).click();
      await expect(nameAt(page, folderCount)).toHaveText(fileName(1));
      await grid.getByRole('button', { name: 'Name' }).click();
      await expect(nameAt(page, 0)).toHaveText('folder 3');
      await expect(nameAt(page, folderCount)).toHaveText(fileName(fileCount));
    });

    await test.step('the sorting is kept after a reload and in the mosaic view', async () => {
      await page.reload();
      await expect(nameAt(page, folderCount)).toHaveText(fileName(fileCount));
      await showView(page, 'Tiles');
      await expect(page.getByRole('listbox', { name: 'Contents of large' })).toBeVisible();
      await expect(nameAt(page, folderCount)).toHaveText(fileName(fileCount));
      await expectFewElements(page);
    });
  },
);

test(
  'a folder that is opened without a connection is shown once there is one',
  extended,
  async ({ page, context, product, root, problems }) => {
    problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/u);
    await write(join(root, 'inside', 'file.txt'), 'text');
    const drawings = page.waitForResponse(/\/drawings-[^/]*\.js$/u);
    await signIn(page, product);
    await (await drawings).finished();
    await entry(page, 'inside').focus();
    await context.setOffline(true);
    await page.keyboard.press('Enter');
    const title = page.getByRole('heading', { name: "The server can't be reached." });
    await expect(title).toBeVisible();
    // The house, besides the ground.
    const lines = page.locator('main svg[viewBox="0 0 200 140"] path');
    await expect.poll(() => lines.count()).toBeGreaterThan(2);
    await expect(page.getByText('The used space could not be measured.')).toHaveCount(0);
    await context.setOffline(false);
    await expect(entry(page, 'file.txt')).toBeVisible();
    await expect(title).toBeHidden();
  },
);

test(
  'a search that begins in a folder is among the recent ones',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'report.txt'), 'text');
    await signIn(page, product);
    await expect(entry(page, 'report.txt')).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('report');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Any kind' })).toBeVisible();
    await page.goBack();
    await expect(listing(page, 'My files')).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('group', { name: 'Recent searches' }).getByText('report')).toBeVisible();
  },
);
