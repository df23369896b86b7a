import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { redirectAfterTransfers } from './support/api.ts';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { currentEntry, dialogOf, entry, listing, newFolderField, signIn, tabTo } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { namesIn, write } from './support/sample-files.ts';

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
  const toListing = (): Promise<void> => tabTo(page, currentEntry(page));
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
    expect(await namesIn(root)).toEqual(['Alpha', 'Target', 'letter.txt']);
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
    await expect.poll(() => namesIn(root)).toContain('Beta');
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
    await expect.poll(() => namesIn(join(root, 'Target'))).toEqual(['Beta']);
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
    await expect.poll(() => namesIn(join(root, 'Target'))).toEqual(['Beta', 'letter.txt']);
    expect(await readFile(join(root, 'Target', 'letter.txt'), 'utf8')).toBe('Dear reader');
    await page.keyboard.press('Alt+ArrowUp');
    // The folder that was left has the focus but is not selected; F2 renames it nevertheless.
    await expect(entry(page, 'Target')).toBeFocused();
    await page.keyboard.press('F2');
    await expect(page.getByRole('textbox', { name: 'New name' })).toHaveValue('Target');
    await page.keyboard.press('Escape');
  });

  await test.step('the user deletes an entry', async () => {
    await toListing();
    await page.keyboard.type('tar');
    await page.keyboard.press('Delete');
    await expect(page.getByText('It feels lonely here...')).toBeVisible();
    await expect.poll(() => namesIn(root)).toEqual([]);
  });

  await test.step('the user signs out', async () => {
    await chooseByKeys(page, 'Account of admin', 'Logout');
    await expect(page.getByLabel('Username')).toBeVisible();
  });
});

test(
  'files are created, renamed, moved and deleted by keyboard alone',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'Archive', 'old.txt'), 'old');
    await write(join(root, 'a.txt'), 'a');
    await signIn(page, product);
    await expect(listing(page, 'My files')).toBeVisible();
    // Nothing that is typed before the code of the palette has arrived is lost, nor between its end and the field that it shows.
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/command-palette.*\.js$/u, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('new file');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('le');
    release();
    await expect(page.getByRole('combobox', { name: 'Find a command' })).toHaveValue('new file');
    await page.keyboard.press('Enter');
    await page.keyboard.type('b.txt');
    await page.keyboard.press('Enter');
    await expect(entry(page, 'b.txt')).toBeFocused();
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type('new folder');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Letters');
    await page.keyboard.press('Enter');
    await expect(entry(page, 'Letters')).toHaveAttribute('aria-selected', 'true');
    // Not on the button that opened the dialog, which Enter would open again.
    await expect(entry(page, 'Letters')).toBeFocused();
    await page.keyboard.press('F2');
    await expect(page.getByRole('textbox', { name: 'New name' })).toBeFocused();
    await page.keyboard.type('Mail');
    await page.keyboard.press('Enter');
    await expect(entry(page, 'Mail')).toBeFocused();
    expect(await readdir(root)).toContain('Mail');
    await page.keyboard.press('Control+x');
    await page.keyboard.type('arch');
    await page.keyboard.press('Enter');
    await expect(listing(page, 'Archive')).toBeVisible();
    await page.keyboard.press('Control+v');
    await expect(entry(page, 'Mail')).toHaveAttribute('aria-selected', 'true');
    expect(await readdir(join(root, 'Archive'))).toContain('Mail');
    await page.keyboard.press('Delete');
    await expect(entry(page, 'Mail')).toBeHidden();
    expect(await readdir(join(root, 'Archive'))).toEqual(['old.txt']);
    await page.keyboard.press('Backspace');
    await expect(listing(page, 'My files')).toBeVisible();
    await expect(entry(page, 'Archive')).toBeFocused();
    // The entry is not selected: the key deletes nothing.
    await expect(entry(page, 'Archive')).toHaveAttribute('aria-selected', 'false');
    await page.keyboard.press('Delete');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
  },
);
