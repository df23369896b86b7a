import { readdirSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { createShare } from './support/api.ts';
import { bookOf, workbookOf, zipOf } from './support/document-files.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, listing, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import type { Product } from './support/product.ts';
import { pngOf, wavOf, webmOf, write } from './support/sample-files.ts';
import { drag } from './support/touch.ts';

const open = async (page: Page, product: Product, path: string) => {
  await page.goto(`${product.url}/files/${path}`);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const preview = page.getByRole('dialog', { name });
  await expect(preview).toBeVisible();
  return preview;
};

test('a user pages through a folder by keyboard, zooms in, and deletes a file', async ({
  page,
  product,
  root,
}) => {
  await write(join(root, '1.png'), pngOf(2400, 1200));
  await write(join(root, '2.png'), pngOf(300, 200));
  await write(join(root, '3.txt'), 'text');
  await write(join(root, '4.bin'), Buffer.from([0, 1, 2]));
  await signIn(page, product);
  await open(page, product, '1.png');
  const image = page.getByRole('img', { name: /^1\.png/u });
  // The server's preview image first, the original on request.
  await expect(image).toHaveJSProperty('naturalWidth', 1080);
  await page.keyboard.press('1');
  await expect(image).toHaveJSProperty('naturalWidth', 2400);
  await expect(page.getByRole('button', { name: 'Full size' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('2 of 3')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('Preview is not available for this file')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('3 of 3')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  // Small enough to be shown unscaled; the button also works after zooming.
  await expect(page.getByRole('img', { name: '2.png, 100%' })).toBeVisible();
  await page.keyboard.press('+');
  await expect(page.getByRole('img', { name: '2.png, 100%' })).toBeHidden();
  await page.keyboard.press('0');
  await expect(page.getByRole('img', { name: '2.png, 100%' })).toBeVisible();
  const fullSize = page.getByRole('button', { name: 'Full size' });
  const wasFullSize = await fullSize.getAttribute('aria-pressed');
  await page.keyboard.press('1');
  await expect(fullSize).not.toHaveAttribute('aria-pressed', wasFullSize ?? '');
  await expect(page.getByRole('heading', { name: '2.png' }).locator('..')).toContainText('300 × 200');
  await page.keyboard.press('i');
  await expect(page.getByRole('region', { name: 'About' })).toContainText('300 × 200');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('dialog', { name: '4.bin' })).toBeVisible();
  await page.getByRole('button', { name: '1.png' }).click();
  await expect(page.getByRole('dialog', { name: '1.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(listing(page, 'My files')).toBeVisible();
  await expect(entry(page, '1.png')).toHaveAttribute('aria-selected', 'true');
});

test(
  'a video has subtitles by language and playback speeds, and resumes at the last position',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'film.webm'), await webmOf(page));
    await write(join(root, 'film.de.srt'), '1\n00:00:00,000 --> 00:00:09,000\nGuten <b>Tag</b>\n');
    // Subtitles in the language of the browser are enabled by default.
    await write(join(root, 'film.en.vtt'), 'WEBVTT\n\n00:00.000 --> 00:09.000\nGood day\n');
    await write(join(root, 'film.directors cut.vtt'), 'WEBVTT\n\n00:00.000 --> 00:09.000\nHello\n');
    await signIn(page, product);
    const preview = await open(page, product, 'film.webm');
    const video = preview.locator('video');
    await expect
      .poll(() =>
        video.evaluate((film: HTMLVideoElement) =>
          [...film.textTracks].map(({ label, mode }) => [label, mode]),
        ),
      )
      .toEqual([
        ['German', 'showing'],
        ['directors cut', 'disabled'],
        ['English', 'disabled'],
      ]);
    await preview.getByRole('button', { name: /Subtitles/u }).click();
    await page.getByRole('option', { name: 'No subtitles' }).click();
    await expect
      .poll(() => video.evaluate((film: HTMLVideoElement) => [...film.textTracks].map(({ mode }) => mode)))
      .toEqual(['disabled', 'disabled', 'disabled']);
    await preview.getByRole('heading').click();
    await page.keyboard.press('>');
    await expect(video).toHaveJSProperty('playbackRate', 1.25);
    await page.keyboard.press('m');
    await expect(video).toHaveJSProperty('muted', true);
    await page.keyboard.press(' ');
    await expect.poll(() => video.evaluate((film: HTMLVideoElement) => film.played.length)).toBe(1);
  },
);

test('books, notes and archives run no scripts, and all can be read', async ({ page, product, root }) => {
  await write(join(root, 'book.epub'), bookOf());
  await write(join(root, 'budget.xlsx'), workbookOf());
  await write(join(root, 'many.zip'), zipOf({ 'docs/a.txt': 'hello', [`${'b'.repeat(240)}.txt`]: 'x' }));
  await write(
    join(root, 'note.md'),
    '# Plan\n\n<img src="https://stranger.example/x.png" alt="far" onerror="window.acted = 1"><script>window.acted = 1</script>\n\n[bad](javascript:window.acted=1) [good](budget.xlsx)\n',
  );
  await write(join(root, 'list.csv'), 'name;price\n"a;b";=1+1\n');
  await signIn(page, product);
  await test.step('a book is shown and runs no scripts', async () => {
    const preview = await open(page, product, 'book.epub');
    await expect(preview.getByRole('heading', { name: 'First part' })).toBeVisible();
    await preview.getByRole('link', { name: 'on' }).click();
    await expect(preview.getByRole('heading', { name: 'Second part' })).toBeVisible();
    await preview.getByRole('button', { name: 'Larger text' }).click();
    await expect(preview.getByText('110%')).toBeVisible();
    await page.reload();
    await expect(preview.getByRole('heading', { name: 'Second part' })).toBeVisible();
    await expect(preview.getByText('110%')).toBeVisible();
  });
  await test.step('the cells of a workbook are shown', async () => {
    const preview = await open(page, product, 'budget.xlsx');
    await expect(preview.getByRole('cell', { name: 'Rent' })).toBeVisible();
    await expect(preview.getByRole('cell', { name: '1200.5' })).toBeVisible();
  });
  await test.step('the entries of an archive are listed', async () => {
    const preview = await open(page, product, 'many.zip');
    await preview.getByRole('button', { name: 'docs' }).click();
    await expect(preview.getByRole('rowheader', { name: 'a.txt' })).toBeVisible();
    await expect(preview.getByText('2 files, 6 B unpacked')).toBeVisible();
    await expect(preview.getByRole('columnheader', { name: 'Modified' })).toBeInViewport({ ratio: 1 });
  });
  await test.step('a note is rendered and runs no scripts', async () => {
    await page.goto(`${product.url}/files/note.md`);
    await expect(page.getByRole('heading', { name: 'Plan' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'good' })).toHaveAttribute('href', '/files/budget.xlsx');
    await expect(page.getByRole('link', { name: 'bad' })).toHaveCount(0);
  });
  await test.step('separated values are shown as a table', async () => {
    await page.goto(`${product.url}/files/list.csv`);
    const show = page.getByRole('button', { name: /preview/iu }).first();
    if ((await show.getAttribute('aria-pressed')) !== 'true') await show.click();
    await expect(page.getByRole('columnheader', { name: 'price' })).toBeVisible();
    await expect(page.getByRole('cell', { name: 'a;b' })).toBeVisible();
    await expect(page.getByRole('cell', { name: '=1+1' })).toBeVisible();
  });
  expect(await page.evaluate(() => 'acted' in window)).toBe(false);
});

test(
  'broken and empty files show an error message, a font a sample of its own script, and a drawing its transparency',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'noise.ogg'), Buffer.alloc(3000, 0x5a));
    await write(join(root, 'blank.docx'), '');
    const fonts = dirname(createRequire(import.meta.url).resolve('@fontsource-variable/noto-sans-hebrew'));
    await copyFile(
      join(fonts, 'files/noto-sans-hebrew-hebrew-wght-normal.woff2'),
      join(root, 'hebrew.woff2'),
    );
    const circle = '<circle cx="150" cy="100" r="60" fill="none" stroke="black" stroke-width="12"/>';
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200">${circle}</svg>`;
    await write(join(root, 'circle.svg'), drawing);
    await signIn(page, product);
    // Once from the server, once from the browser's cache: then the player fails before it is in the document.
    for (let round = 0; round < 2; round += 1) {
      const preview = await open(page, product, 'noise.ogg');
      await expect(preview.getByText(/cannot play the file/u)).toBeVisible();
    }
    const blank = await open(page, product, 'blank.docx');
    await expect(blank.getByText('This file is empty.')).toBeVisible();
    const font = await open(page, product, 'hebrew.woff2');
    await expect(font.getByText('דג סקרן שט בים מאוכזב ולפתע מצא חברה').first()).toBeVisible();
    await expect(font.getByText('The quick brown fox', { exact: false })).toHaveCount(0);
    const vector = await open(page, product, 'circle.svg');
    await expect(vector.getByRole('img', { name: /^circle\.svg/u })).toHaveAttribute(
      'data-background',
      'checkered',
    );
  },
);

