import type { Screen } from './screen.ts';

/** The search, before and after a query is typed. */
export const searchScreens: readonly Screen[] = [
  {
    name: 'search',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/');
      await page.keyboard.press('Control+f');
      await page.getByRole('searchbox').waitFor();
    },
  },
  {
    name: 'search-results',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/');
      await page.keyboard.press('Control+f');
      await page.getByRole('searchbox').fill('a b');
      await page.locator('mark').first().waitFor();
    },
  },
  {
    name: 'search-nothing',
    as: 'user',
    open: async ({ page, go, text }) => {
      await go('/files/Photos/');
      await page.keyboard.press('Control+f');
      await page.getByRole('searchbox').fill('tramway');
      await page.getByRole('button', { name: text('search:everywhere') }).waitFor();
    },
  },
];
