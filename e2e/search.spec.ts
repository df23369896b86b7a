import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { createUser } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, nameOf, listing, openFolder, signIn } from './support/journey.ts';
import { type Product, signInByApi } from './support/product.ts';
import { pngOf, write } from './support/sample-files.ts';

/** Waits until a word is found in the text of `count` documents: they are read a few seconds after the first request. */
async function waitUntilFound(page: Page, product: Product, word: string, count: number): Promise<void> {
  const token = await signInByApi(product);
  await expect(async () => {
    const response = await page.request.get(`${product.url}/api/contents/?query=${word}&limit=100`, {
      headers: { 'X-Auth': token },
    });
    expect(((await response.json()) as { rows: unknown[] }).rows).toHaveLength(count);
  }).toPass({ timeout: 60_000 });
}

test.beforeEach(async ({ root }) => {
  await write(join(root, 'tram.txt'), 'a tram');
  await write(join(root, 'Lisbon', 'Tram 28.png'), pngOf(32, 32));
  await write(join(root, 'Lisbon', 'Old town', 'tram stop.md'), '# Stop');
  await write(join(root, 'Lisbon', 'menu.pdf'), 'no real one');
  for (let month = 1; month <= 40; month++) {
    await write(join(root, 'Bank', 'statement', `2023-${String(month).padStart(2, '0')} bank.txt`), 'x');
  }
});

test.describe('from right to left', () => {
  test.use({ locale: 'ar' });

  test(
    'the names that a search finds begin where their folders begin',
    extended,
    async ({ page, product }) => {
      await signIn(page, product);
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
      await expect(entry(page, 'Lisbon')).toBeVisible();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('menu');
      const found = page.getByRole('search').getByRole('option', { name: 'menu.pdf' });
      await expect(found).toBeVisible();
      const rightOf = (text: Locator) =>
        text.evaluate((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return range.getBoundingClientRect().right;
        });
      const folder = await rightOf(found.getByText('Lisbon', { exact: true }));
      expect(Math.abs((await rightOf(found.locator('bdi'))) - folder)).toBeLessThan(3);
    },
  );
});

test('a user finds files by name and by type, and opens one or shows it in its folder', async ({
  page,
  product,
  root,
}) => {
  for (let number = 1; number <= 101; number++) await write(join(root, 'Post', `letter ${number}.txt`), 'x');
  await signIn(page, product);
  await openFolder(page, 'Lisbon');
  await page.keyboard.press('Control+f');
  const search = page.getByRole('search');
  const field = search.getByRole('combobox', { name: 'Search in Lisbon' });
  await expect(field).toBeFocused();

  await field.fill('TRAM');
  await expect(search.getByRole('group', { name: /^In .*Lisbon/u }).getByRole('option')).toHaveCount(2);
  await expect(search.getByRole('group', { name: 'Everywhere' }).getByRole('option')).toHaveText(
    /tram\.txt/u,
  );
  await expect(search.locator('mark')).toHaveText(['tram', 'tram', 'tram'], { ignoreCase: true });
  // Pictures have thumbnails, all results are counted, and the panel is as wide as the field.
  await expect(search.getByRole('option', { name: /Tram 28/u }).getByRole('presentation')).toHaveCount(1);
  await expect(search.getByRole('option', { name: /^All \d+ results for TRAM/u })).toBeVisible();
  const widths = await search
    .locator('> *')
    .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().width)));
  expect(new Set(widths).size).toBe(1);
  // The panel counts no further than 100.
  await field.fill('letter');
  await expect(search.getByRole('option', { name: 'More than 100 results for letter' })).toBeVisible();
  await field.fill('TRAM');

  await search.getByRole('button', { name: 'Images' }).click();
  await expect(field).toHaveValue('type:image TRAM');
  await expect(field).toBeFocused();
  await expect(search.getByRole('group', { name: /^In .*Lisbon/u }).getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await expect(search.getByRole('option', { name: /Tram 28/u })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Control+Enter');
  await expect(entry(page, 'Tram 28.png')).toHaveAttribute('aria-selected', 'true');
  await expect(entry(page, 'Tram 28.png')).toBeFocused();

  await page.keyboard.press('Control+f');
  await search.getByRole('option', { name: 'type:image TRAM' }).click();
  await expect(search.getByRole('option', { name: /Tram 28/u })).toBeVisible();
  // The results close first, then the field is emptied, then it is left.
  await page.keyboard.press('Escape');
  await expect(search.getByRole('listbox')).toBeHidden();
  await expect(field).toHaveValue('type:image TRAM');
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(entry(page, 'Tram 28.png')).toBeFocused();
});

