import type { Page } from '@playwright/test';
import { createShare } from './support/api.ts';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, fillLogin, openFolder, select, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { writeSamples } from './support/sample-files.ts';
import { waitUntilLoaded } from './support/wait-until-loaded.ts';

/** Compressed bytes of JavaScript until the first folder is shown. */
const javaScriptBudgetBytes = 150_000;
/** The delay after which the page fetches its dialogs, in ms. */
const preloadAfterMs = 2000;
/** No visible shift; up to 0.1 counts as good (web.dev, Cumulative Layout Shift). */
const maxLayoutShift = 0.001;

declare global {
  interface Window {
    /** The sum of all layout shifts without recent input. */
    layoutShift: number;
  }
}

/** Records layout shifts from the first paint on. */
const watchLayoutShifts = (page: Page): Promise<void> =>
  page
    .addInitScript(() => {
      window.layoutShift = 0;
      const observer = new PerformanceObserver((list) => {
        for (const shift of list.getEntries() as (PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
        })[]) {
          if (!shift.hadRecentInput) window.layoutShift += shift.value;
        }
      });
      observer.observe({ type: 'layout-shift', buffered: true });
    })
    .then(() => undefined);

const layoutShift = async (page: Page): Promise<number> => {
  await waitUntilLoaded(page);
  return page.evaluate(() => window.layoutShift);
};

test.beforeEach(({ root }) => writeSamples(root));

test('the first page load stays within its JavaScript budget', async ({ page, product }) => {
  const scripts: { url: string; bytes: number }[] = [];
  const downloads: Promise<unknown>[] = [];
  page.on('requestfinished', (request) => {
    if (!new URL(request.url()).pathname.endsWith('.js')) return;
    downloads.push(
      request
        .sizes()
        .then(({ responseBodySize }) => scripts.push({ url: request.url(), bytes: responseBodySize })),
    );
  });
  // Dialogs are fetched by a timer, which expires before the page is quiet when the machine is slow.
  await page.addInitScript((longestMs) => {
    const set = window.setTimeout.bind(window);
    const setShort = (handler: TimerHandler, ms = 0) => (ms < longestMs ? set(handler, ms) : 0);
    window.setTimeout = setShort as typeof window.setTimeout;
  }, preloadAfterMs);
  // Through the form: its code is part of the first load.
  await page.goto(`${product.url}/login`);
  // Without a key or a pointer: the first event of either fetches the menus as soon as the browser is idle.
  await page.getByLabel('Username').fill('admin');
  const password = page.getByLabel('Password', { exact: true });
  await password.fill(product.password);
  await password.evaluate((field: HTMLInputElement) => field.form?.requestSubmit());
  await page.waitForURL('**/files/**');
  await expect(entry(page, 'file 1.txt')).toBeVisible();
  await waitUntilLoaded(page);
  await Promise.all(downloads);
  expect(scripts.length).toBeGreaterThan(0);
  const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(total, JSON.stringify(scripts, null, 2)).toBeGreaterThan(50_000);
  expect(total, JSON.stringify(scripts, null, 2)).toBeLessThanOrEqual(javaScriptBudgetBytes);
});

test('the layout does not shift while the pages load', async ({ page, product }) => {
  await watchLayoutShifts(page);
  await page.goto(`${product.url}/login`);
  await expect(page.getByLabel('Username')).toBeVisible();
  expect(await layoutShift(page), 'login page').toBeLessThan(maxLayoutShift);
  await fillLogin(page, 'admin', product.password);
  await expect(entry(page, 'file 1.txt')).toBeVisible();
  expect(await layoutShift(page), 'after signing in').toBeLessThan(maxLayoutShift);
  await page.reload();
  await expect(entry(page, 'file 1.txt')).toBeVisible();
  expect(await layoutShift(page), 'a folder').toBeLessThan(maxLayoutShift);
  await page.goto(`${product.url}/files/folder%2030/file%2030.txt`);
  await expect(page.getByRole('button', { name: 'Close editor' })).toBeVisible();
  expect(await layoutShift(page), 'a file').toBeLessThan(maxLayoutShift);
  for (const path of ['profile', 'shares', 'global', 'users']) {
    await page.goto(`${product.url}/settings/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await layoutShift(page), `settings, ${path}`).toBeLessThan(maxLayoutShift);
  }
  const hash = await createShare(product, await signInByApi(product), '/');
  await page.goto(`${product.url}/share/${hash}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await layoutShift(page), 'public page').toBeLessThan(maxLayoutShift);
});

test('the content security policy forbids other origins and inline scripts', async ({ page, product }) => {
  const response = await page.goto(`${product.url}/login`);
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toMatch(/default-src 'none'|default-src 'self'/u);
  expect(policy).not.toContain('unsafe-eval');
  expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/u);
  expect(policy).toMatch(/frame-ancestors 'none'|frame-ancestors 'self'/u);
});

test(
  'no address contains the token, and no other origin is requested',
  extended,
  async ({ page, product }) => {
    const addresses: string[] = [];
    page.context().on('request', (request) => addresses.push(decodeURIComponent(request.url())));
    await signIn(page, product);
    const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '');
    expect(token).not.toBe('');
    await openFolder(page, 'folder 30');
    await page.goBack();
    await (await select(page, 'picture.png')).dblclick();
    const preview = page.getByRole('dialog', { name: 'picture.png' });
    await expect(preview.getByRole('img', { name: /^picture\.png/u })).toHaveJSProperty('naturalWidth', 32);
    const downloading = page.waitForEvent('download');
    await preview.getByRole('button', { name: 'Download' }).click();
    addresses.push((await downloading).url());
    await page.keyboard.press('Escape');
    await expect(preview).toBeHidden();
    await page.goto(`${product.url}/files/file%201.txt`);
    await expect(page.getByRole('textbox', { name: 'Text of file 1.txt' })).toBeVisible();

    expect(addresses.length).toBeGreaterThan(10);
    expect(addresses.filter((address) => address.includes(token))).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(`${product.url}/`))).toEqual([]);
  },
);
