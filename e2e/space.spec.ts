import { existsSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, nameOf, listing, selectionBar, signIn } from './support/journey.ts';
import { write } from './support/sample-files.ts';

test('folders show their sizes, are sorted by them, and follow a change', async ({ page, product, root }) => {
  await write(join(root, 'Large', 'deep', 'film.bin'), Buffer.alloc(3_000_000));
  await write(join(root, 'Small', 'note.txt'), 'x'.repeat(2000));
  await signIn(page, product);
  await expect(listing(page, 'My files')).toBeVisible();
  await expect(entry(page, 'Large')).toContainText('3 MB');
  await expect(entry(page, 'Small')).toContainText('2 KB');
  await expect(page.getByText('2 folders · 3 MB')).toBeVisible();
  const size = page.getByRole('columnheader', { name: 'Size' }).getByRole('button');
  await size.click();
  await size.click();
  await expect(page.locator('[role="row"][data-id]').first()).toContainText('Small');
  await entry(page, 'Large').click();
  await expect(selectionBar(page)).toContainText('1 selected · 3 MB');
  await page.keyboard.press('Control+i');
  await expect(page.getByRole('region', { name: 'Largest inside' })).toContainText('deep');
  // Deleting in the page changes the sizes of the folders above.
  await entry(page, 'Large').dblclick();
  await entry(page, 'deep').click();
  await page.keyboard.press('Delete');
  await expect(entry(page, 'deep')).toBeHidden();
  await page.goBack();
  await expect(entry(page, 'Large')).toContainText('0 B');
  // A drop on a folder stays in the open one, and the sizes of both follow.
  await nameOf(entry(page, 'Small')).dragTo(nameOf(entry(page, 'Large')));
  await expect(entry(page, 'Small')).toBeHidden();
  await expect(entry(page, 'Large')).toContainText('2 KB');
  await expect(listing(page, 'My files')).toBeVisible();
});

test('a map and a tree show what fills a folder, and lead to its folders, largest and oldest files', async ({
  page,
  product,
  root,
}) => {
  await write(join(root, 'Videos', 'Trips', 'lisbon.mp4'), Buffer.alloc(3_000_000));
  await write(join(root, 'Videos', 'short.mp4'), Buffer.alloc(500_000));
  await write(join(root, 'note.txt'), 'x'.repeat(2000));
  await signIn(page, product);
  await page.getByRole('link', { name: 'Storage' }).click();
  await expect(page).toHaveURL(/\/space\/$/u);
  await expect(page.getByRole('heading', { name: 'What fills My files' })).toBeVisible();
  await expect(page.getByText(/^3.5.MB in 3 files/u)).toBeVisible();
  const tree = page.getByRole('treegrid', { name: 'Contents of My files by size' });
  const videos = tree.getByRole('row', { name: /Videos/u });
  await videos.focus();
  await page.keyboard.press('ArrowRight');
  await expect(videos).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowRight');
  await expect(tree.getByRole('row', { name: /Trips/u })).toBeFocused();
  await expect(tree.getByRole('row', { name: /Trips/u })).toHaveAttribute('aria-level', '2');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'What fills Trips' })).toBeVisible();
  await page.goBack();

  // The largest rectangle begins in the upper corner; its header opens the folder.
  const canvas = page.locator('canvas');
  await canvas.hover({ position: { x: 20, y: 8 } });
  await expect(page.getByText(/^Videos/u).last()).toBeVisible();
  await canvas.click({ position: { x: 20, y: 8 } });
  await expect(page).toHaveURL(/\/space\/Videos\/$/u);
  await page.getByRole('link', { name: 'Largest files' }).click();
  await expect(page).toHaveURL(/\/search\?from=%2FVideos&in=here&kind=file&sort=size$/u);
  await expect(page.locator('[role="row"][data-id]')).toHaveText([/lisbon\.mp4/u, /short\.mp4/u]);
});

test(
  'the page about space can be scrolled to its end at 320 × 256 px',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'Videos', 'lisbon.mp4'), Buffer.alloc(3_000_000));
    for (const name of ['a', 'b', 'c']) await write(join(root, `${name}.txt`), name.repeat(2000));
    await page.setViewportSize({ width: 320, height: 256 });
    await signIn(page, product, { at: '/space/' });
    const tabs = page.getByRole('navigation', { name: 'Places' });
    const below = (await tabs.boundingBox())?.y ?? 0;
    const last = page.getByRole('treegrid').getByRole('row', { name: /c\.txt/u });
    for (const shown of [page.getByRole('link', { name: 'Open folder' }), last]) {
      await shown.scrollIntoViewIfNeeded();
      const box = await shown.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(below + 1);
    }
    // By a finger or wheel as well.
    await page.getByRole('link', { name: 'Open folder' }).scrollIntoViewIfNeeded();
    await page.mouse.move(160, 120);
    await expect(async () => {
      await page.mouse.wheel(0, 200);
      await expect(last).toBeInViewport({ timeout: 200 });
    }).toPass();
  },
);

test(
  'duplicates are found, all but the oldest are selected, and deleted to the trash',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'Photos', 'old.txt'), 'equal contents');
    await write(join(root, 'Photos', 'Copies', 'new.txt'), 'equal contents');
    await write(join(root, 'Photos', 'other.txt'), 'other contents');
    await utimes(join(root, 'Photos', 'old.txt'), 1_500_000_000, 1_500_000_000);
    await signIn(page, product);
    await page.goto(`${product.url}/space/Photos/`);
    await page.getByRole('link', { name: 'Duplicates' }).click();
    await expect(page).toHaveURL(/\/duplicates\/Photos\/$/u);
    await page.getByRole('button', { name: 'Find duplicates' }).click();
    await expect(page.getByText('1 group, 14 B can be freed')).toBeVisible();
    await page.getByRole('button', { name: 'Select all but…' }).click();
    await page.getByRole('menuitem', { name: 'The oldest of each group' }).click();
    const copy = page.getByRole('checkbox', { name: /new\.txt/u });
    await expect(copy).toBeChecked();
    await expect(page.getByRole('checkbox', { name: /old\.txt/u })).toBeDisabled();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('No duplicates')).toBeVisible();
    expect(existsSync(join(root, 'Photos', 'Copies', 'new.txt'))).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(copy).not.toBeChecked();
    await page.getByRole('link', { name: 'old.txt' }).click();
    await expect(listing(page, 'Photos')).toBeVisible();
    await expect(entry(page, 'old.txt')).toHaveAttribute('aria-selected', 'true');
  },
);

test.describe('without a catalogue', () => {
  test.use({ flags: ['--catalogue=off'] });

  test(
    'no sizes of folders are requested, and the page about space explains why',
    extended,
    async ({ page, product, root }) => {
      await write(join(root, 'Docs', 'note.txt'), 'x');
      const requested: string[] = [];
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      await signIn(page, product);
      await expect(entry(page, 'Docs').locator('[data-column="size"]')).toHaveText('');
      await page.goto(`${product.url}/space/`);
      await expect(page.getByText('Sizes are not counted on this server')).toBeVisible();
      expect(requested.filter((path) => /^\/api\/(?:totals|map|find)\//u.test(path))).toEqual([]);
    },
  );
});
