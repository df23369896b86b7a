import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { allowSignup, createUser, fetchApi } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { dialogOf, listing, openFolder, select, selectionBar, signIn, tabTo } from './support/journey.ts';
import { type Product, signInByApi } from './support/product.ts';
import { pngOf, wavOf, write } from './support/sample-files.ts';
import { longPress } from './support/touch.ts';

const maria = { username: 'maria', password: 'maria keeps a secret' };
const secret = 'lisbon ü 28';

test.beforeEach(async ({ root, product, problems }) => {
  // Shares that require a password, and shares that were deleted.
  problems.allow(/status of (?:401|404)/u);
  await write(join(root, 'Trip', 'tram.png'), pngOf(300, 200));
  await write(join(root, 'Trip', 'notes.txt'), 'Take the tram.');
  await write(join(root, 'Trip', 'song.wav'), wavOf(1));
  await write(join(root, 'Trip', 'Old town', 'One', 'Two', 'Three', 'map.txt'), 'a map');
  for (let number = 1; number <= 230; number++) await write(join(root, 'Many', `bill ${number}.txt`), 'x');
  const perm = { create: true, rename: true, modify: true, delete: true, share: true, download: true };
  await createUser(product, await signInByApi(product), { ...maria, scope: '/', perm });
});

async function createShare(product: Product, path: string, body: object = {}): Promise<string> {
  const response = await fetchApi(product, `/api/share${path}`, await signInByApi(product), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { hash: string }).hash;
}

/** Opens a page in the browser of a new visitor. */
async function visit(browser: Browser, address: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(address);
  return { context, page };
}

