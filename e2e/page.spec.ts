import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { createShare } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, fillLogin, openFolder, select, showView, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { overflowOf } from './support/checks/overflow.ts';
import { pngOf, webmOf, write } from './support/sample-files.ts';
import { drag } from './support/touch.ts';
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

test.beforeEach(async ({ root }) => {
  for (let number = 1; number <= 60; number++) {
    await write(join(root, number % 3 === 0 ? `folder ${number}` : '', `file ${number}.txt`), 'text');
  }
  await write(join(root, 'picture.png'), pngOf(32, 32));
});

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

test('no address contains the token, and no other origin is requested', async ({ page, product }) => {
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

/** A short description of the focused element, `BODY` if there is none. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) return 'BODY';
    const name = activeElement.getAttribute('aria-label') ?? activeElement.textContent;
    return `${activeElement.tagName} ${name}`.slice(0, 60);
  });

/**
 * Presses Tab many times and returns the focused elements that are neither within `cover` nor in the browser's own
 * bars.
 */
async function focusStopsOutside(page: Page, cover: string): Promise<string[]> {
  const outside: string[] = [];
  for (let press = 0; press < 30; press++) {
    await page.keyboard.press('Tab');
    const isInside = await page.evaluate((selector) => {
      const { activeElement } = document;
      // After the last tab stop a page passes the focus to the browser.
      return activeElement === document.body || activeElement?.closest(selector) !== null;
    }, cover);
    if (!isInside) outside.push(await focused(page));
  }
  return outside;
}

test('the focus never leaves an open file, and returns to a useful element after every action', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/login`);
  await fillLogin(page, 'admin', product.password);
  // The element that had the focus was removed with its page.
  await expect(page.locator('[data-id]:focus')).toBeVisible();

  await test.step('a preview contains the focus', async () => {
    await (await select(page, 'picture.png')).press('Enter');
    await expect(page.getByRole('dialog', { name: 'picture.png' })).toBeVisible();
    expect(await focusStopsOutside(page, '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(entry(page, 'picture.png')).toBeFocused();
  });
  await test.step('the editor contains the focus', async () => {
    await (await select(page, 'file 1.txt')).press('Enter');
    await expect(page.getByRole('textbox', { name: 'Text of file 1.txt' })).toBeFocused();
    await page.keyboard.press('Control+m');
    expect(await focusStopsOutside(page, 'section[aria-label="file 1.txt"]')).toEqual([]);
    await expect(page.locator('h1:not([inert] *)')).toHaveCount(1);
    await page.getByRole('button', { name: 'Close editor' }).press('Enter');
    await expect(entry(page, 'file 1.txt')).toBeFocused();
  });
  await test.step('deleting by keyboard moves the focus to the next row', async () => {
    await select(page, 'file 10.txt');
    await page.keyboard.press('Delete');
    await expect(entry(page, 'file 11.txt')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(entry(page, 'file 13.txt')).toBeFocused();
  });
  await test.step('deleting by the selection bar moves the focus to the next row', async () => {
    const bar = page.getByRole('toolbar', { name: 'Selected items' });
    await bar.getByRole('button', { name: 'Delete' }).press('Enter');
    await expect(entry(page, 'file 14.txt')).toBeFocused();
  });
  await test.step('moving entries moves the focus to the next row', async () => {
    await select(page, 'file 16.txt');
    const bar = page.getByRole('toolbar', { name: 'Selected items' });
    await bar.getByRole('button', { name: 'Move to…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Move/u });
    await dialog.getByRole('treeitem', { name: 'folder 12', exact: true }).click();
    await dialog.getByRole('button', { name: /^Move/u }).press('Enter');
    await expect(entry(page, 'file 16.txt')).toHaveCount(0);
    await expect(entry(page, 'file 17.txt')).toBeFocused();
  });
  await test.step('a renamed row keeps the focus', async () => {
    await page.keyboard.press('Control+Space');
    await page.keyboard.press('F2');
    await page.keyboard.type('file 17b');
    await page.keyboard.press('Enter');
    await expect(entry(page, 'file 17b.txt')).toBeFocused();
  });
  await test.step('emptying a folder moves the focus to its empty state', async () => {
    await openFolder(page, 'folder 9');
    await select(page, 'file 9.txt');
    await page.keyboard.press('Delete');
    await expect(page.locator('*:focus')).toContainText('It feels lonely here...');
  });
});

test('a key pressed while the editor closes acts on the listing', extended, async ({ page, product }) => {
  await signIn(page, product);
  await (await select(page, 'file 1.txt')).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Text of file 1.txt' })).toBeFocused();
  // The listeners of the window are called last, and before the address of the page changes.
  await page.evaluate(() =>
    addEventListener(
      'keydown',
      () => {
        document.body.dataset['focusedAfterKey'] = document.activeElement?.textContent ?? '';
      },
      { once: true },
    ),
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.body.dataset['focusedAfterKey'])).toContain('file 1');
  await expect(entry(page, 'file 2.txt')).toBeFocused();
});

test(
  'a video stays visible on a page of 320 × 256 px, and the editor wraps its status bar',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'film.webm'), await webmOf(page));
    await signIn(page, product);
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto(`${product.url}/files/film.webm`);
    const video = page.locator('video');
    await expect.poll(() => video.evaluate((film: HTMLVideoElement) => film.readyState)).toBeGreaterThan(0);
    const box = await video.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(120);
    expect(box?.y).toBeLessThan(200);
    const forward = page.getByRole('button', { name: /^Forward \d/u });
    await forward.scrollIntoViewIfNeeded();
    await expect(forward).toBeInViewport({ ratio: 1 });

    await page.goto(`${product.url}/files/file%201.txt`);
    const wrap = page.getByRole('button', { name: 'Wrap lines' });
    await expect(wrap).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  },
);

test('a page of 320 × 256 px has room for search results', extended, async ({ page, product }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await signIn(page, product, { at: '/search?query=file' });
  const result = page.locator('[data-id]').first();
  await expect(result).toBeVisible();
  const [row, tabs, sort] = await Promise.all([
    result.boundingBox(),
    page.getByRole('navigation', { name: 'Places' }).boundingBox(),
    page.getByRole('button', { name: 'Best match' }).boundingBox(),
  ]);
  expect((sort?.y ?? 0) + (sort?.height ?? 0)).toBeLessThanOrEqual(row?.y ?? 0);
  expect(row?.y).toBeLessThan((tabs?.y ?? 0) - 16);
});

test('the round button covers no row on a page of 320 × 256 px', extended, async ({ page, product }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await signIn(page, product);
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await expect(add).toBeVisible();
  await expect(page.locator('[data-id]').first()).toBeVisible();
  const boxOf = async (locator: Locator) =>
    (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [button, tabs] = [await boxOf(add), await boxOf(page.getByRole('navigation', { name: 'Places' }))];
  expect(button.y).toBeGreaterThanOrEqual(tabs.y);
  expect(button.y + button.height).toBeLessThanOrEqual(256);
  for (const place of await page.getByRole('navigation', { name: 'Places' }).getByRole('link').all()) {
    const { x, width } = await boxOf(place);
    expect(width).toBeGreaterThanOrEqual(44);
    expect(x + width).toBeLessThanOrEqual(button.x);
  }
});

test('a page of 320 × 256 px can be used without anything covering it', async ({
  page,
  product,
  problems,
}) => {
  problems.allow(/status of 404/u);
  const token = await signInByApi(product);
  await createShare(product, token, '/file 1.txt', {});
  await page.setViewportSize({ width: 320, height: 256 });
  await signIn(page, product, { at: '/files/missing/' });
  const tabs = page.getByRole('navigation', { name: 'Places' });
  // A trial click fails if another element covers the control.
  const isFree = (control: Locator) => control.click({ trial: true });
  await isFree(page.getByRole('link', { name: 'Back to My files' }));
  await isFree(page.getByRole('button', { name: 'Try again' }));
  await isFree(tabs.getByRole('link', { name: 'Home' }));

  await page.goto(`${product.url}/shared`);
  await isFree(page.getByRole('button', { name: /^More actions for/u }));
  await isFree(tabs.getByRole('link', { name: 'Home' }));

  await page.goto(`${product.url}/files/`);
  await select(page, 'folder 12');
  // The actions are in its place, and the focus does not go behind them.
  await expect(tabs).toBeHidden();
  await page.keyboard.press('Delete');
  await expect(tabs).toBeVisible();
  await page.goto(`${product.url}/trash`);
  await isFree(page.locator('[data-item] [data-part=name]'));

  await page.goto(`${product.url}/files/file%201.txt`);
  await page.getByRole('textbox').first().press('Control+f');
  await isFree(page.getByRole('button', { name: 'Replace all' }));
  await isFree(page.getByRole('button', { name: 'Wrap lines' }));
});

test('with reduced motion nothing moves or grows, but colors may fade', async ({ page, product }) => {
  await signIn(page, product, { at: '/settings/profile' });
  const control = page.getByRole('switch').first();
  const fading = (reducedMotion: 'reduce' | 'no-preference') =>
    page
      .emulateMedia({ reducedMotion })
      .then(() => control.evaluate((track) => getComputedStyle(track, '::before').transitionProperty));
  // The knob of a switch.
  expect(await fading('no-preference')).toContain('inset-inline-start');
  expect(await fading('reduce')).toContain('opacity');
  expect(await fading('reduce')).not.toMatch(/inset|left|transform|translate|size|width|height/u);
});

test('selected folders are legible in forced colors', async ({ page, product }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await signIn(page, product);
  await showView(page, 'Tiles');
  const tile = await select(page, 'folder 12');
  // The selection is drawn one frame after the click.
  await expect
    .poll(() =>
      tile.evaluate((element) => {
        const sample = document.body.appendChild(document.createElement('p'));
        sample.style.cssText = 'forced-color-adjust: none; background: Highlight; color: HighlightText';
        const colorsOf = (of: Element) => {
          const { backgroundColor, color } = getComputedStyle(of);
          return `${color} on ${backgroundColor}`;
        };
        const colors = { tile: colorsOf(element), system: colorsOf(sample) };
        sample.remove();
        return colors.tile === colors.system ? 'those of the system' : colors;
      }),
    )
    .toBe('those of the system');
});

test('lines and secondary texts have more contrast for users who ask for it', async ({ page, product }) => {
  await signIn(page, product);
  const contrasts = () =>
    page.evaluate(() => {
      const luminanceOf = (token: string): number => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = `var(${token})`;
        const channels = getComputedStyle(probe).color.match(/[\d.]+/gu) ?? [];
        probe.remove();
        const [r = 0, g = 0, b = 0] = channels.slice(0, 3).map((channel) => {
          const value = Number(channel) / 255;
          return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const surface = luminanceOf('--surface');
      return ['--line', '--button-line', '--text-muted', '--text-subtle'].map((token) => {
        const other = luminanceOf(token);
        return (Math.max(surface, other) + 0.05) / (Math.min(surface, other) + 0.05);
      });
    });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, contrast: 'no-preference' });
    const [usualLine = 0] = await contrasts();
    expect(usualLine).toBeLessThan(1.6);
    await page.emulateMedia({ colorScheme, contrast: 'more' });
    const [line = 0, buttonLine = 0, muted = 0, subtle = 0] = await contrasts();
    expect(line).toBeGreaterThan(3);
    expect(buttonLine).toBeGreaterThan(4.5);
    expect(muted).toBeGreaterThan(7);
    expect(subtle).toBeGreaterThan(7);
  }
});

test('notices are at the bottom right on desktop', async ({ page, product }) => {
  await signIn(page, product);
  await select(page, 'picture.png');
  await page.keyboard.press('Delete');
  const notice = page.getByRole('status', { name: 'Notifications' }).getByText(/picture\.png.* moved to/u);
  await expect(notice).toBeVisible();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const box = await notice.boundingBox();
  expect(box?.x).toBeGreaterThan(width / 2);
  expect(box?.y).toBeGreaterThan(height * 0.8);
});

test('wider spacing of letters, words and lines cuts no text', async ({ page, product }) => {
  await signIn(page, product);
  for (const address of ['/files/', '/settings/profile', '/settings/users/new', '/search?query=file']) {
    await page.goto(`${product.url}${address}`);
    await page.locator('h1').first().waitFor();
    // The values of WCAG 1.4.12. Sheets of this kind are not subject to the content security policy.
    await page.evaluate(() => {
      const spacing = new CSSStyleSheet();
      spacing.replaceSync(
        '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }',
      );
      document.adoptedStyleSheets.push(spacing);
    });
    await expect.poll(() => overflowOf(page), { message: address }).toEqual([]);
  }
});

test.describe('with a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test(
    'a swipe that begins on a button of the previewer turns the page and does not navigate back',
    extended,
    async ({ page, product, root }) => {
      await write(join(root, 'other.png'), pngOf(40, 40));
      await signIn(page, product);
      const visits = await page.evaluate(() => history.length);
      await page.goto(`${product.url}/files/picture.png`);
      const back = page.getByRole('button', { name: 'Previous', exact: true });
      await expect(back).toHaveCSS('touch-action', 'none');
      const box = await back.boundingBox();
      const from = { x: (box?.x ?? 0) + 30, y: (box?.y ?? 0) + 22 };
      await drag(page, [[from, { x: from.x + 270, y: from.y }]]);
      await expect(page.getByRole('dialog', { name: 'other.png' })).toBeVisible();
      expect(await page.evaluate(() => history.length)).toBe(visits + 1);
      await expect(page.locator('html')).toHaveCSS('overscroll-behavior-x', 'none');
    },
  );
});

test.describe('with a touch screen in landscape', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 844, height: 390 } });

  test(
    'controls are large enough for fingers, and each row shows its menu',
    extended,
    async ({ page, product }) => {
      await signIn(page, product);
      const menu = page.locator('[data-id]').first().locator('[data-part=menu]');
      await expect(menu).toHaveCSS('opacity', '1');
      for (const name of [/^New/u, 'Details', 'Sort and display']) {
        const box = await page.getByRole('button', { name }).first().boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(44);
        expect(box?.width).toBeGreaterThanOrEqual(44);
      }
    },
  );
});
