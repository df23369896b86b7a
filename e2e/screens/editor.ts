import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Screen, Stage } from './screen.ts';

const openPlan = async ({ page, go, text }: Stage): Promise<void> => {
  await go('/files/Notes/plan.md');
  await page.getByRole('button', { name: text('editor:preview.edit'), exact: true }).click();
  await page.locator('.cm-content').waitFor();
};

const typeInPlan = async (stage: Stage): Promise<void> => {
  await openPlan(stage);
  await stage.page.locator('.cm-content').click();
  await stage.page.keyboard.type('changed ');
  await stage.page.getByRole('img', { name: stage.text('editor:unsaved') }).waitFor();
};

/** Closes the editor, which opens the prompt about unsaved changes. */
const leaveEditor = async ({ page, text }: Stage): Promise<void> => {
  await page.getByRole('button', { name: text('editor:close'), exact: true }).click();
  await page.getByRole('alertdialog', { name: text('editor:leave.title') }).waitFor();
};

const discard = async ({ page, text }: Stage): Promise<void> => {
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: text('editor:leave.discard'), exact: true })
    .click();
  await page.locator('.cm-content').waitFor({ state: 'detached' });
};

/** The editor and its dialogs. */
export const editorScreens: readonly Screen[] = [
  {
    name: 'editor-search',
    as: 'user',
    open: async (stage) => {
      await openPlan(stage);
      // In some languages the search of the frame has the same name.
      const find = { name: stage.text('editor:find'), exact: true };
      await stage.page.getByRole('region', { name: 'plan.md' }).getByRole('button', find).click();
      await stage.page.locator('.cm-search').waitFor();
    },
  },
  {
    name: 'editor-conflict',
    as: 'user',
    open: async (stage) => {
      const { page, root, text } = stage;
      await typeInPlan(stage);
      await appendFile(join(root, 'Notes', 'plan.md'), '\nby somebody else');
      await page.keyboard.press('Control+s');
      await page.getByRole('alertdialog', { name: text('editor:conflict.title') }).waitFor();
    },
    close: async (stage) => {
      const { page, text } = stage;
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: text('editor:conflict.keepEditing') })
        .click();
      await leaveEditor(stage);
      await discard(stage);
    },
  },
  {
    name: 'editor-leave',
    as: 'user',
    open: async (stage) => {
      await typeInPlan(stage);
      await leaveEditor(stage);
    },
    close: discard,
  },
  {
    name: 'editor-preview',
    as: 'user',
    open: async (stage) => {
      await openPlan(stage);
      await stage.page.getByRole('button', { name: stage.text('editor:preview.show') }).click();
      const preview = stage.page.getByRole('region', { name: stage.text('editor:preview.label') });
      await preview.getByRole('heading').first().waitFor();
    },
  },
];
