import type { Page } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createUser, fetchApi } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { dialogOf, entry, fillLogin, listing, signIn, tabTo } from './support/journey.ts';
import { type Product, signInByApi } from './support/product.ts';
import { write } from './support/sample-files.ts';

const maria = { username: 'maria', password: 'four trams to Lisbon' };

test.beforeEach(async ({ root }) => {
  await write(join(root, 'letter.txt'), 'Dear all');
  await write(join(root, 'private', 'diary.txt'), 'Dear me');
  await mkdir(join(root, 'team'));
});

/** The toast with `text`. */
const notice = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
const question = (page: Page) => page.locator('[role="alertdialog"]:not([data-exiting])');

/** Signs in and makes the server require the password for changes of users. */
async function askForPasswords(page: Page, product: Product): Promise<void> {
  await signIn(page, product, { at: '/settings/global' });
  await page.getByRole('switch', { name: 'Ask for the password before users are changed' }).check();
  await page.getByRole('button', { name: 'Update' }).first().click();
  await expect(notice(page, 'Settings updated!')).toBeVisible();
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('an administrator creates a user with permissions and rules, changes it and deletes it', async ({
  page,
  product,
  browser,
  problems,
}) => {
  problems.allow(/status of 409/u);
  await signIn(page, product);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(heading(page, 'Profile settings')).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/profile$/u);
  await page.getByRole('link', { name: 'User management' }).click();
  await expect(page).toHaveTitle('User management - Filestead');
  await page.getByRole('link', { name: 'New', exact: true }).click();
  await expect(heading(page, 'New user')).toBeVisible();

  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Type a username.')).toBeVisible();
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(maria.password);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Username already taken')).toBeVisible();
  await page.getByLabel('Username').fill(maria.username);

  // An administrator has every permission (docs/reference/behaviour.md §4).
  await page.getByRole('switch', { name: 'Prevent the user from changing the password' }).check();
  await page.getByRole('switch', { name: 'Administrator' }).check();
  await expect(page.getByRole('switch', { name: 'Delete files and directories' })).toBeDisabled();
  await expect(page.getByRole('switch', { name: 'Delete files and directories' })).toBeChecked();
  await expect(page.getByRole('switch', { name: /Prevent the user/u })).not.toBeChecked();
  await page.getByRole('switch', { name: 'Administrator' }).uncheck();
  await page.getByRole('switch', { name: 'Delete files and directories' }).uncheck();

  await page.getByRole('button', { name: 'Add a rule' }).click();
  await choose(page, 'Effect of rule 1', 'Deny');
  await page.getByLabel('Path of rule 1').fill('/private');
  await page.getByLabel('Would this path be visible?').fill('/private/diary.txt');
  await expect(page.getByText('Hidden Rule 1 decides.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(notice(page, 'User created!')).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/users\/2$/u);
  await expect(heading(page, 'User maria')).toBeVisible();

  const visitor = await browser.newContext();
  const other = await visitor.newPage();
  await signIn(other, product, maria);
  await expect(entry(other, 'letter.txt')).toBeVisible();
  await expect(entry(other, 'private')).toHaveCount(0);
  await visitor.close();

  await page.getByLabel('Scope').fill('/team');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(notice(page, 'User updated!')).toBeVisible();
  await page.getByRole('main').getByRole('navigation').getByRole('link', { name: 'User management' }).click();
  await expect(page.getByRole('row', { name: /maria/u })).toContainText('/team');
  await page.getByRole('searchbox', { name: 'Search users' }).fill('MAR');
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: /Edit .?maria/u }).click();

  await page.getByRole('button', { name: 'Delete user' }).click();
  await expect(question(page).getByText('Are you sure you want to delete this user?')).toBeVisible();
  await question(page).getByRole('button', { name: 'Delete user' }).click();
  await expect(notice(page, 'User deleted!')).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/users$/u);
  await expect(page.getByRole('row', { name: /maria/u })).toHaveCount(0);
});

