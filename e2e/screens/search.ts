import type { Locator, Page } from '@playwright/test';
import type { Screen } from './screen.ts';

/** The field in the top bar, or on phones that of the page of results. */
const fieldOf = (page: Page): Locator => page.getByRole('search').locator('input');

/** The search, before and after a query is typed. */
export const searchScreens: readonly Screen[] = [
  {
    name: 'search',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/');
      await page.keyboard.press('Control+f');
      await fieldOf(page).waitFor();
    },
  },
  {
    name: 'search-results',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/');
      await page.keyboard.press('Control+f');
      await fieldOf(page).fill('a b');
      await page.locator('mark').first().waitFor();
    },
  },
  {
    name: 'search-nothing',
    as: 'user',
    open: async ({ page, go, text }) => {
      await go('/search?query=tramway&from=%2FPhotos&in=here');
      await page.getByRole('button', { name: text('search:everywhere') }).waitFor();
    },
  },
  {
    name: 'space',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/space/');
      await page.getByRole('treegrid').waitFor();
    },
  },
];