async function downloaded(page: Page, start: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('a folder is shared with a password, visited, and unshared', async ({
  page,
  product,
  browser,
  problems,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, product, maria);
  const prompt = page.getByRole('dialog', { name: /Share .*Trip/u });
  const row = page.getByRole('row', { name: /Trip/u });
  const place = page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: /^Shared/u });

  const address = await test.step('opening the dialog creates the share and copies its address', async () => {
    await select(page, 'Trip');
    await selectionBar(page).getByRole('button', { name: 'Share' }).click();
    await expect(prompt.getByRole('button', { name: 'Copied' })).toBeFocused();
    await expect(page.getByText('Link copied!')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await prompt.getByLabel('Link', { exact: true }).inputValue());
    return copied;
  });

  await test.step('closing the dialog saves a typed password', async () => {
    await prompt.getByText('7 days', { exact: true }).click();
    await expect(prompt.getByText(/^Saved\. Expires/u)).toBeVisible();
    await prompt.getByRole('switch', { name: 'Password' }).click();
    const passwordField = prompt.getByLabel('Password of the link');
    await expect(passwordField).toHaveValue(/^\w{5}-\w{5}-\d\d$/u);
    await expect(prompt.getByRole('button', { name: 'Copy direct download link' })).toBeHidden();
    await passwordField.fill(` ${secret} `);
    const isSaved = page.waitForResponse(
      (response) =>
        response.request().method() === 'PATCH' && response.request().postData()?.includes('lisbon') === true,
    );
    await prompt.getByRole('button', { name: 'Done' }).click();
    expect((await isSaved).status()).toBe(200);
    await expect(prompt).toBeHidden();
  });

  const visitor = await visit(browser, address);
  problems.watch(visitor.context, product.url);
  const visitorPage = visitor.page;

  await test.step('visitors need the password', async () => {
    const field = visitorPage.getByLabel('Password', { exact: true });
    await expect(field).toBeFocused();
    await expect(visitorPage.getByText('Trip')).toBeHidden();
    await visitorPage.keyboard.type('a guess');
    await visitorPage.keyboard.press('Enter');
    await expect(visitorPage.getByText('Wrong credentials')).toBeVisible();
    await field.fill(secret);
    await visitorPage.getByRole('button', { name: 'Submit' }).click();
    await expect(visitorPage.getByRole('heading', { name: 'Trip', level: 1 })).toBeVisible();
    await expect(visitorPage.getByText('4 items', { exact: true })).toBeVisible();
    expect(visitorPage.url()).toBe(address);
    expect(
      await visitorPage.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage })),
    ).not.toContain('lisbon');
  });

  await test.step('a file is shown and downloaded, and the previewer leads back to the folder', async () => {
    await visitorPage.getByRole('link', { name: 'tram.png' }).click();
    const previewer = visitorPage.getByRole('dialog', { name: 'tram.png' });
    const picture = previewer.getByRole('img', { name: /tram\.png/u });
    await expect(picture).toBeVisible();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
    const file = await downloaded(visitorPage, () =>
      previewer.getByRole('button', { name: 'Download' }).click(),
    );
    expect([file.name, file.bytes.subarray(1, 4).toString()]).toEqual(['tram.png', 'PNG']);
    await visitorPage.keyboard.press('ArrowLeft');
    await expect(visitorPage.getByRole('dialog', { name: 'song.wav' })).toBeVisible();
    await visitorPage.keyboard.press('Escape');
    await expect(visitorPage).toHaveURL(address);
    await expect(visitorPage.getByRole('link', { name: 'song.wav' })).toBeFocused();
  });

  await test.step('selected items are downloaded as an archive', async () => {
    await visitorPage.getByRole('button', { name: 'Select multiple' }).click();
    await visitorPage.getByRole('button', { name: 'notes.txt' }).click();
    await visitorPage.getByRole('button', { name: 'Old town' }).click();
    const archive = await downloaded(visitorPage, () =>
      visitorPage.getByRole('button', { name: 'Download 2 items' }).click(),
    );
    expect(archive.bytes.subarray(0, 2).toString()).toBe('PK');
    expect(archive.bytes.toString('latin1')).toContain('Old town/One/Two/Three/map.txt');
    expect(archive.bytes.toString('latin1')).not.toContain('tram.png');
    await visitorPage.keyboard.press('Escape');
    await expect(visitorPage.getByRole('link', { name: 'notes.txt' })).toBeVisible();
  });

  await test.step('after it was opened once, the share stays open in this tab', async () => {
    await visitorPage.reload();
    await expect(visitorPage.getByRole('heading', { name: 'Trip', level: 1 })).toBeVisible();
  });

  await test.step('the list of own shares shows it, and its dialog changes the expiry', async () => {
    await page.goto(`${product.url}/shared`);
    await expect(row).toContainText('in 7 days');
    await page.keyboard.press('Control+k');
    await expect(page.getByLabel('Search shared')).toBeFocused();
    await expect(place).toHaveText('Shared1');
    await expect(row).toContainText('Password');
    await expect(row.getByRole('cell', { name: '1', exact: true })).toBeVisible();
    await row.getByRole('button', { name: /Edit/u }).click();
    await expect(prompt.getByLabel('Link', { exact: true })).toHaveValue(address);
    await prompt.getByText('Never', { exact: true }).click();
    await expect(prompt.getByText('Saved. Never expires.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(prompt).toBeHidden();
    await expect(row).toContainText('Never');
    await expect(row.getByRole('button', { name: /Edit/u })).toBeFocused();
  });

  await test.step('deleting it can be undone, and the change of the expiry has ended the visit', async () => {
    await row.getByRole('button', { name: /More actions/u }).click();
    await page.getByRole('menuitem', { name: 'Delete link' }).click();
    await expect(page.getByText('Share deleted!')).toBeVisible();
    await expect(page.getByText('No links yet.')).toBeVisible();
    await expect(place).toHaveText('Shared');
    await page.keyboard.press('Control+z');
    await expect(row).toContainText('Never');
    await expect(place).toHaveText('Shared1');
    await visitorPage.reload();
    await expect(visitorPage.getByRole('heading', { name: 'This link is protected' })).toBeVisible();
  });

  await test.step('after it was deleted again, visitors find nothing', async () => {
    await page.keyboard.press('Control+Shift+z');
    await expect(page.getByText('No links yet.')).toBeVisible();
    await visitorPage.reload();
    await expect(visitorPage.getByRole('heading', { name: "This location can't be reached." })).toBeVisible();
    await expect(visitorPage.getByText('Error 404')).toBeVisible();
  });
  await visitor.context.close();
});