test('administrators see last sign-ins and sign a user out everywhere; errors are shown while typing', async ({
  page,
  product,
}) => {
  await createUser(product, await signInByApi(product), maria);
  await signIn(page, product, { at: '/settings/users' });
  await expect(page.getByRole('row', { name: /maria/u })).toContainText('Never');
  await expect(page.getByRole('row', { name: /admin/u })).toContainText('Today');
  const token = await signInByApi(product, maria.username, maria.password);
  await page.reload();
  await expect(page.getByRole('row', { name: /maria/u })).toContainText('Today');
  await page.getByRole('button', { name: 'Last sign-in' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('maria');

  await page.getByRole('link', { name: /Edit .?maria/u }).click();
  await page.getByLabel('Username').fill('ADMIN');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByLabel('Scope').fill('/../etc');
  await expect(page.getByText('Username already taken')).toBeVisible();
  await expect(page.getByText('Use at least 8 characters.')).toBeVisible();
  await page.getByLabel('Username').fill(maria.username);
  await expect(page.getByText('Enter a folder such as /, without “..”.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('');
  await page.getByLabel('Scope').fill('/team');
  await choose(page, 'View', 'Mosaic');
  await choose(page, 'Sort by', 'Size');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(notice(page, 'User updated!')).toBeVisible();
  const user = await (await fetchApi(product, '/api/users/2', await signInByApi(product))).json();
  expect(user).toMatchObject({ viewMode: 'mosaic', sorting: { by: 'size', asc: false }, scope: '/team' });

  const list = page.getByRole('list', { name: /Where .?maria.? is signed in/u });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText('Not signed in anywhere.')).toBeVisible();
  expect((await fetchApi(product, '/api/resources/', token)).status).toBe(401);
});

test('a new user gets a home folder named after them', async ({ page, product, problems }) => {
  problems.allow(/status of 400/u);
  await signIn(page, product, { at: '/settings/global' });
  await page.getByRole('switch', { name: 'Create a home folder for every new user' }).check();
  await page.getByLabel('Minimum password length').fill('none');
  await expect(page.getByText('Use a whole number from 1 to 1,024.')).toBeVisible();
  await page.getByLabel('Minimum password length').fill('12');
  await page.getByLabel('Size of a part').fill('5MB');
  await page.getByRole('button', { name: 'Update' }).first().click();
  await expect(notice(page, 'Settings updated!')).toBeVisible();

  await page.getByRole('link', { name: 'User management' }).click();
  await page.getByRole('link', { name: 'New', exact: true }).click();
  const home = page.getByRole('switch', { name: 'Create user home directory' });
  await expect(home).toBeChecked();
  await expect(page.getByLabel('Scope')).toBeDisabled();
  await expect(page.getByLabel('Scope')).toHaveValue('');
  await home.uncheck();
  await expect(page.getByLabel('Scope')).toHaveValue('/');
  await home.check();
  await page.getByLabel('Username').fill('maria');
  await page.getByLabel('Password', { exact: true }).fill('too short');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Use at least 12 characters.')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.getByLabel('Password', { exact: true }).fill(maria.password);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(heading(page, 'User maria')).toBeVisible();
  await expect(page.getByLabel('Scope')).toHaveValue('/users/maria');
});

test('a user changes preferences and the password, and ends another session', async ({
  page,
  product,
  problems,
}) => {
  problems.allow(/status of 400/u);
  const perm = { create: true, download: true };
  await createUser(product, await signInByApi(product), { ...maria, perm });
  const otherToken = await signInByApi(product, maria.username, maria.password);
  const thirdToken = await signInByApi(product, maria.username, maria.password);
  await signIn(page, product, maria);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('link', { name: /management|Global/u })).toHaveCount(0);

  await page.getByRole('switch', { name: 'Set exact date format' }).check();
  await page.getByRole('switch', { name: 'Play music and videos when they are opened' }).check();
  await choose(page, 'Language', 'English');
  await choose(page, 'View', 'Mosaic gallery');
  await page.getByRole('button', { name: 'Update' }).first().click();
  await expect(notice(page, 'Settings updated!')).toBeVisible();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.getByRole('switch', { name: 'Hide dotfiles' }).check();
  await expect(page.getByText('Saved', { exact: true })).toBeHidden();
  await page.getByRole('switch', { name: 'Hide dotfiles' }).uncheck();

  const sessions = page.getByRole('list', { name: 'Where you are signed in' });
  await expect(sessions.getByRole('listitem')).toHaveCount(3);
  await expect(sessions.getByText('This session')).toBeVisible();
  await sessions
    .getByRole('button', { name: /^End the session of/u })
    .first()
    .click();
  await expect(sessions.getByRole('listitem')).toHaveCount(2);

  const password = page.getByRole('textbox', { name: 'Your new password', exact: true });
  const again = page.getByRole('textbox', { name: 'Confirm your new password' });
  await password.fill('short');
  await again.fill('other');
  await expect(page.getByText("Passwords don't match")).toBeVisible();
  await again.fill('short');
  await expect(page.getByText('The passwords match.')).toBeVisible();
  await page.getByRole('button', { name: 'Update' }).nth(1).click();
  await expect(page.getByText('Use at least 8 characters.')).toBeVisible();
  await password.fill('a tram for everyone');
  await again.fill('a tram for everyone');
  await again.press('Enter');
  await expect(notice(page, 'Password updated!')).toBeVisible();
  for (const token of [otherToken, thirdToken]) {
    expect((await fetchApi(product, '/api/resources/', token)).status).toBe(401);
  }

  await page.reload();
  await expect(page.getByRole('switch', { name: 'Set exact date format' })).toBeChecked();
  await expect(
    page.getByRole('switch', { name: 'Play music and videos when they are opened' }),
  ).toBeChecked();
  await expect(page.getByRole('button', { name: 'Language' })).toContainText('English');
  await expect(page.getByRole('button', { name: /View/u })).toContainText('Mosaic gallery');
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
});

test('a toast uses the new language at once, and fields of one row stay aligned in it', async ({
  page,
  product,
}) => {
  await signIn(page, product, { at: '/settings/profile' });
  await choose(page, 'Language', 'עברית');
  await page.getByRole('button', { name: 'Update' }).first().click();
  await expect(notice(page, 'ההגדרות עודכנו!')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');

  const token = await signInByApi(product);
  const data = { id: 1, locale: 'nl-be' };
  await fetchApi(product, '/api/users/1', token, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ what: 'user', which: ['locale'], data }),
  });
  await page.goto(`${product.url}/settings/global`);
  const labels = ['Grootte van een deel', 'Aantal pogingen'];
  const fields = labels.map((label) => page.getByLabel(label));
  const tops: (number | undefined)[] = [];
  for (const field of fields) tops.push((await field.boundingBox())?.y);
  expect(tops[0]).toBeDefined();
  expect(new Set(tops).size).toBe(1);
});

