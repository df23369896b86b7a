import { join } from 'node:path';
import { dialogOf, entry } from '../support/journey.ts';
import { write } from '../support/sample-files.ts';
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

/** The files screen, its dialogs, and its overlays. */
export const filesScreens: readonly Screen[] = [
  {
    name: 'login',
    picture: 'always',
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
      await stage.page.keyboard.press('Shift+Delete');
      await stage.page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'download',
    as: 'user',
    open: async ({ page, go, text }) => {
      await go('/files/');
      await entry(page, 'Photos').click({ button: 'right' });
      await page.getByRole('menuitem', { name: text('files:actions.downloadAs'), exact: true }).click();
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
        .getByRole('button', { name: stage.text('files:details.countNow'), exact: true })
        .click();
    },
  },
  {
    name: 'help',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/');
      await page.keyboard.press('F1');
      await dialogOf(page).waitFor();
    },
  },
  {
    name: 'new-folder-taken',
    as: 'user',
    open: async ({ page, go, text, isPhone }) => {
      await go('/files/');
      const name = text('files:actions.createFolder');
      if (isPhone) {
        await page.getByRole('button', { name: text('files:add'), exact: true }).click();
        await page.getByRole('menuitem', { name }).click();
        await dialogOf(page).getByLabel(text('files:name.label')).fill('Photos');
      } else {
        await page.keyboard.press('Control+Shift+N');
        await page.getByRole('textbox', { name: text('listing:newFolderLabel') }).fill('Photos');
        await page.keyboard.press('Enter');
      }
      await page
        .getByText(text('files:nameProblems.taken', { name: '\u2068Photos\u2069' }))
        .first()
        .waitFor();
    },
  },
  {
    name: 'rename',
    as: 'user',
    open: async (stage) => {
      const { page, text, isPhone } = stage;
      await stage.go('/files/');
      await choose(stage, 'readme.txt');
      if (isPhone) {
        await page.getByRole('button', { name: text('files:moreActions') }).click();
        await page.getByRole('menuitem', { name: text('files:actions.rename') }).click();
      } else await page.keyboard.press('F2');
      await page.getByRole('textbox').waitFor();
    },
  },
  {
    name: 'copy-conflict',
    as: 'user',
    only: 'desktop',
    open: async (stage) => {
      const { page, root, text } = stage;
      await write(join(root, 'Papers', 'readme.txt'), 'another one');
      await stage.go('/files/', { isNew: true });
      await choose(stage, 'readme.txt');
      await pressOnBar(stage, 'copy');
      await dialogOf(page).getByRole('treeitem', { name: 'Papers', exact: true }).click();
      await dialogOf(page)
        .getByRole('button', { name: text('files:transfer.copyButton'), exact: true })
        .click();
      await dialogOf(page).getByText(text('files:conflict.existing')).first().waitFor();
    },
  },
  {
    name: 'error-403',
    picture: 'always',
    as: 'visitor',
    open: async ({ go }) => go('/403'),
  },
  {
    name: 'error-404',
    picture: 'always',
    as: 'visitor',
    open: async ({ go }) => go('/404'),
  },
  {
    name: 'error-500',
    picture: 'always',
    as: 'visitor',
    open: async ({ go }) => go('/500'),
  },
  {
    name: 'editor',
    as: 'user',
    open: async ({ page, go, text }) => {
      await go('/files/Notes/plan.md');
      await page.getByRole('button', { name: text('editor:preview.edit'), exact: true }).click();
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