test('a visitor navigates a deep folder and a long one', async ({ page, product, browser }) => {
  const tripHash = await createShare(product, '/Trip/');
  await page.goto(`${product.url}/share/${tripHash}`);
  for (const name of ['Old town', 'One', 'Two', 'Three']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  }
  const crumbs = page.getByRole('navigation', { name: 'Path' });
  await expect(crumbs.getByRole('listitem')).toHaveText(['', '...', 'One', 'Two', 'Three']);
  await page.getByRole('link', { name: 'map.txt' }).click();
  const previewer = page.getByRole('dialog', { name: 'map.txt' });
  await expect(previewer.getByText('a map')).toBeVisible();
  const fileAddress = page.url();
  await page.keyboard.press('Escape');
  await expect(previewer).toBeHidden();
  // When it is passed on to another visitor, the address shows the page of the file.
  const other = await visit(browser, fileAddress);
  await expect(other.page.getByText('Download file')).toBeVisible();
  await other.page.getByRole('button', { name: 'Preview' }).click();
  await expect(other.page.getByRole('dialog', { name: 'map.txt' }).getByText('a map')).toBeVisible();
  await other.context.close();
  await crumbs.getByRole('link', { name: 'Old town' }).click();
  await expect(page.getByRole('heading', { name: 'Old town', level: 1 })).toBeVisible();

  await page.goto(`${product.url}/share/${await createShare(product, '/Many/')}`);
  const items = page.getByRole('region', { name: 'Files' }).getByRole('link');
  await expect(items).toHaveCount(100);
  await page.getByRole('button', { name: '+130 Show more' }).click();
  await expect(items).toHaveCount(200);
  await page.getByRole('button', { name: '+30 Show more' }).click();
  await expect(items).toHaveCount(230);
  await page.getByRole('button', { name: 'Other formats' }).click();
  const tar = await downloaded(page, () => page.getByRole('menuitem', { name: 'tar', exact: true }).click());
  expect(tar.name).toBe('Many.tar');
});

test('a visitor has Login and, where it is allowed, Sign up within sight', async ({ page, product }) => {
  const address = `${product.url}/share/${await createShare(product, '/Many/')}`;
  const login = page.getByRole('link', { name: 'Login' });
  const signUp = page.getByRole('link', { name: 'Sign up' });
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto(address);
    await expect(login).toBeInViewport({ ratio: 1 });
    await expect(signUp).toBeHidden();
  }
  await allowSignup(product, await signInByApi(product));
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto(address);
    await expect(login).toBeInViewport({ ratio: 1 });
    await expect(signUp).toBeInViewport({ ratio: 1 });
  }
  await signUp.click();
  await expect(page.getByLabel('Password confirmation')).toBeVisible();
});

