import { allowCommands } from '../support/api.ts';
import type { Screen, Stage } from './screen.ts';

async function openShell({ page, go, text }: Stage): Promise<void> {
  await go('/files/', { isNew: true });
  const name = text('files:actions.toggleShell');
  await page.getByRole('button', { name: text('files:moreActions') }).click();
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole('log').waitFor();
}

/** The shell below the files: with its first message, and with colored output while a command runs. */
export const shellScreens: readonly Screen[] = [
  {
    name: 'shell',
    as: 'administrator',
    open: openShell,
  },
  {
    name: 'shell-running',
    as: 'administrator',
    open: async (stage) => {
      const { page, product, token, text } = stage;
      await allowCommands(product, token, ['printf', 'sleep']);
      await openShell(stage);
      const line = page.getByRole('log').locator('xpath=following::textarea[1]');
      await line.fill(String.raw`printf "\033[1;31mred\033[0m \033[44mblue\033[0m\n"`);
      await line.press('Enter');
      await page.getByRole('log').getByText('blue', { exact: true }).waitFor();
      await line.fill('sleep 60');
      await line.press('Enter');
      await page.getByRole('button', { name: text('commands:stop'), exact: true }).waitFor();
    },
  },
];
