import { extended } from './support/extended.ts';
import { changeAdministrator, createUser, fetchApi } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { dialogOf, fillLogin, listing, signIn, tabTo } from './support/journey.ts';
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

  // Each field is saved at once, one after the other.
  await page.getByRole('switch', { name: 'Show exact dates and times' }).check();
  await page.getByRole('switch', { name: 'Play music and videos when they are opened' }).check();
  await chooseOption(page, 'Language', 'English');
  await chooseOption(page, 'View', 'Photos');
  await expect(savedMark(page)).toHaveCount(1);

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
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Use at least 8 characters.')).toBeVisible();
  await password.fill('a tram for everyone');
  await again.fill('a tram for everyone');
  await again.press('Enter');
  await expect(toastOf(page, 'Password updated!')).toBeVisible();
  for (const token of [otherToken, thirdToken]) {
    expect((await fetchApi(product, '/api/resources/', token)).status).toBe(401);
  }

  await page.reload();
  await expect(page.getByRole('switch', { name: 'Show exact dates and times' })).toBeChecked();
  await expect(
    page.getByRole('switch', { name: 'Play music and videos when they are opened' }),
  ).toBeChecked();
  await expect(page.getByRole('button', { name: 'Language' })).toContainText('English');
  await expect(page.getByRole('button', { name: /View/u })).toContainText('Photos');
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
});

test(
  'a notice uses the new language at once, and fields with long labels stay aligned',
  extended,
  async ({ page, product }) => {
    await signIn(page, product, { at: '/settings/profile' });
    await chooseOption(page, 'Language', 'עברית');
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(page.getByRole('status').getByText('נשמר', { exact: true })).toBeVisible();

    const token = await signInByApi(product);
    await changeAdministrator(product, token, { locale: 'nl-be' });
    await page.goto(`${product.url}/settings/global`);
    const labels = ['Grootte per deel', 'Nieuwe pogingen per deel'];
    const fields = labels.map((label) => page.getByLabel(label));
    const ends: number[] = [];
    for (const field of fields) {
      const box = await field.locator('..').boundingBox();
      if (box === null) throw new Error('the field is not shown');
      ends.push(Math.round(box.x + box.width));
    }
    expect(new Set(ends).size).toBe(1);
  },
);

