import { readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { redirectAfterTransfers } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import {
  dialogOf,
  entry,
  listing,
  nameAt,
  newFolderField,
  selectionBar,
  showView,
  signIn,
  tabTo,
} from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { write } from './support/sample-files.ts';

const fileCount = 20_500;
const folderCount = 3;
/** A screen of rows and the overscan around it, far below the number of entries. */
const maxRows = 150;
const maxElements = 3000;

const nameOf = (number: number): string => `file ${String(number).padStart(5, '0')}.txt`;

async function makeLargeFolder(folder: string): Promise<void> {
  for (let number = 1; number <= folderCount; number++) {
    await write(join(folder, `folder ${number}`, 'inside.txt'), 'inside');
  }
  const numbers = Array.from({ length: fileCount }, (_, index) => index + 1);
  for (let from = 0; from < fileCount; from += 100) {
    const batch = numbers.slice(from, from + 100);
    await Promise.all(
      batch.map((number) => writeFile(join(folder, nameOf(number)), '.'.repeat(number % 50))),
    );
  }
  await writeFile(join(folder, nameOf(12_345)), 'x'.repeat(100_000));
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
  await utimes(join(folder, nameOf(7777)), tomorrow, tomorrow);
}

async function expectFewElements(page: Page): Promise<void> {
  expect(await page.locator('[data-id]').count()).toBeLessThan(maxRows);
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(maxElements);
}

test('a folder of 20,500 files opens, scrolls, selects and sorts', async ({ page, product, root }) => {
  await test.step('the folder is created on the disk', () => makeLargeFolder(join(root, 'large')));
  await signIn(page, product, { at: '/files/large/' });
  const grid = listing(page, 'large');

  await test.step('the folder opens', async () => {
    await expect(grid).toHaveAttribute('aria-rowcount', String(fileCount + folderCount + 1));
    await expect(nameAt(page, 0)).toHaveText('folder 1');
    await expect(nameAt(page, folderCount)).toHaveText(nameOf(1));
    await expectFewElements(page);
  });

  await test.step('the listing scrolls and renders few rows', async () => {
    await grid.hover();
    await page.mouse.wheel(0, 200_000);
    await expect(entry(page, nameOf(1))).toBeHidden();
    await expectFewElements(page);
    // The wheel scrolls smoothly, on a busy machine for seconds, also after a key has moved the cursor.
    const row = page.locator('[data-id]').nth(5);
    let before: string | null = null;
    const isStill = async (): Promise<boolean> => before === (before = await row.textContent());
    await expect.poll(isStill, { intervals: [500] }).toBe(true);
    await row.click();
    await page.keyboard.press('End');
    await expect(entry(page, nameOf(fileCount))).toBeInViewport();
    await expect(entry(page, nameOf(fileCount))).toBeFocused();
    await expectFewElements(page);
    await page.keyboard.type('file 10000');
    await expect(entry(page, nameOf(10_000))).toBeInViewport();
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
    await expect(entry(page, nameOf(fileCount))).toHaveAttribute('aria-selected', 'true');
    await expectFewElements(page);
    await page.keyboard.press('Escape');
    await expect(selectionBar(page)).toBeHidden();
    await page.keyboard.press('Home');
  });

  await test.step('the listing is sorted by size, kind, date and name', async () => {
    await grid.getByRole('button', { name: 'Size' }).click();
    await expect(grid.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'descending');
    await expect(nameAt(page, folderCount)).toHaveText(nameOf(12_345));
    await grid.getByRole('button', { name: 'Kind' }).click();
    await expect(grid.getByRole('columnheader', { name: 'Kind' })).toHaveAttribute('aria-sort', 'ascending');
    await expect(nameAt(page, folderCount)).toHaveText(nameOf(1));
    await expect(entry(page, nameOf(1)).getByRole('gridcell', { name: 'Text', exact: true })).toBeVisible();
    await expect(entry(page, 'folder 1').getByRole('gridcell', { name: /^Folder(?: · |$)/u })).toBeVisible();
    await grid.getByRole('button', { name: 'Modified' }).click();
    await expect(nameAt(page, folderCount)).toHaveText(nameOf(7777));
    await grid.getByRole('button', { name: 'Name' }).click();
    await expect(nameAt(page, folderCount)).toHaveText(nameOf(1));
    await grid.getByRole('button', { name: 'Name' }).click();
    await expect(nameAt(page, 0)).toHaveText('folder 3');
    await expect(nameAt(page, folderCount)).toHaveText(nameOf(fileCount));
  });

  await test.step('the sorting is kept after a reload and in the mosaic view', async () => {
    await page.reload();
    await expect(nameAt(page, folderCount)).toHaveText(nameOf(fileCount));
    await showView(page, 'Tiles');
    await expect(page.getByRole('listbox', { name: 'Contents of large' })).toBeVisible();
    await expect(nameAt(page, folderCount)).toHaveText(nameOf(fileCount));
    await expectFewElements(page);
  });
});

/** Opens the menu of a header button and chooses an item, by keyboard alone. */
async function chooseByKeys(page: Page, menu: string, item: string): Promise<void> {
  await tabTo(page, page.getByRole('button', { name: menu, exact: true }));
  await page.keyboard.press('Enter');
  await downTo(page, item);
  await page.keyboard.press('Enter');
}

/** Moves down in the open menu to `item`. */
async function downTo(page: Page, item: string): Promise<void> {
  const target = page.getByRole('menuitem', { name: item });
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await expect(async () => {
    if (!(await target.evaluate((element) => element === document.activeElement))) {
      await page.keyboard.press('ArrowDown');
    }
    await expect(target).toBeFocused({ timeout: 200 });
  }).toPass();
}

async function createFolderByKeys(page: Page, name: string): Promise<void> {
  await chooseByKeys(page, 'New', 'New folder');
  // Typed while the menu closes.
  await page.keyboard.type(name);
  await expect(newFolderField(page)).toHaveValue(name);
  await page.keyboard.press('Enter');
  await expect(entry(page, name)).toHaveAttribute('aria-selected', 'true');
  await expect(dialogOf(page)).toBeHidden();
}

test('the product can be used without a mouse', async ({ page, product, root }) => {
  // The store of deleted entries is hidden.
  const visibleNames = async (...names: string[]): Promise<string[]> =>
    (await readdir(join(root, ...names))).filter((name) => !name.startsWith('.'));
  const toListing = (): Promise<void> => tabTo(page, page.locator('[data-id][tabindex="0"]'));
  await write(join(root, 'letter.txt'), 'Dear reader');
  await redirectAfterTransfers(product, await signInByApi(product));

  await test.step('the user signs in', async () => {
    await page.goto(`${product.url}/login`);
    await expect(page.getByLabel('Username')).toBeFocused();
    await page.keyboard.type('admin');
    await page.keyboard.press('Tab');
    await page.keyboard.type(product.password);
    await page.keyboard.press('Enter');
    await expect(entry(page, 'letter.txt')).toBeVisible();
  });

  await test.step('the user creates folders', async () => {
    await createFolderByKeys(page, 'Alpha');
    await createFolderByKeys(page, 'Target');
    expect((await visibleNames()).toSorted()).toEqual(['Alpha', 'Target', 'letter.txt']);
  });

  await test.step('the user renames a folder', async () => {
    await toListing();
    await page.keyboard.type('alp');
    await expect(entry(page, 'Alpha')).toBeFocused();
    await page.keyboard.press('F2');
    await expect(page.getByRole('textbox', { name: 'New name' })).toBeFocused();
    await page.keyboard.type('Beta');
    await page.keyboard.press('Enter');
    await expect(entry(page, 'Beta')).toBeFocused();
    await expect.poll(visibleNames).toContain('Beta');
  });

  await test.step('the user moves an entry by cut and paste', async () => {
    await page.keyboard.press('Control+X');
    await expect(page.getByText('is ready to be moved')).toBeVisible();
    await page.keyboard.type('tar');
    await expect(entry(page, 'Target')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('It feels lonely here...')).toBeVisible();
    await page.keyboard.press('Control+V');
    await expect(entry(page, 'Beta')).toBeVisible();
    await expect.poll(() => visibleNames('Target')).toEqual(['Beta']);
    await page.keyboard.press('Alt+ArrowUp');
    await expect(entry(page, 'letter.txt')).toBeVisible();
  });

  await test.step('the user moves an entry with the dialog', async () => {
    await toListing();
    await page.keyboard.type('let');
    await expect(entry(page, 'letter.txt')).toBeFocused();
    await page.keyboard.press('Shift+F10');
    await downTo(page, 'Move');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Move/u });
    await expect(dialog).toBeVisible();
    const target = dialog.getByRole('treeitem', { name: 'Target', exact: true });
    await expect(target).toBeVisible();
    await tabTo(page, dialog.getByRole('treeitem', { name: /^My files/u }));
    for (let step = 0; step < 20; step++) {
      if ((await target.getAttribute('aria-selected')) === 'true') break;
      await page.keyboard.press('ArrowDown');
    }
    await expect(target).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(dialog.getByRole('treeitem', { name: 'Beta', exact: true })).toBeVisible();
    await tabTo(page, dialog.getByRole('button', { name: 'Move', exact: true }));
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    // The user is taken to the destination of the move.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Target');
    await expect(entry(page, 'letter.txt')).toHaveAttribute('aria-selected', 'true');
    await expect.poll(async () => (await visibleNames('Target')).toSorted()).toEqual(['Beta', 'letter.txt']);
    expect(await readFile(join(root, 'Target', 'letter.txt'), 'utf8')).toBe('Dear reader');
    await page.keyboard.press('Alt+ArrowUp');
    await expect(entry(page, 'Target')).toBeVisible();
  });

  await test.step('the user deletes an entry', async () => {
    await toListing();
    await page.keyboard.type('tar');
    await page.keyboard.press('Delete');
    await expect(page.getByText('It feels lonely here...')).toBeVisible();
    await expect.poll(visibleNames).toEqual([]);
  });

  await test.step('the user signs out', async () => {
    await chooseByKeys(page, 'Account of admin', 'Logout');
    await expect(page.getByLabel('Username')).toBeVisible();
  });
});
