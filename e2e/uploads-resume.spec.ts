import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { makeFile, useFilesToUpload } from './support/files-to-upload.ts';
import { fillLogin, openFolder, signIn } from './support/journey.ts';
import { startProduct } from './support/product.ts';
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

// These tests wait for slow connections; they run last, and no worker is left with all of them.
test.describe.configure({ mode: 'parallel' });

useFilesToUpload();

test(
  'an upload resumes at its offset after the connection was lost',
  extended,
  async ({ page, product, root, problems }) => {
    problems.allow(/ERR_INTERNET_DISCONNECTED/u);
    await setPartSize(product, mebibyte);
    await signIn(page, product);
    const { path, content } = await makeFile('film.bin', 6 * mebibyte);
    const offsets = watchOffsets(page);
    await limitUploads(page, 2 * mebibyte);
    await chooseFiles(page, [path]);
    await expect.poll(() => percentOf(page, 'film.bin')).toBeGreaterThan(25);
    await limitUploads(page, 0);
    await expect(uploadRow(page, 'film.bin')).toContainText('Connection lost. Trying again…');
    const before = offsets.length;
    await limitUploads(page, 20 * mebibyte);
    await expect(uploadRow(page, 'film.bin').getByRole('link', { name: 'film.bin' })).toBeVisible();
    expect(offsets.slice(before).filter((offset) => offset === 0)).toEqual([]);
    expect((await readFile(join(root, 'film.bin'))).equals(content)).toBe(true);
  },
);

test(
  'an upload fails with "Connection aborted" when all retries fail, and resumes on request',
  extended,
  async ({ page, product, root, problems }) => {
    problems.allow(/ERR_CONNECTION_RESET/u);
    await setPartSize(product, mebibyte, 0);
    await signIn(page, product);
    const { path, content } = await makeFile('film.bin', 3 * mebibyte);
    await page.route('**/api/tus/**', (route) =>
      route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
    );
    await chooseFiles(page, [path]);
    await expect(uploadRow(page, 'film.bin')).toContainText('Connection aborted');
    await page.unroute('**/api/tus/**');
    await uploadRow(page, 'film.bin').getByRole('button', { name: 'Retry film.bin' }).click();
    await expect(uploadRow(page, 'film.bin').getByRole('link', { name: 'film.bin' })).toBeVisible();
    expect((await readFile(join(root, 'film.bin'))).equals(content)).toBe(true);
  },
);

test('an upload resumes after a reload when the same file is chosen again', async ({
  page,
  product,
  root,
}) => {
  await setPartSize(product, mebibyte);
  await write(join(root, 'Photos', 'boat.png'), pngOf(60, 40));
  await signIn(page, product);
  await openFolder(page, 'Photos');
  const { path, content } = await makeFile('film.bin', 6 * mebibyte);
  const other = await makeFile('other.bin', 6 * mebibyte);
  await limitUploads(page, 2 * mebibyte);
  await chooseFiles(page, [path, other.path]);
  await expect.poll(() => percentOf(page, 'film.bin')).toBeGreaterThan(40);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  const offer = page.getByRole('list', { name: '2 uploads are not finished' });

  await test.step('the upload resumes from another folder through the offer', async () => {
    await expect(offer.getByRole('listitem').filter({ hasText: 'film.bin' })).toContainText(/[1-9]\d%/u);
    await expect(offer.getByRole('link', { name: 'Photos' }).first()).toBeVisible();
    await page.goto(`${product.url}/files/`);
    await limitUploads(page, 20 * mebibyte);
    const offsets = watchOffsets(page);
    await page.locator('input[data-upload=interrupted]').setInputFiles([path]);
    await expect(uploadRow(page, 'film.bin').getByRole('link', { name: 'film.bin' })).toBeVisible();
    expect(offsets[0]).toBeGreaterThanOrEqual(2 * mebibyte);
    expect((await readFile(join(root, 'Photos', 'film.bin'))).equals(content)).toBe(true);
  });

  await test.step('the interrupted upload is discarded on request', async () => {
    // Home leads to the offer as long as there is one.
    await page.goto(`${product.url}/home`);
    const hint = page.getByRole('main').getByText('1 upload is not finished');
    await expect(hint).toBeVisible();
    const discard = page.getByRole('button', { name: 'Discard', exact: true });
    await page.getByRole('button', { name: /Hide details/u }).click();
    await expect(discard).toBeHidden();
    await page.getByRole('main').getByRole('button', { name: 'Show', exact: true }).click();
    await discard.click();
    await expect(hint).toBeHidden();
    await expect
      .poll(async () => (await readdir(join(root, 'Photos'))).toSorted())
      .toEqual(['boat.png', 'film.bin']);
  });
});

test(
  'an upload resumes when its user signs in again',
  extended,
  async ({ page, product, root, problems }) => {
    // 423: the refused request may lock the file a moment longer; it is retried.
    problems.allow(/status of (?:401|423)/u);
    await setPartSize(product, mebibyte);
    await signIn(page, product);
    const { path, content } = await makeFile('film.bin', 6 * mebibyte);
    await limitUploads(page, 2 * mebibyte);
    await chooseFiles(page, [path]);
    await expect.poll(() => percentOf(page, 'film.bin')).toBeGreaterThan(25);
    // The session is ended elsewhere: the next chunk is refused.
    const token = await page.evaluate(() => localStorage.getItem('jwt'));
    await fetch(`${product.url}/api/logout`, { method: 'POST', headers: { 'X-Auth': token ?? '' } });
    await page.waitForURL('**/login**');
    await expect(tray(page)).toBeHidden();
    const offsets = watchOffsets(page);
    await limitUploads(page, 20 * mebibyte);
    await fillLogin(page, 'admin', product.password);
    await expect(uploadRow(page, 'film.bin').getByRole('link', { name: 'film.bin' })).toBeVisible();
    expect(offsets[0]).toBeGreaterThan(0);
    expect((await readFile(join(root, 'film.bin'))).equals(content)).toBe(true);
  },
);

test.describe('a server that restarts', () => {
  test('an upload resumes when the server is back', extended, async ({ page, root, problems }) => {
    problems.allow(
      /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|request to another origin/u,
    );
    const data = await mkdtemp(join(tmpdir(), 'filestead-data-'));
    const first = await startProduct(root, { data });
    await setPartSize(first, mebibyte, 8);
    await signIn(page, first);
    const { path, content } = await makeFile('film.bin', 6 * mebibyte);
    const offsets = watchOffsets(page);
    await limitUploads(page, 2 * mebibyte);
    await chooseFiles(page, [path]);
    await expect.poll(() => percentOf(page, 'film.bin')).toBeGreaterThan(25);
    // The tray does not collapse while the pointer is in it.
    await tray(page).hover();
    await first.stop();
    await expect(uploadRow(page, 'film.bin')).toContainText('Connection lost. Trying again…');
    const before = offsets.length;
    const second = await startProduct(root, { data, args: ['--port', new URL(first.url).port] });
    await limitUploads(page, 20 * mebibyte);
    await expect(uploadRow(page, 'film.bin').getByRole('link', { name: 'film.bin' })).toBeVisible({
      timeout: 60_000,
    });
    expect(offsets.slice(before).filter((offset) => offset === 0)).toEqual([]);
    expect((await readFile(join(root, 'film.bin'))).equals(content)).toBe(true);
    await second.stop();
    await rm(data, { recursive: true, force: true });
  });
});