test(
  'the search field keeps every key that is typed before its code and the folder have arrived',
  extended,
  async ({ page, product }) => {
    // The folder has not arrived either.
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/search-panel.*\.js$|\/api\/resources\//u, async (route) => {
      await held;
      await route.continue();
    });
    await signIn(page, product);
    const box = page.getByRole('combobox', { name: 'Search in My files' });
    await expect(box).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('holiday', { delay: 40 });
    await expect(box).toHaveValue('holiday');
    release();
    await expect(listing(page, 'My files')).toBeVisible();
    await expect(box).toBeFocused();
    await expect(page.getByText('No results for “holiday”').first()).toBeVisible();
    // The address follows while more is typed on the page of results.
    await page.keyboard.press('Enter');
    const field = page.getByRole('searchbox', { name: 'Search for files and folders' });
    await expect(field).toBeFocused();
    await page.keyboard.type(' in lisbon', { delay: 40 });
    await expect(page).toHaveURL(/query=holiday\+in\+lisbon$/u);
    await expect(field).toHaveValue('holiday in lisbon');
    await page.reload();
    await expect(field).toHaveValue('holiday in lisbon');
  },
);

test(
  'the results are an ordinary listing: selected, downloaded, opened, and the same after going back',
  extended,
  async ({ page, product }) => {
    await signIn(page, product, { at: '/search?query=bank+statement+2023' });
    const results = listing(page, 'Search');
    await expect(page.getByText('40 results')).toBeVisible();
    await expect(results.getByRole('row', { name: /2023-01 bank/u })).toContainText('Bank / statement');
    const last = entry(page, '2023-38 bank.txt');
    await page.getByRole('searchbox').press('Enter');
    await page.keyboard.press('End');
    await last.click();
    await entry(page, '2023-37 bank.txt').click({ modifiers: ['Control'] });
    await expect(page.getByText('2 selected').first()).toBeVisible();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).first().click();
    expect((await download).suggestedFilename()).toMatch(/\.zip$/u);

    // Opening shows the file over the results; going back shows them as they were.
    const scrolled = () => last.evaluate((row) => Math.round(row.getBoundingClientRect().top));
    const before = await scrolled();
    await last.dblclick();
    await expect(page).toHaveURL(/\/search\/Bank\/statement\/2023-38%20bank\.txt\?query=/u);
    await page.goBack();
    await expect(last).toHaveAttribute('aria-selected', 'true');
    expect(await scrolled()).toBe(before);

    await last.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show in folder' }).click();
    await expect(page).toHaveURL(/\/files\/Bank\/statement\/$/u);
    await page.goBack();
    await expect(last).toHaveAttribute('aria-selected', 'true');
    await expect(last).toBeInViewport();

    await page.getByRole('button', { name: 'Any kind' }).click();
    await page.getByRole('menuitemradio', { name: 'Folders' }).click();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/kind=folder/u);
    await expect(page.getByText('No results for “bank statement 2023”').first()).toBeVisible();
    await page.getByRole('button', { name: 'Remove filters' }).click();
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await expect(page).toHaveURL(/sort=name/u);
    await expect(page.getByText('40 results')).toBeVisible();
  },
);

test('entries that a rule hides from a user are not found', extended, async ({ page, product }) => {
  const token = await signInByApi(product);
  await createUser(product, token, {
    username: 'eve',
    password: 'eve keeps a secret',
    rules: [{ allow: false, regex: false, path: '/Lisbon', regexp: { raw: '' } }],
  });
  await signIn(page, product, {
    username: 'eve',
    password: 'eve keeps a secret',
    at: '/search?query=tram',
  });
  await expect(page.getByText('1 result', { exact: false })).toBeVisible();
  await expect(entry(page, 'tram.txt')).toBeVisible();
});

