import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { createShare } from './support/api.ts';
import { overflowOf } from './support/checks/overflow.ts';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { select, showView, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { pngOf, webmOf, write, writeSamples } from './support/sample-files.ts';
import { drag } from './support/touch.ts';

test.beforeEach(({ root }) => writeSamples(root));

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

test(
  'a page of 320 × 256 px can be used without anything covering it',
  extended,
  async ({ page, product, problems }) => {
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
  },
);

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

test(
  'lines and secondary texts have more contrast for users who ask for it',
  extended,
  async ({ page, product }) => {
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
  },
);

test('notices are at the bottom right on desktop', extended, async ({ page, product }) => {
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

test('wider spacing of letters, words and lines cuts no text', extended, async ({ page, product }) => {
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
      await expect(menu).toBeVisible();
      for (const name of [/^New/u, 'Details', 'Sort and display']) {
        const box = await page.getByRole('button', { name }).first().boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(44);
        expect(box?.width).toBeGreaterThanOrEqual(44);
      }
    },
  );
});
