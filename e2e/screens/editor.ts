import type { Screen, Stage } from './screen.ts';

const openPlan = async ({ page, go }: Stage): Promise<void> => {
  await go('/files/Notes/plan.md');
  await page.locator('.cm-content').waitFor();
};

/** The editor with what can be open in it. */
export const editorScreens: readonly Screen[] = [
  {
    name: 'editor-search',
    as: 'user',
    open: async (stage) => {
      await openPlan(stage);
      await stage.page.getByRole('button', { name: stage.text('editor:find'), exact: true }).click();
      await stage.page.locator('.cm-search').waitFor();
    },
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
