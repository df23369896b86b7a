import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { createUser } from './support/api.ts';
import { checkScreen } from './support/checks/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { listing, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { write } from './support/sample-files.ts';

const text = (page: Page, name: string): Locator => page.getByRole('textbox', { name: `Text of ${name}` });

test.beforeEach(async ({ root }) => {
  await write(join(root, 'plan.md'), '# Plan\n\nSome *text*.\n');
  await write(join(root, 'plan.txt'), 'Some text.\n');
  await write(join(root, 'lines.txt'), Array.from({ length: 300 }, (_, at) => `line ${at + 1}`).join('\n'));
});

test('the editor can be used by keyboard alone: write, go to a line, save, close', async ({
  page,
  product,
  root,
}) => {
  await signIn(page, product, { at: '/files/lines.txt' });
  await expect(text(page, 'lines.txt')).toBeFocused();
  await page.keyboard.press('Control+g');
  await page.keyboard.type('250');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Line 250, column 1\./ })).toBeVisible();
  await page.keyboard.type('changed ');
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Saved /)).toBeVisible();
  expect(await readFile(join(root, 'lines.txt'), 'utf8')).toContain('\nchanged line 250\n');
  await page.keyboard.type('again ');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Save your changes?' });
  await expect(question.getByRole('button', { name: 'Save changes' })).toBeFocused();
  await page.keyboard.press('Enter');
  // The listing is behind the editor all the time.
  await expect(text(page, 'lines.txt')).toBeHidden();
  await expect(listing(page, 'My files')).toBeVisible();
  expect(await readFile(join(root, 'lines.txt'), 'utf8')).toContain('changed again line 250');
});

test(
  'a save conflict can be resolved by saving a copy',
  extended,
  async ({ page, product, root, problems }) => {
    problems.allow(/status of 412/u);
    await signIn(page, product, { at: '/files/plan.txt' });
    await text(page, 'plan.txt').click();
    await page.keyboard.type('mine ');
    await writeFile(join(root, 'plan.txt'), 'theirs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Changed on the server' });
    await question.getByRole('button', { name: 'Save as a copy' }).click();
    await expect(text(page, 'plan(1).txt')).toBeVisible();
    expect(await readFile(join(root, 'plan(1).txt'), 'utf8')).toContain('mine ');
    expect(await readFile(join(root, 'plan.txt'), 'utf8')).toBe('theirs');
  },
);

test(
  'Markdown opens rendered, and the key E shows its text beside it',
  extended,
  async ({ page, product }) => {
    await signIn(page, product, { at: '/files/plan.md' });
    const preview = page.getByRole('region', { name: 'Preview' });
    await expect(preview.getByRole('heading', { name: 'Plan' })).toBeVisible();
    await expect(text(page, 'plan.md')).toBeHidden();
    await page.keyboard.press('e');
    await expect(text(page, 'plan.md')).toBeFocused();
    await page.getByRole('button', { name: 'Preview beside the text' }).click();
    await expect(preview.getByRole('heading', { name: 'Plan' })).toBeVisible();
    await text(page, 'plan.md').press('Control+End');
    await page.keyboard.type('\n## More');
    await expect(preview.getByRole('heading', { name: 'More' })).toBeVisible();
    await page.getByRole('button', { name: 'Larger text' }).click();
    await expect(page.locator('.cm-scroller')).toHaveCSS('font-size', '15px');
  },
);

test('unsaved changes survive the end of the session', async ({ page, product, root, problems }) => {
  problems.allow(/status of 401/u);
  await signIn(page, product, { at: '/files/plan.txt' });
  await text(page, 'plan.txt').click();
  await page.keyboard.type('not lost ');
  await page.evaluate(async () => {
    const token = localStorage.getItem('jwt') ?? '';
    await fetch('/api/logout', { method: 'POST', headers: { 'X-Auth': token } });
  });
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
  // Saving requests the dialog, unless another request of the page has been refused before; then the button is inert.
  await expect(async () => {
    if (await dialog.isHidden())
      await page.getByRole('button', { name: 'Save', exact: true }).click({ timeout: 1000 });
    await expect(dialog).toBeVisible({ timeout: 1000 });
  }).toPass();
  await checkScreen(page, 'signing in again');
  await dialog.getByLabel('Password of admin').fill(product.password);
  await dialog.getByRole('button', { name: 'Login' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/^Saved /)).toBeVisible();
  expect(await readFile(join(root, 'plan.txt'), 'utf8')).toContain('not lost ');
});

test('code gets closing brackets and folding; prose does not', extended, async ({ page, product, root }) => {
  await write(join(root, 'code.js'), 'function first() {\n  return 1;\n}\n');
  await signIn(page, product, { at: '/files/code.js' });
  const code = text(page, 'code.js');
  await page.getByTitle('Fold', { exact: true }).click();
  await expect(code).not.toContainText('return 1');
  // As long as a person presses.
  await code.getByTitle('Unfold').click({ delay: 120 });
  await expect(code).toContainText('return 1');
  await code.press('Control+End');
  await page.keyboard.type('call(');
  await expect(code).toContainText('call()');
  await page.keyboard.type(')');
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Saved /)).toBeVisible();
  expect(await readFile(join(root, 'code.js'), 'utf8')).toMatch(/\ncall\(\)$/u);
  await page.goto(`${product.url}/files/lines.txt`);
  await text(page, 'lines.txt').press('Control+Home');
  await page.keyboard.type('(');
  await expect(text(page, 'lines.txt')).toContainText('(line 1');
  await expect(text(page, 'lines.txt')).not.toContainText('()');
  await page.keyboard.press('Backspace');
});

