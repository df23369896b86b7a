import type { Locator, Page } from '@playwright/test';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { check } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { dialogOf, entry, fillLogin, listing, select, selectionBar } from './journey.ts';
import type { Product } from './product.ts';
import { pdfOf, pngOf, wavOf, webmOf, write } from './sample-files.ts';

interface Screens {
  readonly page: Page;
  readonly product: Product;
  readonly root: string;
  readonly isPhone: boolean;
}

async function closeByKey(page: Page, overlay: Locator): Promise<void> {
  await expect(overlay).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(overlay).toBeHidden();
}

async function checkLogin({ page, product }: Screens): Promise<void> {
  await page.goto(`${product.url}/login`);
  await expect(page.getByLabel('Username')).toBeVisible();
  await check(page, 'login');
  await fillLogin(page, 'admin', 'not the password');
  await expect(page.getByText('Wrong credentials')).toBeVisible();
  await check(page, 'login, wrong credentials');
  await fillLogin(page, 'admin', product.password);
  await expect(listing(page, 'Files')).toBeVisible();
}

async function checkViews({ page, isPhone }: Screens): Promise<void> {
  await check(page, 'list');
  const views = ['Mosaic', 'Mosaic gallery', 'List'];
  for (const view of views) {
    if (isPhone) {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Switch view' }).click();
    } else {
      await page.getByRole('button', { name: `Switch view: ${view}`, exact: true }).click();
    }
    await expect(page.locator(`[data-view="${view.toLowerCase()}"]`)).toBeVisible();
    if (view !== 'List') await check(page, view);
  }
}

