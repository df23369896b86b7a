import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { dialogOf, downloadButton, entry, select, signIn } from './support/journey.ts';
import { write } from './support/sample-files.ts';

test('the user compresses a folder, looks into the archive, and extracts it', async ({
  page,
  product,
  root,
}) => {
  await write(join(root, 'letters', 'june', 'hello.txt'), 'Dear reader');
  await write(join(root, 'letters', 'list.md'), '# List');
  await signIn(page, product);

  await test.step('the menu compresses a folder', async () => {
    await entry(page, 'letters').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Compress…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Compress .*letters/u });
    await expect(dialog.getByRole('textbox', { name: 'Name of the archive' })).toHaveValue('letters');
    await page.keyboard.press('Enter');
    await expect(entry(page, 'letters.zip')).toBeVisible();
  });

  await test.step('the archive is entered like a folder', async () => {
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

  await test.step('the archive is extracted beside the folder, and that is undone', async () => {
    await page.getByRole('button', { name: 'Extract here' }).click();
    await expect(entry(page, 'letters(1)')).toBeVisible();
    expect(await readFile(join(root, 'letters(1)', 'june', 'hello.txt'), 'utf8')).toBe('Dear reader');
    await page.keyboard.press('Control+z');
    await expect(entry(page, 'letters(1)')).toBeHidden();
  });
});

test('folders and selections are downloaded as archives', extended, async ({ page, product, root }) => {
  await write(join(root, 'docs', 'a.txt'), 'a');
  await write(join(root, 'docs', 'deep', 'b.txt'), 'b');
  await write(join(root, 'one.txt'), 'one');
  await write(join(root, 'two.txt'), 'two');
  await signIn(page, product);
  await test.step('a single file is downloaded without an archive', async () => {
    await select(page, 'one.txt');
    const downloading = page.waitForEvent('download');
    await downloadButton(page).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('one.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('one');
  });
  await test.step('several entries are downloaded at once, as zip', async () => {
    await select(page, 'docs');
    await entry(page, 'one.txt').click({ modifiers: ['Control'] });
    const downloading = page.waitForEvent('download');
    await downloadButton(page).click();
    expect((await downloading).suggestedFilename()).toMatch(/\.zip$/u);
    await expect(dialogOf(page)).toBeHidden();
  });
  await test.step('a folder is downloaded in the chosen format', async () => {
    await page.keyboard.press('Escape');
    await entry(page, 'docs').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Download as…' }).click();
    const dialog = dialogOf(page);
    await expect(dialog).toContainText('Choose the format you want to download.');
    await expect(dialog.getByRole('radio', { name: 'zip', exact: true })).toBeChecked();
    await expect(dialog.getByRole('radio')).toHaveCount(7);
    await dialog.getByText('tar.gz', { exact: true }).click();
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/docs.*\.tar\.gz$/u);
    const bytes = await readFile(await download.path());
    expect([bytes[0], bytes[1]]).toEqual([0x1f, 0x8b]);
    await expect(dialog).toBeHidden();
  });
  await test.step('the key downloads the whole folder in the last chosen format', async () => {
    await page.keyboard.press('Escape');
    const downloading = page.waitForEvent('download');
    await page.keyboard.press('Control+s');
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/\.tar\.gz$/u);
    const content = gunzipSync(await readFile(await download.path()));
    for (const name of ['deep/b.txt', 'one.txt', 'two.txt']) expect(content.includes(name)).toBe(true);
  });
});
