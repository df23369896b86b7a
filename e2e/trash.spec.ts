import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { createUser } from './support/api.ts';
import { checkScreen } from './support/checks/axe.ts';
import { expect, test } from './support/fixtures.ts';
import {
  currentEntry,
  dialogOf,
  entry,
  listing,
  notice,
  select,
  selectionBar,
  signIn,
  tabTo,
} from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { namesIn, write } from './support/sample-files.ts';

/** The row of a deleted item by its name. */
const deleted = (page: Page, name: string): Locator =>
  page.locator('[data-item]').filter({ has: page.getByText(name, { exact: true }) });

const trash = (page: Page): Locator => page.getByRole('grid', { name: 'Deleted items' });

/** Deletes entries of the shown folder, one by one, and waits until they have disappeared. */
async function remove(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) {
    await select(page, name);
    await page.keyboard.press('Delete');
    await expect(entry(page, name)).toHaveCount(0);
  }
}

async function openTrash(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Trash', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Trash', level: 1 })).toBeVisible();
}

test('a deletion needs no confirmation, and can be undone by its notice and by key', async ({
  page,
  product,
  root,
}) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await write(join(root, name), name);
  for (let number = 1; number <= 8; number++) await write(join(root, 'many', `${number}.txt`), 'text');
  await signIn(page, product);

  await test.step('the next entry has the focus and is selected', async () => {
    await remove(page, 'a.txt');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(notice(page, '“⁨a.txt⁩” moved to the trash')).toBeVisible();
    await expect(entry(page, 'b.txt')).toBeFocused();
    await expect(entry(page, 'b.txt')).toHaveAttribute('aria-selected', 'true');
    expect(await namesIn(root)).toEqual(['b.txt', 'c.txt', 'many']);
  });

  await test.step('the notice undoes it', async () => {
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(entry(page, 'a.txt')).toHaveAttribute('aria-selected', 'true');
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a.txt');
  });

  await test.step('a folder and many entries come back by key', async () => {
    await remove(page, 'many');
    await page.keyboard.press('Control+z');
    await expect(entry(page, 'many')).toBeVisible();
    expect(await namesIn(join(root, 'many'))).toHaveLength(8);
    await page.goto(`${product.url}/files/many/`);
    await expect(entry(page, '8.txt')).toBeVisible();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await expect(notice(page, '8 items moved to the trash')).toBeVisible();
    await expect(page.getByText('It feels lonely here...')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(notice(page, '8 items restored')).toBeVisible();
    await expect.poll(() => namesIn(join(root, 'many'))).toHaveLength(8);
  });
});