async function checkErrors({ page, product }: Screens): Promise<void> {
  for (const status of ['403', '404', '500']) {
    await page.goto(`${product.url}/${status}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await check(page, `error ${status}`);
  }
  await page.goto(`${product.url}/files/not-there/`);
  await expect(page.getByText("This location can't be reached.")).toBeVisible();
  await check(page, 'folder that is not there');
  await page.goto(`${product.url}/files/empty/`);
  await expect(page.getByText('It feels lonely here...')).toBeVisible();
  await check(page, 'empty folder');
  await page.goto(`${product.url}/files/`);
  await expect(listing(page, 'Files')).toBeVisible();
}

async function checkMenus({ page, isPhone }: Screens): Promise<void> {
  const menu = page.getByRole('menu');
  const buttons = isPhone ? ['More actions', 'Add'] : ['New', 'Upload', 'Sort', 'Account of admin'];
  for (const name of buttons) {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(menu).toBeVisible();
    await check(page, `menu ${name}`);
    await closeByKey(page, menu);
  }
  if (isPhone) {
    await page.getByRole('button', { name: 'You' }).click();
    await expect(page.getByRole('dialog', { name: 'You' })).toBeVisible();
    await check(page, 'sheet You');
    await page.getByRole('button', { name: 'Help' }).click();
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  } else {
    await entry(page, 'readme.txt').click({ button: 'right' });
    await expect(menu).toBeVisible();
    await check(page, 'context menu of a file');
    await closeByKey(page, menu);
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
    await check(page, 'collapsed sidebar');
    await page.getByRole('button', { name: 'Expand sidebar' }).click();
    await page.keyboard.press('F1');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  }
  await check(page, 'help');
  await closeByKey(page, dialogOf(page));
}

async function checkDialogs({ page, isPhone }: Screens): Promise<void> {
  const dialog = dialogOf(page);
  if (isPhone) {
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'New folder' }).click();
  } else {
    await page.getByRole('button', { name: 'New folder' }).click();
  }
  const naming = page.getByRole('dialog', { name: 'New folder' });
  await naming.getByLabel('Name').fill('pictures');
  await expect(naming).toContainText('already exists here');
  await check(page, 'new folder, name taken');
  await closeByKey(page, naming);

  await select(page, 'readme.txt');
  await expect(selectionBar(page)).toBeVisible();
  await check(page, 'selection');
  const press = (name: string): Promise<void> =>
    selectionBar(page).getByRole('button', { name, exact: true }).click();
  if (isPhone) {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Info' }).click();
    const details = page.getByRole('dialog', { name: 'Info' });
    await expect(details).toBeVisible();
    await check(page, 'details of a file');
    await closeByKey(page, details);
    await press('Rename');
    await expect(dialog).toBeVisible();
    await check(page, 'rename');
    await closeByKey(page, dialog);
  } else {
    await page.getByRole('button', { name: 'Info' }).click();
    await expect(page.getByRole('complementary', { name: 'Info' })).toBeVisible();
    await check(page, 'details of a file');
    await page.getByRole('button', { name: 'Close info' }).click();
    await select(page, 'readme.txt');
    await page.keyboard.press('F2');
    await expect(page.getByRole('textbox', { name: 'New name' })).toBeVisible();
    await check(page, 'rename in place');
    await page.keyboard.press('Escape');
  }
  for (const name of ['Move', 'Copy']) {
    await press(name);
    await expect(dialog.getByRole('button', { name: 'pictures', exact: true })).toBeVisible();
    await check(page, name);
    await closeByKey(page, dialog);
  }
  await press('Delete');
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  await check(page, 'delete');
  await closeByKey(page, question);
}

async function checkConflicts({ page }: Screens): Promise<void> {
  const dialog = dialogOf(page);
  await selectionBar(page).getByRole('button', { name: 'Copy', exact: true }).click();
  await dialog.getByRole('button', { name: 'pictures', exact: true }).click();
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(dialog).toContainText('This file already exists');
  await check(page, 'conflict of a copy');
  await closeByKey(page, dialog);

  const files = ['readme.txt', 'note.md', 'new.txt'].map((name) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from('uploaded'),
  }));
  await page.locator('input[data-upload=files]').setInputFiles(files);
  await expect(dialog).toContainText('This file already exists');
  await expect(dialog.getByRole('checkbox')).toBeVisible();
  await check(page, 'conflict of an upload');
  await dialog.getByText('Do this for the remaining 1').click();
  await dialog.getByRole('button', { name: 'Skip' }).click();
  await expect(dialog).toBeHidden();
  const tray = page.getByRole('region', { name: 'Uploads' });
  await expect(tray).toContainText('1 uploaded');
  await check(page, 'uploads and a notification');
  await tray.getByRole('button', { name: 'Close uploads' }).click();
}

async function checkEditor({ page, product, root }: Screens): Promise<void> {
  await page.goto(`${product.url}/files/note.md`);
  await expect(page.getByRole('textbox', { name: 'Text of note.md' })).toBeFocused();
  await check(page, 'editor');
  await page.keyboard.type('changed ');
  await expect(page.getByRole('img', { name: 'Unsaved changes' })).toBeVisible();
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByRole('textbox', { name: 'Find' })).toBeVisible();
  await check(page, 'editor, search');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog');
  await appendFile(join(root, 'note.md'), 'by somebody else');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(question).toContainText('Changed on the server');
  await check(page, 'editor, changed on the server');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Close editor' }).click();
  await expect(question).toContainText('Save your changes?');
  await check(page, 'editor, leaving with changes');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(listing(page, 'Files')).toBeVisible();
}

async function checkPreviews({ page, product }: Screens): Promise<void> {
  const open = async (name: string, shown: (preview: Locator) => Locator): Promise<void> => {
    await page.goto(`${product.url}/files/pictures/${name}`);
    const preview = page.getByRole('dialog', { name });
    await expect(shown(preview)).toBeVisible();
    await check(page, `preview of ${name}`);
  };
  await open('boat.png', (preview) => preview.getByRole('img', { name: /^boat\.png, / }));
  await open('film.webm', (preview) => preview.locator('video'));
  await open('tone.wav', (preview) => preview.locator('audio'));
  await open('page.pdf', (preview) => preview.locator('iframe').or(preview.getByText('own window')));
  await open('data.bin', (preview) => preview.getByText('Preview is not available for this file'));
  await open('broken.png', (preview) => preview.getByText('The file may be damaged'));
}

const phone = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true };
const variants = [
  { title: 'desktop, light', options: { colorScheme: 'light' }, isPhone: false },
  { title: 'desktop, dark', options: { colorScheme: 'dark' }, isPhone: false },
  { title: 'phone, light', options: { colorScheme: 'light', ...phone }, isPhone: true },
  { title: 'phone, dark', options: { colorScheme: 'dark', ...phone }, isPhone: true },
] as const;

for (const { title, options, isPhone } of variants) {
  test.describe(title, () => {
    test.use(options);

    test(`no findings on any screen: ${title}`, async ({ page, product, root, troubles }) => {
      await mkdir(join(root, 'empty'));
      await write(join(root, 'readme.txt'), 'read me');
      await write(join(root, 'note.md'), '# Note\n\nSome *text*.\n');
      await write(join(root, 'a name that is far too long for one line of the phone.tar.gz'), 'x');
      await write(join(root, 'pictures', 'readme.txt'), 'another one');
      await write(join(root, 'pictures', 'boat.png'), pngOf(300, 200));
      await write(join(root, 'boat.png'), pngOf(300, 200));
      await write(join(root, 'pictures', 'tone.wav'), wavOf(1));
      await write(join(root, 'pictures', 'page.pdf'), pdfOf());
      await write(join(root, 'pictures', 'data.bin'), Buffer.from([0, 1, 2, 3, 0]));
      await write(join(root, 'pictures', 'broken.png'), 'this is no picture');
      await write(join(root, 'pictures', 'film.webm'), await webmOf(page));
      // Wrong credentials, a folder that is not there, a file that was changed meanwhile.
      troubles.allow(/status of (?:401|403|404|412|422|501|503)/u);

      const screens: Screens = { page, product, root, isPhone };
      await checkLogin(screens);
      await checkViews(screens);
      await checkErrors(screens);
      await checkMenus(screens);
      await checkDialogs(screens);
      await checkConflicts(screens);
      await checkEditor(screens);
      await checkPreviews(screens);
    });
  });
}
