import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect, test, type CDPSession, type Page } from '@playwright/test';
import { compare, isAlike, limits, reduceColors, shrink } from './compare.ts';
import { decodePng, encodePng, type Picture } from './png.ts';

/** The folder of the reference pictures, which `npm run screenshots -- reference` renews. */
const referenceFolder = join(import.meta.dirname, '..', '..', 'screens', 'reference');
/** The file with the version of Chromium with which the pictures were taken. */
const versionFile = join(referenceFolder, 'chromium-version.txt');

/** The fraction of visibly changed pixels up to which a picture is stored with 256 colors. */
const maxReducedFraction = 0.002;

const isRenewing = process.env['FILESTEAD_RENEW_PICTURES'] === '1';
const renewal = 'npm run screenshots -- reference';

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Expects that some folders contain exactly the reference pictures `names`; a renewal removes others. */
export async function expectPictures(folders: readonly string[], names: readonly string[]): Promise<void> {
  const found = await referencePictures(folders);
  if (!isRenewing) expect(found).toEqual(names.toSorted());
  else for (const name of found) if (!names.includes(name)) await rm(join(referenceFolder, `${name}.png`));
}

/** Returns the names of all reference pictures in some folders, sorted. */
async function referencePictures(folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(referenceFolder, folder)).catch(() => [])).map(
        (file) => `${folder}/${file.replace(/\.png$/u, '')}`,
      ),
    ),
  );
  return names.flat().toSorted();
}

/**
 * Parts that differ at every run: times, addresses of shares with their QR codes, notices, which disappear by themselves, the space and
 * the inodes of the disk, the number of shares, and the progress of jobs.
 */
const volatileParts = [
  'time',
  'input[readonly]',
  'input[type="datetime-local"]',
  '[role="status"][aria-live] > *',
  'svg[role="img"]',
  '[role="progressbar"]',
  '[class*="_usage_"]',
  '[class*="_free_"]',
  'nav a > [class*="_count_"]',
  '[data-volatile]',
].join(', ');

/** Highlights that end by themselves, and the sign of a tree's row, which is known once its folders are counted. */
const steadyLook = `
  [data-arrived] { background: none !important }
  [role="treeitem"] [class*="_twist_"] > svg { visibility: hidden !important }
`;

/**
 * Hides the parts that differ at every run, or shows them again; texts with a time of day are among them. A constructed style sheet is
 * not subject to the content security policy.
 */
const hideVolatileParts = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate(
    ([selector, look, hides]) => {
      const others = document.adoptedStyleSheets;
      if (!hides) {
        document.adoptedStyleSheets = others.slice(0, -1);
        for (const element of document.querySelectorAll<HTMLElement>('[data-volatile]'))
          delete element.dataset['volatile'];
        return;
      }
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { parentElement, textContent } = texts.currentNode;
        if (/\b\d{1,2}:\d{2}\b|\bseconds?\b|\bminutes?\b|\bsecs?\b/u.test(textContent ?? ''))
          parentElement?.setAttribute('data-volatile', '');
      }
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`${selector} { visibility: hidden !important } ${look}`);
      document.adoptedStyleSheets = [...others, sheet];
    },
    [volatileParts, steadyLook, isHidden] as const,
  );

/** Takes a screenshot of the visible part of the page at half its size. */
async function takePicture(page: Page): Promise<Picture> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, known);
  const session = await known;
  await hideVolatileParts(page, true);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
  });
  await hideVolatileParts(page, false);
  return shrink(decodePng(Buffer.from(data, 'base64')));
}

/** The times after which a picture that differs is taken again, in ms: thumbnails and numbers may arrive late. */
const retakeAfterMs = [250, 500, 1000, 2000];

/** Takes pictures until one looks like the reference, or for a new reference until two in a row are alike. Returns the last one. */
async function takeSteadyPicture(page: Page, reference: Picture | null): Promise<Picture> {
  let actual = await takePicture(page);
  let expected = isRenewing ? null : reference;
  for (const delay of retakeAfterMs) {
    const difference = expected && compare(expected, actual);
    if (difference !== null && isAlike(difference)) break;
    if (isRenewing || reference === null) expected = actual;
    await page.waitForTimeout(delay);
    actual = await takePicture(page);
  }
  return actual;
}

const percent = (fraction: number): string => `${(fraction * 100).toFixed(2)} %`;

/** Explains a failure of {@link expectPicture} that may have to do with the version of the browser. */
async function versionNote(page: Page): Promise<string> {
  const current = page.context().browser()?.version() ?? 'unknown';
  const recorded = (await readFile(versionFile, 'utf8').catch(() => 'unknown')).trim();
  return current === recorded
    ? `Chromium ${current}, as the reference.`
    : `The reference was taken with Chromium ${recorded}; this is Chromium ${current}. If all screens differ slightly, the browser is the cause.`;
}

/** Writes the current picture and the difference beside the results of the test, and returns the names of the files. */
async function report(name: string, pictures: Readonly<Record<string, Picture>>): Promise<string> {
  const files: string[] = [];
  for (const [kind, picture] of Object.entries(pictures)) {
    const path = test.info().outputPath(`${name.replaceAll('/', '-')}-${kind}.png`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, encodePng(picture));
    files.push(relative(process.cwd(), path));
  }
  return files.join(', ');
}

/** Returns how the current screen differs from its reference picture, or null. */
async function findDifference(page: Page, name: string): Promise<string | null> {
  const path = join(referenceFolder, `${name}.png`);
  const reference = existsSync(path) ? decodePng(await readFile(path)) : null;
  const actual = await takeSteadyPicture(page, reference);
  const difference = reference && compare(reference, actual);
  if (difference !== null && isAlike(difference)) return null;
  if (isRenewing) {
    await mkdir(dirname(path), { recursive: true });
    // A third of the size; pictures of many colors, such as photos, are stored as they are.
    const reduced = reduceColors(actual);
    const isFaithful = (compare(actual, reduced)?.fraction ?? 1) <= maxReducedFraction;
    await writeFile(path, encodePng(isFaithful ? reduced : actual));
    await writeFile(versionFile, `${page.context().browser()?.version() ?? 'unknown'}\n`);
    return null;
  }
  if (reference === null) {
    const file = await report(name, { actual });
    return `${name} has no reference picture. Current: ${file}. Add it: ${renewal}`;
  }
  if (difference === null) {
    const file = await report(name, { actual });
    const sizes = `${actual.width} × ${actual.height} instead of ${reference.width} × ${reference.height}`;
    return `${name} has another size: ${sizes}. Current: ${file}. If that is intended: ${renewal}`;
  }
  const { fraction, worst, picture } = difference;
  const files = await report(name, { actual, difference: picture });
  return [
    `${name} looks different: ${percent(fraction)} of its pixels have changed (limit ${percent(limits.picture)}),`,
    `and ${percent(worst.fraction)} of a square at (${2 * worst.x}, ${2 * worst.y}) (limit ${percent(limits.tile)}).`,
    `Written: ${files}. If that is intended: ${renewal}`,
    await versionNote(page),
  ].join('\n');
}

/**
 * Expects that the screen looks like its reference picture `name`, such as `desktop/folder`. Numbers, times and the smoothing
 * of letters may differ. A failure names the picture and writes the difference; it does not end the test.
 */
export async function expectPicture(page: Page, name: string): Promise<void> {
  await test.step(`picture: ${name}`, async () => {
    expect.soft(await findDifference(page, name), name).toBeNull();
  });
}