test('a visit loads neither the files screen nor any data of the owner', async ({ page, product }) => {
  const fetched: string[] = [];
  page.on('response', (response) => fetched.push(new URL(response.url()).pathname));
  await page.goto(`${product.url}/share/${await createShare(product, '/Trip/')}`);
  await expect(page.getByRole('heading', { name: 'Trip', level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(fetched.filter((path) => path.startsWith('/api/') && !path.startsWith('/api/public/'))).toEqual([]);
  const ofFilesScreen = (path: string) => /\/files-page-[^/]*[.]js$/u.test(path);
  expect(fetched.filter(ofFilesScreen)).toEqual([]);
  await signIn(page, product);
  await expect.poll(() => fetched.filter(ofFilesScreen)).toHaveLength(1);
});

test('a signed-in user stays signed in on the page of another user’s share', async ({ page, product }) => {
  const hash = await createShare(product, '/Trip/', { password: secret });
  await signIn(page, product, { ...maria, at: `/share/${hash}` });
  await page.getByLabel('Password', { exact: true }).fill('a guess');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Wrong credentials')).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'My files' }).click();
  await expect(listing(page, 'My files')).toBeVisible();
});

test('a share of a single file has a page of its own, which opens it in the previewer', async ({
  page,
  product,
}) => {
  const hash = await createShare(product, '/Trip/tram.png', { expires: '40', unit: 'days' });
  await page.goto('about:blank');
  await page.goto(`${product.url}/share/${hash}`);
  await expect(page.getByRole('heading', { name: 'tram.png', level: 1 })).toBeVisible();
  await expect(page.getByText(/^Shared until /u)).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'tram.png' }).click();
  const previewer = page.getByRole('dialog', { name: 'tram.png' });
  await expect(previewer.getByRole('img', { name: /tram\.png/u })).toBeVisible();
  await expect(previewer.getByRole('button', { name: 'Next' })).toBeHidden();
  await page.keyboard.press('i');
  await expect(previewer.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(previewer).toBeHidden();
  await expect(page.getByRole('heading', { name: 'tram.png', level: 1 })).toBeVisible();
  expect(page.url()).toBe(`${product.url}/share/${hash}`);
});

test('a share is created, opened and deleted by keyboard alone', async ({ page, product }) => {
  await signIn(page, product, maria);
  await openFolder(page, 'Trip');
  await select(page, 'notes.txt');
  await page.keyboard.press('Control+Shift+S');
  const prompt = dialogOf(page);
  await expect(prompt.getByRole('button', { name: /Copied|Copy/u }).first()).toBeFocused();
  const address = await prompt.getByLabel('Link', { exact: true }).inputValue();
  await tabTo(page, prompt.getByRole('radio', { name: 'Never' }));
  await page.keyboard.press('ArrowRight');
  await expect(prompt.getByText(/^Saved\. Expires/u)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(prompt).toBeHidden();
  // The second time it shows the same share.
  await page.keyboard.press('Control+Shift+S');
  await expect(prompt.getByLabel('Link', { exact: true })).toHaveValue(address);
  await tabTo(page, prompt.getByRole('button', { name: 'Delete link' }));
  await page.keyboard.press('Enter');
  await expect(prompt).toBeHidden();
  await expect(page.getByText('Share deleted!')).toBeVisible();

  const hash = await createShare(product, '/Trip/');
  expect(address).not.toContain(hash);
  await page.goto(`${product.url}/share/${hash}`);
  await tabTo(page, page.getByRole('link', { name: 'notes.txt' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'notes.txt' }).getByText('Take the tram.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'notes.txt' })).toBeFocused();
  await tabTo(page, page.getByRole('checkbox', { name: 'Select song.wav' }));
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Download 1 item' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Download 1 item' })).toBeHidden();
});

test('an administrator sees and deletes the shares of all users', async ({ page, product }) => {
  const token = await signInByApi(product, maria.username, maria.password);
  await fetchApi(product, '/api/share/Trip/notes.txt', token, { method: 'POST' });
  await createShare(product, '/Many/', { expires: '2', unit: 'hours' });
  await signIn(page, product, { at: '/settings/shares' });
  const row = page.getByRole('row', { name: /notes\.txt/u });
  await expect(row).toContainText('maria');
  await expect(row).toContainText('Permanent');
  await expect(page.getByRole('row', { name: /Many/u })).toContainText('in 2 hours');
  await row.getByRole('button', { name: 'Delete link' }).click();
  await expect(row).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('maria');
});

test('several links are selected, copied, deleted at once, and restored', async ({ page, product }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const hashes = new Map<string, string>();
  for (const path of ['/Trip/notes.txt', '/Trip/song.wav', '/Trip/tram.png', '/Many/'])
    hashes.set(path, await createShare(product, path));
  await signIn(page, product, { at: '/shared' });
  const rows = page.locator('tbody [data-share]');
  const choice = (name: string) => page.getByRole('checkbox', { name: `Select ⁨${name}⁩` });
  const bar = page.getByRole('toolbar');
  await expect(rows).toHaveCount(4);
  // The picture has a thumbnail, the folder and the other files have icons.
  await expect(rows.locator('img')).toHaveCount(1);
  await expect(rows.filter({ hasText: 'tram.png' }).locator('[data-loaded] img')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Storage' })).toBeVisible();

  await test.step('Shift selects a range, the box of the header and Ctrl+A all, and Escape none', async () => {
    await rows.nth(0).getByRole('checkbox').click();
    await expect(bar).toContainText('1 selected');
    await rows
      .nth(2)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await expect(bar).toContainText('3 selected');
    const all = page.getByRole('checkbox', { name: 'Select all' });
    await expect(all).toHaveJSProperty('indeterminate', true);
    await all.click();
    await expect(bar).toContainText('4 selected');
    await page.keyboard.press('Escape');
    await expect(bar).toBeHidden();
    await page.keyboard.press('Control+a');
    await expect(bar).toContainText('4 selected');
    await page.keyboard.press('Escape');
  });

  await test.step('the addresses of the selected ones are copied, one per line', async () => {
    await choice('notes.txt').click();
    await choice('Many').click();
    await bar.getByRole('button', { name: 'Copy links' }).click();
    await expect(page.getByText('2 links copied.')).toBeVisible();
    const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    const addressOf = (path: string) => `${product.url}/share/${hashes.get(path) ?? ''}`;
    expect(copied.toSorted()).toEqual([addressOf('/Many/'), addressOf('/Trip/notes.txt')].toSorted());
  });

  await test.step('Delete ends them, the focus stays in the list, and one undo restores them', async () => {
    await choice('Many').focus();
    await page.keyboard.press('Delete');
    await expect(page.getByText('2 links deleted.')).toBeVisible();
    await expect(rows).toHaveCount(2);
    await expect(bar).toBeHidden();
    await expect(rows.getByRole('checkbox').and(page.locator(':focus'))).toHaveCount(1);
    for (const [path, status] of [
      ['/Many/', 404],
      ['/Trip/tram.png', 200],
    ] as const) {
      const answer = await fetch(`${product.url}/api/public/share/${hashes.get(path) ?? ''}`);
      expect(answer.status).toBe(status);
    }
    await page.keyboard.press('Control+z');
    await expect(rows).toHaveCount(4);
  });

  await test.step('links that the search hides are no longer selected', async () => {
    await page.keyboard.press('Control+a');
    await page.getByLabel('Search shared').fill('tram');
    await expect(bar).toContainText('1 selected');
  });
});

test('the own links are sorted by their columns, with the pointer and the keyboard, and stay so', async ({
  page,
  product,
}) => {
  await createShare(product, '/Trip/song.wav', { expires: '9', unit: 'days' });
  await createShare(product, '/Many/');
  const visited = await createShare(product, '/Trip/notes.txt', { expires: '2', unit: 'days' });
  await fetch(`${product.url}/api/public/share/${visited}`);
  await signIn(page, product, { at: '/shared' });
  const names = page.locator('tbody [data-share]');
  const head = (name: string) => page.getByRole('columnheader', { name });
  await expect(head('Created')).toHaveAttribute('aria-sort', 'descending');

  await head('Name').getByRole('button').click();
  await expect(names).toHaveText([/^Many/u, /^notes/u, /^song/u]);
  await expect(head('Name')).toHaveAttribute('aria-sort', 'ascending');
  await expect(head('Created')).toHaveAttribute('aria-sort', 'none');
  await tabTo(page, head('Visits').getByRole('button'));
  await page.keyboard.press('Enter');
  await expect(head('Visits')).toHaveAttribute('aria-sort', 'descending');
  await expect(names.first()).toHaveText(/^notes/u);
  await tabTo(page, head('Expires').getByRole('button'));
  await page.keyboard.press('Space');
  await expect(names).toHaveText([/^notes/u, /^song/u, /^Many/u]);
  await page.keyboard.press('Space');
  await expect(names).toHaveText([/^Many/u, /^song/u, /^notes/u]);
  await page.reload();
  await expect(head('Expires')).toHaveAttribute('aria-sort', 'descending');
  await expect(names).toHaveText([/^Many/u, /^song/u, /^notes/u]);
});

test('the own links show the size of their entries, whose details open beside them, and mark a missing one', async ({
  page,
  product,
  root,
}) => {
  await write(join(root, 'Trip', 'lost.png'), pngOf(300, 200));
  for (const path of ['/Trip/notes.txt', '/Trip/tram.png', '/Trip/lost.png', '/Many/'])
    await createShare(product, path);
  await rm(join(root, 'Trip', 'lost.png'));
  const previews: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/preview/')) previews.push(new URL(request.url()).pathname);
  });
  await signIn(page, product, { at: '/shared' });
  const row = (name: string) => page.locator('tbody [data-share]').filter({ hasText: name });
  await expect(row('notes.txt')).toContainText(`${'Take the tram.'.length} B`);
  await expect(row('Many')).toContainText('230 items · 230 B');
  await expect(row('tram.png').locator('[data-loaded] img')).toBeVisible();
  await expect(row('lost.png')).toContainText('No longer exists');
  await expect(row('lost.png').getByRole('link')).toHaveCount(0);
  expect(previews).toEqual(['/api/preview/thumb/Trip/tram.png']);

  await row('notes.txt').getByRole('link').focus();
  await page.keyboard.press('Control+i');
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByText('notes.txt')).toBeVisible();
  await row('Many').getByRole('checkbox').click();
  await expect(details.getByText('Many')).toBeVisible();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'New folder' })).toBeVisible();
});

