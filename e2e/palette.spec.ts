import { join } from 'node:path';
import { expect, test } from './support/fixtures.ts';
import { dialogOf, entry, listing, select, signIn } from './support/journey.ts';
import { write } from './support/sample-files.ts';

test('the command palette finds everything by name', async ({ page, product, root }) => {
  await write(join(root, 'Lisbon', 'a.txt'), 'a');
  await write(join(root, 'note.txt'), 'note');
  await signIn(page, product);
  await expect(listing(page, 'My files')).toBeVisible();
  const find = async (query: string) => {
    await page.keyboard.press('Control+Shift+P');
    const field = page.getByRole('combobox', { name: 'Find a command' });
    await expect(field).toBeFocused();
    await field.fill(query);
    return page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
  };
  await test.step('an action on the selection gets the focus that it needs', async () => {
    await select(page, 'note.txt');
    await expect((await find('renam')).first()).toContainText('Rename');
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'New name' });
    await expect(field).toBeFocused();
    await page.keyboard.type('letter');
    await page.keyboard.press('Enter');
    await expect(entry(page, 'letter.txt')).toBeVisible();
  });
  await test.step('themes, folders, typed paths and pages of the settings are found', async () => {
    await find('theme dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await (await find('lisbon')).first().click();
    await expect(listing(page, 'Lisbon')).toBeVisible();
    await find('/');
    await page.keyboard.press('Enter');
    await expect(listing(page, 'My files')).toBeVisible();
    await find('user management');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/settings\/users$/u);
  });
  await test.step('a query without results shows a message, and the help opens the palette', async () => {
    await page.goto(`${product.url}/files/`);
    await expect(listing(page, 'My files')).toBeVisible();
    await find('xyzzy');
    await expect(page.getByText('No command is called “xyzzy”.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toBeHidden();
    await page.keyboard.press('F1');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const text of ['Rename', 'Undo', 'Find a command by its name', 'Jump to a name by typing it']) {
      await expect(help.getByText(text).first()).toBeVisible();
    }
    await help.getByRole('button', { name: 'All commands' }).click();
    await expect(page.getByRole('combobox', { name: 'Find a command' })).toBeFocused();
  });
});
