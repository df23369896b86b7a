import { createUser, fetchApi } from '../support/api.ts';
import { signInByApi } from '../support/product.ts';
import type { Screen, Stage } from './screen.ts';
import { ordinaryUser } from './set-stage.ts';

/** Creates a user with rules, once, and returns the address of their page. */
async function userPage({ product, token }: Stage): Promise<string> {
  const username = 'ana';
  const list = async () =>
    (await (await fetchApi(product, '/api/users', token)).json()) as { id: number; username: string }[];
  const find = async () => (await list()).find((user) => user.username === username);
  const rules = [
    { allow: false, regex: false, path: '/Photos', regexp: { raw: '' } },
    { allow: true, regex: false, path: '/Photos/Lisbon', regexp: { raw: '' } },
    { allow: false, regex: true, path: '', regexp: { raw: String.raw`\.tmp$` } },
  ];
  if ((await find()) === undefined) {
    await createUser(product, token, { username, password: 'ana keeps a secret', scope: '/', rules });
  }
  return `/settings/users/${(await find())?.id ?? 0}`;
}

/** The settings and their prompts. */
export const settingsScreens: readonly Screen[] = [
  {
    name: 'settings-list',
    as: 'administrator',
    only: 'phone',
    open: async ({ go }) => go('/settings'),
  },
  {
    name: 'settings-search',
    picture: 'always',
    as: 'administrator',
    open: async ({ page, isPhone, go, text }) => {
      await go(isPhone ? '/settings' : '/settings/profile');
      const label = text('users:preferences.hideDotfiles');
      await page.getByRole('searchbox', { name: text('settings:search.label') }).fill(label);
      await page.getByRole('search').getByRole('link').first().waitFor();
    },
  },
  {
    name: 'settings-profile',
    as: 'user',
    open: async ({ page, product, go, text }) => {
      // A second session that can be ended.
      await signInByApi(product, ordinaryUser.username, ordinaryUser.password);
      await go('/settings/profile');
      await page.getByRole('button', { name: text('sessions:endOthers') }).waitFor();
    },
  },
  {
    name: 'settings-password',
    picture: 'always',
    as: 'user',
    open: async ({ page, go, text }) => {
      await go('/settings/profile');
      const field = (key: `settings:${string}`) =>
        page.getByRole('textbox', { name: text(key), exact: true });
      await field('settings:password.new').fill('four trams');
      await field('settings:password.confirm').fill('four trains');
      await page.getByText(text('settings:password.mismatch')).waitFor();
    },
  },
  {
    name: 'settings-global',
    as: 'administrator',
    open: async ({ page, go, text }) => {
      await go('/settings/global');
      await page.getByRole('button', { name: text('users:rules.add') }).click();
      await page.getByRole('textbox', { name: text('settings:global.retryCount') }).fill('many');
    },
  },
  {
    name: 'settings-storage',
    picture: 'never',
    as: 'administrator',
    open: async ({ page, go }) => {
      await go('/settings/storage');
      await page.getByRole('heading', { level: 2 }).first().waitFor();
    },
  },
  {
    name: 'settings-users',
    as: 'administrator',
    open: async (stage) => {
      await userPage(stage);
      await stage.go('/settings/users');
    },
  },
  {
    name: 'settings-users-none',
    as: 'administrator',
    open: async ({ page, go, text }) => {
      await go('/settings/users');
      await page.getByRole('searchbox', { name: text('users:list.search') }).fill('nobody');
    },
  },
  {
    name: 'settings-user',
    as: 'administrator',
    open: async (stage) => {
      const { page, text } = stage;
      await stage.go(await userPage(stage));
      await page.getByRole('textbox', { name: text('users:rules.test') }).fill('/Photos/Porto');
    },
  },
  {
    name: 'settings-user-new',
    picture: 'always',
    as: 'administrator',
    open: async ({ page, go, text }) => {
      await go('/settings/users/new');
      await page.getByRole('button', { name: text('users:form.save') }).click();
    },
  },
  {
    name: 'settings-user-missing',
    picture: 'always',
    as: 'administrator',
    open: async ({ page, go, text }) => {
      await go('/settings/users/999');
      await page.getByText(text('users:missing')).waitFor();
    },
  },
  {
    name: 'settings-user-delete',
    as: 'administrator',
    open: async (stage) => {
      const { page, text } = stage;
      await stage.go(await userPage(stage));
      await page.getByRole('button', { name: text('users:form.delete') }).click();
      await page.getByText(text('users:deletion.question')).waitFor();
    },
  },
  {
    name: 'settings-language',
    picture: 'always',
    as: 'user',
    open: async ({ page, go, text }) => {
      // A screen before this one has left changes that are not saved.
      await go('/settings/profile', { isNew: true });
      await page.getByRole('button', { name: text('settings:profile.language') }).click();
      await page.getByRole('listbox').waitFor();
    },
  },
  {
    name: 'settings-unsaved',
    picture: 'always',
    as: 'user',
    open: async ({ page, go, text }) => {
      await go('/settings/profile', { isNew: true });
      await page
        .getByRole('textbox', { name: text('settings:password.new'), exact: true })
        .fill('four trams');
      await page
        .getByRole('link', { name: text('app:titles.files') })
        .or(page.getByRole('link', { name: text('app:frame.myFiles') }))
        .first()
        .click();
      await page.getByText(text('common:unsaved.text')).waitFor();
    },
  },
];
