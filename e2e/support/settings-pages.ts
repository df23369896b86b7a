import type { Locator, Page } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from './fixtures.ts';
import { signIn } from './journey.ts';
import type { Product } from './product.ts';
import { write } from './sample-files.ts';

/** The credentials of a user besides the administrator. */
export const maria = { username: 'maria', password: 'four trams to Lisbon' };

/** Creates files and folders for the scopes and rules of users. */
export async function makeSettingsTree(root: string): Promise<void> {
  await write(join(root, 'letter.txt'), 'Dear all');
  await write(join(root, 'private', 'diary.txt'), 'Dear me');
  await mkdir(join(root, 'team'));
}

/** The toast with `text`. */
export const toastOf = (page: Page, text: string): Locator =>
  page.getByRole('status').getByText(text, { exact: true });

/** The mark beside a field that has just been saved. */
export const savedMark = (page: Page): Locator =>
  page.getByRole('status').getByText('Saved', { exact: true });

/** The title of the page. */
export const pageHeading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { name, exact: true, level: 1 });

/** The dialog that asks for a confirmation. */
export const alertDialog = (page: Page): Locator => page.locator('[role="alertdialog"]:not([data-exiting])');

/** Signs in and makes the server require the password for changes of users. */
export async function requirePasswords(page: Page, product: Product): Promise<void> {
  await signIn(page, product, { at: '/settings/global' });
  await page.getByRole('switch', { name: 'Ask for the password before users are changed' }).check();
  await expect(savedMark(page)).toBeVisible();
}

/** Chooses an option of a select. */
export async function chooseOption(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
