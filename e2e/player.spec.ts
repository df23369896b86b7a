import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { listing, signIn } from './support/journey.ts';
import { pngOf, wavOf, write } from './support/sample-files.ts';
import { tray } from './support/uploads.ts';

/** Plays the opened song and closes its preview, which continues it in the small player. Resolves to the player. */
async function continueInPlayer(page: Page, title: string): Promise<Locator> {
  const preview = page.getByRole('dialog', { name: `${title}.wav` });
  await expect(preview).toBeVisible();
  await page.keyboard.press(' ');
  await expect
    .poll(() => preview.locator('audio').evaluate((song: HTMLAudioElement) => !song.paused))
    .toBe(true);
  await page.keyboard.press('Escape');
  const player = page.getByRole('region', { name: 'Player' });
  await expect(player.getByRole('link', { name: title })).toBeVisible();
  return player;
}

test('music keeps playing while the user browses and after a reload', async ({ page, product, root }) => {
  await write(join(root, 'Music', 'First song.wav'), wavOf(60));
  await write(join(root, 'Music', 'Second song.wav'), wavOf(60));
  await write(join(root, 'Pictures', 'a.png'), pngOf(300, 200));
  await signIn(page, product, { at: '/files/Music/First%20song.wav' });
  const player = await continueInPlayer(page, 'First song');
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible();

  // It plays on in other folders.
  await page.getByRole('treeitem', { name: 'Pictures' }).click();
  await expect(listing(page, 'Pictures')).toBeVisible();
  await player.getByRole('button', { name: 'Next' }).click();
  await expect(player.getByRole('link', { name: 'Second song' })).toBeVisible();
  await expect(player.getByRole('button', { name: 'Next' })).toBeDisabled();
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible();
  await player.getByRole('slider', { name: 'Position' }).fill('42');
  await page.reload();
  await expect(player.getByRole('link', { name: 'Second song' })).toBeVisible();
  await expect(player.getByRole('slider', { name: 'Position' })).toHaveAttribute(
    'aria-valuetext',
    /^0:4\d of/u,
  );

  // The previewer takes the song over.
  await player.getByRole('link', { name: 'Second song' }).click();
  await expect(page.getByRole('dialog', { name: 'Second song.wav' })).toBeVisible();
  await expect(player).toHaveCount(0);
});

test(
  'the card of uploads, open and collapsed, lies above the player: in wide windows and on phones',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'Music', 'Song.wav'), wavOf(60));
    await signIn(page, product, { at: '/files/Music/Song.wav' });
    const player = await continueInPlayer(page, 'Song');
    const file = { name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.from('new') };
    await page.locator('input[data-upload=files]').setInputFiles(file);
    const card = tray(page);
    await expect(card).toContainText('1 uploaded');
    const toggle = card
      .getByRole('button', { expanded: true })
      .or(card.getByRole('button', { expanded: false }));
    const expectAbove = async (): Promise<void> => {
      const [cardBox, playerBox] = [await card.boundingBox(), await player.boundingBox()];
      expect((cardBox?.y ?? 0) + (cardBox?.height ?? 0)).toBeLessThanOrEqual(playerBox?.y ?? 0);
    };
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(player).toBeInViewport();
      await expectAbove();
      await toggle.first().click();
      await expectAbove();
    }
    // Open, on a phone: a notice is above it, too.
    await page.locator('input[data-upload=files]').setInputFiles({ ...file, name: 'newer.txt' });
    // The first file leaves the card after a while.
    await expect(card).toContainText(/uploaded.*newer\.txt/u);
    await page.keyboard.press('Control+z');
    const notice = page.getByRole('status', { name: 'Notifications' }).locator('[data-tone]').last();
    await expect(notice).toBeVisible();
    await expect
      .poll(async () => {
        const [cardBox, noticeBox] = [await card.boundingBox(), await notice.boundingBox()];
        return (noticeBox?.y ?? 0) + (noticeBox?.height ?? 0) - (cardBox?.y ?? 0);
      })
      .toBeLessThanOrEqual(0);
  },
);

test('pictures follow each other in a slideshow', extended, async ({ page, product, root }) => {
  await write(join(root, 'a.png'), pngOf(300, 200));
  await write(join(root, 'b.png'), pngOf(200, 300));
  await signIn(page, product);
  await page.evaluate(() => localStorage.setItem('filestead.slideSeconds', '3'));
  await page.goto(`${product.url}/files/a.png`);
  await expect(page.getByRole('img', { name: 'a.png, 100%' })).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByRole('button', { name: 'Pause slideshow' })).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'b.png' })).toBeVisible();
  await page.keyboard.press(' ');
  await expect(page.getByRole('button', { name: 'Start slideshow' })).toBeVisible();
});
