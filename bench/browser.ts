import { existsSync } from 'node:fs';
import type { LaunchOptions, Page } from 'playwright-core';
import type { Product } from '../e2e/support/product.ts';

const executablePath =
  process.env['FILESTEAD_CHROMIUM'] ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  );

/** The options with which Chromium is started; without `executablePath` if none is installed. */
export const chromiumOptions: LaunchOptions = {
  ...(executablePath !== undefined && { executablePath }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-sync',
    '--no-first-run',
  ],
};

/** Signs in through the form, whose code is part of the first page load. */
export async function signInOnPage(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(product.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/files/**');
}