test('a visitor downloads a selection that is too long for an address', async ({ page, product, root }) => {
  for (let number = 100; number < 400; number++) {
    await write(join(root, 'Album', `a photograph with a rather long name ${number}.txt`), 'x');
  }
  await page.goto(`${product.url}/share/${await createShare(product, '/Album/')}`);
  await page.getByRole('button', { name: 'Select multiple' }).click();
  const all = page.getByRole('checkbox', { name: '0 selected' });
  await all.click({ force: true });
  await page.getByRole('button', { name: 'a photograph with a rather long name 100.txt' }).click();
  const archive = await downloaded(page, () =>
    page.getByRole('button', { name: 'Download 299 items' }).click(),
  );
  const text = archive.bytes.toString('latin1');
  expect(text).toContain('long name 399.txt');
  expect(text).not.toContain('long name 100.txt');
});

test('without the permission to share nothing is offered', async ({ page, product }) => {
  const username = 'reader';
  await createUser(product, await signInByApi(product), {
    username,
    password: maria.password,
    scope: '/',
    perm: { download: true },
  });
  await signIn(page, product, { username, password: maria.password });
  await select(page, 'Trip');
  await expect(selectionBar(page)).toBeVisible();
  await expect(selectionBar(page).getByRole('button', { name: 'Share' })).toBeHidden();
  for (const address of ['/settings/shares', '/shared']) {
    await page.goto(`${product.url}${address}`);
    await page.waitForURL('**/403');
  }
});

