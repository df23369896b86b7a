import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, nameOf, select, signIn } from './support/journey.ts';
import { write } from './support/sample-files.ts';

test(
  'a drag opens the folders of the path and of the tree on which it rests, and drops there',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'Documents', 'Taxes', 'bill.txt'), 'bill');
    await write(join(root, 'Photos', 'boat.txt'), 'boat');
    await signIn(page, product, { at: '/files/Documents/Taxes/' });
    const source = await nameOf(await select(page, 'bill.txt')).boundingBox();
    await page.mouse.move((source?.x ?? 0) + 5, (source?.y ?? 0) + 5);
    await page.mouse.down();
    const restOn = async (target: Locator): Promise<void> => {
      const box = await target.boundingBox();
      // The browser repeats the event that a drag is over an element; Playwright sends it with each movement.
      await page.mouse.move((box?.x ?? 0) + 9, (box?.y ?? 0) + 9, { steps: 4 });
      await page.mouse.move((box?.x ?? 0) + 11, (box?.y ?? 0) + 11);
    };
    await restOn(page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Documents' }));
    await expect(page).toHaveURL(/\/files\/Documents\/$/u);
    await restOn(page.getByRole('treeitem', { name: 'Photos', exact: true }));
    await expect(page).toHaveURL(/\/files\/Photos\/$/u);
    await expect(entry(page, 'boat.txt')).toBeVisible();
    await restOn(entry(page, 'boat.txt'));
    await page.mouse.up();
    await expect(entry(page, 'bill.txt')).toBeVisible();
    await expect.poll(() => readdir(join(root, 'Photos'))).toEqual(['bill.txt', 'boat.txt']);
    expect(await readdir(join(root, 'Documents', 'Taxes'))).toEqual([]);
  },
);
