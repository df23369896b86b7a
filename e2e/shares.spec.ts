import { extended } from './support/extended.ts';
import { createShare, createUser } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { dialogOf, openFolder, select, selectionBar, signIn, tabTo } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { downloaded, shareAsAdministrator, sharer, useSharedTree, visit } from './support/shared-tree.ts';

const secret = 'lisbon ü 28';

useSharedTree();

test('a folder is shared with a password, visited, and unshared', async ({
  page,
  product,
  browser,
  problems,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, product, sharer);
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
    await expect(page.getByText('No links yet')).toBeVisible();
    await expect(place).toHaveText('Shared');
    await page.keyboard.press('Control+z');
    await expect(row).toContainText('Never');
    await expect(place).toHaveText('Shared1');
    await visitorPage.reload();
    await expect(visitorPage.getByRole('heading', { name: 'This link is protected' })).toBeVisible();
  });

  await test.step('after it was deleted again, visitors find nothing', async () => {
    await page.keyboard.press('Control+Shift+z');
    await expect(page.getByText('No links yet')).toBeVisible();
    await visitorPage.reload();
    await expect(visitorPage.getByRole('heading', { name: "This location can't be reached." })).toBeVisible();
    await expect(visitorPage.getByText('Error 404')).toBeVisible();
  });
  await visitor.context.close();
});

test('a share is created, opened and deleted by keyboard alone', extended, async ({ page, product }) => {
  await signIn(page, product, sharer);
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

  const hash = await shareAsAdministrator(product, '/Trip/');
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

test('an administrator sees and deletes the shares of all users', extended, async ({ page, product }) => {
  const token = await signInByApi(product, sharer.username, sharer.password);
  await createShare(product, token, '/Trip/notes.txt');
  await shareAsAdministrator(product, '/Many/', { expires: '2', unit: 'hours' });
  await signIn(page, product, { at: '/settings/shares' });
  const row = page.getByRole('row', { name: /notes\.txt/u });
  await expect(row).toContainText('maria');
  await expect(row).toContainText('Permanent');
  await expect(page.getByRole('row', { name: /Many/u })).toContainText('in 2 hours');
  await expect(page.getByText('2 links · The links of all users.')).toBeVisible();
  await row.getByRole('button', { name: 'Delete link' }).click();
  await expect(row).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('maria');
});

test('a user without the permission to share is offered no way to do it', async ({ page, product }) => {
  const username = 'reader';
  await createUser(product, await signInByApi(product), {
    username,
    password: sharer.password,
    scope: '/',
    perm: { download: true },
  });
  await signIn(page, product, { username, password: sharer.password });
  await select(page, 'Trip');
  await expect(selectionBar(page)).toBeVisible();
  await expect(selectionBar(page).getByRole('button', { name: 'Share' })).toBeHidden();
  for (const address of ['/settings/shares', '/shared']) {
    await page.goto(`${product.url}${address}`);
    await page.waitForURL('**/403');
    // The frame stays, with the way to the files and the search.
    await expect(page.getByRole('banner').getByRole('link', { name: 'My files' })).toBeVisible();
    await expect(page.getByRole('combobox', { name: /My files/u })).toBeVisible();
  }
});
