import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { createUser, fetchApi } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { dialogOf, entry, notice, select, signIn } from './support/journey.ts';
import { type Product, signInByApi } from './support/product.ts';
import { write } from './support/sample-files.ts';

/** Replaces the content of a file over the API. */
async function save(product: Product, token: string, path: string, text: string): Promise<void> {
  const response = await fetchApi(product, `/api/resources${path}`, token, { method: 'PUT', body: text });
  expect(response.status).toBe(200);
}

/** Opens the versions of an entry of the shown folder from its menu. */
async function openVersions(page: Page, name: string): Promise<Locator> {
  await select(page, name);
  await entry(page, name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Versions…' }).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('option').first()).toBeVisible();
  return dialog;
}

test('versions are listed, compared, restored, undone, copied and deleted', async ({
  page,
  product,
  root,
}) => {
  const path = join(root, 'plan.txt');
  await write(path, 'one\ncommon\n');
  await signIn(page, product);
  const token = await signInByApi(product);
  await save(product, token, '/plan.txt', 'two\ncommon\n');
  await save(product, token, '/plan.txt', 'three\ncommon\n');

  await test.step('the list shows the current state and the former ones, and the differences', async () => {
    const dialog = await openVersions(page, 'plan.txt');
    await expect(dialog).toHaveAccessibleName('Versions of “⁨plan.txt⁩”');
    const options = dialog.getByRole('option');
    await expect(options).toHaveCount(3);
    await expect(options.nth(0)).toContainText('Now');
    await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
    await expect(options.nth(1)).toContainText('saved it in the editor');
    await expect(options.nth(2)).toContainText('Author unknown');
    const changes = dialog.getByRole('region', { name: 'Changes since' });
    await expect(changes).toContainText('Removed:two');
    await expect(changes).toContainText('Added:three');
    // The direction of a line depends on its own text only, not on the translated word for screen readers.
    await expect(changes.locator('[data-kind=removed] [dir=auto]')).toHaveText('two');
  });

  await test.step('the arrow keys select, and the text of a version is shown', async () => {
    const dialog = dialogOf(page);
    await dialog.getByRole('option').nth(1).focus();
    await page.keyboard.press('ArrowDown');
    await expect(dialog.getByRole('option').nth(2)).toBeFocused();
    await expect(dialog.getByRole('option').nth(2)).toHaveAttribute('aria-selected', 'true');
    await dialog.getByText('Text', { exact: true }).click();
    await expect(dialog.locator('pre')).toHaveText('one\ncommon\n');
  });

  await test.step('a version is restored, and that is undone from the notice', async () => {
    await dialogOf(page).getByRole('button', { name: 'Restore this version' }).click();
    await expect(dialogOf(page)).toHaveCount(0);
    await expect(notice(page, '“⁨plan.txt⁩” is restored')).toBeVisible();
    expect(await readFile(path, 'utf8')).toBe('one\ncommon\n');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readFile(path, 'utf8')).toBe('three\ncommon\n');
  });

  await test.step('a version is restored from the details, and that is undone with Ctrl+Z', async () => {
    await page.keyboard.press('Control+i');
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions
      .getByRole('button', { name: /^Restore/u })
      .first()
      .click();
    await expect(notice(page, '“⁨plan.txt⁩” is restored')).toBeVisible();
    expect(await readFile(path, 'utf8')).toBe('one\ncommon\n');
    await page.keyboard.press('Control+z');
    await expect.poll(() => readFile(path, 'utf8')).toBe('three\ncommon\n');
    await expect(notice(page, '“⁨plan.txt⁩” is as it was before')).toBeVisible();
    await page.keyboard.press('Control+i');
    await expect(versions).toHaveCount(0);
  });

  await test.step('a version is labeled and kept forever', async () => {
    const dialog = await openVersions(page, 'plan.txt');
    await dialog.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Add a label…' }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill('before the meeting');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('option', { selected: true })).toContainText('before the meeting');
    await dialog.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Keep forever' }).click();
    await expect(dialog.getByRole('option', { selected: true })).toContainText('Kept forever');
    await dialog.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menuitem', { name: 'Delete forever' })).toHaveCount(0);
    await page.keyboard.press('Escape');
  });

  await test.step('a version is saved as a copy beside the file', async () => {
    await dialogOf(page).getByRole('button', { name: 'Save as a copy' }).click();
    await expect(entry(page, 'plan(1).txt')).toHaveAttribute('aria-selected', 'true');
    expect(await readFile(join(root, 'plan(1).txt'), 'utf8')).toContain('common');
  });

  await test.step('a version is deleted after confirmation, and that is undone with Ctrl+Z', async () => {
    const dialog = await openVersions(page, 'plan.txt');
    await expect(dialog.getByRole('option')).toHaveCount(3);
    await dialog.getByRole('option').last().click();
    await dialog.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete forever' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await question.getByRole('button', { name: 'Delete forever' }).click();
    await expect(dialog.getByRole('option')).toHaveCount(2);
    await expect(question).toHaveCount(0);
    await expect(dialog.getByRole('option', { selected: true })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(notice(page, /The version of .*plan\.txt.* \(Today \d.*\) is back\./)).toBeVisible();
    await expect((await openVersions(page, 'plan.txt')).getByRole('option')).toHaveCount(3);
  });
});

test(
  'the dialog of a file without versions, and of a user who may only read, offers no actions',
  extended,
  async ({ page, product, root, problems }) => {
    const token = await signInByApi(product);
    await write(join(root, 'new.txt'), 'new');
    await write(join(root, 'old.txt'), 'one');
    await save(product, token, '/old.txt', 'two');
    await createUser(product, token, {
      username: 'reader',
      password: 'a password for tests',
      perm: { download: true },
    });
    await signIn(page, product);
    const empty = await openVersions(page, 'new.txt');
    await expect(empty).toContainText('There are no earlier versions yet.');
    await expect(empty.getByRole('button', { name: 'Restore this version' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    // A late request of the page may be sent without its session.
    problems.allow(/status of 401/u);
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
    await signIn(page, product, { username: 'reader', password: 'a password for tests' });
    const dialog = await openVersions(page, 'old.txt');
    await expect(dialog.getByRole('option')).toHaveCount(1);
  },
);
