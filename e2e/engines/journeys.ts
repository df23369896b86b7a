import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeAdministrator } from '../support/api.ts';
import { type Product, signInByApi, startProduct } from '../support/product.ts';
import { namesIn, pngOf, write } from '../support/sample-files.ts';
import type { Driver } from './driver.ts';
import { EnginePage, waitFor } from './page.ts';

const samples = join(import.meta.dirname, '..', '..', 'packaging', 'test', 'samples');
/** Pictures that every supported browser shows, by their names in {@link samples}. */
const pictures = ['photo.avif', 'photo.gif', 'photo.jpeg', 'photo.webp'];

/** Waits until a file has the content. */
const expectFile = (path: string, content: Buffer | string): Promise<true> =>
  waitFor(`the content of ${path}`, async () => {
    const found = await readFile(path).catch(() => null);
    return found?.equals(Buffer.from(content)) === true ? true : null;
  });

/** Waits until a folder has exactly these visible names. */
const expectNames = (folder: string, names: readonly string[]): Promise<true> =>
  waitFor(`${folder} contains ${names.join(', ')}`, async () => {
    const found = await namesIn(folder);
    return found.join() === names.join() ? true : null;
  });

/** The heights of the items of the open menu, as an expression. */
const heightsOfItems = `[...document.querySelectorAll('[role=menuitem]')].map((item) => item.offsetHeight)`;

/** Sets the language of the administrator. */
const setLanguage = async (product: Product, locale: string): Promise<void> =>
  changeAdministrator(product, await signInByApi(product), { locale });

/**
 * Registers ten journeys that every browser must pass, each of them continuing in the same window. They are skipped without a
 * browser.
 */
