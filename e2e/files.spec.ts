import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchApi, redirectAfterTransfers } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import {
  currentEntry,
  dialogOf,
  downloadButton,
  entry,
  goUpTo,
  jumpTo,
  nameOf,
  listing,
  openFolder,
  select,
  selectionBar,
  signIn,
  typeName,
} from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { makeRealTree } from './support/real-tree.ts';
import { pngOf, write } from './support/sample-files.ts';
import { waitUntilLoaded } from './support/wait-until-loaded.ts';

const picture = pngOf(640, 480);

test('a user works on a tree of tens of thousands of real files', async ({ page, product, root }, info) => {
  // Half of it is the copy of the tree.
  test.slow();
  const onDisk = (...names: string[]): string => join(root, ...names);
  const { files, deepText } = await test.step('a real tree is copied into the served folder', () =>
    makeRealTree(root));
  expect(files).toBeGreaterThanOrEqual(20_000);
  await write(onDisk('desk', 'pictures', 'harbour.png'), picture);
  await write(onDisk('desk', 'draft.md'), '# Draft\n');
  await write(onDisk('desk', 'holiday', 'notes.txt'), 'old notes\n');
  await write(onDisk('desk', 'holiday', 'plan.txt'), 'old plan\n');
  await write(onDisk('desk', 'holiday', 'tickets.txt'), 'only on the server\n');
  const chosen = info.outputPath('holiday');
  await write(join(chosen, 'notes.txt'), 'new notes\n');
  await write(join(chosen, 'plan.txt'), 'new plan\n');
  await write(join(chosen, 'photos', 'beach.png'), picture);

  const storedToken = (): Promise<string> => page.evaluate(() => localStorage.getItem('jwt') ?? '');
  await test.step('the user signs in with the printed password', async () => {
    await redirectAfterTransfers(product, await signInByApi(product));
    await signIn(page, product);
    await expect(page).toHaveTitle(/^Files/u);
    await expect(listing(page, 'My files')).toBeVisible();
    await expect(entry(page, 'packages')).toBeVisible();
    expect((await fetchApi(product, '/api/resources/', await storedToken())).status).toBe(200);
  });

  const folders = deepText.slice(0, -1);
  const textName = deepText.at(-1) ?? '';
  await test.step(`the user opens nested folders: ${deepText.join('/')}`, async () => {
    for (const [depth, folder] of folders.entries()) {
      if (depth % 2 === 0) {
        await openFolder(page, folder);
        continue;
      }
      // The listing takes the focus just after it appears.
      await expect(currentEntry(page)).toBeFocused();
      await typeName(page, folder);
      await page.keyboard.press('Enter');
      await expect(listing(page, folder)).toBeVisible();
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(folders.at(-1) ?? '');
  });

  await test.step('the user changes a text file in the editor and saves it', async () => {
    const before = await readFile(onDisk(...deepText), 'utf8');
    const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
    const row = await jumpTo(page, textName);
    await nameOf(row).dblclick();
    const text = page.getByRole('textbox', { name: `Text of ${textName}` });
    await expect(text).toBeFocused();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('Grüße, 世界 🌍');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(/^Saved \d/u)).toBeVisible();
    expect(await readFile(onDisk(...deepText), 'utf8')).toBe(`Grüße, 世界 🌍${lineEnd}${before}`);
    await page.getByRole('button', { name: 'Close editor' }).click();
    await expect(listing(page, folders.at(-1) ?? '')).toBeVisible();
  });

  await test.step('the user goes back by the breadcrumbs', async () => {
    await goUpTo(page, folders.at(-2) ?? '');
    await expect(entry(page, folders.at(-1) ?? '')).toBeVisible();
    await goUpTo(page, 'My files');
    await openFolder(page, 'desk');
  });

  await test.step('the user previews a picture', async () => {
    await openFolder(page, 'pictures');
    await nameOf(await select(page, 'harbour.png')).dblclick();
    const preview = page.getByRole('dialog', { name: 'harbour.png' });
    const image = preview.getByRole('img', { name: /^harbour\.png/u });
    await expect(image).toBeVisible();
    await expect(image).toHaveJSProperty('naturalWidth', 640);
    await expect(image).toHaveJSProperty('naturalHeight', 480);
    await page.keyboard.press('Escape');
    await expect(preview).toBeHidden();
    await goUpTo(page, 'desk');
  });

  await test.step('the user uploads a folder with conflicts', async () => {
    const picking = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Upload folder' }).click();
    await (await picking).setFiles(chosen);
    const question = dialogOf(page);
    await expect(question).toContainText(/holiday.* is already in/u);
    await question.getByRole('button', { name: 'Merge' }).click();
    // The browser determines which of the two files comes first.
    await expect(question).toContainText(/(?:notes|plan)\.txt.* is already in/u);
    const isNotesFirst = ((await question.textContent()) ?? '').includes('notes.txt');
    const answers = { 'notes.txt': 'Replace', 'plan.txt': 'Keep both' };
    const order = isNotesFirst ? (['notes.txt', 'plan.txt'] as const) : (['plan.txt', 'notes.txt'] as const);
    for (const name of order) {
      await expect(question).toContainText(new RegExp(`${name}.* is already in`, 'u'));
      await question.getByRole('button', { name: answers[name] }).click();
    }
    await expect(question).toBeHidden();
    await expect(page.getByRole('region', { name: 'Activity' })).toContainText('uploaded');
    // Before the uploads leave by themselves.
    await page.getByRole('button', { name: 'Close uploads' }).click();
    await openFolder(page, 'holiday');
    await expect(entry(page, 'plan(1).txt')).toBeVisible();
    expect((await readdir(onDisk('desk', 'holiday'))).toSorted()).toEqual([
      'notes.txt',
      'photos',
      'plan(1).txt',
      'plan.txt',
      'tickets.txt',
    ]);
    const contents = ['notes.txt', 'plan(1).txt', 'plan.txt', 'tickets.txt'].map((name) =>
      readFile(onDisk('desk', 'holiday', name), 'utf8'),
    );
    expect(await Promise.all(contents)).toEqual([
      'new notes\n',
      'new plan\n',
      'old plan\n',
      'only on the server\n',
    ]);
    expect((await readFile(onDisk('desk', 'holiday', 'photos', 'beach.png'))).equals(picture)).toBe(true);
    await goUpTo(page, 'desk');
  });

  await test.step('the user renames a file in place', async () => {
    await select(page, 'draft.md');
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: 'New name' });
    await expect(field).toHaveValue('draft.md');
    // The extension is not selected: typing replaces the rest.
    await page.keyboard.type('Bericht für März');
    await page.keyboard.press('Enter');
    await expect(field).toBeHidden();
    await expect(entry(page, 'Bericht für März.md')).toBeVisible();
    await expect(entry(page, 'draft.md')).toBeHidden();
    await expect.poll(() => readFile(onDisk('desk', 'Bericht für März.md'), 'utf8')).toBe('# Draft\n');
  });

  await test.step('the user moves an entry by drag and drop', async () => {
    const source = await entry(page, 'Bericht für März.md').boundingBox();
    const target = await entry(page, 'holiday').boundingBox();
    if (!source || !target) throw new Error('The rows have no place on the screen.');
    await page.mouse.move(source.x + 120, source.y + source.height / 2);
    await page.mouse.down();
    await page.mouse.move(source.x + 140, source.y + source.height / 2, { steps: 4 });
    // Recorded by the page, because they are gone after the drop.
    const labels = await page.evaluateHandle(() => {
      const texts: string[] = [];
      new MutationObserver((changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        texts.push(...added.map((node) => node.textContent ?? ''));
      }).observe(document.body, { childList: true, subtree: true });
      return texts;
    });
    // At once, and dropped at once: where the pointer rests, also on the way, the folder is opened, and the entry dropped into that one.
    await page.mouse.move(target.x + 139, target.y + target.height / 2);
    await page.mouse.move(target.x + 140, target.y + target.height / 2);
    await page.mouse.up();
    await expect
      .poll(() => labels.jsonValue())
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^Move 1 item to .*holiday/u),
          expect.stringContaining('Hold Ctrl to copy · Hold still to open the folder'),
        ]),
      );
    await expect(page.getByText('Hold Ctrl to copy')).toBeHidden();
    await expect.poll(() => readdir(onDisk('desk', 'holiday'))).toContain('Bericht für März.md');
    // On a busy machine the pointer may have rested long enough to open the folder.
    await expect(async () => {
      if ((await page.getByRole('heading', { level: 1 }).textContent()) === 'holiday')
        await goUpTo(page, 'desk');
      await expect(entry(page, 'holiday')).toBeVisible({ timeout: 1000 });
      await expect(entry(page, 'Bericht für März.md')).toBeHidden({ timeout: 1000 });
    }).toPass();
    expect(await readdir(onDisk('desk'))).not.toContain('Bericht für März.md');
  });

  await test.step('the user copies a folder', async () => {
    await select(page, 'holiday');
    await selectionBar(page).getByRole('button', { name: 'Copy to…' }).click();
    const dialog = page.getByRole('dialog', { name: /Copy “.*holiday.*”/u });
    await dialog.getByRole('treeitem', { name: 'pictures', exact: true }).click();
    await expect(dialog).toContainText(/to My files.*pictures/u);
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect(dialog).toBeHidden();
    // The user is taken to the destination of the copy.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('pictures');
    await expect(entry(page, 'holiday')).toHaveAttribute('aria-selected', 'true');
    const copied = await readFile(onDisk('desk', 'pictures', 'holiday', 'photos', 'beach.png'));
    expect(copied.equals(picture)).toBe(true);
    expect(await readdir(onDisk('desk', 'pictures', 'holiday'))).toEqual(
      await readdir(onDisk('desk', 'holiday')),
    );
  });

  await test.step('the user deletes entries without a confirmation', async () => {
    await select(page, 'holiday');
    await page.keyboard.press('Delete');
    await expect(entry(page, 'holiday')).toBeHidden();
    await expect.poll(() => readdir(onDisk('desk', 'pictures'))).toEqual(['harbour.png']);
    expect((await stat(onDisk('desk', 'holiday'))).isDirectory()).toBe(true);
  });

  await test.step('the downloaded file equals the original', async () => {
    await select(page, 'harbour.png');
    const downloading = page.waitForEvent('download');
    await downloadButton(page).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('harbour.png');
    expect((await readFile(await download.path())).equals(picture)).toBe(true);
  });

  await test.step('the old token is refused after signing out', async () => {
    // Not the one from the start: it may have been renewed since.
    const token = await storedToken();
    expect((await fetchApi(product, '/api/resources/', token)).status).toBe(200);
    // The sidebar may still be loading after the deletion; the server would refuse that.
    await waitUntilLoaded(page);
    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByLabel('Username')).toBeVisible();
    await expect(page).toHaveURL(`${product.url}/login`);
    expect((await fetchApi(product, '/api/resources/', token)).status).toBe(401);
    await page.goto(`${product.url}/files/desk/`);
    await expect(page).toHaveURL(/\/login\?redirect=/u);
  });
});
