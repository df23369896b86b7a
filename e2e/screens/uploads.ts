import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { dialogOf, entry } from '../support/journey.ts';
import { limitUploads } from '../support/uploads.ts';
import type { Screen, Stage } from './screen.ts';

const kibibyte = 1024;
/** Slow enough that no upload ends during the check, fast enough that there is progress. */
const slowBytesPerSecond = 20_000;

/** Chooses files of these sizes in bytes. They are created in the page: sending megabytes to the browser costs seconds of processor time. */
const chooseNew = (page: Page, sizes: Readonly<Record<string, number>>): Promise<void> =>
  page.locator('input[data-upload=files]').evaluate((input: HTMLInputElement, entries) => {
    const chosen = new DataTransfer();
    for (const [name, bytes] of entries) {
      const type = name.endsWith('.png') ? 'image/png' : 'application/octet-stream';
      chosen.items.add(new File([new Uint8Array(bytes).fill(0x78)], name, { type }));
    }
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, Object.entries(sizes));

const tray = ({ page, text }: Stage) => page.getByRole('region', { name: text('jobs:tray.label') });

/** Refuses the upload of `refused.png`. */
function refuse(route: Route): Promise<void> {
  if (route.request().postDataBuffer()?.includes('refused.png') !== true) return route.fallback();
  return route.fulfill({
    status: 403,
    contentType: 'application/problem+json',
    body: '{"code":"forbidden"}',
  });
}

/** Starts uploads in every state: one finished, one refused, one paused, the others running or waiting. */
async function uploadSlowly(stage: Stage): Promise<void> {
  const { page, root, text, go } = stage;
  // From an earlier round.
  await rm(join(root, 'Empty', 'arrived.txt'), { force: true });
  await go('/files/Empty/', { isNew: true });
  await limitUploads(page, slowBytesPerSecond);
  await page.route(/\/api\/uploads$/u, refuse);
  await chooseNew(page, {
    'arrived.txt': 1000,
    // Larger than the files that share a request.
    'refused.png': 300 * kibibyte,
    'a film with a name that is too long for the tray.mp4': 1000 * kibibyte,
    ...Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [`picture ${index + 1}.png`, 300 * kibibyte]),
    ),
  });
  // The refusal opens the tray, also on the phone.
  await tray(stage).getByText(text('uploads:failure.forbidden')).waitFor();
  // While there is a route, Playwright receives the body of every request, and the page caches nothing.
  await page.unroute(/\/api\/uploads$/u, refuse);
  await tray(stage)
    .getByRole('button', { name: text('uploads:row.pause', { name: 'picture 1.png' }) })
    .click();
}

/** The upload tray and its prompts. */
export const uploadsScreens: readonly Screen[] = [
  {
    name: 'uploads',
    as: 'user',
    open: uploadSlowly,
  },
  {
    name: 'uploads-done',
    as: 'user',
    open: async (stage) => {
      const { page, root, go } = stage;
      await rm(join(root, 'Empty', 'arrived.txt'), { force: true });
      await go('/files/Empty/', { isNew: true });
      await chooseNew(page, { 'arrived.txt': 1000 });
      await tray(stage).waitFor();
      await entry(page, 'arrived.txt').waitFor();
    },
  },
  {
    name: 'uploads-paused',
    as: 'user',
    open: async (stage) => {
      await uploadSlowly(stage);
      const { text } = stage;
      await tray(stage)
        .getByRole('button', { name: text('uploads:tray.pause') })
        .click();
      await tray(stage)
        .getByRole('button', { name: text('uploads:tray.resume') })
        .waitFor();
    },
  },
  {
    name: 'uploads-cancel-all',
    as: 'user',
    open: async (stage) => {
      await uploadSlowly(stage);
      const { page, text } = stage;
      await tray(stage)
        .getByRole('button', { name: text('uploads:tray.cancelAll') })
        .click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'uploads-sign-out',
    as: 'user',
    only: 'desktop',
    open: async (stage) => {
      await uploadSlowly(stage);
      const { page, text } = stage;
      await page.getByRole('button', { name: text('app:frame.account', { name: 'maria' }) }).click();
      await page.getByRole('menuitem', { name: text('app:frame.signOut') }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'uploads-conflict',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/', { isNew: true });
      await entry(page, 'readme.txt').waitFor();
      await chooseNew(page, { 'readme.txt': 2000, 'ملاحظات.txt': 10 });
      await dialogOf(page).waitFor();
    },
  },
  {
    name: 'uploads-shared',
    as: 'user',
    open: async ({ page, go, text }) => {
      await go('/files/', { isNew: true });
      // As the service worker stores them.
      await page.evaluate(async () => {
        const cache = await caches.open('filestead / shared');
        const headers = { 'content-type': 'image/png', 'x-file-name': 'tram.png' };
        await cache.put(`/shared-items/${Date.now()}-1`, new Response('picture', { headers }));
      });
      await go('/files/?shared');
      await dialogOf(page)
        .getByRole('button', { name: text('files:transfer.uploadButton'), exact: true })
        .waitFor();
    },
  },
];
