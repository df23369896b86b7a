import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { createUser } from './support/api.ts';
import { checkScreen } from './support/checks/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, notice, select, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { namesIn, write } from './support/sample-files.ts';

/** The row of an operation by its whole description, because that of an undo contains the one of the change. */
const operationRow = (page: Page, text: string): Locator =>
  page.locator('[data-operation]').filter({ has: page.getByText(text, { exact: true }) });

async function rename(page: Page, from: string, to: string): Promise<void> {
  await select(page, from);
  await page.keyboard.press('F2');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(to);
  await page.keyboard.press('Enter');
  await expect(entry(page, to)).toBeVisible();
}

test(
  'Ctrl+Z undoes one change after the other, and Ctrl+Shift+Z repeats them',
  extended,
  async ({ page, product, root }) => {
    for (const name of ['a.txt', 'b.txt']) await write(join(root, name), name);
    await signIn(page, product);
    await rename(page, 'a.txt', 'c.txt');
    await select(page, 'b.txt');
    await page.keyboard.press('Delete');
    await expect(entry(page, 'b.txt')).toHaveCount(0);
    expect(await namesIn(root)).toEqual(['c.txt']);

    await page.keyboard.press('Control+z');
    await expect(notice(page, '“⁨b.txt⁩” restored')).toBeVisible();
    await expect(entry(page, 'b.txt')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(notice(page, 'Renamed to “⁨a.txt⁩”')).toBeVisible();
    await expect(entry(page, 'a.txt')).toBeVisible();
    expect(await namesIn(root)).toEqual(['a.txt', 'b.txt']);
    await page.keyboard.press('Control+z');
    await expect(notice(page, 'Nothing to undo')).toBeVisible();

    await page.keyboard.press('Control+Shift+Z');
    await expect(entry(page, 'c.txt')).toBeVisible();
    await page.keyboard.press('Control+Shift+Z');
    await expect(entry(page, 'b.txt')).toHaveCount(0);
    expect(await namesIn(root)).toEqual(['c.txt']);
    await page.keyboard.press('Control+Shift+Z');
    await expect(notice(page, 'Nothing to redo')).toBeVisible();
  },
);

test(
  'an undo that is possible only in part has to be confirmed',
  extended,
  async ({ page, product, root }) => {
    for (let number = 1; number <= 3; number++) await write(join(root, `${number}.txt`), String(number));
    await write(join(root, 'folder', 'inner.txt'), 'inner');
    await signIn(page, product);
    await expect(entry(page, '1.txt')).toBeVisible();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await expect(entry(page, '3(1).txt')).toBeVisible();
    await write(join(root, '2(1).txt'), 'changed since');
    await page.keyboard.press('Control+z');
    const question = page.getByRole('alertdialog', { name: 'Undo the rest?' });
    await expect(question).toContainText('1 of 4 items has changed since');
    await question.getByRole('button', { name: 'Undo the other 3' }).click();
    await expect(notice(page, '3 of 4 items were undone.')).toBeVisible();
    expect(await namesIn(root)).toEqual(['1.txt', '2(1).txt', '2.txt', '3.txt', 'folder']);
  },
);

test('the history lists changes of the account, and undoes each of them', async ({ page, product, root }) => {
  await write(join(root, 'docs', 'plan.txt'), 'the plan');
  await write(join(root, 'notes.txt'), 'notes');
  await signIn(page, product, { at: '/files/docs/' });
  await rename(page, 'plan.txt', 'old plan.txt');
  await test.step('the details of an entry say what happened to it last', async () => {
    await select(page, 'old plan.txt');
    await page.keyboard.press('Control+i');
    const activity = page.getByRole('region', { name: 'Activity' });
    await expect(activity.getByRole('listitem')).toHaveText(
      /^Renamed “⁨plan.txt⁩” to “⁨old plan.txt⁩”Today .+ · You$/u,
    );
    await expect(activity.getByRole('link', { name: 'History' })).toHaveAttribute(
      'href',
      /\/history\?below=%2Fdocs$/u,
    );
    await page.keyboard.press('Control+i');
    await expect(activity).toHaveCount(0);
  });

  await page.goto(`${product.url}/files/`);
  await select(page, 'notes.txt');
  await page.keyboard.press('Delete');
  await expect(entry(page, 'notes.txt')).toHaveCount(0);

  await test.step('the menu of the account leads to it', async () => {
    await page.getByRole('button', { name: 'Account of' }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await expect(page.getByRole('heading', { name: 'History', level: 1 })).toBeVisible();
    await expect(page.locator('[data-operation]')).toHaveCount(2);
    await expect(page.getByRole('heading', { name: 'Today', level: 2 })).toBeVisible();
  });

  const renamed = 'Renamed “⁨plan.txt⁩” to “⁨old plan.txt⁩”';
  await test.step('a change from before the page was loaded is undone', async () => {
    await operationRow(page, renamed).getByRole('button', { name: /^Undo/u }).click();
    await expect(notice(page, 'Renamed to “⁨plan.txt⁩”')).toBeVisible();
    expect(await namesIn(join(root, 'docs'))).toEqual(['plan.txt']);
    await expect(operationRow(page, renamed)).toContainText('Undone');
    await expect(
      operationRow(page, `Undid: ${renamed}`).getByRole('button', { name: /^Redo/u }),
    ).toBeVisible();
  });

  await test.step('the keyboard shortcuts work on this page too', async () => {
    await page.keyboard.press('Control+Shift+Z');
    await expect(
      operationRow(page, `Redid: ${renamed}`).getByRole('button', { name: /^Undo/u }),
    ).toBeVisible();
    expect(await namesIn(join(root, 'docs'))).toEqual(['old plan.txt']);
  });

  await test.step('a deletion is undone', async () => {
    await operationRow(page, 'Deleted “⁨notes.txt⁩”').getByRole('button', { name: /^Undo/u }).click();
    await expect(notice(page, '“⁨notes.txt⁩” restored')).toBeVisible();
    expect(await readFile(join(root, 'notes.txt'), 'utf8')).toBe('notes');
  });
});

test(
  'a rewind counts the changes of a folder, and undoes them',
  extended,
  async ({ page, product, root }) => {
    for (let number = 1; number <= 3; number++)
      await write(join(root, 'docs', `${number}.txt`), String(number));
    await signIn(page, product, { at: '/files/docs/' });
    for (let number = 1; number <= 3; number++) await rename(page, `${number}.txt`, `${number}.locked`);
    await page.goto(`${product.url}/history?below=/docs`);
    await expect(page.locator('[data-operation]')).toHaveCount(3);
    await page.getByRole('button', { name: 'Rewind…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rewind a folder' });
    await expect(dialog.getByLabel('Folder')).toHaveValue('/docs');
    await expect(dialog.getByText('3 items have changed since.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Undo 3 changes' }).click();
    await expect(notice(page, '3 changes below ⁨docs⁩ undone')).toBeVisible();
    expect(await namesIn(join(root, 'docs'))).toEqual(['1.txt', '2.txt', '3.txt']);
    await expect(operationRow(page, 'Rewound 3 items')).toBeVisible();
  },
);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('another user sees only their own changes', extended, async ({ page, product, root }) => {
    await write(join(root, 'notes.txt'), 'notes');
    const anna = { username: 'anna', password: 'a password for anna' };
    await createUser(product, await signInByApi(product), { ...anna, scope: '/' });
    await signIn(page, product, { ...anna, at: '/history' });
    await expect(page.getByRole('heading', { name: 'Nothing has changed yet' })).toBeVisible();
    await checkScreen(page, 'history on a phone');
  });

  test(
    'the place of a change is a target for fingers close to the line above it',
    extended,
    async ({ page, product, root }) => {
      await write(join(root, 'a.txt'), 'a');
      await signIn(page, product);
      await rename(page, 'a.txt', 'b.txt');
      await page.goto(`${product.url}/history`);
      const place = page.locator('[data-operation]').getByRole('button', { name: 'My files' });
      const target = (await place.boundingBox())?.height ?? 0;
      expect(target).toBeGreaterThanOrEqual(44);
      const row = (await page.locator('[data-operation]').boundingBox())?.height ?? 0;
      expect(row).toBeGreaterThan(0);
      expect(row).toBeLessThan(70);
    },
  );
});