test('a full disk or a failing server loses no text, and the next attempt saves it', async ({
  page,
  product,
  root,
  problems,
}) => {
  problems.allow(/status of 50[07]/u);
  await signIn(page, product, { at: '/files/plan.txt' });
  await text(page, 'plan.txt').click();
  await page.keyboard.type('kept ');
  let failure: { status: number; code: string } | null = null;
  // One route for all attempts: while one replaces another, a request may pass.
  await page.route(/\/api\/resources\//u, (route) => {
    if (failure === null || route.request().method() !== 'PUT') return route.continue();
    return route.fulfill({ status: failure.status, json: { ...failure, message: 'no' } });
  });
  for (const [status, code, message] of [
    [507, 'storage_full', /no space left/u],
    [500, 'internal_error', /could not be saved/u],
  ] as const) {
    failure = { status, code };
    await page.keyboard.press('Control+s');
    await expect(page.getByRole('alert').filter({ hasText: message })).toContainText('still here');
    await expect(page.getByRole('img', { name: 'Unsaved changes' })).toBeVisible();
  }
  failure = null;
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Saved /)).toBeVisible();
  expect(await readFile(join(root, 'plan.txt'), 'utf8')).toContain('kept ');
});

test("the editor's color theme is stored for the user", extended, async ({ page, product }) => {
  await signIn(page, product, { at: '/files/plan.txt' });
  await page.getByLabel('Colours', { exact: true }).selectOption('Dracula');
  await expect(page.locator('.cm-editor')).toHaveCSS('background-color', 'rgb(40, 42, 54)');
  await checkScreen(page, 'editor in other colors');
  await page.goto(`${product.url}/files/lines.txt`);
  await expect(page.locator('.cm-editor')).toHaveCSS('background-color', 'rgb(40, 42, 54)');
  await page.getByLabel('Colours', { exact: true }).selectOption('Colours of the page');
  await expect(page.locator('.cm-editor')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
});

test(
  'a user without the permission to modify sees why the text is read-only',
  extended,
  async ({ page, product }) => {
    const token = await signInByApi(product);
    const reader = { username: 'eve', password: 'eve keeps a secret' };
    await createUser(product, token, { ...reader, perm: { download: true } });
    await signIn(page, product, { ...reader, at: '/files/plan.txt' });
    await expect(page.getByText('You can view this file, but not change it.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0);
  },
);

test(
  'only the visible lines of a text of ten mebibytes are rendered, and it can be edited',
  extended,
  async ({ page, product, root }) => {
    const line = 'const value = compute(1, 2, 3); // a line of code that goes on for a while\n';
    await write(join(root, 'large.js'), line.repeat(Math.floor((10 * 1024 * 1024) / line.length) - 1));
    await signIn(page, product);
    await page.goto(`${product.url}/files/large.js`);
    await expect(text(page, 'large.js')).toBeVisible();
    expect(await page.locator('.cm-line').count()).toBeLessThan(200);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('the end');
    await expect(text(page, 'large.js')).toContainText('the end');
    expect(await page.locator('.cm-line').count()).toBeLessThan(200);
  },
);

test.describe('phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test('buttons replace keys, and the preview replaces the text', extended, async ({ page, product }) => {
    await signIn(page, product, { at: '/files/plan.md' });
    await page.getByRole('button', { name: 'Edit', exact: true }).tap();
    await expect(page.getByRole('group', { name: 'Edit' })).toBeVisible();
    await text(page, 'plan.md').tap();
    await page.keyboard.type('x');
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect(page.getByRole('img', { name: 'Unsaved changes' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Preview beside the text' }).tap();
    await expect(page.getByRole('heading', { name: 'Plan', exact: true })).toBeVisible();
    await expect(text(page, 'plan.md')).toBeHidden();
    // They would act on hidden text.
    await expect(page.getByRole('group', { name: 'Edit' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Find', exact: true }).tap();
    await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused();
    await expect(text(page, 'plan.md')).toBeVisible();
  });

  test('a long name keeps its extension visible', extended, async ({ page, product, root }) => {
    const name = 'the yearly plan of the house and of the garden behind it, 2026.md';
    await write(join(root, name), '# Plan\n');
    await signIn(page, product, { at: `/files/${encodeURIComponent(name)}` });
    const heading = page.getByRole('heading', { name });
    await expect(heading.getByText('2026.md', { exact: true })).toBeInViewport({ ratio: 1 });
    expect((await heading.boundingBox())?.width).toBeGreaterThan(200);
  });
});
