import { expect, type Locator, type Page } from '@playwright/test';
import type { Product } from './product.ts';

/** The key of the token in the browser's local storage (web/src/api/token-store.ts). */
const tokenKey = 'jwt';

/**
 * Signs in over the API, sets the cookie and stored token as the form would, and opens `at`, by default the root. The
 * form itself is tested by login.spec.ts.
 */
export async function signIn(
  page: Page,
  product: Product,
  {
    username = 'admin',
    password = product.password,
    at = '/files/',
  }: { username?: string; password?: string; at?: string } = {},
): Promise<void> {
  const response = await page
    .context()
    .request.post(`${product.url}/api/login`, { data: { username, password } });
  expect(response.status()).toBe(200);
  // Runs before the page's own scripts; only the first document stores the token, because the user may have signed out
  // in later ones.
  await page.addInitScript(
    ([key, value, origin]) => {
      if (location.origin !== origin || sessionStorage.getItem(value) !== null) return;
      sessionStorage.setItem(value, 'stored');
      localStorage.setItem(key, value);
    },
    [tokenKey, await response.text(), product.url] as const,
  );
  await page.goto(`${product.url}${at}`);
}

/** Fills in the form of the login page and submits it. */
export async function fillLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** The listing of the folder `name`, in any view. */
export const listing = (page: Page, name: string): Locator => {
  const label = { name: `Contents of ${name}`, exact: true };
  return page.getByRole('grid', label).or(page.getByRole('listbox', label));
};

/** The row or tile of an entry by its name, wherever it is shown. */
export const entry = (page: Page, name: string): Locator =>
  page.locator('[data-id]').filter({ has: page.getByText(name, { exact: true }) });

/** The visible name of a row or tile: where a long name is clicked. */
export const nameOf = (row: Locator): Locator => row.locator('[data-part=name]');

/** The entry of the listing that the Tab key reaches. */
export const currentEntry = (page: Page): Locator => page.locator('[data-id][tabindex="0"]');

/**
 * Focuses an entry by typing its name from the start of the listing. Typed again if it was not listed yet, or if a busy machine
 * paused between two letters for so long that the second one began another name.
 */
export async function typeName(page: Page, name: string): Promise<Locator> {
  const row = entry(page, name);
  const current = currentEntry(page);
  await expect(async () => {
    // A preview that is fading out still has the focus.
    await current.focus({ timeout: 2000 });
    await expect(current).toBeFocused({ timeout: 500 });
    await page.keyboard.press('Home');
    await page.keyboard.type(name);
    await expect(row).toBeFocused({ timeout: 1000 });
  }).toPass({ timeout: 30_000 });
  return row;
}

/** Scrolls an entry into view as a user would: by typing its name. */
export async function jumpTo(page: Page, name: string): Promise<Locator> {
  const row = entry(page, name);
  if (!(await row.isVisible())) await typeName(page, name);
  await expect(row).toBeVisible();
  return row;
}

/** Selects only `name`, by a click. */
export async function select(page: Page, name: string): Promise<Locator> {
  const row = await jumpTo(page, name);
  await nameOf(row).click();
  await expect(row).toHaveAttribute('aria-selected', 'true');
  return row;
}

/** Opens a folder by a double click and waits for its listing. */
export async function openFolder(page: Page, name: string): Promise<void> {
  const row = await jumpTo(page, name);
  await nameOf(row).dblclick();
  await expect(page.getByRole('heading', { name, exact: true, level: 1 })).toBeVisible();
  await expect(listing(page, name)).toBeVisible();
}

/** Goes to a parent folder by the breadcrumbs. */
export async function goUpTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name, exact: true }).click();
  await expect(listing(page, name)).toBeVisible();
}

/** The toolbar of the selected entries. */
export const selectionBar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Selected items' });

/** The button that downloads the selected entries; another one beside it chooses the format. */
export const downloadButton = (page: Page): Locator =>
  selectionBar(page).getByRole('button', { name: /^Download(?! as)/u });

/** The name of the row or tile at index `position` in the DOM. */
export const nameAt = (page: Page, position: number): Locator =>
  nameOf(page.locator('[data-id]').nth(position));

/** Presses the Tab key until `target` has the focus. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const maxTabStops = 60;
  for (let stop = 0; stop < maxTabStops; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The ${key} key does not reach ${String(target)}.`);
}

/** The open dialog; one that is still fading out is ignored. */
export const dialogOf = (page: Page): Locator => page.locator('[role="dialog"]:not([data-exiting])');

/** Chooses a view of the folder by its segment: List, Tiles or Photos. */
export const showView = (page: Page, view: 'List' | 'Tiles' | 'Photos'): Promise<void> =>
  page
    .getByRole('radiogroup', { name: 'View' })
    .getByRole('radio', { name: view, exact: true })
    .check({ force: true });

/** The field in the listing in which a new folder is named. */
export const newFolderField = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Name of the new folder' });

/** The notification with a text. */
export const notice = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('status', { name: 'Notifications' }).locator('div').filter({ hasText: text }).first();