test(
  'a failed request is retried, and a deleted file is not reported as damaged',
  extended,
  async ({ page, product, root, problems }) => {
    problems.allow(/(?:ERR_FAILED|status of 404) .*\/api\/(?:raw|preview)\//u);
    await write(join(root, '1.png'), pngOf(300, 200));
    await write(join(root, 'many.zip'), zipOf({ 'a.txt': 'hello' }));
    await write(join(root, 'tone.wav'), wavOf(1));
    await signIn(page, product);
    for (const [name, shown] of [
      ['1.png', 'img[data-loaded]'],
      ['many.zip', 'table'],
      ['tone.wav', '[type=range]:enabled >> nth=0'],
    ] as const) {
      await page.route(/\/api\/(?:raw|preview)\//u, (route) => route.abort());
      const preview = await open(page, product, name);
      await expect(preview.getByText(/could not be loaded/u)).toBeVisible();
      await page.unroute(/\/api\/(?:raw|preview)\//u);
      await preview.getByRole('button', { name: 'Try again' }).click();
      await expect(preview.locator(shown)).toBeVisible();
    }
    // Deleted when the content is requested, not before: thumbnails are requested meanwhile.
    await page.route(/\/api\/raw\/many/u, async (route) => {
      await rm(join(root, 'many.zip'), { force: true });
      await route.continue();
    });
    const deletedPreview = await open(page, product, 'many.zip');
    await expect(deletedPreview.getByText(/no longer there/u)).toBeVisible();
  },
);

test(
  'from right to left the next page is on the left, and code stays left to right',
  extended,
  async ({ browser, product, root }) => {
    await write(join(root, '1.png'), pngOf(300, 200));
    await write(join(root, '2.png'), pngOf(300, 200));
    await write(join(root, 'code.js'), 'function first() {}\n');
    const hash = await createShare(product, await signInByApi(product), '/');
    const context = await browser.newContext({ locale: 'ar' });
    const page = await context.newPage();
    await page.goto(`${product.url}/share/${hash}/`);
    await page.getByText('1.png', { exact: true }).first().dblclick();
    await expect(page.getByRole('dialog', { name: '1.png' })).toBeVisible();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('dialog', { name: '2.png' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByText('code.js', { exact: true }).first().dblclick();
    const line = page.getByRole('dialog', { name: 'code.js' }).locator('.cm-line').first();
    await expect(line).toHaveText('function first() {}');
    await expect(line).toHaveCSS('direction', 'ltr');
    await context.close();
  },
);

test(
  'the menu of the previewer acts on the shown file, and the next one follows a moved one',
  extended,
  async ({ page, product, root }) => {
    for (const name of ['1.png', '2.png']) await write(join(root, name), pngOf(30, 20));
    await write(join(root, 'Album', '3.png'), pngOf(30, 20));
    await signIn(page, product);
    await open(page, product, '2.png');
    const more = page.getByRole('dialog', { name: /[.]png$/u }).getByRole('button', { name: 'More actions' });
    const choose = async (name: string) => {
      await more.click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await more.click();
    await expect(page.getByRole('menuitem')).toHaveText([
      'Versions…',
      'Tags…',
      'Move to…',
      'Copy to…',
      'Duplicate',
      /^Rename\s*F2$/u,
      'Copy path',
      'Copy link',
    ]);
    // Escape closes the menu only.
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect(more).toBeFocused();
    await choose('Rename');
    await page.getByRole('textbox', { name: 'New name' }).fill('4.png');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: '4.png' })).toBeVisible();
    await choose('Duplicate');
    await expect.poll(() => readdirSync(root).length).toBe(4);
    await choose('Move to…');
    const dialog = page.getByRole('dialog').filter({ has: page.getByRole('tree') });
    await dialog.getByRole('treeitem', { name: 'Album', exact: true }).click();
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    // The copy follows.
    await expect(page.getByRole('heading', { name: '4.png', exact: true })).toBeHidden();
    await expect(page.getByRole('dialog', { name: /[.]png$/u })).toBeVisible();
    expect(readdirSync(join(root, 'Album'))).toEqual(['3.png', '4.png']);
    expect(readdirSync(root)).not.toContain('4.png');
  },
);

test('a name with a line break is shown like any other', extended, async ({ page, product, root }) => {
  await write(join(root, 'two\nlines.bin'), Buffer.from([0, 1]));
  await write(join(root, 'two\nfolders/inner.bin'), Buffer.from([0, 1]));
  await signIn(page, product, { at: `/files/${encodeURIComponent('two\nlines.bin')}` });
  await expect(page.getByRole('dialog', { name: 'two␊lines.bin' })).toBeVisible();
  await page.keyboard.press('Escape');
  await entry(page, 'two␊folders').getByText('two␊folders').dblclick();
  await expect(entry(page, 'inner.bin')).toBeVisible();
});

test.describe('touch', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test(
    'one finger turns the page, two zoom, and then one moves the image',
    extended,
    async ({ page, product, root }) => {
      await write(join(root, '1.png'), pngOf(1200, 900));
      await write(join(root, '2.png'), pngOf(300, 200));
      await signIn(page, product);
      await open(page, product, '1.png');
      const fitted = page.getByRole('img', { name: /^1\.png, \d+%/u });
      await expect(fitted).toBeVisible();
      await drag(page, [
        [
          { x: 300, y: 300 },
          { x: 60, y: 300 },
        ],
      ]);
      await expect(page.getByRole('dialog', { name: '2.png' })).toBeVisible();
      await expect(page.getByRole('img', { name: /^2\.png, \d+%/u })).toBeVisible();
      await drag(page, [
        [
          { x: 80, y: 300 },
          { x: 320, y: 300 },
        ],
      ]);
      await expect(fitted).toBeVisible();
      const before = await fitted.getAttribute('alt');
      await drag(page, [
        [
          { x: 150, y: 400 },
          { x: 70, y: 400 },
        ],
        [
          { x: 220, y: 400 },
          { x: 300, y: 400 },
        ],
      ]);
      await expect(fitted).not.toHaveAttribute('alt', before ?? '');
      await drag(page, [
        [
          { x: 300, y: 300 },
          { x: 60, y: 300 },
        ],
      ]);
      await expect(page.getByRole('dialog', { name: '1.png' })).toBeVisible();
    },
  );

  test(
    'a swipe works on files without a preview, and player buttons are not covered',
    extended,
    async ({ page, product, root, problems }) => {
      problems.allow(/status of 422/u);
      await write(join(root, '1.png'), Buffer.alloc(500, 0x5a));
      await write(join(root, '2.wav'), wavOf(1));
      await write(join(root, '3.png'), pngOf(30, 20));
      await signIn(page, product);
      const damaged = await open(page, product, '1.png');
      await expect(damaged.getByText(/may be damaged/u)).toBeVisible();
      await drag(page, [
        [
          { x: 300, y: 620 },
          { x: 60, y: 620 },
        ],
      ]);
      const preview = page.getByRole('dialog', { name: '2.wav' });
      await expect(preview).toBeVisible();
      const actions = await preview.getByRole('group', { name: 'Actions' }).boundingBox();
      const next = preview.getByRole('button', { name: 'Next', exact: true });
      expect((await next.boundingBox())?.y).toBeGreaterThan(actions?.y ?? Infinity);
      await next.tap();
      await expect(page.getByRole('dialog', { name: '3.png' })).toBeVisible();
      await expect(page.getByRole('img', { name: /^3\.png, \d+%/u })).toBeVisible();

      // A short movement down does nothing; a long one closes the file.
      for (const toY of [320, 520]) {
        await expect(page.getByRole('dialog', { name: '3.png' })).toBeVisible();
        await drag(page, [
          [
            { x: 180, y: 260 },
            { x: 184, y: toY },
          ],
        ]);
      }
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(page).toHaveURL(/\/files\/$/u);
    },
  );
});

test(
  'the focus is back in the listing as soon as a preview is closed',
  extended,
  async ({ page, product, root }) => {
    for (const name of ['alps', 'beach', 'tram'])
      await write(join(root, 'pictures', `${name}.png`), pngOf(64, 48));
    await signIn(page, product, { at: '/files/pictures/beach.png' });
    await expect(page.getByRole('dialog', { name: 'beach.png' }).getByRole('img').first()).toBeVisible();
    await page.keyboard.press('Escape');
    // At once, without waiting for the preview's exit animation: no letter may be lost.
    await page.keyboard.type('tram');
    await expect(entry(page, 'tram.png')).toBeFocused();
    await expect(entry(page, 'tram.png')).toHaveAttribute('aria-selected', 'true');
    await expect(page).toHaveURL(/pictures\/$/u);
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menuitem', { name: 'Open', exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'tram.png' })).toBeVisible();
  },
);
