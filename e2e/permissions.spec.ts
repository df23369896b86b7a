import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createUser, fetchApi, type NewUser } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import {
  entry,
  fillLogin,
  listing,
  newFolderField,
  openFolder,
  select,
  selectionBar,
  signIn,
} from './support/journey.ts';
import { signInByApi, type Product } from './support/product.ts';
import { pngOf, write } from './support/sample-files.ts';
import { waitUntilLoaded } from './support/wait-until-loaded.ts';

const password = 'a long quiet sentence';

async function signInAs(page: Page, product: Product, user: Omit<NewUser, 'password'>): Promise<void> {
  await createUser(product, await signInByApi(product), { ...user, password });
  await signIn(page, product, { username: user.username, password });
}

const menuItems = (page: Page): Promise<string[]> =>
  page.getByRole('menuitem').evaluateAll((items) => items.map(({ textContent }) => textContent.trim()));

test.beforeEach(async ({ root }) => {
  await write(join(root, 'teams', 'red', 'plan.txt'), 'the plan of red');
  await write(join(root, 'teams', 'red', 'team.png'), pngOf(64, 48));
  await write(join(root, 'teams', 'blue', 'secret.txt'), 'the secret of blue');
});

test('a user who may only read is offered no action that changes files', async ({ page, product, root }) => {
  await signInAs(page, product, { username: 'reader', perm: { download: true } });
  await openFolder(page, 'teams');
  await openFolder(page, 'red');

  await test.step('the folder offers no action that changes it', async () => {
    for (const name of ['New', 'Upload', 'New folder', 'New file']) {
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
    }
    await page.getByRole('navigation', { name: 'Path' }).click();
    await listing(page, 'red')
      .locator('..')
      .click({ button: 'right', position: { x: 500, y: 500 } });
    await expect(page.getByRole('menuitem', { name: 'Select all' })).toBeVisible();
    expect(await menuItems(page)).not.toContainEqual(expect.stringMatching(/New|Upload|Paste/u));
    await page.keyboard.press('Escape');
  });

  await test.step('a file offers no action that changes it', async () => {
    await select(page, 'plan.txt');
    const offered = selectionBar(page).getByRole('button');
    await expect(offered).toHaveText(['', 'Download1', 'Favourite', 'Tags…', '']);
    await page.keyboard.press('Delete');
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+X');
    await expect(page.getByRole('alertdialog').or(page.getByRole('textbox'))).toHaveCount(0);
    await entry(page, 'plan.txt').click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Open' })).toBeVisible();
    const labels = (await menuItems(page)).join(' ');
    expect(labels).toContain('Download');
    expect(labels).not.toMatch(/Rename|Move|Copy(?! path| link)|Cut|Delete/u);
    await page.keyboard.press('Escape');
  });

  await test.step('the editor and the previewer offer no action that changes the file', async () => {
    await entry(page, 'plan.txt').dblclick();
    await expect(page.getByText('You can view this file, but not change it.')).toBeVisible();
    await expect(page.getByText('the plan of red')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Close editor' }).click();
    await entry(page, 'team.png').dblclick();
    const preview = page.getByRole('dialog', { name: 'team.png' });
    await expect(preview.getByRole('img', { name: /^team\.png/u })).toHaveJSProperty('naturalWidth', 64);
    await expect(preview.getByRole('button', { name: 'Delete' })).toHaveCount(0);
    await expect(preview.getByRole('button', { name: 'Rename' })).toHaveCount(0);
    await preview.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menuitem', { name: 'Copy path' })).toBeVisible();
    expect((await menuItems(page)).join(' ')).not.toMatch(/Rename|Move|Duplicate|Copy(?! path| link)/u);
  });
  expect((await readdir(join(root, 'teams', 'red'))).toSorted()).toEqual(['plan.txt', 'team.png']);
});

test('a user who may not download sees names, but no content', async ({ page, product, problems }) => {
  const rawRequests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/raw')) rawRequests.push(request.url());
  });
  await signInAs(page, product, { username: 'clerk', perm: { create: true, rename: true } });
  await openFolder(page, 'teams');
  await openFolder(page, 'red');
  await select(page, 'team.png');
  await expect(selectionBar(page).getByRole('button', { name: 'Rename' })).toBeVisible();
  await expect(selectionBar(page).getByRole('button', { name: 'Download' })).toHaveCount(0);

  await entry(page, 'team.png').dblclick();
  const preview = page.getByRole('dialog', { name: 'team.png' });
  await expect(preview).toContainText('You may not download files here');
  await expect(preview.getByRole('button', { name: 'Download' })).toHaveCount(0);
  await preview.getByRole('button', { name: 'Close preview' }).click();

  await entry(page, 'plan.txt').dblclick();
  await expect(page.getByText('You may not download files here')).toBeVisible();
  await expect(page.getByText('the plan of red')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Download' })).toHaveCount(0);

  expect(rawRequests).toEqual([]);
  problems.allow(/403/u);
  const raw = await page.goto(`${product.url}/api/raw/teams/red/plan.txt`);
  expect(raw?.status()).toBe(403);
});

