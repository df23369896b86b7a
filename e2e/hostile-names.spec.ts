import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changeSettings, createShare, createUser, fetchApi } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, goUpTo, openFolder, select, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { write } from './support/sample-files.ts';
import { waitUntilSettled } from './support/wait-until-settled.ts';

/** Runs a script on any screen that treats it as markup; a file name cannot contain a slash. */
const hostile = (name: string): string =>
  `${name}"'><img src=x onerror=window.acted=1><svg onload=window.acted=1>{{7*7}}`;

test('markup in names of files, users, rules and the installation is shown as text on every screen', async ({
  page,
  product,
  root,
}) => {
  await write(join(root, hostile('file'), `${hostile('inner')}.txt`), 'text');
  await write(join(root, `${hostile('note')}.md`), '# Plan');
  const token = await signInByApi(product);
  const settings = (await (await fetchApi(product, '/api/settings', token)).json()) as { branding: object };
  const rule = (path: string): object => ({ regex: false, allow: true, path, regexp: { raw: '' } });
  await changeSettings(product, token, {
    branding: { ...settings.branding, name: hostile('house') },
    rules: [rule(`/${hostile('rule')}`)],
    shell: [hostile('shell')],
    commands: { after_upload: [hostile('hook')] },
  });
  await createUser(product, token, {
    username: hostile('maria'),
    password: 'four trams to Lisbon',
    scope: '/',
  });
  await createShare(product, token, `/${encodeURIComponent(hostile('file'))}`);
  const users = (await (await fetchApi(product, '/api/users', token)).json()) as { id: number }[];

  await signIn(page, product);
  const screens = [
    '/files/',
    `/files/${encodeURIComponent(hostile('file'))}/`,
    `/files/${encodeURIComponent(`${hostile('note')}.md`)}`,
    `/files/${encodeURIComponent(hostile('file'))}/${encodeURIComponent(`${hostile('inner')}.txt`)}`,
    '/settings/profile',
    '/settings/global',
    '/settings/users',
    '/settings/shares',
    ...users.map(({ id }) => `/settings/users/${id}`),
  ];
  for (const screen of screens) {
    await page.goto(`${product.url}${screen}`);
    await expect(page.locator('h1, [data-id], [role=dialog]').first()).toBeVisible();
    await waitUntilSettled(page);
    expect(await page.evaluate(() => 'acted' in window), screen).toBe(false);
    expect(await page.locator('[onerror], [onload], img[src="x"]').count(), screen).toBe(0);
  }
  // The names are shown as they were written.
  await page.goto(`${product.url}/settings/users`);
  await expect(page.getByText(hostile('maria')).first()).toBeVisible();
  await page.goto(`${product.url}/files/`);
  await expect(page.getByText(hostile('file'), { exact: true }).first()).toBeVisible();
  await expect(page).toHaveTitle(/\{\{7\*7\}\}/u);
});

test('names that are not UTF-8 are marked, and can be repaired by renaming', async ({
  page,
  product,
  root,
}) => {
  const onDisk = (name: string): Buffer => Buffer.from(join(root, name), 'latin1');
  await mkdir(onDisk('f\xfcr'));
  await writeFile(onDisk('f\xfcr/inner\xff.txt'), 'inner');
  await writeFile(onDisk('caf\xe9.txt'), 'coffee');
  await signIn(page, product);

  await test.step('the list marks the name, and applies a new one only after confirmation', async () => {
    await expect(entry(page, 'caf\\xE9.txt')).toContainText('The name is in an old encoding');
    await select(page, 'caf\\xE9.txt');
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: 'New name' });
    await expect(field).toHaveValue('café.txt');
    await field.blur();
    await expect(field).toBeHidden();
    await expect(entry(page, 'caf\\xE9.txt')).toBeVisible();
    await select(page, 'caf\\xE9.txt');
    await page.keyboard.press('F2');
    await expect(field).toHaveValue('café.txt');
    await page.keyboard.press('Enter');
    await expect(entry(page, 'café.txt')).toBeVisible();
    await expect(entry(page, 'caf\\xE9.txt')).toBeHidden();
    await expect.poll(() => readFile(join(root, 'café.txt'), 'utf8').catch(() => null)).toBe('coffee');
  });

  await test.step('the details mark the name of a folder, which can be opened like any other', async () => {
    await openFolder(page, 'f\\xFCr');
    await expect(entry(page, 'inner\\xFF.txt')).toBeVisible();
    await goUpTo(page, 'My files');
    await select(page, 'f\\xFCr');
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    await page
      .getByRole('complementary', { name: 'Details' })
      .getByRole('button', { name: 'Rename…' })
      .click();
    const name = page.getByRole('dialog').getByRole('textbox');
    await expect(name).toHaveValue('für');
    await name.press('Enter');
    await expect(entry(page, 'für')).toBeVisible();
    await expect.poll(() => readdir(root)).toContain('für');
  });
});
