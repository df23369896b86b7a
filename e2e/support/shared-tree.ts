import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { createShare, createUser, ordinaryPermissions, type ShareOptions } from './api.ts';
import { test } from './fixtures.ts';
import { type Product, signInByApi } from './product.ts';
import { pngOf, wavOf, write } from './sample-files.ts';

/** The credentials of an ordinary user who shares. */
export const sharer = { username: 'maria', password: 'maria keeps a secret' };

/** Creates the folders `Trip` and `Many` and the user {@link sharer} before each test. */
export function useSharedTree(): void {
  test.beforeEach(async ({ root, product, problems }) => {
    // Shares that require a password, and shares that were deleted.
    problems.allow(/status of (?:401|404)/u);
    await write(join(root, 'Trip', 'tram.png'), pngOf(300, 200));
    await write(join(root, 'Trip', 'notes.txt'), 'Take the tram.');
    await write(join(root, 'Trip', 'song.wav'), wavOf(1));
    await write(join(root, 'Trip', 'Old town', 'One', 'Two', 'Three', 'map.txt'), 'a map');
    for (let number = 1; number <= 230; number++) await write(join(root, 'Many', `bill ${number}.txt`), 'x');
    await createUser(product, await signInByApi(product), {
      ...sharer,
      scope: '/',
      perm: ordinaryPermissions,
    });
  });
}

/** Shares an entry as the administrator. Returns the hash of the share. */
export const shareAsAdministrator = async (
  product: Product,
  path: string,
  options?: ShareOptions,
): Promise<string> => createShare(product, await signInByApi(product), path, options);

/** Returns the name and the content of the file that `start` downloads. */
export async function downloaded(
  page: Page,
  start: () => Promise<void>,
): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Opens a page in the browser of a new visitor. */
export async function visit(
  browser: Browser,
  address: string,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(address);
  return { context, page };
}