export function describeJourneys(engine: string, start: (() => Promise<Driver>) | null): void {
  describe.skipIf(start === null)(`in ${engine}`, () => {
    let root: string;
    let product: Product;
    let driver: Driver;
    let page: EnginePage;
    const cleanups: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'filestead-engine-'));
      await write(join(root, 'Trip', 'tram.png'), pngOf(300, 200));
      await write(join(root, 'Trip', 'tram 28.txt'), 'Take the tram.\n');
      for (const name of ['draft.md', 'letter.txt', 'notes.txt']) await write(join(root, name), `${name}\n`);
      await write(join(root, 'pictures', 'drawing.svg'), drawing);
      for (const name of pictures) await copyFile(join(samples, name), join(root, 'pictures', name));
      cleanups.push(() => rm(root, { recursive: true, force: true }));
      product = await startProduct(root);
      cleanups.push(() => product.stop());
      if (start === null) throw new Error('there is no browser');
      driver = await start();
      cleanups.push(() => driver.close());
      page = new EnginePage(driver, product.url);
    });
    afterAll(async () => {
      for (const cleanUp of cleanups.toReversed()) await cleanUp();
    });
    afterEach(async () => {
      expect(await page.errors()).toEqual([]);
    });

    test('a user signs in with the form', async () => {
      await page.open('/login');
      await page.fill('Username', 'admin');
      await page.fill('Password', product.password);
      await page.press('button', 'Login');
      await page.expect('listing', 'Contents of My files');
      await page.expect('entry', 'notes.txt');
    });

    test('a folder opens by a double click, goes back, and has three views', async () => {
      await page.openEntry('Trip');
      await page.expect('heading', 'Trip');
      await page.expect('entry', 'tram.png');
      await driver.goBack();
      await page.expect('entry', 'notes.txt');
      for (const view of ['Tiles', 'Photos', 'List']) {
        await page.press('radio', view);
        await page.expect('radio', view, ({ isSelected }) => isSelected);
        await page.expect('listing', 'Contents of My files');
      }
      await page.expectValue('document.querySelectorAll("[role=grid]").length', 1);
    });

    test('entries are selected and renamed by keyboard', async () => {
      const selected = 'document.querySelectorAll("[data-id][aria-selected=true]").length';
      await page.select('notes.txt');
      await page.key('Shift+ArrowUp');
      await page.expectValue(selected, 2);
      await page.key('Control+a');
      await page.expectValue(selected, 5);
      await page.key('Escape');
      await page.expectValue(selected, 0);
      await page.select('draft.md');
      await page.key('F2');
      await page.expect('textbox', 'New name', ({ isFocused, value }) => isFocused && value === 'draft.md');
      await page.type('plan für März');
      await page.key('Enter');
      await page.expect('entry', 'plan für März.md');
      await expectFile(join(root, 'plan für März.md'), 'draft.md\n');
    });

    test('a new folder is named in the listing, and a file is uploaded into it and downloaded', async () => {
      await page.press('button', 'New');
      await page.press('menuitem', 'New folder');
      await page.expect('textbox', 'Name of the new folder', ({ isFocused }) => isFocused);
      await page.type('Inbox');
      await page.key('Enter');
      await page.openEntry('Inbox');
      await page.expect('heading', 'Inbox');
      const folder = await mkdtemp(join(tmpdir(), 'filestead-upload-'));
      const content = pngOf(700, 500);
      await writeFile(join(folder, 'harbour.png'), content);
      await driver.chooseFile('input[data-upload=files]', join(folder, 'harbour.png'));
      await page.expect('entry', 'harbour.png');
      await expectFile(join(root, 'Inbox', 'harbour.png'), content);
      await page.select('harbour.png');
      await page.key('Control+s');
      await expectFile(join(driver.downloads, 'harbour.png'), content);
      await rm(folder, { recursive: true });
    });

    test('an entry is moved by cut and paste and deleted, and both are undone', async () => {
      await page.open('/files/');
      // The menu is longer than the space below the entry, and moves up without a scrollbar that would break its lines.
      await page.select('letter.txt');
      await page.key('Shift+F10');
      await page.expectValue(`new Set(${heightsOfItems}).size`, 1);
      await page.key('Escape');
      await page.expectNone('text', 'Duplicate');
      await page.key('Control+x');
      await page.openEntry('Inbox');
      await page.expect('entry', 'harbour.png');
      await page.key('Control+v');
      await page.expect('entry', 'letter.txt');
      await expectNames(join(root, 'Inbox'), ['harbour.png', 'letter.txt']);
      await page.select('letter.txt');
      await page.key('Delete');
      await page.expectNone('entry', 'letter.txt');
      await expectNames(join(root, 'Inbox'), ['harbour.png']);
      await page.key('Control+z');
      await page.expect('entry', 'letter.txt');
      await page.key('Control+z');
      await page.expectNone('entry', 'letter.txt');
      await expectFile(join(root, 'letter.txt'), 'letter.txt\n');
    });

    test('pictures are shown one after another, and the Tab key stays in the preview', async () => {
      await page.open('/files/pictures/');
      await page.openEntry('drawing.svg');
      await page.expect('dialog', 'drawing.svg');
      for (const name of ['drawing.svg', ...pictures]) {
        await page.expect(
          'img',
          new RegExp(`^${name.replace('.', '\\.')}`, 'u'),
          ({ value }) => Number(value) > 0,
        );
        await page.key('ArrowRight');
      }
      for (let stop = 0; stop < 15; stop++) await page.key('Tab');
      await page.expectValue(
        'document.querySelector("[role=dialog]")?.contains(document.activeElement)',
        true,
      );
      await page.key('Escape');
      await page.expectNone('dialog', /^photo/u);
      await page.expect('listing', 'Contents of pictures');
    });

    test('a text is edited and saved', async () => {
      await page.open('/files/');
      await page.openEntry('notes.txt');
      await page.expect('textbox', 'Text of notes.txt', ({ isFocused }) => isFocused);
      await page.key('Control+Home');
      await page.type('Grüße, 世界: ');
      await page.key('Control+s');
      await page.expect('text', /^Saved \d/u);
      await expectFile(join(root, 'notes.txt'), 'Grüße, 世界: notes.txt\n');
      await page.key('Escape');
      await page.expectNone('textbox', 'Text of notes.txt');
      await page.expect('listing', 'Contents of My files');
    });

    test('a file is found by its name and shown in its folder', async () => {
      await page.key('Control+k');
      await page.expect('combobox', 'Search in My files', ({ isFocused }) => isFocused);
      await page.type('tram 28');
      await page.expect('option', /tram 28\.txt/u);
      await page.key('ArrowDown');
      await page.expect('option', /tram 28\.txt/u, ({ isSelected }) => isSelected);
      await page.key('Control+Enter');
      await page.expect('heading', 'Trip');
      await page.expect('entry', 'tram 28.txt', ({ isSelected }) => isSelected);
    });

    test('a language with another direction mirrors the page', async () => {
      await setLanguage(product, 'ar');
      await page.open('/files/');
      await page.expectValue('document.documentElement.dir', 'rtl');
      await page.expect('entry', 'notes.txt');
      const isMirrored =
        '[...document.querySelectorAll("[role=grid]")].map((grid) => grid.getBoundingClientRect()).some(({ left, right }) => left < innerWidth - right)';
      await page.expectValue(isMirrored, true);
      await setLanguage(product, 'en');
      await page.open('/files/');
      await page.expectValue('document.documentElement.dir', 'ltr');
      await page.expectValue(isMirrored, false);
    });

    test('a folder is shared, and a visitor without an account opens it', async () => {
      await page.select('Trip');
      await page.press('button', 'Share');
      await page.expect('dialog', /Share .*Trip/u);
      const { value: address } = await page.expect('textbox', 'Link', ({ value }) =>
        value.includes('/share/'),
      );
      await page.key('Escape');
      await page.expectNone('dialog', /Share .*Trip/u);
      await page.press('button', 'Account of admin');
      await page.press('menuitem', 'Logout');
      await page.expect('button', 'Login');
      await page.open(new URL(address).pathname);
      await page.expect('heading', 'Trip');
      await page.press('link', /tram\.png/u);
      await page.expect('img', /^tram\.png/u, ({ value }) => Number(value) === 300);
    });
  });
}

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="teal"/></svg>\n';
