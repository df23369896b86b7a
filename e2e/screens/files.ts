import { dialogOf, entry } from '../journey.ts';
import type { Screen, Stage } from './screen.ts';

const choose = async (stage: Stage, name: string): Promise<void> => {
  const row = entry(stage.page, name);
  await row.getByText(name, { exact: true }).click();
};

const pressOnBar = (stage: Stage, action: string): Promise<void> =>
  stage.page
    .locator('[role="toolbar"]')
    .getByRole('button', { name: stage.text(`files:actions.${action}`), exact: true })
    .click();

/** The files screen, its dialogs, and what lies over it. */
export const filesScreens: readonly Screen[] = [
  {
    name: 'login',
    as: 'visitor',
    open: async ({ go }) => go('/login'),
  },
  {
    name: 'folder',
    as: 'user',
    open: async ({ go }) => go('/files/'),
  },
  {
    name: 'folder-empty',
    as: 'user',
    open: async ({ go }) => go('/files/Empty/'),
  },
  {
    name: 'folder-photos',
    as: 'user',
    open: async ({ go }) => go('/files/Photos/'),
  },
  {
    name: 'folder-missing',
    as: 'user',
    open: async ({ go }) => go('/files/not-there/'),
  },
  {
    name: 'selection',
    as: 'user',
    open: async (stage) => {
      await stage.go('/files/');
      await choose(stage, 'readme.txt');
    },
  },
  {
    name: 'entry-menu',
    as: 'user',
    only: 'desktop',
    open: async (stage) => {
      await stage.go('/files/');
      await entry(stage.page, 'readme.txt').click({ button: 'right' });
      await stage.page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'move',
    as: 'user',
    open: async (stage) => {
      await stage.go('/files/');
      await choose(stage, 'readme.txt');
      await pressOnBar(stage, 'move');
      await dialogOf(stage.page).waitFor();
    },
  },
  {
    name: 'delete',
    as: 'user',
    open: async (stage) => {
      await stage.go('/files/');
      await choose(stage, 'readme.txt');
      await pressOnBar(stage, 'remove');
      await stage.page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'download',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/');
      await page.keyboard.press('Control+s');
      await dialogOf(page).getByRole('radio').first().waitFor();
    },
  },
  {
    name: 'commands',
    as: 'user',
    only: 'desktop',
    open: async ({ page, go }) => {
      await go('/files/');
      await page.keyboard.press('Control+Shift+P');
      await dialogOf(page).getByRole('listbox').waitFor();
    },
  },
  {
    name: 'folder-details',
    as: 'user',
    open: async (stage) => {
      await stage.go('/files/');
      await choose(stage, 'Photos');
      await stage.page.keyboard.press('Control+i');
      await stage.page
        .getByRole('button', { name: stage.text('files:details.calculate'), exact: true })
        .click();
    },
  },
  {
    name: 'help',
    as: 'user',
    only: 'desktop',
    open: async ({ page, go }) => {
      await go('/files/');
      await page.keyboard.press('F1');
      await dialogOf(page).waitFor();
    },
  },
  {
    name: 'error-403',
    as: 'visitor',
    open: async ({ go }) => go('/403'),
  },
  {
    name: 'editor',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/Notes/plan.md');
      await page.getByRole('textbox').first().waitFor();
    },
  },
  {
    name: 'preview-image',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/Photos/boat.png');
      await dialogOf(page).getByRole('img').first().waitFor();
    },
  },
  {
    name: 'preview-none',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/Papers/data.bin');
      await dialogOf(page).waitFor();
    },
  },
];
