import type { Screen } from './screen.ts';

/** The login page after a session has ended, and signing up. */
export const loginScreens: readonly Screen[] = [
  {
    name: 'login-inactivity',
    picture: 'always',
    as: 'visitor',
    open: async ({ go }) => go('/login?logout-reason=inactivity'),
  },
  {
    name: 'login-wrong',
    picture: 'always',
    as: 'visitor',
    open: async ({ page, go, text }) => {
      await go('/login');
      await page.getByLabel(text('app:login.username')).fill('maria');
      await page.getByLabel(text('app:login.password'), { exact: true }).fill('not the password');
      await page.keyboard.press('Enter');
      await page.getByText(text('app:login.wrongCredentials')).waitFor();
    },
  },
  {
    name: 'sign-up',
    picture: 'always',
    as: 'visitor',
    open: async ({ page, go, text }) => {
      await go('/login');
      await page.getByRole('button', { name: text('app:login.signup') }).click();
    },
  },
];