test('only administrators see the settings of the server, and visitors return to them after signing in', async ({
  page,
  product,
}) => {
  await createUser(product, await signInByApi(product), { ...maria, perm: { share: true, download: true } });
  await page.goto(`${product.url}/settings/profile`);
  await expect(page).toHaveURL(/\/login\?redirect=/u);
  await fillLogin(page, maria.username, maria.password);
  await expect(pageHeading(page, 'Profile settings')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Share management' })).toBeVisible();
  for (const path of ['global', 'users', 'users/new', 'users/1']) {
    await page.goto(`${product.url}/settings/${path}`);
    await expect(page).toHaveURL(/\/403$/u);
    await expect(page.getByText("You don't have permission to access this.")).toBeVisible();
  }
});

test(
  'rules are added, reordered and saved by keyboard alone',
  extended,
  async ({ page, product, problems }) => {
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
    await expect(toastOf(page, 'Settings updated!')).toBeVisible();
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
  },
);

test('rules are reordered by dragging', extended, async ({ page, product }) => {
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
  await page.getByRole('link', { name: 'Back to My files' }).click();
  await expect(alertDialog(page).getByText('Your changes on this page are not saved yet.')).toBeVisible();
  await alertDialog(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Path of rule 1')).toHaveValue('/c');
  await page.getByRole('button', { name: /^Account/u }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await alertDialog(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Path of rule 1')).toHaveValue('/c');
  await page.getByRole('link', { name: 'Back to My files' }).click();
  await alertDialog(page).getByRole('button', { name: 'Leave' }).click();
  await expect(listing(page, 'My files')).toBeVisible();
});

test.describe('with commands', () => {
  test.use({ flags: ['--enableExec', '--execUnsandboxed'] });

  test('an administrator sets the hooks that run after a change', extended, async ({ page, product }) => {
    await signIn(page, product, { at: '/settings/global' });
    await page.getByText('After save', { exact: true }).click();
    await page.getByRole('textbox', { name: 'After save' }).fill('git add .\n\ngit commit -m saved');
    await page.getByRole('button', { name: 'Update' }).last().click();
    await expect(toastOf(page, 'Commands updated')).toBeVisible();
    await expect(page.getByText('2 commands')).toBeVisible();
    const response = await fetchApi(product, '/api/settings', await signInByApi(product));
    const settings = (await response.json()) as { commands: Record<string, string[]> };
    expect(settings.commands['after_save']).toEqual(['git add .', 'git commit -m saved']);
  });

  test(
    'changes of hooks require the administrator’s own password if the settings say so',
    extended,
    async ({ page, product, problems }) => {
      problems.allow(/status of 400/u);
      await requirePasswords(page, product);
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
      await expect(toastOf(page, 'Commands updated')).toBeVisible();
      await expect(current).toHaveCount(0);
    },
  );
});

test('commands are not mentioned if the server does not run any', async ({ page, product }) => {
  await signIn(page, product, { at: '/settings/global' });
  await expect(pageHeading(page, 'Global settings')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'New users' })).toBeVisible();
  await expect(page.getByText('Command runner')).toHaveCount(0);
  await expect(page.getByText('Execute commands')).toHaveCount(0);
  await expect(page.getByText('Execute on shell')).toHaveCount(0);
});

test.describe('on the phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test(
    'the page You leads to each page of the settings and back, and the search to a setting',
    extended,
    async ({ page, product }) => {
      await signIn(page, product);
      await page.getByRole('link', { name: 'You' }).tap();
      await expect(pageHeading(page, 'You')).toBeVisible();
      await page.getByRole('link', { name: 'User management' }).tap();
      await page.getByRole('link', { name: /admin/u }).tap();
      await expect(pageHeading(page, 'User admin')).toBeVisible();
      await page.getByRole('link', { name: 'Back to User management' }).tap();
      await page.getByRole('link', { name: 'Back to You' }).tap();
      await page.getByRole('link', { name: 'Profile settings' }).tap();
      await page.getByRole('button', { name: 'Search settings' }).tap();
      await expect(page.getByRole('searchbox', { name: 'Search settings' })).toBeFocused();
      await page.keyboard.type('chunk');
      await page.getByRole('link', { name: /^Chunk size/u }).tap();
      await expect(pageHeading(page, 'Global settings')).toBeVisible();
      await expect(page.getByLabel('Chunk size')).toBeFocused();
      await expect(page.getByLabel('Chunk size')).toBeInViewport();
    },
  );
});

test.describe('in a narrow window', () => {
  test.use({ viewport: { width: 375, height: 812 } });

  test(
    'the mouse press that opens a list does not choose the option that appears below it',
    extended,
    async ({ page, product }) => {
      await signIn(page, product, { at: '/settings/profile' });
      const button = page.getByRole('button', { name: 'Language' });
      await button.hover();
      await page.mouse.down();
      await expect(page.getByRole('option', { name: 'Español' })).toBeVisible();
      await page.mouse.up();
      await page.getByRole('option', { name: 'Deutsch' }).click();
      await expect(page.getByRole('heading', { name: 'Profileinstellungen', level: 1 })).toBeVisible();
    },
  );

  test(
    'the Control press that opens a context menu on macOS does not choose the item that appears below it',
    extended,
    async ({ page, product }) => {
      await signIn(page, product);
      // Empty space low in the window, where the items appear.
      const at = { x: 150, y: 600 };
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.evaluate(({ x, y }) => {
        const init = { bubbles: true, cancelable: true, clientX: x, clientY: y, ctrlKey: true };
        document.elementFromPoint(x, y)?.dispatchEvent(new MouseEvent('contextmenu', init));
      }, at);
      const item = page.getByRole('menuitem', { name: 'New folder' });
      await expect(item).toBeVisible();
      await item.hover({ force: true });
      await page.mouse.up();
      await expect(item).toBeVisible();
      await item.click();
      await expect(dialogOf(page)).toContainText('New folder');
    },
  );
});
