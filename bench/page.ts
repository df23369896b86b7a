import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { fetchApi } from '../e2e/support/api.ts';
import { type Product, signInByApi } from '../e2e/support/product.ts';
import { chromiumOptions } from '../e2e/chromium.ts';
import { signInOnPage } from './browser.ts';
import { makeFolder } from './listing.ts';
import { asMs, median, type Row, rowWithin } from './measure.ts';

const rounds = 5;
const javaScriptBudgetKb = 150;

/** Returns the transferred (compressed) bytes of JavaScript of all requests of a page. */
async function countJavaScript(browser: Browser, product: Product): Promise<number> {
  // The page registers its service worker only when the browser is idle.
  const context = await browser.newContext({ serviceWorkers: 'block' });
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

/** By how much later than the rows of a folder the first content of Home may appear, in ms. */
const homeDelayMs = 300;

/** Returns the time in milliseconds from navigation until an element is shown. */
async function timeUntilShown(page: Page, url: string, selector: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(selector).first().waitFor();
  return page.evaluate(() => performance.now());
}

/** Adds a favorite of the administrator, so that Home has content before the catalogue is complete. */
async function addFavorite(product: Product, path: string): Promise<void> {
  const response = await fetchApi(product, '/api/marks', await signInByApi(product), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ paths: [path], favorite: true }),
  });
  if (!response.ok) throw new Error(`The folder was not marked: ${response.status}`);
}

/** The figures of a folder that is opened in the page. */
interface Opening {
  /** From the request to the first painted row, in ms. */
  readonly firstRowMs: number;
  /** From the last byte of the listing to the first of three quiet frames, in ms. */
  readonly idleMs: number;
  /** The longest task from the response to then, in ms. */
  readonly longestTaskMs: number;
  /** The compressed bytes of the listing. */
  readonly wireBytes: number;
}

/** Frames up to this duration are quiet, in ms. */
const quietFrameMs = 34;

/** Records frames and long tasks of a page from its beginning on. */
function recordFrames(): void {
  const frames: number[] = [];
  const tasks: { startTime: number; duration: number }[] = [];
  const record = { frames, tasks, firstRowMs: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) tasks.push({ startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
  // A method, because the compiler wraps other functions with names in a helper that the page lacks.
  const loop = {
    tick(): void {
      frames.push(performance.now());
      if (record.firstRowMs === 0 && document.querySelector('[role=row][aria-rowindex="2"]'))
        record.firstRowMs = performance.now();
      requestAnimationFrame(() => loop.tick());
    },
  };
  requestAnimationFrame(() => loop.tick());
  Object.assign(globalThis, { record });
}

/** Opens a folder with `count` entries and measures how it is shown. */
async function openFolder(page: Page, product: Product, folder: string, count: number): Promise<Opening> {
  await page.goto(`${product.url}/files/${folder}/`, { waitUntil: 'commit' });
  await page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();
  const listing = await page.waitForFunction(
    ({ name, quietMs }) => {
      const { record } = globalThis as unknown as {
        record: { frames: number[]; tasks: { startTime: number; duration: number }[]; firstRowMs: number };
      };
      const request = performance
        .getEntriesByType('resource')
        .find((entry) => new URL(entry.name).pathname.includes(`/api/resources/${name}`)) as
        | PerformanceResourceTiming
        | undefined;
      if (request === undefined || request.responseEnd === 0) return null;
      const { frames } = record;
      const quiet = frames.findIndex(
        (frame, index) =>
          frame > request.responseEnd &&
          index + 3 < frames.length &&
          [1, 2, 3].every((next) => (frames[index + next] ?? 0) - (frames[index + next - 1] ?? 0) < quietMs),
      );
      const idleAtMs = frames[quiet];
      if (idleAtMs === undefined || record.firstRowMs === 0) return null;
      const during = record.tasks.filter(
        ({ startTime }) => startTime >= request.responseStart - 5 && startTime <= idleAtMs,
      );
      return {
        firstRowMs: record.firstRowMs - request.startTime,
        idleMs: idleAtMs - request.responseEnd,
        longestTaskMs: Math.max(0, ...during.map(({ duration }) => duration)),
        wireBytes: request.encodedBodySize,
      };
    },
    { name: folder, quietMs: quietFrameMs },
  );
  return (await listing.jsonValue()) as Opening;
}

/** The limits of a folder of 100,000 entries; the page fails at them. */
const openingLimits = {
  firstRowMs: ['from the request to the first rows, 100,000 entries', 1000, 'ms'],
  idleMs: ['from the last byte to rows painted and idle, 100,000 entries', 300, 'ms'],
  longestTaskMs: ['longest task from the response to idle, 100,000 entries', 150, 'ms'],
  wireBytes: ['compressed listing of 100,000 entries', 4_000_000, 'bytes'],
} as const satisfies Record<keyof Opening, readonly [string, number, string]>;

function openingRows(openings: readonly Opening[]): Row[] {
  return (Object.keys(openingLimits) as (keyof Opening)[]).map((key) => {
    const [measurement, limit, unit] = openingLimits[key];
    const value = median(openings.map((opening) => opening[key]));
    const format = (number: number): string =>
      unit === 'ms' ? asMs(number) : `${(number / 1_000_000).toFixed(2)} MB`;
    return rowWithin(measurement, value, limit, { format });
  });
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
    await addFavorite(product, '/open-100/');
    const home: number[] = [];
    const rows: number[] = [];
    for (let i = 0; i < rounds; i++) {
      rows.push(
        await timeUntilShown(page, `${product.url}/files/open-100/`, '[role=row][aria-rowindex="2"]'),
      );
      home.push(await timeUntilShown(page, `${product.url}/home`, 'main section h2'));
    }
    const openings: Opening[] = [];
    await context.addInitScript(recordFrames);
    for (let i = 0; i <= rounds; i++) {
      const opening = await openFolder(page, product, 'open-100000', 100_000);
      // The first one warms the cache of the server.
      if (i > 0) openings.push(opening);
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
      rowWithin('from navigation to the first content of Home', median(home), median(rows) + homeDelayMs, {
        note: `first row of 100 entries: ${asMs(median(rows))}`,
      }),
      ...openingRows(openings),
    ];
  } finally {
    await browser.close();
  }
}