test.describe('without a catalogue', () => {
  test.use({ flags: ['--catalogue=off'] });

  test('the same page shows what a walk through the folders finds', extended, async ({ page, product }) => {
    await signIn(page, product);
    await expect(listing(page, 'My files')).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('lisbon stop');
    await expect(page.getByRole('option', { name: /tram stop\.md/u })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/search\?query=lisbon\+stop$/u);
    await expect(entry(page, 'tram stop.md')).toBeVisible();
    await expect(page.getByText('1 result')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Any size' })).toBeHidden();
  });
});

test.describe('with the search in contents', () => {
  test.use({ flags: ['--contentSearch=on', '--catalogueBudget=full'] });

  test('a user finds documents by their text, and only those that the rules allow', async ({
    page,
    product,
    root,
    problems,
  }) => {
    problems.allow(/net::ERR_FAILED .*\/api\/contents\//u);
    await write(join(root, 'Harbour', 'walls.txt'), 'The old harbour has a wall of granite.');
    await write(join(root, 'Secret', 'diary.txt'), 'A meeting at the granite wall.');
    const token = await signInByApi(product);
    const rules = [{ allow: false, regex: false, path: '/Secret', regexp: { raw: '' } }];
    const perm = { download: true };
    const password = 'eve keeps a secret';
    await createUser(product, token, { username: 'eve', password, rules, perm });
    await createUser(product, token, { username: 'ann', password, perm: { download: false } });
    await signIn(page, product, { username: 'eve', password, at: '/search?query=granite+wall' });

    const texts = page.getByRole('region', { name: 'In the text of documents' });
    // The documents are read a few seconds after the first request.
    const files = texts.getByRole('listitem');
    await expect(files).toHaveCount(1, { timeout: 60_000 });
    await expect(files).toContainText('The old harbour has a wall of granite.');
    await expect(texts.locator('mark')).toHaveText(['wall', 'wall', 'granite']);
    await expect(page.getByText('1 document with these words')).toBeVisible();

    const parts = page.getByRole('radiogroup', { name: 'Search in' });
    await parts.getByText('Names', { exact: true }).click();
    await expect(texts).toBeHidden();
    await expect(page.getByText('Only names are searched')).toBeVisible();
    await parts.getByText('Text', { exact: true }).click();
    await expect(page).toHaveURL(/part=contents/u);
    await entry(page, 'walls.txt').dblclick();
    await expect(page).toHaveURL(/\/search\/Harbour\/walls\.txt\?/u);
    await page.goBack();
    await expect(entry(page, 'walls.txt')).toContainText('The old harbour has a wall of granite.');
    await page.route('**/api/contents/**', (route) => route.abort());
    await page.getByRole('searchbox').fill('granite ships');
    await expect(page.getByText('The text of documents could not be searched.')).toBeVisible();
    await page.unroute('**/api/contents/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('No results for “granite ships”')).toBeVisible();

    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
    await signIn(page, product, { username: 'ann', password, at: '/search?query=granite&part=contents' });
    await expect(page.getByText('No results for “granite”').first()).toBeVisible();
    await expect(parts).toBeHidden();
  });

  test('the files below names are a list for the keyboard', extended, async ({ page, product, root }) => {
    for (let i = 10; i < 15; i++)
      await write(join(root, 'Quay', `berth ${i}.txt`), `Berth ${i} is reserved for the pilot cutter.`);
    await write(join(root, 'cutter.txt'), 'x');
    await waitUntilFound(page, product, 'cutter', 5);
    await signIn(page, product, { at: '/search?query=cutter' });
    const texts = page.getByRole('region', { name: 'In the text of documents' });
    const files = texts.getByRole('link', { name: /^berth/u });
    await expect(files).toHaveCount(5);
    await expect(texts.locator('mark')).toHaveText(Array.from({ length: 5 }, () => 'cutter'));
    await files.first().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect(files.nth(2)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/search\/Quay\/berth/u);
    await page.goBack();
    await expect(files.nth(2)).toBeFocused();
    await texts.getByRole('link', { name: 'Quay' }).nth(2).click();
    await expect(page).toHaveURL(/\/files\/Quay\/$/u);
  });

  test(
    'found documents are an ordinary listing: selected, dragged, deleted, and the same after going back',
    extended,
    async ({ page, product, root }) => {
      for (let i = 10; i < 50; i++)
        await write(join(root, 'Quay', `berth ${i}.txt`), `Berth ${i} is reserved for the pilot cutter.`);
      await waitUntilFound(page, product, 'cutter', 40);
      await signIn(page, product, { at: '/search?query=cutter&part=contents&sort=name' });
      const results = listing(page, 'Search');
      await expect(page.getByText('40 documents with these words')).toBeVisible();
      const first = results.getByRole('row', { name: /berth 10\.txt/u });
      await expect(first).toContainText('Berth 10 is reserved for the pilot cutter.');
      await expect(first.locator('mark')).toHaveText('cutter');
      await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
      await expect(entry(page, 'berth 49.txt')).toBeInViewport();
      await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();

      await page.getByRole('searchbox').press('Enter');
      await page.keyboard.press('End');
      const last = entry(page, 'berth 49.txt');
      await last.click();
      await entry(page, 'berth 48.txt').click({ modifiers: ['Control'] });
      await expect(page.getByText('2 selected').first()).toBeVisible();
      const scrolled = () => last.evaluate((row) => Math.round(row.getBoundingClientRect().top));
      const before = await scrolled();
      await last.dblclick();
      await expect(page).toHaveURL(/\/search\/Quay\/berth%2049\.txt\?/u);
      await page.goBack();
      await expect(last).toHaveAttribute('aria-selected', 'true');
      expect(await scrolled()).toBe(before);

      await nameOf(last).dragTo(page.getByRole('treeitem', { name: 'Lisbon' }));
      await expect.poll(() => existsSync(join(root, 'Lisbon', 'berth 49.txt'))).toBe(true);
      await page.getByRole('searchbox').press('Enter');
      await page.keyboard.press('Home');
      await first.click();
      await page.keyboard.press('Delete');
      await expect(first).toBeHidden();
      // The next one is selected.
      await page.keyboard.press('Escape');
      await expect(page.getByText('39 documents with these words')).toBeVisible();
      await expect(entry(page, 'berth 11.txt')).toContainText('Berth 11 is reserved');
    },
  );

  test('a search reports that documents are still being read', extended, async ({ page, product }) => {
    await page.route('**/api/contents/**', (route) =>
      route.fulfill({
        contentType: 'application/x-ndjson; charset=utf-8',
        body: `${JSON.stringify({ end: true, more: false, percent: 40 })}\n`,
      }),
    );
    await signIn(page, product, { at: '/search?query=granite&part=contents' });
    const none = page.getByRole('status').filter({ hasText: 'No results for “granite”' });
    await expect(none).toContainText('40');
  });
});