test('a user sees only their own scope and no other users', async ({ page, product, problems }) => {
  await signInAs(page, product, { username: 'rosa', scope: '/teams/red', perm: { download: true } });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My files');
  await expect(page.locator('[data-id]')).toHaveCount(2);
  await expect(entry(page, 'plan.txt')).toBeVisible();
  await expect(page.locator('body')).not.toContainText(/teams|blue/u);

  problems.allow(/status of 404/u);
  for (const path of ['teams/red/', 'blue/', '..%2Fblue/', '%2E%2E/blue/secret.txt']) {
    await page.goto(`${product.url}/files/${path}`);
    await expect(page.getByRole('heading', { name: "This location can't be reached." })).toBeVisible();
    await expect(page.getByRole('combobox', { name: /My files/u })).toBeVisible();
    await expect(page.getByText('secret of blue')).toHaveCount(0);
  }

  await page.goto(`${product.url}/files/blue/`);
  // The controls keep their places, and their group names the reason for which they are disabled.
  const controls = page.getByRole('group', { name: "This location can't be reached." });
  await expect(controls.getByRole('radio', { name: 'List' })).toBeDisabled();
  await expect(controls.getByRole('button', { name: 'Sort and display' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'New', exact: true })).toHaveCount(0);

  // The error of a file is within the frame: its links work, and the listing is accessible again afterwards.
  await page.goto(`${product.url}/files/missing.txt`);
  await expect(page.getByRole('heading', { name: "This location can't be reached." })).toBeVisible();
  await page.getByRole('link', { name: 'Recent', exact: true }).click();
  await page.waitForURL('**/recent');
  await page.goBack();
  await page.getByRole('link', { name: 'Go to My files' }).click();
  await expect(entry(page, 'plan.txt')).toBeVisible();
  await expect(page.getByRole('heading', { name: "This location can't be reached." })).toHaveCount(0);
  await expect(page.locator('main [inert]')).toHaveCount(0);
});

test('a session that ended elsewhere leads to the login page and back to the same place', async ({
  page,
  product,
  problems,
}) => {
  // A later request would notice the end of the session before the next folder does.
  const favorites = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/marks');
  const marks = page.waitForResponse(/\/api\/marks\/folder\/teams/u);
  await signIn(page, product);
  await openFolder(page, 'teams');
  await Promise.all([favorites, marks]);
  await waitUntilLoaded(page);
  const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '');
  // It ends while the next folder is being requested, so that this is the place also if the live connection reports the end first.
  const endings: number[] = [];
  await page.route(
    /\/api\/resources\/teams\/red\b/u,
    async (route) => {
      const response = await fetchApi(product, '/api/logout', token, { method: 'POST' });
      endings.push(response.status);
      await route.continue();
    },
    { times: 1 },
  );

  problems.allow(/status of 401/u);
  await entry(page, 'red').dblclick();
  await page.waitForURL('**/login?redirect=**');
  expect(endings).toEqual([200]);
  await expect(page.getByLabel('Username')).toBeVisible();
  await fillLogin(page, 'admin', product.password);
  await expect(page).toHaveURL(`${product.url}/files/teams/red/`);
  await expect(entry(page, 'plan.txt')).toBeVisible();
});

test('a failed request can be retried, and a dialog survives the end of the session', async ({
  page,
  product,
  problems,
  root,
}) => {
  problems.allow(/status of (?:401|500)/u);
  await signIn(page, product);
  await openFolder(page, 'teams');

  await test.step('a failed request shows the reason beside the name', async () => {
    await page.route(
      '**/api/resources/**',
      async (route) => {
        if (route.request().method() !== 'POST') await route.fallback();
        else await route.fulfill({ status: 500, body: '{"code":"internal_error"}' });
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'New folder' }).click();
    await newFolderField(page).fill('green');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('Something went wrong on the server.');
  });

  await test.step('the typed name survives the end of the session', async () => {
    const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '');
    expect((await fetchApi(product, '/api/logout', token, { method: 'POST' })).status).toBe(200);
    await page.keyboard.press('Enter');
    await page.getByLabel('Password of admin').fill(product.password);
    await page.keyboard.press('Enter');
    await expect(newFolderField(page)).toHaveValue('green');
    await expect(newFolderField(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(entry(page, 'green')).toHaveAttribute('aria-selected', 'true');
    expect(await readdir(join(root, 'teams'))).toContain('green');
  });
});
