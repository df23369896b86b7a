import type { Page } from 'playwright-core';
import type { Product } from '../e2e/support/product.ts';

/** Signs in through the form, whose code is part of the first page load. */
export async function signInOnPage(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(product.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/files/**');
}
