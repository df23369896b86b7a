import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './support/fixtures.ts';
import { entry, fillLogin } from './support/journey.ts';
import { write } from './support/sample-files.ts';
import { chooseOption, pageHeading, savedMark } from './support/settings-pages.ts';

test('the product opens at the page that the user has chosen to start on', async ({
  page,
  product,
  root,
  problems,
}) => {
  // The folder in which the user left off is deleted; Home may still be loading its parts when the user signs out.
  problems.allow(/status of 40[14]/u);
  await write(join(root, 'Lisbon', 'Alfama', 'tram.txt'), 'tram');
  await page.goto(product.url);
  await expect(page).toHaveURL(`${product.url}/login`);
  await fillLogin(page, 'admin', product.password);
  await expect(page).toHaveURL(`${product.url}/files/`);

  await test.step('where the user left off, or the closest folder that still exists', async () => {
    await page.goto(`${product.url}/settings/profile`);
    await chooseOption(page, 'Start on', 'Where I left off');
    await expect(savedMark(page)).toHaveCount(1);
    await page.goto(`${product.url}/files/Lisbon/Alfama/`);
    await expect(entry(page, 'tram.txt')).toBeVisible();
    await page.goto(`${product.url}/settings/profile`);
    await expect(page.getByRole('button', { name: 'Start on' })).toContainText('Where I left off');
    await page.goto(product.url);
    await expect(entry(page, 'tram.txt')).toBeVisible();
    await rm(join(root, 'Lisbon', 'Alfama'), { recursive: true });
    await page.goto(product.url);
    await expect(page).toHaveURL(`${product.url}/files/Lisbon/`);
    await expect(page.getByText('It feels lonely here...')).toBeVisible();
  });

  await test.step('Home, also after signing in', async () => {
    await page.goto(`${product.url}/settings/profile`);
    await chooseOption(page, 'Start on', 'Home');
    await expect(savedMark(page)).toHaveCount(1);
    await page.goto(product.url);
    await expect(page).toHaveURL(`${product.url}/home`);
    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page).toHaveURL(`${product.url}/login`);
    await fillLogin(page, 'admin', product.password);
    await expect(pageHeading(page, 'Home')).toBeVisible();
  });
});
