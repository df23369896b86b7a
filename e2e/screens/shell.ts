import type { Screen } from './screen.ts';

/** The shell below the files, with what it says before anything was run. */
export const shellScreens: readonly Screen[] = [
  {
    name: 'shell',
    as: 'administrator',
    open: async ({ page, go, text, isPhone }) => {
      await go('/files/');
      const name = text('files:actions.toggleShell');
      if (isPhone) {
        await page.getByRole('button', { name: text('files:moreActions') }).click();
        await page.getByRole('menuitem', { name }).click();
      } else await page.getByRole('button', { name }).click();
      await page.getByRole('log').waitFor();
    },
  },
];
