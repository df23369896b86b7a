import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { localFolder, makeFile, useFilesToUpload } from './support/files-to-upload.ts';
import { dialogOf, openFolder, signIn } from './support/journey.ts';
import { startProduct } from './support/product.ts';
import { write } from './support/sample-files.ts';
import { chooseFiles, limitUploads, setPartSize, tray, uploadRow } from './support/uploads.ts';

const mebibyte = 1024 * 1024;

useFilesToUpload();

/** Returns the number of bytes that the server has stored of all unfinished uploads. */
async function storedBytes(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' };
    const listed = (await (await fetch('/api/uploads', { headers })).json()) as { stored: number }[];
    return listed.reduce((sum, { stored }) => sum + stored, 0);
  });
}

test(
  'an interrupted folder is completed by choosing it again, and only what is missing is sent',
  extended,
  async ({ page, product, root }) => {
    const count = 150;
    for (let index = 0; index < count; index++)
      await makeFile(join('Photos', `${index % 3}`, `${index}.jpg`), 50);
    const late = await makeFile(join('Photos', 'film.bin'), 2 * mebibyte);
    await signIn(page, product);
    let requests = 0;
    await page.route('**/api/uploads', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      requests += 1;
      // Only the first request is sent.
      return requests === 1 ? route.fallback() : undefined;
    });
    await page.route('**/api/tus/**', () => undefined);
    await page.locator('input[data-upload=folder]').setInputFiles(join(localFolder, 'Photos'));
    const photosOnDisk = async () => {
      const names = await readdir(join(root, 'Photos'), { recursive: true }).catch(() => []);
      return names.filter((name) => name.endsWith('.jpg'));
    };
    const timesOf = async (names: readonly string[]) =>
      Object.fromEntries(
        await Promise.all(
          names.map(async (name) => [name, (await stat(join(root, 'Photos', name))).mtimeMs] as const),
        ),
      );
    await expect.poll(async () => (await photosOnDisk()).length).toBeGreaterThan(20);
    page.on('dialog', (dialog) => void dialog.accept());
    // The page that is left must not send what has been held.
    await page.goto(`${product.url}/files/`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });

    const offer = tray(page).getByRole('list', { name: '1 upload is not finished' });
    const found = /Photos(\d+) of 151 files/u.exec((await offer.getByRole('listitem').textContent()) ?? '');
    const arrived = Number(found?.[1]);
    expect(arrived).toBeGreaterThan(20);
    expect(arrived).toBeLessThan(count);
    const timesBefore = await timesOf(await photosOnDisk());
    await tray(page)
      .locator('input[data-upload=interrupted-folder]')
      .setInputFiles(join(localFolder, 'Photos'));
    const done = tray(page).getByRole('button', { name: /^\d+ uploaded/u });
    await expect(done).toBeVisible({ timeout: 60_000 });
    // The missing files, without their folders.
    expect(Number.parseInt((await done.textContent()) ?? '', 10)).toBe(count + 1 - arrived);
    await expect(dialogOf(page)).toHaveCount(0);
    // Files that had arrived were not sent again.
    const timesAfter = await timesOf(Object.keys(timesBefore));
    expect(timesAfter).toEqual(timesBefore);
    expect((await readFile(join(root, 'Photos', 'film.bin'))).equals(late.content)).toBe(true);
    expect(await photosOnDisk()).toHaveLength(count);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(tray(page)).toBeHidden();
  },
);

test(
  'the list is the same on another device, where an upload can be discarded',
  extended,
  async ({ page, product, root, browser }) => {
    await setPartSize(product, mebibyte);
    await signIn(page, product);
    const { path } = await makeFile('film.bin', 48 * mebibyte);
    await limitUploads(page, mebibyte);
    await chooseFiles(page, [path]);
    await expect.poll(() => storedBytes(page)).toBeGreaterThan(0);
    const device = await browser.newContext();
    const other = await device.newPage();
    await signIn(other, product);
    // Also between two parts of the file.
    await expect(uploadRow(other, 'film.bin')).toContainText('Being sent from another device');
    // The tray collapses by itself ten seconds after the last addition, unless the pointer is in it.
    await tray(other).hover();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.close();
    // The list follows the other device, and forgets it ten seconds after its last part.
    await expect(uploadRow(other, 'film.bin')).not.toContainText('Being sent', { timeout: 20_000 });
    await expect(uploadRow(other, 'film.bin')).toBeVisible();
    await other.getByRole('button', { name: 'Discard the upload of film.bin' }).click();
    await expect(tray(other)).toBeHidden();
    await expect.poll(() => readdir(root)).toEqual([]);
    await device.close();
  },
);

