import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, listing, nameOf, showView, signIn } from './support/journey.ts';
import { photoAt, pngOf, write } from './support/sample-files.ts';

const proportions = [
  [300, 200],
  [200, 300],
  [320, 180],
  [200, 200],
] as const;

const trips = [
  ['boat.jpg', 35.6895, 139.6917],
  ['tram.jpg', 38.7223, -9.1393],
  ['shrine.jpg', 35.7148, 139.7967],
  ['ocean.jpg', 0.5, -30],
] as const;

test('photos are shown uncropped, by day and by place: in a folder, in Photos and on Home', async ({
  page,
  product,
  root,
}) => {
  for (let number = 0; number < 48; number += 1) {
    const [width, height] = proportions[number % proportions.length] ?? [1, 1];
    const path = join(root, 'Roll', `IMG_${String(100 + number)}.png`);
    await write(path, pngOf(width, height));
    const time = new Date(2024, 10, 15 - Math.floor(number / 6), 12, 0, 60 - number);
    await utimes(path, time, time);
  }
  await write(join(root, 'Papers', 'letter.txt'), 'text');
  for (const [index, [name, latitude, longitude]] of trips.entries()) {
    const path = join(root, 'Trips', name);
    await write(path, await photoAt(page, latitude, longitude));
    const time = new Date(2024, 5, 20 - index, 12);
    await utimes(path, time, time);
  }
  await signIn(page, product, { at: '/files/Roll/' });
  const photos = listing(page, 'Roll');
  const allPhotos = listing(page, 'Photos');

  await test.step('a folder of photos is shown by day, uncropped', async () => {
    await expect(photos).toHaveRole('listbox');
    await expect(page.getByRole('group', { name: /Friday.*15.*2024|Friday.*November 15/u })).toBeAttached();
    await expect(photos.locator('img[data-loaded]').first()).toBeVisible();
    await expect(async () => {
      const frames = await photos.locator('img[data-loaded]').evaluateAll((images) =>
        (images as HTMLImageElement[]).map((image) => ({
          own: image.naturalWidth / image.naturalHeight,
          shown: image.clientWidth / image.clientHeight,
        })),
      );
      expect(frames.length).toBeGreaterThan(10);
      for (const { own, shown } of frames) expect(Math.abs(own / shown - 1)).toBeLessThan(0.02);
    }).toPass();
  });

  await test.step('a checkbox selects a day, and keys move through the rows', async () => {
    await page.getByRole('checkbox').first().click();
    // The bar; the same words are announced to assistive technology.
    await expect(page.getByText(/^6 selected · /u)).toBeVisible();
    await expect(page.getByRole('checkbox').first()).toHaveAttribute('aria-checked', 'true');
    await page.keyboard.press('Escape');
    await entry(page, 'IMG_100.png').click();
    await page.keyboard.press('ArrowRight');
    await expect(entry(page, 'IMG_101.png')).toBeFocused();
    await page.keyboard.press('End');
    await expect(entry(page, 'IMG_147.png')).toBeFocused();
  });

  await test.step('the scrubber leads to any date by keys', async () => {
    const scrubber = page.getByRole('slider', { name: 'Date' });
    await expect(scrubber).toHaveAttribute('aria-valuetext', /November/u);
    await scrubber.focus();
    await page.keyboard.press('Home');
    await expect(scrubber).toHaveAttribute('aria-valuetext', /15/u);
    await expect(entry(page, 'IMG_100.png')).toBeInViewport();
  });

  await test.step('another view is remembered for this folder, and a folder of other files is a list', async () => {
    await showView(page, 'List');
    await expect(photos).toHaveRole('grid');
    await page.reload();
    await expect(photos).toHaveRole('grid');
    await page.goto(`${product.url}/files/Papers/`);
    await expect(listing(page, 'Papers')).toHaveRole('grid');
  });

  await test.step('Photos shows those of all folders', async () => {
    await page.getByRole('link', { name: 'Photos', exact: true }).click();
    await expect(allPhotos).toHaveRole('listbox');
    await expect(page.getByText('52 photos and videos')).toBeVisible();
  });

  await test.step('the field searches at once, its text is in the address, and Escape empties it', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('roll 147', { delay: 40 });
    const field = page.getByRole('searchbox', { name: 'Search photos' });
    await expect(field).toHaveValue('roll 147');
    await expect(page.getByText('1 photo or video')).toBeVisible();
    await expect(page).toHaveURL(/\/photos\?query=roll\+147$/u);
    await page.keyboard.type(' type:video');
    await expect(page.getByText('No photos match “roll 147 type:video”')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('52 photos and videos')).toBeVisible();
    await expect(page).toHaveURL(/\/photos$/u);
  });

  await test.step('closing a photo leads back to Photos', async () => {
    await entry(page, 'IMG_101.png').dblclick();
    await expect(page.getByRole('dialog', { name: 'IMG_101.png' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/photos$/u);
    await expect(entry(page, 'IMG_101.png')).toBeFocused();
  });

  await test.step('the background of drawings with transparency covers the icon of the file', async () => {
    const drawing = entry(page, 'IMG_101.png').locator('img[data-loaded]');
    await expect(drawing).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  });

  await test.step('the place of the latest photo comes first, and photos without a place at the end', async () => {
    await page.getByRole('radio', { name: 'Days' }).press('ArrowLeft');
    await expect(page.getByRole('radio', { name: 'Places' })).toBeChecked();
    const groups = allPhotos.getByRole('group');
    await expect
      .poll(() => groups.evaluateAll((found) => found.map((group) => group.getAttribute('aria-label'))))
      .toEqual([
        '\u2068Tokyo\u2069, \u2068Japan\u2069',
        '\u2068Lisbon\u2069, \u2068Portugal\u2069',
        'No location',
      ]);
    await page.getByRole('checkbox', { name: /^Select .Tokyo/u }).click();
    // With the photo that was opened.
    await expect(page.getByText(/^3 selected · /u)).toBeVisible();
    await expect(entry(page, 'boat.jpg')).toHaveAttribute('aria-selected', 'true');
    await expect(entry(page, 'shrine.jpg')).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('the details name the place of a photo', async () => {
    await page.keyboard.press('Escape');
    await entry(page, 'tram.jpg').click();
    await page.keyboard.press('Control+i');
    const panel = page.getByRole('complementary', { name: 'Details' });
    await expect(panel.getByRole('region', { name: 'About' })).toContainText('JPEG image');
    await expect(
      panel
        .getByRole('region', { name: 'Taken' })
        .getByText(/^.Lisbon., .Portugal. · .38\.72230, -9\.13930/u),
    ).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(entry(page, 'IMG_100.png')).toBeFocused();
  });

  await test.step('Home shows the latest ones in one row from edge to edge, uncropped', async () => {
    await page.goto(`${product.url}/home`);
    const latest = page.getByRole('region', { name: 'New in Photos' });
    await expect(latest.getByRole('link', { name: 'IMG_100.png' })).toBeVisible();
    await expect(async () => {
      const frames = await latest.getByRole('list').evaluate((list) => {
        const images = [...list.querySelectorAll('img')];
        return {
          width: list.getBoundingClientRect().right,
          tops: new Set(images.map((image) => image.getBoundingClientRect().top)).size,
          end: Math.max(...images.map((image) => image.getBoundingClientRect().right)),
          ratios: images.map(
            (image) => (image.naturalWidth * image.height) / (image.naturalHeight * image.width),
          ),
        };
      });
      expect(frames.tops).toBe(1);
      expect(Math.abs(frames.end - frames.width)).toBeLessThanOrEqual(1);
      expect(frames.ratios.length).toBeGreaterThan(3);
      for (const ratio of frames.ratios) expect(Math.abs(ratio - 1)).toBeLessThan(0.03);
    }).toPass();
  });
});

test(
  'a folder among photos shows only whole notes, and a photo without a picture has a box that can be seen',
  extended,
  async ({ page, product, root, problems }) => {
    problems.allow(/status of (?:422|501)/u);
    for (let number = 1; number <= 8; number++)
      await write(join(root, 'Shoot', `IMG_${number}.png`), pngOf(300, 200));
    await write(join(root, 'Shoot', 'lost.jpg'), 'no picture');
    const clip = 'a clip whose name is longer than the room that its tile has for it.mp4';
    await write(join(root, 'Shoot', clip), 'no video');
    for (let number = 1; number <= 240; number++)
      await write(join(root, 'Shoot', 'Raw', `${number}.bin`), Buffer.alloc(123_456));
    await signIn(page, product, { at: '/files/Shoot/' });
    const note = entry(page, 'Raw').getByText('240 items');
    await expect(note).toBeVisible();
    const areWhole = await note.evaluate((element) => {
      const line = element.closest('span:has(> span)') ?? element;
      const box = line.getBoundingClientRect();
      return [...line.children].every((part) => {
        const { top, left, right } = part.getBoundingClientRect();
        return top >= box.bottom || (left >= box.left - 1 && right <= box.right + 1);
      });
    });
    expect(areWhole).toBe(true);
    // The name of a video ends before the sign of a video.
    const gapPx = await nameOf(entry(page, clip)).evaluate((name) => {
      const sign = name.parentElement?.nextElementSibling?.getBoundingClientRect().left ?? 0;
      return sign - name.getBoundingClientRect().right;
    });
    expect(gapPx).toBeGreaterThan(0);
    const groundOf = (name: string) =>
      entry(page, name)
        .locator('[data-part=check]')
        .evaluate((box) => getComputedStyle(box, '::before').backgroundColor);
    expect(await groundOf('lost.jpg')).toBe('rgb(255, 255, 255)');
    await expect(entry(page, 'IMG_1.png').locator('img[data-loaded]')).toBeVisible();
    expect(await groundOf('IMG_1.png')).toBe('rgba(0, 0, 0, 0.28)');
  },
);
