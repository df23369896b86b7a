import type { Screen, Stage } from './screen.ts';

const views = ['list', 'mosaic', 'mosaic gallery'] as const;

/** Switches to `next`; on phones it must be the view after the current one. */
async function switchTo({ page, isPhone, text }: Stage, next: (typeof views)[number]): Promise<void> {
  if (isPhone) {
    await page.getByRole('button', { name: text('files:moreActions') }).click();
    await page.getByRole('menuitem', { name: text('files:actions.switchView') }).click();
  } else {
    await page
      .getByRole('radiogroup', { name: text('files:view') })
      .getByRole('radio', { name: text(`files:views.${next}`), exact: true })
      .check({ force: true });
  }
  await page.locator(`[data-view="${next}"]`).waitFor();
}

/** A folder as tiles; the list is among the screens of files. */
export const viewScreens: readonly Screen[] = [
  {
    name: 'folder-mosaic',
    as: 'user',
    open: async (stage) => {
      await stage.go('/files/Photos/');
      await switchTo(stage, 'mosaic');
    },
    close: async (stage) => {
      await switchTo(stage, 'mosaic gallery');
      await switchTo(stage, 'list');
    },
  },
  {
    name: 'folder-gallery',
    as: 'user',
    open: async (stage) => {
      await stage.go('/files/Photos/');
      await switchTo(stage, 'mosaic');
      await switchTo(stage, 'mosaic gallery');
    },
    close: (stage) => switchTo(stage, 'list'),
  },
];