test('an administrator who deletes their own account is signed out and cannot navigate back', async ({
  page,
  product,
  problems,
}) => {
  // A request for the list of jobs may be on its way when the session ends.
  problems.allow(/status of 401 .*\/api\/jobs/u);
  const perm = { admin: true };
  await createUser(product, await signInByApi(product), { ...maria, perm });
  await signIn(page, product, { ...maria, at: '/settings/users/2' });
  await page.getByRole('button', { name: 'Delete user' }).click();
  await expect(question(page).getByText('This is your own account')).toBeVisible();
  await question(page).getByRole('button', { name: 'Delete user' }).click();
  await expect(page).toHaveURL(`${product.url}/login`);
});

test('only administrators see the settings of the server, and visitors return to them after signing in', async ({
  page,
  product,
}) => {
  await createUser(product, await signInByApi(product), { ...maria, perm: { share: true, download: true } });
  await page.goto(`${product.url}/settings/profile`);
  await expect(page).toHaveURL(/\/login\?redirect=/u);
  await fillLogin(page, maria.username, maria.password);
  await expect(heading(page, 'Profile settings')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Share management' })).toBeVisible();
  for (const path of ['global', 'users', 'users/new', 'users/1']) {
    await page.goto(`${product.url}/settings/${path}`);
    await expect(page).toHaveURL(/\/403$/u);
    await expect(page.getByText("You don't have permission to access this.")).toBeVisible();
  }
});

test('changes of users require the administrator’s own password if the settings say so', async ({
  page,
  product,
  problems,
}) => {
  problems.allow(/status of 400/u);
  await askForPasswords(page, product);
  await page.goto(`${product.url}/settings/users/new`);
  await page.getByLabel('Username').fill(maria.username);
  await page.getByLabel('Password', { exact: true }).fill(maria.password);
  await page.getByRole('button', { name: 'Save' }).click();
  await dialogOf(page).getByRole('textbox', { name: 'Your password' }).fill('a guess');
  await page.keyboard.press('Enter');
  await expect(dialogOf(page).getByText('This is not your password.')).toBeVisible();
  await dialogOf(page).getByRole('textbox', { name: 'Your password' }).fill(product.password);
  await page.keyboard.press('Enter');
  await expect(notice(page, 'User created!')).toBeVisible();

  // Their own password too.
  await page.goto(`${product.url}/settings/profile`);
  await page.getByRole('textbox', { name: 'Your new password', exact: true }).fill(maria.password);
  await page.getByRole('textbox', { name: 'Confirm your new password' }).fill(maria.password);
  await page.keyboard.press('Enter');
  const current = page.getByRole('textbox', { name: 'Your current password' });
  await expect(current).toBeFocused();
  await current.fill(product.password);
  await page.keyboard.press('Enter');
  await expect(notice(page, 'Password updated!')).toBeVisible();
});

test('rules are added, reordered and saved by keyboard alone', async ({ page, product, problems }) => {
  problems.allow(/status of 400/u);
  await signIn(page, product, { at: '/settings/global' });
  const add = page.getByRole('button', { name: 'Add a rule' });
  await expect(add).toBeVisible();
  await tabTo(page, add);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Path of rule 1')).toBeFocused();
  await page.keyboard.type('/private/open');
  // Enter does nothing in a rule (docs/reference/behaviour.md §5).
  await page.keyboard.press('Enter');
  await tabTo(page, add);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Path of rule 2')).toBeFocused();
  await page.keyboard.type('/private');
  await tabTo(page, page.getByRole('button', { name: 'Effect of rule 2' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option', { name: 'Allow' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: 'Deny' })).toBeFocused();
  await page.keyboard.press('Enter');
  // A list that is fading out still has the focus.
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Effect of rule 2' })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Move rule 2 up' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Path of rule 1')).toHaveValue('/private');
  await expect(page.getByText('The rule is now number 1.')).toBeAttached();
  // The button of a first row is disabled now: the focus stays in the row.
  await expect(page.getByRole('button', { name: 'Move rule 1 down' })).toBeFocused();
  await tabTo(page, page.getByRole('textbox', { name: 'Would this path be visible?' }));
  await page.keyboard.type('/private/open/door');
  await expect(page.getByText('Visible Rule 2 decides.')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Update' }).first());
  await page.keyboard.press('Enter');
  await expect(notice(page, 'Settings updated!')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Path of rule 1')).toHaveValue('/private');
  await expect(page.getByLabel('Path of rule 2')).toHaveValue('/private/open');

  // A pattern that the server refuses is reported in its row.
  await page.getByRole('button', { name: 'Kind of rule 2' }).click();
  await page.getByRole('option', { name: 'Pattern' }).click();
  await page.getByLabel('Pattern of rule 2').fill('(unclosed');
  await page.getByRole('button', { name: 'Update' }).first().click();
  await expect(page.getByText('One of the rules is not valid.')).toBeVisible();
  await expect(page.getByRole('listitem', { name: 'Rule 2' })).toContainText('cannot use this pattern');
});

test('rules are reordered by dragging', async ({ page, product }) => {
  const token = await signInByApi(product);
  const rule = (path: string) => ({ allow: false, regex: false, path, regexp: { raw: '' } });
  await createUser(product, token, { ...maria, rules: ['/a', '/b', '/c'].map(rule) });
  await signIn(page, product, { at: '/settings/users/2' });
  const rows = page.getByRole('list', { name: 'Rules, in their order' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: 'Add a rule' }).scrollIntoViewIfNeeded();
  const grip = await rows.nth(2).locator('span').first().boundingBox();
  const first = await rows.nth(0).boundingBox();
  if (grip === null || first === null) throw new Error('the rows are not shown');
  await page.mouse.move(grip.x + 5, grip.y + 15);
  await page.mouse.down();
  // In one step: a busy browser reports only a few positions on the way.
  await page.mouse.move(grip.x + 5, first.y + 5);
  await page.mouse.up();
  await expect(page.getByLabel('Path of rule 1')).toHaveValue('/c');
  await expect(page.getByLabel('Path of rule 2')).toHaveValue('/a');

  // Unsaved changes are not lost by accident.
  await page.getByRole('link', { name: 'My files' }).click();
  await expect(question(page).getByText('Your changes on this page are not saved yet.')).toBeVisible();
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Path of rule 1')).toHaveValue('/c');
  await page.getByRole('button', { name: /^Account/u }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Path of rule 1')).toHaveValue('/c');
  await page.getByRole('link', { name: 'My files' }).click();
  await question(page).getByRole('button', { name: 'Leave' }).click();
  await expect(listing(page, 'Files')).toBeVisible();
});

test.describe('with commands', () => {
  test.use({ flags: ['--enableExec', '--execUnsandboxed'] });

  test('an administrator sets the hooks that run after a change', async ({ page, product }) => {
    await signIn(page, product, { at: '/settings/global' });
    await page.getByText('After save', { exact: true }).click();
    await page.getByRole('textbox', { name: 'After save' }).fill('git add .\n\ngit commit -m saved');
    await page.getByRole('button', { name: 'Update' }).last().click();
    await expect(notice(page, 'Commands updated')).toBeVisible();
    await expect(page.getByText('2 commands')).toBeVisible();
    const response = await fetchApi(product, '/api/settings', await signInByApi(product));
    const settings = (await response.json()) as { commands: Record<string, string[]> };
    expect(settings.commands['after_save']).toEqual(['git add .', 'git commit -m saved']);
  });

  test('changes of hooks require the administrator’s own password if the settings say so', async ({
    page,
    product,
    problems,
  }) => {
    problems.allow(/status of 400/u);
    await askForPasswords(page, product);
    await page.getByText('After save', { exact: true }).click();
    await page.getByRole('textbox', { name: 'After save' }).fill('git add .');
    await page.getByRole('button', { name: 'Update' }).last().click();
    const current = page.getByRole('textbox', { name: 'Your current password' });
    await expect(current).toBeFocused();
    await current.fill('a guess');
    await page.keyboard.press('Enter');
    await expect(current).toHaveAccessibleDescription(/.+/u);
    await current.fill(product.password);
    await page.keyboard.press('Enter');
    await expect(notice(page, 'Commands updated')).toBeVisible();
    await expect(current).toHaveCount(0);
  });
});

test('commands are not mentioned if the server does not run any', async ({ page, product }) => {
  await signIn(page, product, { at: '/settings/global' });
  await expect(heading(page, 'Global settings')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'User default settings' })).toBeVisible();
  await expect(page.getByText('Command runner')).toHaveCount(0);
  await expect(page.getByText('Execute commands')).toHaveCount(0);
  await expect(page.getByText('Execute on shell')).toHaveCount(0);
});

test.describe('on the phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test('the list leads to each page, and an arrow leads back', async ({ page, product }) => {
    await signIn(page, product);
    await page.getByRole('button', { name: 'You' }).tap();
    await dialogOf(page).getByRole('link', { name: 'Settings' }).tap();
    await expect(heading(page, 'Settings')).toBeVisible();
    await page.getByRole('link', { name: 'User management' }).tap();
    await page.getByRole('link', { name: /admin/u }).tap();
    await expect(heading(page, 'User admin')).toBeVisible();
    await page.getByRole('link', { name: 'Back to User management' }).tap();
    await page.getByRole('link', { name: 'Back to Settings' }).tap();
    await expect(heading(page, 'Settings')).toBeVisible();
  });
});
