import { join } from 'node:path';
import { expect, test } from './support/fixtures.ts';
import { listing, signIn } from './support/journey.ts';
import { pngOf, wavOf, write } from './support/sample-files.ts';

test('music keeps playing while the user browses and after a reload', async ({ page, product, root }) => {
  await write(join(root, 'Music', 'First song.wav'), wavOf(60));
  await write(join(root, 'Music', 'Second song.wav'), wavOf(60));
  await write(join(root, 'Pictures', 'a.png'), pngOf(300, 200));
  await signIn(page, product, { at: '/files/Music/First%20song.wav' });
  const player = page.getByRole('region', { name: 'Player' });
  const played = () =>
    page
      .getByRole('dialog')
      .locator('audio')
      .evaluate((song: HTMLAudioElement) => !song.paused);

  // Closing the preview of a song that is playing continues it in the small player.
  await expect(page.getByRole('dialog', { name: 'First song.wav' })).toBeVisible();
  await page.keyboard.press(' ');
  await expect.poll(played).toBe(true);
  await page.keyboard.press('Escape');
  await expect(player.getByRole('link', { name: 'First song' })).toBeVisible();
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
  await page.mouse.move(200, 200);
  await page.mouse.move(210, 210);
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

test('pictures follow each other in a slideshow', async ({ page, product, root }) => {
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
