import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Product } from '../e2e/support/product.ts';
import { chromiumOptions, signInOnPage } from './browser.ts';
import { makeFolder } from './listing.ts';
import { asMs, median, type Row } from './measure.ts';

const rounds = 5;
const javaScriptBudgetKb = 150;

/** Returns the transferred (compressed) bytes of JavaScript of all requests of a page. */
async function countJavaScript(browser: Browser, product: Product): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  let bytes = 0;
  const pending: Promise<void>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    pending.push(request.sizes().then(({ responseBodySize }) => void (bytes += responseBodySize)));
  });
  await signInOnPage(page, product);
  await page.getByRole('grid').or(page.getByRole('listbox')).first().waitFor();
  await page.waitForLoadState('networkidle');
  await Promise.all(pending);
  await context.close();
  return bytes;
}

/** Returns the time in milliseconds from navigation until the first row of `folder` is selected. */
async function timeToInteractive(page: Page, product: Product, folder: string): Promise<number> {
  await page.goto(`${product.url}/files/${folder}/`, { waitUntil: 'commit' });
  const row = page.locator('[role=row][aria-rowindex="2"], [role=option][aria-posinset="1"]').first();
  await row.waitFor();
  await row.click();
  await page.locator('[aria-selected=true]').first().waitFor();
  return page.evaluate(() => performance.now());
}

/** Measures the size of the first page load and the time until a folder of 100,000 entries can be used, in Chromium. */
export async function measurePage(product: Product, root: string): Promise<Row[]> {
  if (!chromiumOptions.executablePath) {
    return [{ measurement: 'page', ours: 'skipped: no Chromium is installed', reference: '' }];
  }
  await makeFolder(join(root, 'open-100000'), 100_000);
  await makeFolder(join(root, 'open-100'), 100);
  const browser = await chromium.launch(chromiumOptions);
  try {
    const kilobytes = (await countJavaScript(browser, product)) / 1000;
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await signInOnPage(page, product);
    const large: number[] = [];
    const small: number[] = [];
    for (let i = 0; i < rounds; i++) {
      small.push(await timeToInteractive(page, product, 'open-100'));
      large.push(await timeToInteractive(page, product, 'open-100000'));
    }
    return [
      {
        measurement: 'JavaScript of the first page load, sign-in and first folder together',
        ours: `${kilobytes.toFixed(1)} KB`,
        reference: `${javaScriptBudgetKb} KB`,
        ratio: kilobytes / javaScriptBudgetKb,
        limit: '≤ 1',
      },
      {
        measurement: 'from navigation to a selected row, 100,000 entries',
        ours: asMs(median(large)),
        reference: `${asMs(median(small))} with 100 entries`,
        ratio: median(large) / median(small),
      },
    ];
  } finally {
    await browser.close();
  }
}