test(
  'an upload is resumed with one click if the browser has a handle of its file, unless the file has changed',
  extended,
  async ({ page, product, root }) => {
    // A test cannot use the file picker of the system: its files are in the origin-private file system of the browser.
    await page.addInitScript(() => {
      Object.assign(window, {
        showOpenFilePicker: async () => {
          const folder = await navigator.storage.getDirectory();
          return [await folder.getFileHandle('film.bin'), await folder.getFileHandle('other.bin')];
        },
      });
    });
    await setPartSize(product, mebibyte);
    await signIn(page, product);
    const writeInBrowser = (name: string, bytes: number) =>
      page.evaluate(
        async ([name, bytes]) => {
          const folder = await navigator.storage.getDirectory();
          const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
          await writable.write(new Uint8Array(bytes).fill(bytes % 251));
          await writable.close();
        },
        [name, bytes] as const,
      );
    await writeInBrowser('film.bin', 6 * mebibyte);
    await writeInBrowser('other.bin', 5 * mebibyte);
    await limitUploads(page, 2 * mebibyte);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Upload files' }).click();
    await expect.poll(() => storedBytes(page)).toBeGreaterThan(mebibyte);
    await tray(page).getByRole('button', { name: 'Pause all uploads' }).click();
    await expect(tray(page)).toContainText('Paused');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await writeInBrowser('other.bin', 5 * mebibyte);
    await tray(page).getByRole('button', { name: 'Resume other.bin' }).click();
    await expect(page.getByText(/other\.bin.* is not the file that was interrupted/u)).toBeVisible();
    const begun = page.waitForRequest((request) => request.method() === 'PATCH');
    await tray(page).getByRole('button', { name: 'Resume film.bin' }).click();
    expect(Number((await begun).headers()['upload-offset'])).toBeGreaterThan(0);
    await expect(uploadRow(page, 'film.bin').getByRole('link', { name: 'film.bin' })).toBeVisible();
    const stored = await readFile(join(root, 'film.bin'));
    expect(stored.equals(Buffer.alloc(6 * mebibyte, (6 * mebibyte) % 251))).toBe(true);
    expect((await readdir(root)).filter((name) => !name.startsWith('.'))).toEqual(['film.bin']);
  },
);

test(
  'two tabs show one tray: each pauses and resumes the uploads of the other, and no file is uploaded twice',
  extended,
  async ({ page, context, product, root }) => {
    await setPartSize(product, mebibyte);
    await write(join(root, 'In', 'notes.txt'), 'notes');
    await signIn(page, product);
    await openFolder(page, 'In');
    const second = await context.newPage();
    await second.goto(`${product.url}/files/In/`);
    await expect(second.getByRole('heading', { level: 1 })).toBeVisible();
    const { path, content } = await makeFile('film.bin', 6 * mebibyte);
    await limitUploads(page, mebibyte / 2);
    await chooseFiles(page, [path]);
    await expect(tray(second)).toContainText('Uploading 0 of 1');
    await uploadRow(second, 'film.bin').getByRole('button', { name: 'Pause film.bin' }).click();
    await expect(uploadRow(page, 'film.bin')).toContainText('Paused');
    await expect(uploadRow(second, 'film.bin')).toContainText('Paused');

    await chooseFiles(second, [path]);
    await expect(second.getByText('1 file is already being uploaded.')).toBeVisible();
    await expect(uploadRow(page, 'film.bin')).not.toContainText('Paused');
    await expect(second.getByRole('dialog')).toHaveCount(0);

    const other = await makeFile('other.bin', 6 * mebibyte);
    await limitUploads(second, mebibyte / 2);
    await chooseFiles(second, [other.path]);
    await expect(tray(page)).toContainText('Uploading 0 of 2');
    await uploadRow(page, 'other.bin').getByRole('button', { name: 'Cancel other.bin' }).click();
    await expect(uploadRow(second, 'other.bin')).toContainText('Cancelled');
    await limitUploads(page, 50 * mebibyte);
    await expect(uploadRow(page, 'film.bin').getByRole('link', { name: 'film.bin' })).toBeVisible();
    await expect(uploadRow(second, 'film.bin').getByRole('link', { name: 'film.bin' })).toBeVisible();
    expect((await readFile(join(root, 'In', 'film.bin'))).equals(content)).toBe(true);
  },
);

test.describe('a server that is killed', () => {
  test(
    'keeps the list, the stored bytes and the arrived files of a folder',
    extended,
    async ({ page, root, problems }) => {
      problems.allow(/ERR_CONNECTION|ERR_EMPTY_RESPONSE|request to another origin|status of 50/u);
      const data = await mkdtemp(join(tmpdir(), 'filestead-data-'));
      const first = await startProduct(root, { data });
      await setPartSize(first, mebibyte);
      await signIn(page, first);
      for (let index = 0; index < 40; index++) await makeFile(join('Photos', `${index}.jpg`), 50);
      const film = await makeFile(join('Photos', 'film.bin'), 8 * mebibyte);
      await limitUploads(page, mebibyte);
      await page.locator('input[data-upload=folder]').setInputFiles(join(localFolder, 'Photos'));
      await expect.poll(() => storedBytes(page)).toBeGreaterThan(mebibyte);
      process.kill(first.pid, 'SIGKILL');
      await first.stop();
      page.on('dialog', (dialog) => void dialog.accept());
      const second = await startProduct(root, { data, args: ['--port', new URL(first.url).port] });
      await page.goto(`${second.url}/files/`);
      await expect(uploadRow(page, 'Photos')).toContainText('40 of 41 files');
      expect(await storedBytes(page)).toBeGreaterThan(mebibyte);
      await limitUploads(page, 50 * mebibyte);
      const begun = page.waitForRequest((request) => request.method() === 'PATCH');
      await tray(page)
        .locator('input[data-upload=interrupted-folder]')
        .setInputFiles(join(localFolder, 'Photos'));
      expect(Number((await begun).headers()['upload-offset'])).toBeGreaterThan(mebibyte);
      await expect(tray(page)).toContainText('1 uploaded');
      await expect(dialogOf(page)).toHaveCount(0);
      expect((await readFile(join(root, 'Photos', 'film.bin'))).equals(film.content)).toBe(true);
      await second.stop();
      await rm(data, { recursive: true, force: true });
    },
  );
});
