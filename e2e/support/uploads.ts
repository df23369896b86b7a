import type { CDPSession, Locator, Page, Request } from '@playwright/test';
import { changeSettings } from './api.ts';
import { type Product, signInByApi } from './product.ts';

/** The list of running uploads and jobs. */
export const tray = (page: Page): Locator => page.getByRole('region', { name: 'Activity' });
/** The row of an upload in the tray. */
export const uploadRow = (page: Page, name: string): Locator =>
  tray(page).getByRole('listitem').filter({ hasText: name });

/** Makes the page send files above `partBytes` in chunks of that size. */
export async function setPartSize(product: Product, partBytes: number, retryCount = 5): Promise<void> {
  await changeSettings(product, await signInByApi(product), { tus: { chunkSize: partBytes, retryCount } });
}

const sessions = new WeakMap<Page, CDPSession>();

/** Limits the speed of the page's uploads in bytes per second; 0 disconnects it. */
export async function limitUploads(page: Page, bytesPerSecond: number): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  // The limits of a second session would apply in addition to those of the first.
  sessions.set(page, session);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: bytesPerSecond === 0,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond === 0 ? -1 : bytesPerSecond,
  });
}

/** Chooses files to upload into the shown folder, by their paths. */
export async function chooseFiles(page: Page, files: readonly string[]): Promise<void> {
  await page.locator('input[data-upload=files]').setInputFiles([...files]);
}

/** Returns the percentage that the row of an upload shows; 0 without one. */
export async function percentOf(page: Page, name: string): Promise<number> {
  const text = (await uploadRow(page, name).textContent()) ?? '';
  return Number(/(\d+)\s?%/u.exec(text)?.[1] ?? 0);
}

/** Records the offsets at which chunks begin. */
export function watchOffsets(page: Page): number[] {
  const offsets: number[] = [];
  page.on('request', (request: Request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  return offsets;
}
