import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { checkScreen } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import {
  dialogOf,
  entry,
  label,
  listing,
  openFolder,
  select,
  selectionBar,
  showView,
  signIn,
} from './support/journey.ts';
import { redirectAfterTransfers } from './support/api.ts';
import { signInByApi } from './support/product.ts';
import { pngOf, write } from './support/sample-files.ts';

const notice = (page: Page, text: string | RegExp) =>
  page.getByRole('status', { name: 'Notifications' }).getByText(text);

test('folders and selections are downloaded as archives', async ({ page, product, root }) => {
  await write(join(root, 'docs', 'a.txt'), 'a');
  await write(join(root, 'docs', 'deep', 'b.txt'), 'b');
  await write(join(root, 'one.txt'), 'one');
  await write(join(root, 'two.txt'), 'two');
  await signIn(page, product);
  await test.step('a single file is downloaded without an archive', async () => {
    await select(page, 'one.txt');
    const downloading = page.waitForEvent('download');
    await selectionBar(page)
      .getByRole('button', { name: /^Download(?! as)/u })
      .click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('one.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('one');
  });
  await test.step('several entries are downloaded at once, as zip', async () => {
    await select(page, 'docs');
    await entry(page, 'one.txt').click({ modifiers: ['Control'] });
    const downloading = page.waitForEvent('download');
    await selectionBar(page)
      .getByRole('button', { name: /^Download(?! as)/u })
      .click();
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

test('a job is shown, cancelled and retried, and continues after the page was closed', async ({
  page,
  product,
  root,
}) => {
  const names = Array.from({ length: 12 }, (_, index) => `item ${String(index).padStart(2, '0')}.txt`);
  for (const name of names) await write(join(root, 'from', name), name);
  await write(join(root, 'tree', 'in', 'a.txt'), 'a');
  for (let number = 0; number < 900; number++) {
    await write(join(root, 'tree', `f${number}`), Buffer.alloc(30_000, number));
  }
  await write(join(root, 'to', names[0] ?? ''), 'old');
  await redirectAfterTransfers(product, await signInByApi(product));
  await signIn(page, product);

  await test.step('one job moves many items after asking about conflicts', async () => {
    await openFolder(page, 'from');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+x');
    await page.goto(`${product.url}/files/to/`);
    // Another page load clears the cut entries.
    await page.goto(`${product.url}/files/from/`);
    await expect(listing(page, 'from')).toBeVisible();
    await page.keyboard.press('Control+a');
    const jobRequest = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/api/jobs'),
    );
    await selectionBar(page).getByRole('button', { name: 'Move to…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 12 items' });
    await dialog.getByRole('treeitem', { name: 'to', exact: true }).click();
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await expect(dialogOf(page)).toContainText(`${names[0] ?? ''}`);
    await dialogOf(page).getByRole('button', { name: 'Keep both' }).click();
    await jobRequest;
    await expect(notice(page, '12 items moved to')).toBeVisible();
    // The user has chosen to be taken to the destination.
    await expect(listing(page, 'to')).toBeVisible();
    await expect(entry(page, 'item 00(1).txt')).toHaveAttribute('aria-selected', 'true');
    expect(await readdir(join(root, 'from'))).toEqual([]);
    expect(await readdir(join(root, 'to'))).toHaveLength(13);
    expect(await readFile(join(root, 'to', names[0] ?? ''), 'utf8')).toBe('old');
  });

  await test.step('the key undoes the move', async () => {
    await page.keyboard.press('Control+z');
    await expect(notice(page, 'Moved 12 items back to')).toBeVisible();
    expect((await readdir(join(root, 'from'))).toSorted()).toHaveLength(12);
    expect(await readdir(join(root, 'to'))).toEqual([names[0]]);
    await expect(entry(page, names[5] ?? '')).toBeHidden();
    await expect(entry(page, names[0] ?? '')).toBeVisible();
  });

  await test.step('a copy can be undone unless it was changed', async () => {
    await page.goto(`${product.url}/files/`);
    await select(page, 'to');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await expect(notice(page, /copied to/u).last()).toBeVisible();
    await expect(entry(page, 'to(1)')).toBeVisible();
    await write(join(root, 'to(1)', 'mine.txt'), 'mine');
    await page.keyboard.press('Control+z');
    await expect(notice(page, /has changed since/u)).toBeVisible();
    expect(await readdir(join(root, 'to(1)'))).toContain('mine.txt');
  });

  await test.step('after a reload the job is shown, can be cancelled, and lists its failures', async () => {
    const status = await page.evaluate(async () => {
      const items = Array.from({ length: 80 }, (_, index) => ({ from: '/tree', to: `/copies/${index}` }));
      const jobResponse = await fetch('/api/jobs', {
        method: 'POST',
        headers: { 'X-Auth': localStorage.getItem('jwt') ?? '', 'Content-Type': 'application/json' },
        body: JSON.stringify({ kind: 'copy', items: [...items, { from: '/nothing', to: '/copies/x' }] }),
      });
      return jobResponse.status;
    });
    expect(status).toBe(202);
    await page.reload();
    const tray = page.getByRole('region', { name: 'Activity' });
    await expect(tray.getByRole('progressbar')).toBeVisible();
    // The tray does not collapse while the pointer is in it.
    await tray.hover();
    await expect(tray).toContainText('Copying 81 items');
    await expect(tray).toContainText(/MB of/u);
    await checkScreen(page, 'running work');
    await tray.getByRole('button', { name: /^Stop/u }).click();
    await expect(tray).toBeHidden();
    await page.evaluate(async () => {
      await fetch('/api/jobs', {
        method: 'POST',
        headers: { 'X-Auth': localStorage.getItem('jwt') ?? '', 'Content-Type': 'application/json' },
        body: JSON.stringify({ kind: 'delete', items: [{ from: '/gone' }, { from: '/never' }] }),
      });
    });
    await page.reload();
    await expect(tray).toContainText('2 of 2 items were not deleted.');
    await tray.getByRole('button', { name: 'Show why' }).click();
    await expect(tray.getByRole('list')).toContainText('It is no longer there.');
    await checkScreen(page, 'failures of work');
    await tray.getByRole('button', { name: 'Close this report' }).click();
    await expect(tray).toBeHidden();
    await page.reload();
    await expect(listing(page, 'My files')).toBeVisible();
    await expect(tray).toBeHidden();
  });
});

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

test('display settings are chosen and remembered', async ({ page, product, root }) => {
  for (let number = 1; number <= 5; number++) await write(join(root, `p${number}.png`), pngOf(400, 300));
  await signIn(page, product);
  const heightOf = async (name: string) => (await entry(page, name).boundingBox())?.height;
  await expect(entry(page, 'p1.png')).toBeVisible();
  await test.step('the height of rows is changed and remembered', async () => {
    expect(await heightOf('p1.png')).toBe(40);
    await page.getByRole('button', { name: 'Sort and display' }).click();
    await page.getByRole('menuitemradio', { name: 'Compact' }).click();
    await expect.poll(() => heightOf('p1.png')).toBe(32);
    await page.reload();
    await expect.poll(() => heightOf('p1.png')).toBe(32);
  });
  await test.step('thumbnails are generated by the server', async () => {
    const picture = entry(page, 'p1.png').locator('img');
    await expect(picture).toHaveAttribute('data-loaded', 'true');
    await expect(picture).toHaveAttribute('src', /\/api\/preview\/thumb\/p1\.png\?.*key=\d/u);
    await expect(picture).toHaveJSProperty('naturalWidth', 256);
  });
  await test.step('the size of tiles is changed with the menu and with keys', async () => {
    await showView(page, 'Tiles');
    const widthOf = async () => (await entry(page, 'p1.png').boundingBox())?.width ?? 0;
    await expect.poll(widthOf).toBeGreaterThan(260);
    const before = await widthOf();
    await page.getByRole('button', { name: 'Sort and display' }).click();
    await page.getByRole('menuitemradio', { name: '200 pixels' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(widthOf).toBeLessThan(before);
    await entry(page, 'p1.png').click();
    for (let step = 0; step < 4; step++) await page.keyboard.press('Control+Equal');
    await expect.poll(widthOf).toBeGreaterThan(before);
    // The folder remembers it; others keep the usual size.
    const usual = await page.evaluate(() => localStorage.getItem('filestead.view') ?? '');
    expect(JSON.parse(usual)).toMatchObject({ tileStep: 2 });
    expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('tileStep');
  });
  await test.step('the undo key switches back to the previous view', async () => {
    await showView(page, 'Photos');
    await expect(page.locator('[data-view="mosaic gallery"]')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(page.locator('[data-view="mosaic"]')).toBeVisible();
  });
  await test.step('the switch of views stays in its place', async () => {
    const switchOfViews = page.getByRole('radiogroup', { name: 'View' });
    const place = await switchOfViews.boundingBox();
    for (const view of ['Photos', 'List', 'Tiles'] as const) {
      await showView(page, view);
      expect(await switchOfViews.boundingBox(), view).toEqual(place);
    }
  });
  await test.step('Escape closes the details, then clears the selection', async () => {
    await entry(page, 'p2.png').click();
    await page.keyboard.press('Control+i');
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect(details).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(details).toBeHidden();
    await expect(entry(page, 'p2.png')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Escape');
    await expect(entry(page, 'p2.png')).toHaveAttribute('aria-selected', 'false');
  });
  await test.step('Space opens the preview of a picture, which shows its thumbnail at once', async () => {
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/api\/(?:preview\/big|raw)\//u, async (route) => {
      await held;
      await route.continue();
    });
    await entry(page, 'p2.png').click();
    await page.keyboard.press('Space');
    const preview = page.getByRole('dialog', { name: 'p2.png' });
    await expect(preview.locator('canvas')).toBeVisible();
    release();
    await expect(preview.getByRole('img', { name: /^p2\.png/u })).toBeVisible();
    await expect(preview.locator('canvas')).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'p2.png' })).toBeHidden();
  });
});

test('files are created, renamed, moved and deleted by keyboard alone', async ({ page, product, root }) => {
  await write(join(root, 'Archive', 'old.txt'), 'old');
  await write(join(root, 'a.txt'), 'a');
  await signIn(page, product);
  await expect(listing(page, 'My files')).toBeVisible();
  // Nothing that is typed before the code of the palette has arrived is lost, nor between its end and the field that it shows.
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/command-palette.*\.js$/u, async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('new file');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('le');
  release();
  await expect(page.getByRole('combobox', { name: 'Find a command' })).toHaveValue('new file');
  await page.keyboard.press('Enter');
  await page.keyboard.type('b.txt');
  await page.keyboard.press('Enter');
  await expect(entry(page, 'b.txt')).toBeFocused();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('new folder');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Letters');
  await page.keyboard.press('Enter');
  await expect(entry(page, 'Letters')).toHaveAttribute('aria-selected', 'true');
  // Not on the button that opened the dialog, which Enter would open again.
  await expect(entry(page, 'Letters')).toBeFocused();
  await page.keyboard.press('F2');
  await expect(page.getByRole('textbox', { name: 'New name' })).toBeFocused();
  await page.keyboard.type('Mail');
  await page.keyboard.press('Enter');
  await expect(entry(page, 'Mail')).toBeFocused();
  expect(await readdir(root)).toContain('Mail');
  await page.keyboard.press('Control+x');
  await page.keyboard.type('arch');
  await page.keyboard.press('Enter');
  await expect(listing(page, 'Archive')).toBeVisible();
  await page.keyboard.press('Control+v');
  await expect(entry(page, 'Mail')).toHaveAttribute('aria-selected', 'true');
  expect(await readdir(join(root, 'Archive'))).toContain('Mail');
  await page.keyboard.press('Delete');
  await expect(entry(page, 'Mail')).toBeHidden();
  expect(await readdir(join(root, 'Archive'))).toEqual(['old.txt']);
  await page.keyboard.press('Backspace');
  await expect(listing(page, 'My files')).toBeVisible();
  await expect(entry(page, 'Archive')).toBeFocused();
  // The entry is not selected: the key deletes nothing.
  await expect(entry(page, 'Archive')).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('a drag opens the folders of the path and of the tree on which it rests, and drops there', async ({
  page,
  product,
  root,
}) => {
  await write(join(root, 'Documents', 'Taxes', 'bill.txt'), 'bill');
  await write(join(root, 'Photos', 'boat.txt'), 'boat');
  await signIn(page, product, { at: '/files/Documents/Taxes/' });
  const source = await label(await select(page, 'bill.txt')).boundingBox();
  await page.mouse.move((source?.x ?? 0) + 5, (source?.y ?? 0) + 5);
  await page.mouse.down();
  const restOn = async (target: Locator): Promise<void> => {
    const box = await target.boundingBox();
    // The browser repeats the event that a drag is over an element; Playwright sends it with each movement.
    await page.mouse.move((box?.x ?? 0) + 9, (box?.y ?? 0) + 9, { steps: 4 });
    await page.mouse.move((box?.x ?? 0) + 11, (box?.y ?? 0) + 11);
  };
  await restOn(page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Documents' }));
  await expect(page).toHaveURL(/\/files\/Documents\/$/u);
  await restOn(page.getByRole('treeitem', { name: 'Photos', exact: true }));
  await expect(page).toHaveURL(/\/files\/Photos\/$/u);
  await expect(entry(page, 'boat.txt')).toBeVisible();
  await restOn(entry(page, 'boat.txt'));
  await page.mouse.up();
  await expect(entry(page, 'bill.txt')).toBeVisible();
  await expect.poll(() => readdir(join(root, 'Photos'))).toEqual(['bill.txt', 'boat.txt']);
  expect(await readdir(join(root, 'Documents', 'Taxes'))).toEqual([]);
});

test('the focus is back in the listing as soon as a preview is closed', async ({ page, product, root }) => {
  for (const name of ['alps', 'beach', 'tram'])
    await write(join(root, 'pictures', `${name}.png`), pngOf(64, 48));
  await signIn(page, product, { at: '/files/pictures/beach.png' });
  await expect(page.getByRole('dialog', { name: 'beach.png' }).getByRole('img').first()).toBeVisible();
  await page.keyboard.press('Escape');
  // At once, without waiting for the preview's exit animation: no letter may be lost.
  await page.keyboard.type('tram');
  await expect(entry(page, 'tram.png')).toBeFocused();
  await expect(entry(page, 'tram.png')).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/pictures\/$/u);
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Open', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'tram.png' })).toBeVisible();
});
