import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { makeFile, useFilesToUpload } from './support/files-to-upload.ts';
import { dialogOf, entry, openFolder, signIn, tabTo } from './support/journey.ts';
import { pngOf, write } from './support/sample-files.ts';
import {
  chooseFiles,
  limitUploads,
  percentOf,
  setPartSize,
  tray,
  uploadRow,
  watchOffsets,
} from './support/uploads.ts';

const mebibyte = 1024 * 1024;

/** Sends a file named `other` from the page, at the speed of its uploads. */
async function sendBytes(page: Page, bytes: number): Promise<void> {
  const status = await page.evaluate(async (size) => {
    const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' };
    const body = new Uint8Array(size);
    return (await fetch('/api/resources/other', { method: 'POST', headers, body })).status;
  }, bytes);
  expect(status).toBe(200);
}

// These tests wait for slow connections; they run last, and no worker is left with all of them.
test.describe.configure({ mode: 'parallel' });

useFilesToUpload();

test('a large file is paused, resumed at its offset, cancelled and retried', async ({
  page,
  product,
  root,
}) => {
  await setPartSize(product, mebibyte);
  await signIn(page, product);
  const { path, content } = await makeFile('film.bin', 6 * mebibyte);
  const offsets = watchOffsets(page);
  await limitUploads(page, 2 * mebibyte);

  await test.step('a paused upload sends nothing', async () => {
    await chooseFiles(page, [path]);
    await expect.poll(() => percentOf(page, 'film.bin')).toBeGreaterThan(25);
    await expect(tray(page)).toContainText('Uploading 0 of 1');
    await expect(tray(page)).toContainText(/[KM]B\/s/u);
    await uploadRow(page, 'film.bin').getByRole('button', { name: 'Pause film.bin' }).click();
    await expect(uploadRow(page, 'film.bin')).toContainText('Paused · ');
    await expect(tray(page)).toContainText('Paused · 0 of 1');
    const before = offsets.length;
    // Without the pause, the next chunk would begin while the page sends as many bytes as two chunks have.
    await sendBytes(page, 2 * mebibyte);
    expect(offsets).toHaveLength(before);
    await rm(join(root, 'other'));
    await expect(readdir(root)).resolves.not.toContain('film.bin');
  });

  await test.step('the upload resumes at its offset', async () => {
    const before = offsets.length;
    await limitUploads(page, 20 * mebibyte);
    await uploadRow(page, 'film.bin').getByRole('button', { name: 'Resume film.bin' }).click();
    await expect(uploadRow(page, 'film.bin').getByRole('link', { name: 'film.bin' })).toBeVisible();
    expect(offsets[before]).toBeGreaterThan(0);
    expect((await readFile(join(root, 'film.bin'))).equals(content)).toBe(true);
    await expect(entry(page, 'film.bin')).toBeVisible();
    await tray(page).getByRole('button', { name: 'Close uploads' }).click();
  });

  await test.step('a cancelled upload is discarded and can be retried', async () => {
    const other = await makeFile('other.bin', 6 * mebibyte);
    await limitUploads(page, 2 * mebibyte);
    await chooseFiles(page, [other.path]);
    await expect.poll(() => percentOf(page, 'other.bin')).toBeGreaterThan(25);
    const deletion = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await uploadRow(page, 'other.bin').getByRole('button', { name: 'Cancel other.bin' }).click();
    expect((await deletion).status()).toBe(204);
    await expect(uploadRow(page, 'other.bin')).toContainText('Cancelled');
    // No partial file is left on the disk, under any name.
    expect(await readdir(root)).toEqual(['film.bin']);
    await limitUploads(page, 20 * mebibyte);
    await uploadRow(page, 'other.bin').getByRole('button', { name: 'Retry other.bin' }).click();
    await expect(uploadRow(page, 'other.bin').getByRole('link', { name: 'other.bin' })).toBeVisible();
    expect((await readFile(join(root, 'other.bin'))).equals(other.content)).toBe(true);
  });
});

