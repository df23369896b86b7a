import { join } from 'node:path';
import { createUser } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, listing, openFolder, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { pngOf, write } from './support/sample-files.ts';

test.beforeEach(async ({ root }) => {
  await write(join(root, 'tram.txt'), 'a tram');
  await write(join(root, 'Lisbon', 'Tram 28.png'), pngOf(32, 32));
  await write(join(root, 'Lisbon', 'Old town', 'tram stop.md'), '# Stop');
  await write(join(root, 'Lisbon', 'menu.pdf'), 'no real one');
  for (let number = 1; number <= 120; number++) await write(join(root, 'Many', `bill ${number}.txt`), 'x');
});

test('a user finds files by name and by type, and opens one or shows it in its folder', async ({
  page,
  product,
}) => {
  await signIn(page, product);
  await expect(listing(page, 'My files')).toBeVisible();
  await page.keyboard.press('Control+f');
  const search = page.getByRole('search');
  const field = search.getByRole('searchbox');
  await expect(field).toBeFocused();

  await field.fill('TRAM');
  await expect(search.getByText('3 results')).toBeVisible();
  await expect(search.locator('mark')).toHaveText(['tram', 'Tram', 'tram'], { ignoreCase: true });

  await search.getByRole('button', { name: 'Images' }).click();
  await expect(field).toHaveValue('type:image TRAM');
  await expect(search.getByText('1 result', { exact: true })).toBeVisible();
  await search.getByRole('button', { name: 'Show “Tram 28.png” in its folder' }).click();
  await expect(page.getByRole('heading', { name: 'Lisbon', level: 1 })).toBeVisible();
  await expect(entry(page, 'Tram 28.png')).toHaveAttribute('aria-selected', 'true');
  await expect(entry(page, 'Tram 28.png')).toBeFocused();

  await page.keyboard.press('Control+f');
  await search.getByRole('button', { name: 'type:image TRAM' }).click();
  await expect(search.getByText('1 result', { exact: true })).toBeVisible();
  // The first Escape closes the results, the second empties the field, the third leaves it.
  await page.keyboard.press('Escape');
  await expect(search.getByRole('list', { name: 'Results' })).toBeHidden();
  await expect(field).toHaveValue('type:image TRAM');
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(entry(page, 'Tram 28.png')).toBeFocused();
});

test('keys that are typed into the search field before its code is loaded are not lost', async ({
  page,
  product,
}) => {
  await signIn(page, product);
  await expect(listing(page, 'My files')).toBeVisible();
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/search-panel.*\.js$/u, async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('holiday', { delay: 40 });
  await expect(page.getByRole('searchbox', { name: 'Search in My files' })).toHaveValue('holiday');
  release();
  await expect(page.getByText('No results for “holiday”')).toBeVisible();
});

test('the search works by keyboard alone: below the folder first, then everywhere', async ({
  page,
  product,
}) => {
  await signIn(page, product);
  await openFolder(page, 'Many');
  await page.keyboard.press('Control+k');
  const search = page.getByRole('search');
  await expect(search.getByRole('searchbox', { name: 'Search in Many' })).toBeFocused();
  await page.keyboard.type('tram stop.md');
  await page.keyboard.press('Enter');
  await expect(search.getByText('No results for “tram stop.md” in Many')).toBeVisible();
  await search.getByRole('button', { name: 'Search everywhere' }).press('Enter');
  const results = search.getByRole('list', { name: 'Results' });
  await expect(results.getByRole('listitem').first()).toBeVisible();
  await search.getByRole('searchbox').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(results).toBeHidden();
  await expect(page).not.toHaveURL(/Many/u);
});

test('many results are shown fifty at a time', async ({ page, product }) => {
  await signIn(page, product);
  const search = page.getByRole('search');
  await search.getByRole('searchbox', { name: 'Search in My files' }).click();
  await search.getByRole('searchbox').fill('bill');
  await expect(search.getByText('120 results')).toBeVisible();
  const results = search.getByRole('list', { name: 'Results' }).getByRole('listitem');
  await expect(results).toHaveCount(50);
  await results.nth(49).scrollIntoViewIfNeeded();
  await expect(results).toHaveCount(100);
  await results.nth(99).scrollIntoViewIfNeeded();
  await expect(results).toHaveCount(120);
  await page.keyboard.press('Escape');
  await expect(listing(page, 'My files')).toBeVisible();
});

test('entries that a rule hides from a user are not found', async ({ page, product }) => {
  const token = await signInByApi(product);
  await createUser(product, token, {
    username: 'eve',
    password: 'eve keeps a secret',
    rules: [{ allow: false, regex: false, path: '/Lisbon', regexp: { raw: '' } }],
  });
  await signIn(page, product, { username: 'eve', password: 'eve keeps a secret' });
  await expect(listing(page, 'My files')).toBeVisible();
  await page.keyboard.press('Control+f');
  const search = page.getByRole('search');
  await search.getByRole('searchbox').fill('tram');
  await expect(search.getByText('1 result', { exact: true })).toBeVisible();
  await expect(search.getByRole('list', { name: 'Results' })).toContainText('tram.txt');
});