test('deleting forever is confirmed with number and size, and Enter cancels', async ({
  page,
  product,
  root,
}) => {
  for (let number = 1; number <= 3; number++)
    await write(join(root, 'folder', `${number}.bin`), '1'.repeat(1024));
  await signIn(page, product);
  await select(page, 'folder');
  await page.keyboard.press('Shift+Delete');
  const question = page.getByRole('alertdialog', { name: /Delete “.folder.” forever\?/u });
  await expect(question).toContainText(/4 items \(3\sKB\) will be permanently deleted\./u);
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  expect(await namesIn(root)).toEqual(['folder']);
  await page.keyboard.press('Shift+Delete');
  await question.getByRole('button', { name: 'Delete forever' }).click();
  await expect(page.getByText('It feels lonely here...')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(entry(page, 'folder')).toBeVisible();
  expect(await namesIn(join(root, 'folder'))).toEqual(['1.bin', '2.bin', '3.bin']);
  await select(page, 'folder');
  await page.keyboard.press('Shift+Delete');
  await question.getByRole('button', { name: 'Delete forever' }).click();
  await expect(page.getByText('It feels lonely here...')).toBeVisible();
  await openTrash(page);
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
});

test('the trash shows deleted items, restores them and deletes them forever', async ({
  page,
  product,
  root,
}) => {
  await write(join(root, 'Projects', 'plan.txt'), 'the plan');
  await write(join(root, 'Projects', 'old.txt'), 'old');
  await write(join(root, 'notes.txt'), 'first');
  await signIn(page, product, { at: '/files/Projects/' });
  await remove(page, 'plan.txt', 'old.txt');
  await page.goto(`${product.url}/files/`);
  await remove(page, 'notes.txt');
  await openTrash(page);

  await test.step('the latest deletion is first, with its place, user and time', async () => {
    await expect(page.locator('[data-item] [data-part=name]')).toHaveText([
      'notes.txt',
      'old.txt',
      'plan.txt',
    ]);
    await expect(deleted(page, 'plan.txt').getByRole('gridcell')).toHaveText([
      'plan.txt',
      'Projects',
      'You',
      /^Today/u,
      '8 B',
      '30 days',
    ]);
  });

  await test.step('the box in the head selects all items, and their boxes show it', async () => {
    const all = trash(page).getByRole('checkbox', { name: 'Select all' });
    const box = deleted(page, 'old.txt').locator('[data-part=check]');
    await expect(box).toHaveCSS('opacity', '0');
    await deleted(page, 'plan.txt').getByText('plan.txt').click();
    await expect(all).toHaveAttribute('aria-checked', 'mixed');
    await expect(box).toHaveCSS('opacity', '1');
    const [above, below] = await Promise.all([all.boundingBox(), box.boundingBox()]);
    expect([above?.x, above?.width]).toEqual([below?.x, below?.width]);
    await all.click();
    await expect(page.getByText(/^3 selected · 16\sB/u).first()).toBeVisible();
    await expect(all).toHaveAttribute('aria-checked', 'true');
    await all.click();
    await expect(page.locator('[data-item][aria-selected=true]')).toHaveCount(0);
  });

  await test.step('a name filters the list', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('OLD');
    await expect(page.locator('[data-item]')).toHaveCount(1);
    await expect(deleted(page, 'old.txt')).toBeVisible();
    await expect(page).toHaveURL(/\?q=OLD$/u);
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-item]')).toHaveCount(3);
  });

  await test.step('a file can be previewed', async () => {
    await deleted(page, 'plan.txt').getByText('plan.txt').dblclick();
    const preview = page.getByRole('dialog', { name: 'plan.txt' });
    await expect(preview.getByText('the plan')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(deleted(page, 'plan.txt')).toBeFocused();
  });

  await test.step('restoring offers to show the file in its folder', async () => {
    await page.getByRole('toolbar').getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(deleted(page, 'plan.txt')).toHaveCount(0);
    await expect(deleted(page, 'old.txt')).toBeFocused();
    expect(await readFile(join(root, 'Projects', 'plan.txt'), 'utf8')).toBe('the plan');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(listing(page, 'Projects')).toBeVisible();
    await expect(entry(page, 'plan.txt')).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('a taken name opens a dialog with the choices', async () => {
    await write(join(root, 'notes.txt'), 'second');
    await openTrash(page);
    await deleted(page, 'notes.txt').getByText('notes.txt').click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Restore', exact: true }).click();
    const question = dialogOf(page);
    await expect(question).toContainText('is already in');
    await question.getByRole('button', { name: 'Keep both' }).click();
    await expect(deleted(page, 'notes.txt')).toHaveCount(0);
    await expect.poll(() => namesIn(root)).toEqual(['Projects', 'notes(1).txt', 'notes.txt']);
    expect(await readFile(join(root, 'notes.txt'), 'utf8')).toBe('second');
  });

  await test.step('an item can be restored into another folder', async () => {
    await mkdir(join(root, 'Elsewhere'));
    await deleted(page, 'old.txt').getByText('old.txt').click();
    await page.getByRole('button', { name: 'Restore to…' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('treeitem', { name: 'Elsewhere', exact: true }).click();
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
    await expect.poll(() => namesIn(join(root, 'Elsewhere'))).toEqual(['old.txt']);
  });
});

test('a deleted folder can be opened, and its files previewed', extended, async ({ page, product, root }) => {
  await write(join(root, 'album', 'inner', 'deep.txt'), 'deep inside');
  await write(join(root, 'album', 'readme.txt'), 'read me');
  await signIn(page, product);
  await remove(page, 'album');
  await openTrash(page);
  await deleted(page, 'album').getByText('album').dblclick();
  await expect(page.getByRole('heading', { name: 'album', level: 1 })).toBeVisible();
  await entry(page, 'inner').getByText('inner').dblclick();
  await expect(page.getByRole('heading', { name: 'inner', level: 1 })).toBeVisible();
  await entry(page, 'deep.txt').getByText('deep.txt').dblclick();
  await expect(page.getByRole('dialog', { name: 'deep.txt' }).getByText('deep inside')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(entry(page, 'deep.txt')).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('heading', { name: 'album', level: 1 })).toBeVisible();
  await checkScreen(page, 'folder in the trash');
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  expect(await readFile(join(root, 'album', 'inner', 'deep.txt'), 'utf8')).toBe('deep inside');

  await test.step('a folder is merged with the one that was made for a file of it', async () => {
    await page.goto(`${product.url}/files/album/`);
    await remove(page, 'readme.txt');
    await page.goto(`${product.url}/files/`);
    await entry(page, 'album').getByText('album').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show deleted items' }).click();
    await expect(deleted(page, 'readme.txt')).toBeVisible();
    await page.goBack();
    await remove(page, 'album');
    await openTrash(page);
    await deleted(page, 'readme.txt').getByText('readme.txt').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show all from its folder' }).click();
    await expect(page.locator('[data-item]')).toHaveCount(1);
    await expect(page).toHaveURL(/\/trash\?below=%2Falbum$/u);
    await page.getByRole('button', { name: 'Empty trash…' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('2 items');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show all' }).click();
    const restore = page.getByRole('toolbar').getByRole('button', { name: 'Restore', exact: true });
    await deleted(page, 'readme.txt').getByText('readme.txt').click();
    await restore.click();
    await dialogOf(page).getByRole('button', { name: 'Restore this only' }).click();
    await expect(deleted(page, 'readme.txt')).toHaveCount(0);
    await deleted(page, 'album').getByText('album').click();
    await restore.click();
    await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
    await expect.poll(() => namesIn(join(root, 'album'))).toEqual(['inner', 'readme.txt']);
  });
});

test(
  'deleting forever from the trash can be undone for a moment, and emptying shows the number and the size',
  extended,
  async ({ page, product, root }) => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await write(join(root, name), 'x'.repeat(1024));
    await signIn(page, product);
    await remove(page, 'a.txt', 'b.txt', 'c.txt');
    await openTrash(page);
    await deleted(page, 'b.txt').getByText('b.txt').click();
    await page.keyboard.press('Delete');
    const question = page.getByRole('alertdialog', { name: /Delete “.b.txt.” forever\?/u });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await question.getByRole('button', { name: 'Delete forever' }).click();
    await expect(deleted(page, 'b.txt')).toHaveCount(0);
    await expect(deleted(page, 'a.txt')).toBeFocused();
    await page.keyboard.press('Control+z');
    await expect(deleted(page, 'b.txt')).toBeVisible();
    await page.getByRole('button', { name: 'Empty trash…' }).click();
    const emptying = page.getByRole('alertdialog', { name: 'Empty the trash?' });
    await expect(emptying).toContainText(/3 items \(3\sKB\) will be permanently deleted\./u);
    await emptying.getByRole('button', { name: 'Empty trash' }).click();
    await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
    await checkScreen(page, 'empty trash');
  },
);

test('the trash works by keyboard alone', extended, async ({ page, product, root }) => {
  for (const name of ['apple.txt', 'pear.txt', 'plum.txt']) await write(join(root, name), name);
  await signIn(page, product);
  await tabTo(page, currentEntry(page));
  await page.keyboard.type('apple');
  await expect(entry(page, 'apple.txt')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Delete');
  await expect(entry(page, 'pear.txt')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(entry(page, 'plum.txt')).toBeFocused();
  await tabTo(page, page.getByRole('link', { name: 'Trash', exact: true }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(trash(page)).toBeVisible();
  await tabTo(page, page.locator('[data-item][tabindex="0"]'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(page.getByRole('toolbar', { name: 'Selected items' })).toContainText('2 selected');
  await page.keyboard.press('Escape');
  await page.keyboard.type('app');
  await expect(deleted(page, 'apple.txt')).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Preview' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(deleted(page, 'apple.txt')).toHaveCount(0);
  await expect(deleted(page, 'pear.txt')).toBeFocused();
  expect(await namesIn(root)).toEqual(['apple.txt', 'plum.txt']);
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+F1');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('delete forever');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
});

test(
  'a user without the permission to delete forever can only restore',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'letter.txt'), 'letter');
    await createUser(product, await signInByApi(product), {
      username: 'bob',
      password: 'a long enough password',
      perm: { create: true, delete: true, download: true, purge: false },
    });
    await signIn(page, product, { username: 'bob', password: 'a long enough password' });
    await select(page, 'letter.txt');
    await page.keyboard.press('Shift+Delete');
    await expect(entry(page, 'letter.txt')).toBeVisible();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await remove(page, 'letter.txt');
    await openTrash(page);
    await expect(page.getByRole('button', { name: 'Empty trash…' })).toHaveCount(0);
    await deleted(page, 'letter.txt').getByText('letter.txt').click();
    await expect(selectionBar(page).getByRole('button', { name: 'Restore', exact: true })).toBeVisible();
    await expect(selectionBar(page).getByRole('button', { name: 'Delete forever' })).toHaveCount(0);
    await page.keyboard.press('Delete');
    await expect(
      page.getByText("You don't have permission to delete forever.", { exact: true }),
    ).toBeVisible();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
  },
);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test(
    'a deletion is undone, and an item is found in the trash and restored by touch',
    extended,
    async ({ page, product, root }) => {
      for (const name of ['a.txt', 'b.txt']) await write(join(root, name), name);
      await signIn(page, product);
      await entry(page, 'a.txt').getByText('a.txt', { exact: true }).tap();
      await selectionBar(page).getByRole('button', { name: 'Delete' }).tap();
      await expect(entry(page, 'a.txt')).toHaveCount(0);
      // The bar would cover the navigation.
      await expect(selectionBar(page)).toHaveCount(0);
      await page.getByRole('button', { name: 'Undo' }).tap();
      await expect(entry(page, 'a.txt')).toBeVisible();
      await selectionBar(page).getByRole('button', { name: 'Delete' }).tap();
      await expect(entry(page, 'a.txt')).toHaveCount(0);
      await page.getByRole('link', { name: 'You' }).tap();
      await page.getByRole('link', { name: /^Trash/u }).tap();
      await expect(page.getByRole('heading', { name: 'Trash', level: 1 })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
      await deleted(page, 'a.txt').getByText('a.txt', { exact: true }).tap();
      await expect(page.getByRole('heading', { name: '1 selected' })).toBeVisible();
      await selectionBar(page).getByRole('button', { name: 'Restore', exact: true }).tap();
      await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
      expect(await namesIn(root)).toEqual(['a.txt', 'b.txt']);
    },
  );
});

test.describe('from right to left', () => {
  test.use({ locale: 'ar' });

  test(
    'the columns of the trash begin at the right, in line with their names',
    extended,
    async ({ page, product, root }) => {
      await write(join(root, 'a.txt'), 'a');
      await signIn(page, product);
      await remove(page, 'a.txt');
      await page.goto(`${product.url}/trash`);
      await expect(deleted(page, 'a.txt')).toBeVisible();
      const startOf = (locator: Locator) =>
        locator.evaluate((element) => {
          const { right } = element.getBoundingClientRect();
          return Math.round(right - Number.parseFloat(getComputedStyle(element).paddingInlineStart));
        });
      for (const column of ['location', 'deleted', 'timeLeft']) {
        const head = page.locator(`[role=columnheader][data-column=${column}]`);
        const cell = deleted(page, 'a.txt').locator(`[role=gridcell][data-column=${column}]`);
        expect(await startOf(head)).toBe(await startOf(cell));
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
    },
  );
});

test.describe('without a trash', () => {
  test.use({ flags: ['--trash', 'off'] });

  test(
    'a deletion has to be confirmed, and the sidebar has no trash',
    extended,
    async ({ page, product, root, problems }) => {
      problems.allow(/status of 404 .*\/api\/resources\/trash\)$/u);
      await write(join(root, 'a.txt'), 'a');
      await signIn(page, product);
      await expect(page.getByRole('link', { name: 'Trash', exact: true })).toHaveCount(0);
      await select(page, 'a.txt');
      await page.keyboard.press('Delete');
      const question = page.getByRole('alertdialog');
      await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await question.getByRole('button', { name: 'Delete forever' }).click();
      await expect(page.getByText('It feels lonely here...')).toBeVisible();
      expect(await namesIn(root)).toEqual([]);
      await page.goto(`${product.url}/trash`);
      await expect(page).toHaveURL(/\/files\/trash$/u);
      await expect(page.getByRole('heading', { name: "This location can't be reached." })).toBeVisible();
    },
  );
});
