import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { allowCommands, createUser } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { listing, openFolder, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { write } from './support/sample-files.ts';

const commandLine = (page: Page): Locator => page.getByRole('textbox', { name: /^Command to run in / });
const output = (page: Page): Locator => page.getByRole('log', { name: 'Output of your commands' });
/** The menu of the folder's bar, which a wide window shows only if there is a shell. */
const actionsButton = (page: Page): Locator => page.getByRole('button', { name: 'More actions' });
const openShell = async (page: Page): Promise<void> => {
  await actionsButton(page).click();
  await page.getByRole('menuitem', { name: 'Shell' }).click();
};
const run = async (page: Page, line: string): Promise<void> => {
  await commandLine(page).fill(line);
  await page.keyboard.press('Enter');
};

test('there is no shell without the flag', extended, async ({ page, product, root }) => {
  await write(join(root, 'a.txt'), 'x');
  await signIn(page, product);
  await expect(listing(page, 'My files')).toBeVisible();
  await expect(actionsButton(page)).toHaveCount(0);
  await page.keyboard.press('Control+Backquote');
  await expect(page.getByRole('region', { name: 'Shell' })).toHaveCount(0);
});

test.describe('with commands', () => {
  test.use({ flags: ['--enableExec', '--execUnsandboxed'] });

  test.beforeEach(async ({ root, product }) => {
    await write(join(root, 'Notes', 'plan.txt'), 'a plan');
    const commands = ['ls', 'printf', 'sleep', 'cat', 'seq', 'yes'];
    await allowCommands(product, await signInByApi(product), commands);
  });

  test('a user without the permission to execute has no shell', extended, async ({ page, product }) => {
    const token = await signInByApi(product);
    await createUser(product, token, { username: 'eve', password: 'eve keeps a secret' });
    await signIn(page, product, { username: 'eve', password: 'eve keeps a secret' });
    await expect(listing(page, 'My files')).toBeVisible();
    await expect(actionsButton(page)).toHaveCount(0);
    await page.keyboard.press('Control+Backquote');
    await expect(page.getByRole('region', { name: 'Shell' })).toHaveCount(0);
  });

  test('commands run in the open folder, by keyboard alone', async ({ page, product }) => {
    await signIn(page, product);
    await expect(listing(page, 'My files')).toBeVisible();
    await page.keyboard.press('Control+Backquote');
    await expect(commandLine(page)).toBeFocused();
    await expect(page.getByText('You may use:')).toBeVisible();
    await page.keyboard.type('cd Notes');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Notes', level: 1 })).toBeVisible();
    await run(page, 'ls');
    await expect(output(page)).toContainText('plan.txt');
    await expect(commandLine(page)).toBeFocused();
    await run(page, String.raw`printf "\033[31mred\033[0m\n"`);
    await expect(output(page).getByText('red', { exact: true })).toHaveCSS('color', 'rgb(255, 138, 133)');
    await run(page, 'rm plan.txt');
    await expect(output(page)).toContainText('Command not allowed.');
    await expect(commandLine(page)).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect(commandLine(page)).toHaveValue('ls');
    await page.keyboard.press('Escape');
    await expect(commandLine(page)).toHaveValue('');

    // All of the lines are shown before they run one after another.
    await run(page, 'clear');
    await run(page, 'cd /\nls\nprintf two');
    await expect(output(page)).toContainText(/letter|Notes/u);
    await expect(output(page)).toContainText('two');
    await expect(commandLine(page)).toBeEnabled();

    await run(page, 'sleep 60');
    await expect(commandLine(page)).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(output(page)).toContainText('Stopped.');
    await expect(commandLine(page)).toBeEnabled();
    await expect(commandLine(page)).toBeFocused();

    await run(page, 'clear');
    await expect(output(page)).not.toContainText('plan.txt');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: 'Shell' })).toBeHidden();
  });

  test(
    'excessive output is shown in time, and is stopped by click and by key',
    extended,
    async ({ page, product }) => {
      await signIn(page, product);
      await openShell(page);
      await run(page, 'seq 1 200000');
      // With one message per line this took twenty seconds.
      await expect(commandLine(page)).toBeEnabled({ timeout: 8_000 });
      await expect(output(page)).toContainText('199999\n200000');

      await run(page, 'yes');
      await expect(output(page)).toContainText('y\ny\ny');
      await page.getByRole('button', { name: 'Stop' }).click({ timeout: 2_000 });
      await expect(commandLine(page)).toBeEnabled({ timeout: 2_000 });
      await run(page, 'clear');
      await run(page, 'yes');
      await expect(output(page)).toContainText('y\ny\ny');
      await page.keyboard.press('Control+C');
      await expect(commandLine(page)).toBeEnabled({ timeout: 2_000 });
      await expect(output(page)).toContainText('Stopped.');
    },
  );

  test(
    'a narrow window keeps the shell, its command and the typed line',
    extended,
    async ({ page, product }) => {
      await signIn(page, product);
      await openShell(page);
      await run(page, 'printf first');
      await expect(output(page)).toContainText('first');
      await run(page, 'sleep 600');
      await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused();
      const wide = page.viewportSize() ?? { width: 1280, height: 800 };
      for (const size of [{ ...wide, width: 640 }, wide]) {
        await page.setViewportSize(size);
        const role = size === wide ? 'region' : 'dialog';
        await expect(page.getByRole(role, { name: 'Shell' })).toBeVisible();
        await expect(output(page)).toContainText('first');
        await expect(commandLine(page)).toBeDisabled();
        await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
        await expect(output(page)).not.toContainText('Stopped.');
      }
      await page.getByRole('button', { name: 'Stop' }).click();
      await expect(output(page)).toContainText('Stopped.');
      await commandLine(page).fill('printf last');
      await page.setViewportSize({ ...wide, width: 640 });
      await expect(page.getByRole('dialog', { name: 'Shell' })).toBeVisible();
      await expect(commandLine(page)).toHaveValue('printf last');
      await commandLine(page).press('ArrowUp');
      await expect(commandLine(page)).toHaveValue('sleep 600');
    },
  );

  test(
    'the height of the shell is changed by keys and by clicks, and remembered',
    extended,
    async ({ page, product }) => {
      await signIn(page, product);
      await openFolder(page, 'Notes');
      await openShell(page);
      const panel = page.getByRole('region', { name: 'Shell' });
      const heightOf = async (): Promise<number> => (await panel.boundingBox())?.height ?? 0;
      const before = await heightOf();
      const edge = page.getByRole('separator', { name: 'Height of the shell' });
      await edge.click();
      await expect.poll(heightOf).toBeGreaterThan(2 * before - 100);
      await edge.click();
      await expect.poll(heightOf).toBe(before);
      await edge.press('ArrowUp');
      await expect.poll(heightOf).toBeGreaterThan(before);
      const after = await heightOf();
      await page.reload();
      await openShell(page);
      await expect.poll(heightOf).toBe(after);
    },
  );
});
