import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fetchApi } from './api.ts';
import { expect, test } from './fixtures.ts';
import { entry, fillLogin, openFolder, select, signIn } from './journey.ts';
import { signInByApi } from './product.ts';
import { pngOf, write } from './sample-files.ts';

/** Compressed bytes of JavaScript until the first folder is there. */
const javaScriptBudgetBytes = 180_000;
/** Nothing may jump; 0.1 would still count as good (web.dev, Cumulative Layout Shift). */
const mostLayoutShift = 0.001;

declare global {
  interface Window {
    /** The sum of all layout shifts that no input explains. */
    layoutShift: number;
  }
}

/** Sums up layout shifts from the first paint on. */
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
  await page.waitForLoadState('networkidle');
  return page.evaluate(() => window.layoutShift);
};

test.beforeEach(async ({ root }) => {
  for (let number = 1; number <= 60; number++) {
    await write(join(root, number % 3 === 0 ? `folder ${number}` : '', `file ${number}.txt`), 'text');
  }
  await write(join(root, 'picture.png'), pngOf(32, 32));
});

test('the first page load stays within its JavaScript budget', async ({ page, product }) => {
  const scripts: { url: string; bytes: number }[] = [];
  const counting: Promise<unknown>[] = [];
  page.on('requestfinished', (request) => {
    if (!new URL(request.url()).pathname.endsWith('.js')) return;
    counting.push(
      request
        .sizes()
        .then(({ responseBodySize }) => scripts.push({ url: request.url(), bytes: responseBodySize })),
    );
  });
  await signIn(page, product);
  await expect(entry(page, 'file 1.txt')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await Promise.all(counting);
  expect(scripts.length).toBeGreaterThan(0);
  const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(total, JSON.stringify(scripts, null, 2)).toBeGreaterThan(50_000);
  expect(total, JSON.stringify(scripts, null, 2)).toBeLessThanOrEqual(javaScriptBudgetBytes);
});

test('nothing jumps while the pages load', async ({ page, product }) => {
  await watchLayoutShifts(page);
  await page.goto(`${product.url}/login`);
  await expect(page.getByLabel('Username')).toBeVisible();
  expect(await layoutShift(page), 'login page').toBeLessThan(mostLayoutShift);
  await fillLogin(page, 'admin', product.password);
  await expect(entry(page, 'file 1.txt')).toBeVisible();
  expect(await layoutShift(page), 'after signing in').toBeLessThan(mostLayoutShift);
  await page.reload();
  await expect(entry(page, 'file 1.txt')).toBeVisible();
  expect(await layoutShift(page), 'a folder').toBeLessThan(mostLayoutShift);
  await page.goto(`${product.url}/files/folder%2030/file%2030.txt`);
  await expect(page.getByRole('button', { name: 'Close editor' })).toBeVisible();
  expect(await layoutShift(page), 'a file').toBeLessThan(mostLayoutShift);
  for (const path of ['profile', 'shares', 'global', 'users']) {
    await page.goto(`${product.url}/settings/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await layoutShift(page), `settings, ${path}`).toBeLessThan(mostLayoutShift);
  }
  const token = await signInByApi(product);
  const answer = await fetchApi(product, '/api/share/', token, { method: 'POST' });
  const { hash } = (await answer.json()) as { hash: string };
  await page.goto(`${product.url}/share/${hash}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await layoutShift(page), 'public page').toBeLessThan(mostLayoutShift);
});

test('the security policy forbids strangers and inline scripts', async ({ page, product }) => {
  const answer = await page.goto(`${product.url}/login`);
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy).toMatch(/default-src 'none'|default-src 'self'/u);
  expect(policy).not.toContain('unsafe-eval');
  expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/u);
  expect(policy).toMatch(/frame-ancestors 'none'|frame-ancestors 'self'/u);
});

test('the token stands in no address, and no stranger is asked', async ({ page, product }) => {
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
});
