// Takes the pictures of the README, in light and dark, of a served folder with sample files.
// Usage: tsx e2e/take-readme-pictures.ts [FOLDER FOR THE PICTURES]; by default docs/images.
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumOptions } from './chromium.ts';
import { drawPhoto } from './screens/drawn-photos.ts';
import { createUser, ordinaryPermissions, sendJson } from './support/api.ts';
import { type Product, signInByApi, startProduct } from './support/product.ts';
import { wavOf, write } from './support/sample-files.ts';
import { entry, signIn } from './support/journey.ts';
import { waitUntilLoaded } from './support/wait-until-loaded.ts';
import { waitUntilSettled } from './support/wait-until-settled.ts';

const owner = { username: 'maria', password: 'maria-keeps-a-secret' };
const dayMs = 24 * 60 * 60 * 1000;
/** The time of the newest file, in ms since 1970. */
const newestMs = Date.now() - dayMs / 3;

const photos = [
  ['Alfama at dusk.jpg', 1600, 1067],
  ['Belém tower.jpg', 1600, 1200],
  ['Bridge.jpg', 1600, 900],
  ['Castle garden.jpg', 1067, 1600],
  ['Evening tram.jpg', 1600, 1067],
  ['Ferry.jpg', 1600, 1200],
  ['Old town.jpg', 1067, 1600],
  ['Rain.jpg', 1600, 1067],
] as const;

/** Writes a file that is `ageDays` older than the newest one, and gives its folder the same time. */
async function writeAt(path: string, content: string | Buffer, ageDays: number): Promise<void> {
  await write(path, content);
  const time = new Date(newestMs - ageDays * dayMs);
  await utimes(path, time, time);
  await utimes(dirname(path), time, time);
}

/** Fills the served folder with the files of a household. */
async function makeHousehold(root: string, page: Page): Promise<void> {
  const at = (...parts: string[]): string => join(root, ...parts);
  for (let index = 0; index < 24; index++) {
    const [name, width, height] = photos[index % photos.length] as (typeof photos)[number];
    const folder = ['Lisbon', 'Garden', 'Winter walk'][Math.floor(index / photos.length)] ?? '';
    const photo = await drawPhoto(page, index, width, height);
    await writeAt(at('Photos', folder, name), photo, Math.floor(index / photos.length) * 3 + 1);
  }
  await writeAt(at('Documents', 'Tax', 'receipts 2025.pdf'), Buffer.alloc(812_000), 40);
  await writeAt(at('Documents', 'letter to the landlord.md'), '# Letter\n', 12);
  await writeAt(at('Music', 'Evening.wav'), wavOf(30), 90);
  await writeAt(at('Projects', 'boat', 'plan.svg'), '<svg/>', 6);
  await writeAt(at('Recipes', 'bread.md'), '# Bread\n', 20);
  await writeAt(at('budget 2026.xlsx'), Buffer.alloc(48_300), 0);
  await writeAt(at('choir rehearsal.mp3'), Buffer.alloc(24_700_000), 3);
  await writeAt(at('house insurance.pdf'), Buffer.alloc(312_000), 5);
  await writeAt(at('letter.docx'), Buffer.alloc(21_400), 8);
  await writeAt(at('packing list.md'), '# Packing list\n', 1);
  await writeAt(at('photos of the roof.zip'), Buffer.alloc(9_800_000), 16);
  await writeAt(at('router settings.json'), '{}', 220);
  await writeAt(at('shopping.txt'), 'Bread\n', 0);
}

/** Creates the user, with favorite folders and tags. */
async function prepareOwner(product: Product): Promise<void> {
  const admin = await signInByApi(product);
  await createUser(product, admin, { ...owner, scope: '/', perm: ordinaryPermissions });
  const token = await signInByApi(product, owner.username, owner.password);
  const marks = [
    { paths: ['/Photos/Lisbon', '/Projects/boat', '/Recipes'], favorite: true },
    { paths: ['/budget 2026.xlsx', '/house insurance.pdf'], addTags: ['Tax'] },
    { paths: ['/packing list.md'], addTags: ['Lisbon', 'To do'] },
  ];
  for (const change of marks) await sendJson(product, 'POST', '/api/marks', token, change);
}

/** Takes a picture of the page as WebP. */
async function take(page: Page, file: string): Promise<void> {
  await waitUntilLoaded(page);
  await waitUntilSettled(page);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await writeFile(file, Buffer.from(data, 'base64'));
  console.log(file);
}

/** Takes the pictures of the files, of Photos and of a phone. */
async function takeAll(
  browser: Browser,
  product: Product,
  folder: string,
  scheme: 'light' | 'dark',
): Promise<void> {
  const common = { colorScheme: scheme, locale: 'en-GB', timezoneId: 'UTC' } as const;
  const desktop = await browser.newContext({ ...common, viewport: { width: 1280, height: 800 } });
  const page = await desktop.newPage();
  await signIn(page, product, owner);
  await entry(page, 'shopping.txt').waitFor();
  // Favorites and tags are loaded after the first screen.
  await page.getByText('Tax').first().waitFor();
  await page.getByRole('link', { name: 'Lisbon' }).waitFor();
  await take(page, join(folder, `files-${scheme}.webp`));
  await page.goto(`${product.url}/photos`);
  await page.locator('img[data-loaded]').nth(10).waitFor();
  await page.getByRole('link', { name: 'Lisbon' }).waitFor();
  await take(page, join(folder, `photos-${scheme}.webp`));
  await desktop.close();
  const phone = await browser.newContext({
    ...common,
    viewport: { width: 390, height: 780 },
    deviceScaleFactor: 1.5,
    hasTouch: true,
    isMobile: true,
  });
  const small = await phone.newPage();
  await signIn(small, product, owner);
  await entry(small, 'shopping.txt').waitFor();
  await small.getByText('Tax').first().waitFor();
  await take(small, join(folder, `phone-${scheme}.webp`));
  await phone.close();
}

const folder = resolve(process.argv[2] ?? 'docs/images');
const root = await mkdtemp(join(tmpdir(), 'filestead-root-'));
const browser = await chromium.launch(chromiumOptions);
try {
  const drawing = await browser.newPage();
  await makeHousehold(root, drawing);
  await drawing.close();
  const product = await startProduct(root);
  try {
    await prepareOwner(product);
    for (const scheme of ['light', 'dark'] as const) await takeAll(browser, product, folder, scheme);
  } finally {
    await product.stop();
  }
} finally {
  await browser.close();
  await rm(root, { recursive: true, force: true });
}
