import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import type { Product } from '../e2e/support/product.ts';
import { chromiumOptions } from '../e2e/chromium.ts';
import { signInOnPage } from './browser.ts';
import { median, type Row } from './measure.ts';

const rounds = 5;
const fileCount = 2000;
const fileBytes = 4096;
const targetPerSecond = 500;
const timeoutMs = 300_000;

/** Waits until a folder contains `count` visible entries. Returns the time in milliseconds. */
async function timeUntilStored(folder: string, count: number): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const names = await readdir(folder).catch(() => []);
    if (names.filter((name) => !name.startsWith('.')).length >= count) break;
    if (performance.now() - startedAt > timeoutMs) throw new Error('the upload did not end');
    // Each look reads thousands of names, on the processors that are measured.
    await sleep(50);
  }
  return performance.now() - startedAt;
}

/** Chooses the files in the page and returns the time in milliseconds until all are on the disk. */
async function uploadInPage(page: Page, product: Product, name: string, files: string[]): Promise<number> {
  await page.goto(`${product.url}/files/${name}/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const input = page.locator('input[data-upload=files]');
  await input.setInputFiles(files);
  return timeUntilStored(join(product.root, name), files.length);
}

const folderOf = (round: number): string => `upload-${round}`;

/** Measures uploads of many small files from the page, in Chromium. */
export async function measureUploads(product: Product, root: string): Promise<Row[]> {
  if (!chromiumOptions.executablePath) {
    return [{ measurement: 'uploads', ours: 'skipped: no Chromium is installed', reference: '' }];
  }
  const source = join(root, 'upload-source');
  await mkdir(source, { recursive: true });
  const files: string[] = [];
  for (let index = 0; index < fileCount; index++) {
    const file = join(source, `file ${index}.bin`);
    await writeFile(file, Buffer.alloc(fileBytes, index));
    files.push(file);
  }
  const browser = await chromium.launch(chromiumOptions);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await signInOnPage(page, product);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const name = folderOf(round);
      await mkdir(join(root, name));
      times.push(await uploadInPage(page, product, name, files));
    }
    const rateOf = (ms: number): number => fileCount / (ms / 1000);
    const perSecond = rateOf(median(times));
    return [
      {
        measurement: `upload of ${fileCount} files of 4 KiB from the page`,
        ours: `${Math.round(perSecond)} files/s; by round ${times.map((ms) => Math.round(rateOf(ms))).join(', ')}`,
        reference: `${targetPerSecond} files/s`,
        ratio: perSecond / targetPerSecond,
        limit: '≥ 1',
      },
    ];
  } finally {
    await browser.close();
    await rm(source, { recursive: true });
    // Not after each round: ext4 does not reuse the inodes of removed files for minutes, and searches past them for each new file.
    for (let round = 0; round < rounds; round++)
      await rm(join(root, folderOf(round)), { recursive: true, force: true });
  }
}