test.describe('on the phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test('a long press or the menu selects a link, and taps select others', async ({ page, product }) => {
    for (const name of ['notes.txt', 'song.wav', 'tram.png']) await createShare(product, `/Trip/${name}`);
    await signIn(page, product, { at: '/shared' });
    const cards = page.locator('[data-share]');
    const card = (name: string) => cards.filter({ hasText: name });
    await page.getByRole('button', { name: 'Sort by' }).tap();
    await page.getByRole('menuitemradio', { name: 'Name' }).tap();
    await expect(cards).toHaveText([/^notes/u, /^song/u, /^tram/u]);
    await page.getByRole('menuitemradio', { name: 'Z to A' }).tap();
    await expect(cards).toHaveText([/^tram/u, /^song/u, /^notes/u]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    const top = page.getByRole('banner');
    await longPress(page, card('song.wav').getByRole('link'), () => expect(top).toContainText('1 selected'));
    await expect(top).toContainText('1 selected');
    await expect(page).toHaveURL(/\/shared$/u);
    await card('notes.txt').getByRole('link').tap();
    await expect(top).toContainText('2 selected');
    await expect(page).toHaveURL(/\/shared$/u);
    await card('song.wav').tap();
    await expect(top).toContainText('1 selected');
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete links' }).tap();
    await expect(page.getByText('Share deleted!')).toBeVisible();
    await expect(card('notes.txt')).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Places' })).toBeInViewport();
    await card('tram.png')
      .getByRole('button', { name: /^More actions/u })
      .tap();
    await page.getByRole('menuitem', { name: /^Select/u }).tap();
    await expect(top).toContainText('1 selected');
    await page.getByRole('button', { name: 'Clear selection' }).tap();
    await card('tram.png').getByRole('link').tap();
    await expect(page).toHaveURL(/\/files\/Trip\/tram\.png$/u);
  });

  test('a visitor opens, selects and downloads, and nothing scrolls sideways', async ({ page, product }) => {
    await page.goto(`${product.url}/share/${await createShare(product, '/Trip/')}`);
    await page.getByRole('button', { name: 'Select multiple' }).tap();
    await page.getByRole('button', { name: 'notes.txt' }).tap();
    await page.getByRole('button', { name: 'song.wav' }).tap();
    const archive = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download 2 items' }).tap(),
    );
    expect(archive.bytes.subarray(0, 2).toString()).toBe('PK');
    await page.getByRole('button', { name: 'Clear', exact: true }).tap();
    await page.getByRole('link', { name: 'song.wav' }).tap();
    await expect(page.getByRole('dialog', { name: 'song.wav' }).locator('audio')).toBeVisible();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
});
