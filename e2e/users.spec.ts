import { extended } from './support/extended.ts';
import { createUser, fetchApi } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { dialogOf, entry, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import {
  alertDialog,
  chooseOption,
  makeSettingsTree,
  maria,
  pageHeading,
  requirePasswords,
  savedMark,
  toastOf,
} from './support/settings-pages.ts';

test.beforeEach(({ root }) => makeSettingsTree(root));

test('an administrator creates a user with permissions and rules, changes it and deletes it', async ({
  page,
  product,
  browser,
  problems,
}) => {
  problems.allow(/status of 409/u);
  await signIn(page, product);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(pageHeading(page, 'Profile settings')).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/profile$/u);
  await page.getByRole('link', { name: 'User management' }).click();
  await expect(page).toHaveTitle('User management - Filestead');
  await page.getByRole('link', { name: 'New', exact: true }).click();
  await expect(pageHeading(page, 'New user')).toBeVisible();

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
  await chooseOption(page, 'Effect of rule 1', 'Deny');
  await page.getByLabel('Path of rule 1').fill('/private');
  await page.getByLabel('Would this path be visible?').fill('/private/diary.txt');
  await expect(page.getByText('Hidden Rule 1 decides.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toastOf(page, 'User created!')).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/users\/2$/u);
  await expect(pageHeading(page, 'User maria')).toBeVisible();

  const visitor = await browser.newContext();
  const other = await visitor.newPage();
  await signIn(other, product, maria);
  await expect(entry(other, 'letter.txt')).toBeVisible();
  await expect(entry(other, 'private')).toHaveCount(0);
  await visitor.close();

  await page.getByLabel('Scope').fill('/team');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toastOf(page, 'User updated!')).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'User management' })
    .click();
  await expect(page.getByRole('row', { name: /maria/u })).toContainText('/team');
  await page.getByRole('searchbox', { name: 'Find a user' }).fill('MAR');
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: /Edit .?maria/u }).click();

  await page.getByRole('button', { name: 'Delete user' }).click();
  await expect(alertDialog(page).getByText('Are you sure you want to delete this user?')).toBeVisible();
  await alertDialog(page).getByRole('button', { name: 'Delete user' }).click();
  await expect(toastOf(page, 'User deleted!')).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/users$/u);
  await expect(page.getByRole('row', { name: /maria/u })).toHaveCount(0);
});

test(
  'administrators see last sign-ins and sign a user out everywhere; errors are shown while typing',
  extended,
  async ({ page, product }) => {
    await createUser(product, await signInByApi(product), maria);
    await signIn(page, product, { at: '/settings/users' });
    await expect(page.getByRole('row', { name: /maria/u })).toContainText('Never');
    await expect(page.getByRole('row', { name: /admin/u })).toContainText('Today');
    await expect(page.getByText('2 users · Sign-up is off')).toBeVisible();
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await expect(page.getByRole('switch', { name: 'Allow users to sign up' })).toBeFocused();
    await page.goBack();
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
    await chooseOption(page, 'View', 'Tiles');
    await chooseOption(page, 'Sort by', 'Size');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(toastOf(page, 'User updated!')).toBeVisible();
    const user = await (await fetchApi(product, '/api/users/2', await signInByApi(product))).json();
    expect(user).toMatchObject({ viewMode: 'mosaic', sorting: { by: 'size', asc: false }, scope: '/team' });

    const list = page.getByRole('list', { name: /Where .?maria.? is signed in/u });
    await expect(list.getByRole('listitem')).toHaveCount(1);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await expect(page.getByText('Not signed in anywhere.')).toBeVisible();
    expect((await fetchApi(product, '/api/resources/', token)).status).toBe(401);
  },
);

test('a new user gets a home folder named after them', extended, async ({ page, product, problems }) => {
  problems.allow(/status of 400/u);
  await signIn(page, product, { at: '/settings/global' });
  await page.getByRole('switch', { name: 'Create a home folder for every new user' }).check();
  await page.getByLabel('Minimum password length').fill('none');
  await expect(page.getByText('Use a whole number from 1 to 1,024.')).toBeVisible();
  await page.getByLabel('Minimum password length').fill('12');
  await page.getByLabel('Chunk size').fill('5MB');
  await page.keyboard.press('Enter');
  await expect(savedMark(page)).toBeVisible();

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
  await expect(pageHeading(page, 'User maria')).toBeVisible();
  await expect(page.getByLabel('Scope')).toHaveValue('/users/maria');
});

test('an administrator who deletes their own account is signed out and cannot navigate back', async ({
  page,
  product,
  problems,
}) => {
  // Requests for the lists of jobs and uploads may be pending when the session ends.
  problems.allow(/status of 401 .*\/api\/(?:jobs|uploads|upload-folders)/u);
  const perm = { admin: true };
  await createUser(product, await signInByApi(product), { ...maria, perm });
  await signIn(page, product, { ...maria, at: '/settings/users/2' });
  await page.getByRole('button', { name: 'Delete user' }).click();
  await expect(alertDialog(page).getByText('This is your own account')).toBeVisible();
  await alertDialog(page).getByRole('button', { name: 'Delete user' }).click();
  await expect(page).toHaveURL(`${product.url}/login`);
});

test(
  'changes of users require the administrator’s own password if the settings say so',
  extended,
  async ({ page, product, problems }) => {
    problems.allow(/status of 400/u);
    await requirePasswords(page, product);
    await page.goto(`${product.url}/settings/users/new`);
    await page.getByLabel('Username').fill(maria.username);
    await page.getByLabel('Password', { exact: true }).fill(maria.password);
    await page.getByRole('button', { name: 'Save' }).click();
    await dialogOf(page).getByRole('textbox', { name: 'Your password' }).fill('a guess');
    await page.keyboard.press('Enter');
    await expect(dialogOf(page).getByText('This is not your password.')).toBeVisible();
    await dialogOf(page).getByRole('textbox', { name: 'Your password' }).fill(product.password);
    await page.keyboard.press('Enter');
    await expect(toastOf(page, 'User created!')).toBeVisible();

    // Their own password too.
    await page.goto(`${product.url}/settings/profile`);
    await page.getByRole('textbox', { name: 'Your new password', exact: true }).fill(maria.password);
    await page.getByRole('textbox', { name: 'Confirm your new password' }).fill(maria.password);
    await page.keyboard.press('Enter');
    const current = page.getByRole('textbox', { name: 'Your current password' });
    await expect(current).toBeFocused();
    await current.fill(product.password);
    await page.keyboard.press('Enter');
    await expect(toastOf(page, 'Password updated!')).toBeVisible();
  },
);
