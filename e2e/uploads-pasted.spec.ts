import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { extended } from './support/extended.ts';
import { createUser } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, listing, openFolder, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { pngOf, write } from './support/sample-files.ts';
import { tray } from './support/uploads.ts';
import { waitUntilSettled } from './support/wait-until-settled.ts';

test(
  'a picture in the clipboard is pasted as a file, and cut files can still be pasted',
  extended,
  async ({ page, context, product, root }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await write(join(root, 'notes.txt'), 'notes');
    await write(join(root, 'Photos', 'boat.png'), pngOf(60, 40));
    const token = await signInByApi(product);
    const perm = { create: false, rename: true, modify: true, delete: true, share: true, download: true };
    await createUser(product, token, { username: 'reader', password: 'reader-keeps-it', scope: '/', perm });
    await signIn(page, product);

    await test.step('cut entries are moved', async () => {
      await entry(page, 'notes.txt').click();
      await page.keyboard.press('Control+x');
      await openFolder(page, 'Photos');
      await page.keyboard.press('Control+v');
      await expect(entry(page, 'notes.txt')).toBeVisible();
      await expect.poll(() => readdir(join(root, 'Photos'))).toContain('notes.txt');
    });

    const copyPicture = () =>
      page.evaluate(async () => {
        const canvas = new OffscreenCanvas(8, 8);
        canvas.getContext('2d')?.fillRect(0, 0, 8, 8);
        const blob = await canvas.convertToBlob({ type: 'image/png' });
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
      });

    await test.step('a picture from another application is uploaded', async () => {
      await copyPicture();
      await page.keyboard.press('Control+v');
      await expect(tray(page)).toContainText('1 uploaded');
      const names = await readdir(join(root, 'Photos'));
      expect(
        names.filter((name) => /^Pasted image \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/u.test(name)),
      ).toHaveLength(1);
    });

    await test.step('the finished upload is undone by key', async () => {
      await page.keyboard.press('Control+z');
      await expect
        .poll(async () => (await readdir(join(root, 'Photos'))).toSorted())
        .toEqual(['boat.png', 'notes.txt']);
    });

    await test.step('pasting does nothing without the permission to create', async () => {
      // Not on a page of the product, which may be requesting a thumbnail.
      await page.goto(`${product.url}/health`);
      await page.evaluate(() => localStorage.clear());
      await context.clearCookies();
      await signIn(page, product, { username: 'reader', password: 'reader-keeps-it' });
      await expect(listing(page, 'My files')).toBeVisible();
      await page.evaluate(() =>
        window.addEventListener(
          'paste',
          () => setTimeout(() => document.documentElement.setAttribute('data-pasted', '')),
          { once: true },
        ),
      );
      await page.keyboard.press('Control+v');
      await expect(page.locator('html')).toHaveAttribute('data-pasted');
      await waitUntilSettled(page);
      await expect(tray(page)).toBeHidden();
      expect((await readdir(root)).filter((name) => !name.startsWith('.'))).toEqual(['Photos']);
    });
  },
);

test(
  'files are dropped onto a folder and onto the breadcrumbs',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'Photos', 'Lisbon', 'tram.png'), pngOf(60, 40));
    await signIn(page, product);
    await openFolder(page, 'Photos');
    const drop = async (target: Locator, name: string) => {
      const data = await page.evaluateHandle((fileName) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['dropped'], fileName));
        return transfer;
      }, name);
      await target.dispatchEvent('dragenter', { dataTransfer: data });
      await target.dispatchEvent('dragover', { dataTransfer: data });
      await target.dispatchEvent('drop', { dataTransfer: data });
    };
    await drop(entry(page, 'Lisbon'), 'onto-row.txt');
    await expect.poll(() => readdir(join(root, 'Photos', 'Lisbon'))).toContain('onto-row.txt');
    await drop(
      page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'My files' }),
      'onto-crumb.txt',
    );
    await expect.poll(() => readdir(root)).toContain('onto-crumb.txt');
    await test.step('breadcrumbs that do not fit appear in a menu when entries are dragged over its button', async () => {
      const deep = Array.from({ length: 8 }, (_, index) => `a rather long name of a folder ${index}`);
      await write(join(root, ...deep, 'boat.png'), pngOf(60, 40));
      await page.goto(`${product.url}/files/${deep.map(encodeURIComponent).join('/')}/`);
      const hidden = page.getByRole('button', { name: 'Folders above' });
      await expect(hidden).toBeVisible();
      const data = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['dropped'], 'onto-hidden.txt'));
        return transfer;
      });
      await hidden.dispatchEvent('dragover', { dataTransfer: data });
      await drop(
        page.locator('[data-part=drop-target]').filter({ hasText: deep[2] ?? '' }),
        'onto-hidden.txt',
      );
      await expect.poll(() => readdir(join(root, ...deep.slice(0, 3)))).toContain('onto-hidden.txt');
      await expect(page.locator('[data-part=drop-target]')).toHaveCount(0);
      await page.goto(`${product.url}/files/Photos/`);
      await expect(listing(page, 'Photos')).toBeVisible();
    });
    // Outside of drop targets the page ignores files.
    await drop(page.getByRole('complementary').first(), 'astray.txt');
    await expect(listing(page, 'Photos')).toBeVisible();
  },
);
