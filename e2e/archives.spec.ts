import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './support/fixtures.ts';
import { entry, select, signIn } from './support/journey.ts';
import { write } from './support/sample-files.ts';

test('the user compresses a folder, looks into the archive, and extracts it', async ({
  page,
  product,
  root,
}) => {
  await write(join(root, 'letters', 'june', 'hello.txt'), 'Dear reader');
  await write(join(root, 'letters', 'list.md'), '# List');
  await signIn(page, product);

  await test.step('compresses it by the menu', async () => {
    await entry(page, 'letters').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Compress…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Compress .*letters/u });
    await expect(dialog.getByRole('textbox', { name: 'Name of the archive' })).toHaveValue('letters');
    await page.keyboard.press('Enter');
    await expect(entry(page, 'letters.zip')).toBeVisible();
  });

  await test.step('enters the archive like a folder', async () => {
    await select(page, 'letters.zip');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'letters.zip' })).toBeVisible();
    await expect(page).toHaveURL(/\/archive\/letters\.zip$/u);
    await entry(page, 'letters').dblclick();
    await entry(page, 'june').dblclick();
    await entry(page, 'hello.txt').dblclick();
    await expect(page.getByRole('dialog').getByText('Dear reader')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'letters.zip' }).click();
    await expect(entry(page, 'letters')).toBeVisible();
  });

  await test.step('extracts it beside the folder, and undoes that', async () => {
    await page.getByRole('button', { name: 'Extract here' }).click();
    await expect(entry(page, 'letters(1)')).toBeVisible();
    expect(await readFile(join(root, 'letters(1)', 'june', 'hello.txt'), 'utf8')).toBe('Dear reader');
    await page.keyboard.press('Control+z');
    await expect(entry(page, 'letters(1)')).toBeHidden();
  });
});
