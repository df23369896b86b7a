import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { startProduct } from '../../e2e/support/product.ts';
import { chromiumOptions } from '../../e2e/chromium.ts';
import { signInOnPage } from '../browser.ts';
import { median, type Row, rowWithin } from '../measure.ts';

const run = promisify(execFile);
const entries = 100_000;
const rounds = 5;
/** The time until the rows can be used (milliseconds). */
const maxUsableMs = 300;
const filler = join(import.meta.dirname, '../../server/test/trash/fill-trash.ts');

/** Opens the trash from another place of the app, and returns the time until its first rows are painted and the page responds, in milliseconds. */
async function timeToUse(page: Page): Promise<number> {
  await page.locator('a[href="/files/"]').first().click();
  await page.waitForURL('**/files/**');
  // Inside the page, because each step of the driver takes some milliseconds.
  return page.evaluate(async () => {
    // A method, because the compiler wraps other functions with names in a helper that the page lacks.
    const dom = {
      async until(selector: string): Promise<HTMLElement> {
        for (;;) {
          const found = document.querySelector<HTMLElement>(selector);
          if (found !== null) return found;
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      },
    };
    const place = document.querySelector<HTMLElement>('a[href$="/trash"]');
    if (place === null) throw new Error('there is no link to the trash');
    const started = performance.now();
    place.click();
    await dom.until('[data-item][aria-rowindex="2"]');
    // The frame after the first rows, once the page can answer to input again.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - started;
  });
}

/** Measures the page of a trash with 100,000 entries in Chromium. */
export async function measureListInPage(top: string): Promise<Row[]> {
  const measurement = 'trash, 100,000 entries in the page until it responds';
  const [root, data] = [join(top, 'root'), join(top, 'data')];
  await mkdir(root, { recursive: true });
  await mkdir(data);
  await writeFile(join(root, 'a.txt'), '');
  const first = await startProduct(root, { data });
  const { password } = first;
  await first.stop();
  await run(process.execPath, ['--import', 'tsx', filler, join(data, 'filestead.db'), String(entries)]);
  const product = await startProduct(root, { data });
  const browser = await chromium.launch(chromiumOptions).catch(() => null);
  try {
    if (browser === null) return [{ measurement, ours: 'skipped: no Chromium is installed', reference: '' }];
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await signInOnPage(page, { ...product, password });
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const ms = await timeToUse(page);
      // The first round loads the code of the page.
      if (round > 0) times.push(ms);
    }
    return [rowWithin(measurement, median(times), maxUsableMs)];
  } finally {
    await browser?.close();
    await product.stop();
  }
}
