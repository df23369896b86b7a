import type { Screen, Stage } from './screen.ts';

/** Opens a login page. The picture beside the form is loaded after it. */
async function goToLogin({ page, go, isPhone }: Stage, path = '/login'): Promise<void> {
  await go(path);
  if (!isPhone) await page.locator('svg[aria-hidden][preserveAspectRatio]').waitFor();
}

/** The login page after a session has ended, and signing up. */
export const loginScreens: readonly Screen[] = [
  {
    name: 'login-inactivity',
    picture: 'always',
    as: 'visitor',
    open: (stage) => goToLogin(stage, '/login?logout-reason=inactivity'),
  },
  {
    name: 'login-wrong',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => {
      const { page, text } = stage;
      await goToLogin(stage);
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
    open: async (stage) => {
      const { page, text } = stage;
      await goToLogin(stage);
      await page.getByRole('button', { name: text('app:login.signup') }).click();
    },
  },
];
