import { join } from 'node:path';
import { expect, test } from './support/fixtures.ts';
import { entry, listing, signIn } from './support/journey.ts';
import { write } from './support/sample-files.ts';

test('folders show their sizes, are sorted by them, and follow a change', async ({ page, product, root }) => {
  await write(join(root, 'Large', 'deep', 'film.bin'), Buffer.alloc(3_000_000));
  await write(join(root, 'Small', 'note.txt'), 'x'.repeat(2000));
  await signIn(page, product);
  await expect(listing(page, 'My files')).toBeVisible();
  await expect(entry(page, 'Large')).toContainText('3 MB');
  await expect(entry(page, 'Small')).toContainText('2 kB');
  await expect(page.getByText('2 folders · 3 MB')).toBeVisible();
  const size = page.getByRole('columnheader', { name: 'Size' }).getByRole('button');
  await size.click();
  await size.click();
  await expect(page.locator('[role="row"][data-id]').first()).toContainText('Small');
  await entry(page, 'Large').click();
  await page.keyboard.press('Control+i');
  await expect(page.getByRole('region', { name: 'Largest inside' })).toContainText('deep');
  // Deleting in the page changes the sizes of the folders above.
  await entry(page, 'Large').dblclick();
  await entry(page, 'deep').click();
  await page.keyboard.press('Delete');
  await expect(entry(page, 'deep')).toBeHidden();
  await page.goBack();
  await expect(entry(page, 'Large')).toContainText('0 B');
});
