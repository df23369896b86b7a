import { mkdtemp, readFile, rename, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { createUser, fetchApi, sendJson } from './support/api.ts';
import { checkScreen } from './support/checks/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, nameOf, notice, select, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { pngOf, write } from './support/sample-files.ts';

/** The marks beside the name of an entry. */
const marks = (page: Page, name: string): Locator =>
  entry(page, name).locator('[data-column=name] [data-part=marks]');

/** The favorites in the sidebar. */
const favorites = (page: Page): Locator => page.getByRole('list', { name: 'Favourites' }).getByRole('link');

test('favorites and tags are set by key, menu and drag, follow renames, and can be undone', async ({
  page,
  product,
  root,
}) => {
  for (const name of ['one/a.txt', 'two/b.txt', 'note.txt', 'loose.txt']) await write(join(root, name), name);
  await signIn(page, product);

  await test.step('Ctrl+D makes a folder a favorite, with a star in its row', async () => {
    await select(page, 'one');
    await page.keyboard.press('Control+d');
    await expect(favorites(page)).toHaveText(['one']);
    await expect(marks(page, 'one')).toContainText('Favourite');
  });

  await test.step('a folder that is dropped on the heading of the favorites is added', async () => {
    await nameOf(entry(page, 'two')).dragTo(page.getByRole('heading', { name: 'Favourites' }));
    await expect(favorites(page)).toHaveText(['one', 'two']);
  });

  await test.step('a file that is dropped on a favorite folder is moved into it', async () => {
    await nameOf(entry(page, 'loose.txt')).dragTo(favorites(page).nth(1));
    await expect(notice(page, '“⁨loose.txt⁩” moved to ⁨two⁩')).toBeVisible();
    await expect(favorites(page)).toHaveText(['one', 'two']);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(entry(page, 'loose.txt')).toBeVisible();
  });

  await test.step('a drag that is canceled after a folder has opened leads back to its start', async () => {
    const source = (await nameOf(await select(page, 'loose.txt')).boundingBox()) ?? { x: 0, y: 0 };
    const target = (await nameOf(entry(page, 'one')).boundingBox()) ?? { x: 0, y: 0 };
    // On a slow connection the code that opens the folder arrives when the drag already rests there.
    let isResting = (): void => undefined;
    const rest = new Promise<void>((resolve) => (isResting = resolve));
    await page.route('**/drag-over-*.js', async (route) => {
      await rest;
      await route.continue();
    });
    const isRequested = page.waitForRequest('**/drag-over-*.js');
    await page.mouse.move(source.x + 5, source.y + 5);
    await page.mouse.down();
    await page.mouse.move(target.x + 9, target.y + 9, { steps: 4 });
    await isRequested;
    isResting();
    await expect(page).toHaveURL(/\/files\/one\/$/u);
    // Playwright ends a drag without the event that the browser sends to what was dragged; the next movement of the mouse ends it.
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await page.mouse.move(target.x + 60, target.y + 60);
    await expect(page).toHaveURL(/\/files\/$/u);
    await expect(entry(page, 'loose.txt')).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('Alt+Shift+Up and the menu sort them', async () => {
    await favorites(page).nth(1).focus();
    await page.keyboard.press('Alt+Shift+ArrowUp');
    await expect(favorites(page)).toHaveText(['two', 'one']);
    await favorites(page).first().click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Move up' })).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('menuitem', { name: 'Move down' }).click();
    await expect(favorites(page)).toHaveText(['one', 'two']);
    await favorites(page).nth(1).press('Alt+Shift+ArrowUp');
    await expect(favorites(page)).toHaveText(['two', 'one']);
  });

  await test.step('tags are words after the name', async () => {
    await select(page, 'note.txt');
    await page.getByRole('button', { name: 'Tags…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tags of “note.txt”' });
    for (const tag of ['Tax', 'To pay', 'Kids']) {
      await dialog.getByLabel('New tag').fill(tag);
      await page.keyboard.press('Enter');
      await expect(dialog.getByRole('button', { name: `Remove ${tag}` })).toBeVisible();
    }
    await page.keyboard.press('Escape');
    await expect(marks(page, 'note.txt')).toHaveText('TaxTo pay+1');
  });

  await test.step('in a wide window tags have a column of their own', async () => {
    const narrow = page.viewportSize() ?? { width: 1280, height: 800 };
    const header = page.getByRole('columnheader', { name: 'Tags' });
    await expect(header).toBeHidden();
    await page.setViewportSize({ width: 1920, height: 1080 });
    await expect(header).toBeVisible();
    const cell = entry(page, 'note.txt').locator('[data-column=tags]');
    await expect(cell).toHaveText('TaxTo pay+1');
    // Each tag is shown once, below the heading of its column; the star stays beside the name.
    await expect(
      entry(page, 'note.txt').getByText('Tax', { exact: true }).filter({ visible: true }),
    ).toHaveCount(1);
    const [tag, heading] = await Promise.all([cell.getByText('Tax').boundingBox(), header.boundingBox()]);
    expect(Math.abs((tag?.x ?? 0) - (heading?.x ?? 0))).toBeLessThan(32);
    const star = entry(page, 'one').locator('[data-column=name] [data-part=marks] svg');
    await expect(star).toBeVisible();
    await expect(entry(page, 'one').locator('[data-column=tags] svg')).toBeHidden();
    await page.setViewportSize(narrow);
    await expect(header).toBeHidden();
  });

  await test.step('Ctrl+Z takes the last tag and the last favorite back', async () => {
    await select(page, 'note.txt');
    await page.keyboard.press('Control+z');
    await expect(notice(page, 'Tag “⁨Kids⁩” removed')).toBeVisible();
    await expect(marks(page, 'note.txt')).toHaveText('TaxTo pay');
    await page.keyboard.press('Control+Shift+z');
    await expect(marks(page, 'note.txt')).toHaveText('TaxTo pay+1');
    await page.keyboard.press('Control+z');
    await expect(marks(page, 'note.txt')).toHaveText('TaxTo pay');
  });

  await test.step('a rename by another program is followed', async () => {
    await rename(join(root, 'two'), join(root, 'renamed'));
    await expect(favorites(page)).toHaveText(['renamed', 'one'], { timeout: 10_000 });
    await favorites(page).first().click();
    await expect(page).toHaveURL(/\/files\/renamed\/$/);
  });

  await test.step('opened files are recent, and Home shows them with favorite folders', async () => {
    await utimes(join(root, 'note.txt'), 0, 946_684_800);
    await page.getByRole('link', { name: 'My files' }).first().click();
    await entry(page, 'note.txt').dblclick();
    await expect
      .poll(async () => {
        const response = await page.request.get(`${product.url}/api/marks/recents`, {
          headers: { 'x-auth': (await page.evaluate(() => localStorage.getItem('jwt'))) ?? '' },
        });
        return ((await response.json()) as { rows: { path: string }[] }).rows.map(({ path }) => path);
      })
      .toContain('/note.txt');
    await page.goto(`${product.url}/home`);
    const folders = page.getByRole('region', { name: 'Folders you use' });
    await expect(folders.getByRole('link')).toHaveText([/renamed1 item · 9\sB/u, /one1 item · 9\sB/u]);
    await expect(
      page.getByRole('region', { name: 'Recent' }).getByRole('link', { name: /note\.txt/ }),
    ).toBeVisible();
    await checkScreen(page, 'Home');
    await page.getByRole('link', { name: 'Recent', exact: true }).click();
    await expect(page.getByRole('columnheader').last()).toHaveText('Last used');
    await expect(entry(page, 'note.txt').locator('[data-column=modified]')).not.toContainText('2000');
    await page.getByRole('button', { name: 'Clear list' }).click();
    await expect(page.getByText('Nothing recent yet')).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${product.url}/tags`);
    await expect(entry(page, 'note.txt')).toBeVisible();
    await page.goto(`${product.url}/home`);
    // There is no room for the size.
    await expect(folders.getByRole('link')).toHaveText([/renamed1 item$/u, /one1 item$/u]);
  });
});

test(
  'the word of a tag is legible in the rows of phones, and further tags are counted',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'a report about the garden house, final version.txt'), 'x');
    const token = await signInByApi(product);
    await sendJson(product, 'POST', '/api/marks', token, {
      paths: ['/a report about the garden house, final version.txt'],
      favorite: true,
      addTags: ['Taxes', 'House', 'Urgent'],
    });
    await page.setViewportSize({ width: 320, height: 640 });
    await signIn(page, product);
    const row = page.locator('[data-id]').filter({ hasText: 'Taxes' });
    const tag = row.locator('[data-column=name] [data-tag] bdi');
    await expect(tag).toHaveText(['Taxes']);
    await expect(row).toContainText('+2');
    expect(await tag.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    const [marked, menu] = await Promise.all([
      row.locator('[data-column=name] [data-part=marks]').boundingBox(),
      row.locator('[data-part=menu]').boundingBox(),
    ]);
    expect((marked?.x ?? 0) + (marked?.width ?? 0)).toBeLessThanOrEqual((menu?.x ?? 0) + 1);
  },
);

test('two tags beside a short name are shown in full', extended, async ({ page, product, root }) => {
  await write(join(root, 'readme.txt'), 'x');
  const token = await signInByApi(product);
  await sendJson(product, 'POST', '/api/marks', token, {
    paths: ['/readme.txt'],
    favorite: true,
    addTags: ['Taxes', 'House'],
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, product, { at: '/favorites' });
  const tags = page.locator('[data-id] [data-column=name] [data-tag] bdi');
  await expect(tags).toHaveText(['Taxes', 'House']);
  const areCut = await tags.evaluateAll((words) =>
    words.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
  );
  expect(areCut).toEqual([false, false]);
});

test(
  'favorites are sorted by column and on phones by the row above, and regain their own order',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'one/b.txt'), 'x');
    await write(join(root, 'two/a.txt'), 'long');
    await write(join(root, 'c/in.txt'), 'middle');
    const token = await signInByApi(product);
    for (const path of ['/one/b.txt', '/c', '/two/a.txt'])
      await sendJson(product, 'POST', '/api/marks', token, { paths: [path], favorite: true });
    await signIn(page, product, { at: '/favorites' });
    const names = page.locator('[data-id] [data-column=name] a');
    await expect(names).toHaveText(['b.txt', 'c', 'a.txt']);

    const size = page.getByRole('columnheader', { name: 'Size' });
    await size.getByRole('button').click();
    await expect(names).toHaveText(['c', 'a.txt', 'b.txt']);
    await expect(size).toHaveAttribute('aria-sort', 'descending');
    await size.getByRole('button').click();
    await expect(names).toHaveText(['b.txt', 'a.txt', 'c']);
    await size.getByRole('button').click();
    await expect(names).toHaveText(['b.txt', 'c', 'a.txt']);
    await expect(size).toHaveAttribute('aria-sort', 'none');

    await page.setViewportSize({ width: 390, height: 844 });
    const head = page.getByRole('group', { name: 'Sort and display' });
    await expect(head).toContainText('3 items');
    await head.getByRole('button', { name: 'Sort by: My order' }).click();
    await page.getByRole('menuitemradio', { name: 'Name' }).click();
    await expect(names).toHaveText(['a.txt', 'b.txt', 'c']);
    await page.getByRole('menuitemradio', { name: 'Z to A' }).click();
    await expect(names).toHaveText(['c', 'b.txt', 'a.txt']);
    await page.keyboard.press('Escape');
    await checkScreen(page, 'the favorites on a phone');
    await page.reload();
    await expect(names).toHaveText(['c', 'b.txt', 'a.txt']);
    await head.getByRole('button', { name: 'Sort by: Name' }).click();
    await page.getByRole('menuitemradio', { name: 'My order' }).click();
    await expect(names).toHaveText(['b.txt', 'c', 'a.txt']);
  },
);

test('recent pictures on Home have their thumbnail', extended, async ({ page, product }) => {
  const token = await signInByApi(product);
  await fetchApi(product, '/api/resources/boat.png', token, {
    method: 'POST',
    body: new Uint8Array(pngOf(300, 200)),
  });
  await signIn(page, product, { at: '/home' });
  const recent = page.getByRole('region', { name: 'Recent' }).getByRole('link', { name: /boat\.png/u });
  await expect
    .poll(() => recent.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
});

test(
  'recent entries on Home have the menu of entries, and New creates and uploads in My files',
  extended,
  async ({ page, product, root }) => {
    const token = await signInByApi(product);
    for (const name of ['older.txt', 'letter.txt'])
      await fetchApi(product, `/api/resources/inner/${name}`, token, { method: 'POST', body: 'x' });
    await signIn(page, product, { at: '/home' });
    const recent = page.getByRole('region', { name: 'Recent' });
    const row = (name: string): Locator => recent.getByRole('listitem').filter({ hasText: name });
    const item = (name: string): Locator => page.getByRole('menuitem', { name });

    await test.step('the button opens the menu of its entry, and the star is shown at once', async () => {
      const button = row('letter.txt').getByRole('button', { name: 'More actions' });
      await button.click();
      await expect(item('Favourite')).toBeVisible();
      await checkScreen(page, 'the menu of a recent entry on Home');
      await item('Favourite').click();
      await expect(row('letter.txt')).toContainText('Favourite');
      await expect(row('older.txt')).not.toContainText('Favourite');
    });

    await test.step('the menu key opens it at the row with the focus, and Escape returns there', async () => {
      const link = row('letter.txt').getByRole('link');
      await link.focus();
      await page.keyboard.press('Shift+F10');
      await expect(item('Open').first()).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(link).toBeFocused();
      await page.keyboard.press('F2');
      await page.getByRole('dialog').getByRole('textbox').fill('reply.txt');
      await page.keyboard.press('Enter');
      await expect(row('reply.txt')).toBeVisible();
      await expect(row('letter.txt')).toBeHidden();
    });

    await test.step('details are shown beside, for the entry whose menu was opened last', async () => {
      await row('older.txt').click({ button: 'right' });
      await item('Details').click();
      const details = page.getByRole('complementary', { name: 'Details' });
      await expect(details).toContainText('older.txt');
      await row('reply.txt').getByRole('link').focus();
      await expect(details).toContainText('reply.txt');
      await page.keyboard.press('Control+i');
      await expect(details).toBeHidden();
    });

    await test.step('a deleted entry disappears, and Ctrl+Z brings it back', async () => {
      await row('older.txt').click({ button: 'right' });
      await item('Delete').click();
      await expect(row('older.txt')).toBeHidden();
      await page.keyboard.press('Control+z');
      await expect(row('older.txt')).toBeVisible();
    });

    await test.step('an entry is shown in its folder', async () => {
      await row('older.txt').click({ button: 'right' });
      await item('Show in folder').click();
      await expect(page).toHaveURL(`${product.url}/files/inner/`);
      await expect(entry(page, 'older.txt')).toHaveAttribute('aria-selected', 'true');
      await page.goBack();
    });

    await test.step('uploads go to My files, and the page stays', async () => {
      await page.getByRole('button', { name: 'New', exact: true }).click();
      const choosing = page.waitForEvent('filechooser');
      await item('Upload folder').click();
      const source = await mkdtemp(join(tmpdir(), 'filestead-upload-'));
      try {
        await write(join(source, 'sent', 'a.txt'), 'sent');
        await (await choosing).setFiles(join(source, 'sent'));
        await expect.poll(() => readFile(join(root, 'sent/a.txt'), 'utf8').catch(() => null)).toBe('sent');
      } finally {
        await rm(source, { recursive: true, force: true });
      }
      await expect(page).toHaveURL(`${product.url}/home`);
    });

    await test.step('on phones the round button creates a folder in My files and shows it there', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Add' }).click();
      await item('New folder').click();
      const name = page.getByRole('dialog').getByRole('textbox');
      // A name that exists in My files is reported before it is sent.
      await expect(async () => {
        await name.fill('');
        await name.fill('inner');
        await expect(page.getByRole('dialog').getByRole('alert')).toContainText('inner', { timeout: 200 });
      }).toPass({ timeout: 10_000 });
      await name.fill('plans');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`${product.url}/files/`);
      await expect(entry(page, 'plans')).toHaveAttribute('aria-selected', 'true');
      await expect(page.getByRole('dialog')).toBeHidden();
    });
  },
);

test(
  'users who may only download have no New on Home, and no action that changes recent entries',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'letter.txt'), 'x');
    const reader = { username: 'reader', password: 'a password of 20 chars' };
    await createUser(product, await signInByApi(product), { ...reader, perm: { download: true } });
    await signIn(page, product, { ...reader, at: '/files/letter.txt' });
    const token = await signInByApi(product, reader.username, reader.password);
    await expect
      .poll(async () => (await fetchApi(product, '/api/marks/recents', token)).text())
      .toContain('/letter.txt');
    await page.goto(`${product.url}/home`);
    await page.getByRole('region', { name: 'Recent' }).getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menuitem', { name: 'Download', exact: true })).toBeVisible();
    for (const name of ['Rename', 'Delete', 'Share'])
      await expect(page.getByRole('menuitem', { name })).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'New', exact: true })).toBeHidden();
  },
);