test(
  'all uploads are paused, resumed and cancelled together, by keyboard alone',
  extended,
  async ({ page, product, root }) => {
    await setPartSize(product, mebibyte);
    await signIn(page, product);
    const files = await Promise.all(
      Array.from({ length: 7 }, (_, index) => makeFile(`part-${index}.bin`, 2 * mebibyte)),
    );
    await limitUploads(page, mebibyte / 4);
    await chooseFiles(
      page,
      files.map(({ path }) => path),
    );
    await expect(tray(page)).toContainText(/Uploading \d of 7/u);
    // Backwards: the tray is among the last elements, and collapses by itself after ten seconds.
    await tabTo(page, tray(page).getByRole('button', { name: 'Pause all uploads' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    const resume = tray(page).getByRole('button', { name: 'Resume all uploads' });
    await expect(resume).toBeFocused();
    await expect(tray(page)).toContainText(/Paused · \d of 7/u);
    await page.keyboard.press('Enter');
    await expect(tray(page)).toContainText(/Uploading \d of 7/u);
    await tabTo(page, tray(page).getByRole('button', { name: 'Cancel all uploads' }));
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Cancel all uploads?' });
    await expect(question.getByRole('button', { name: 'Cancel uploads' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(tray(page)).toContainText(/\d cancelled/u);
    await expect.poll(async () => (await readdir(root)).filter((name) => name.startsWith('.'))).toEqual([]);
  },
);

test(
  'small files share requests, and one whose response is lost is sent again without a conflict',
  extended,
  async ({ page, product, root, problems }) => {
    problems.allow(/ERR_FAILED \(.*\/api\/uploads\)$/u);
    await signIn(page, product);
    const made = await Promise.all(
      Array.from({ length: 150 }, (_, index) => makeFile(`small ${index}.bin`, index * 20)),
    );
    let requests = 0;
    await page.route('**/api/uploads', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      requests += 1;
      if (requests > 1) return route.fallback();
      // The server stores the files of the first request, but its response does not arrive.
      const response = await route.fetch();
      expect(response.status()).toBe(200);
      return route.abort('failed');
    });
    await chooseFiles(
      page,
      made.map(({ path }) => path),
    );
    await expect(tray(page)).toContainText('150 uploaded');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(requests).toBeGreaterThan(1);
    expect(requests).toBeLessThan(10);
    for (const [index, { content }] of made.entries())
      expect((await readFile(join(root, `small ${index}.bin`))).equals(content)).toBe(true);
  },
);

test(
  'an upload survives navigation, and signing out has to be confirmed',
  extended,
  async ({ page, product, root }) => {
    await setPartSize(product, mebibyte);
    await write(join(root, 'Photos', 'boat.png'), pngOf(60, 40));
    await signIn(page, product);
    const { path, content } = await makeFile('film.bin', 6 * mebibyte);
    await limitUploads(page, mebibyte / 4);
    await chooseFiles(page, [path]);
    await expect(tray(page)).toContainText('Uploading 0 of 1');

    await test.step('the upload continues while the user visits a folder, a preview and the settings', async () => {
      await openFolder(page, 'Photos');
      await entry(page, 'boat.png').getByText('boat.png', { exact: true }).dblclick();
      await expect(
        dialogOf(page)
          .or(page.getByRole('img', { name: 'boat.png' }))
          .first(),
      ).toBeVisible();
      await page.goBack();
      await page.getByRole('link', { name: 'Settings' }).click();
      await expect(page).toHaveURL(/\/settings/u);
      await expect(tray(page)).toContainText('Uploading 0 of 1');
    });

    await test.step('signing out asks for confirmation', async () => {
      await page.goBack();
      await page.getByRole('button', { name: /Account/u }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).click();
      const question = page.getByRole('alertdialog', { name: 'Uploads are not finished' });
      await expect(question).toContainText('Signing out cancels 1 upload.');
      await question.getByRole('button', { name: 'Keep uploading' }).click();
      await expect(question).toBeHidden();
      await expect(tray(page)).toContainText('Uploading 0 of 1');
    });

    await limitUploads(page, 20 * mebibyte);
    await expect(tray(page)).toContainText('1 uploaded');
    expect((await readFile(join(root, 'film.bin'))).equals(content)).toBe(true);

    await test.step('a confirmed sign-out cancels the upload', async () => {
      const other = await makeFile('other.bin', 6 * mebibyte);
      await limitUploads(page, mebibyte);
      await chooseFiles(page, [other.path]);
      await expect.poll(() => percentOf(page, 'other.bin')).toBeGreaterThan(10);
      await page.getByRole('button', { name: /Account/u }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
      await expect(page).toHaveURL(/\/login/u);
      await expect(tray(page)).toBeHidden();
      expect((await readdir(root)).toSorted()).toEqual(['Photos', 'film.bin']);
    });
  },
);

test(
  'an upload whose name was taken meanwhile stays in the tray, also after a reload, until the user decides',
  extended,
  async ({ page, product, root, problems }) => {
    problems.allow(/status of 409/u);
    await setPartSize(product, mebibyte);
    await signIn(page, product);
    const { path, content } = await makeFile('film.bin', 4 * mebibyte);
    await limitUploads(page, 2 * mebibyte);
    await chooseFiles(page, [path]);
    // The first of four parts has been answered, so that the server knows the upload.
    await expect.poll(() => percentOf(page, 'film.bin')).toBeGreaterThan(30);
    await writeFile(join(root, 'film.bin'), 'theirs');
    await limitUploads(page, 50 * mebibyte);
    await expect(tray(page).getByRole('heading', { name: '1 upload is blocked' })).toBeVisible();

    await page.reload();
    const blocked = tray(page).getByRole('list', { name: '1 upload is blocked' });
    await expect(blocked.getByRole('listitem')).toContainText('A file with this name already exists there.');
    await expect(tray(page).getByText(/not finished/u)).toBeHidden();
    await blocked.getByRole('button', { name: 'Keep both: film.bin' }).click();
    await expect(tray(page)).toBeHidden();
    await expect(entry(page, 'film(1).bin')).toBeVisible();
    expect((await readFile(join(root, 'film(1).bin'))).equals(content)).toBe(true);
    expect(await readFile(join(root, 'film.bin'), 'utf8')).toBe('theirs');
  },
);
