import { join } from 'node:path';
import { zipOf } from '../support/document-files.ts';
import { dialogOf, entry, select } from '../support/journey.ts';
import { wavOf, write } from '../support/sample-files.ts';
import type { Screen } from './screen.ts';

/** The places beside the files, and views of a folder that need another act than opening it. */
export const placeScreens: readonly Screen[] = [
  {
    name: 'photos',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/photos');
      await page.locator('img[data-loaded]').nth(2).waitFor();
    },
  },
  {
    name: 'recent',
    as: 'user',
    open: async ({ page, go }) => {
      // A file counts as opened after a second.
      const noted = page.waitForResponse(
        (response) => response.url().endsWith('/api/marks/recents') && response.request().method() === 'POST',
      );
      await go('/files/readme.txt');
      await noted;
      await go('/recent');
      await page.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'home',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/home');
      await page.getByRole('main').getByRole('heading', { level: 2 }).nth(2).waitFor();
    },
  },
  {
    name: 'tags',
    as: 'user',
    only: 'desktop',
    open: async ({ page, go, text }) => {
      await go('/files/');
      await select(page, 'readme.txt');
      await entry(page, 'readme.txt').click({ button: 'right' });
      await page.getByRole('menuitem', { name: text('files:actions.tags') }).click();
      const field = dialogOf(page).getByLabel(text('marks:newTag'));
      for (const tag of ['Tax', 'To pay', 'Kids']) {
        await field.fill(tag);
        await page.keyboard.press('Enter');
      }
      await dialogOf(page).getByText('Kids').first().waitFor();
    },
  },
  {
    name: 'compress',
    as: 'user',
    only: 'desktop',
    open: async ({ page, go, text }) => {
      await go('/files/');
      await select(page, 'Notes');
      await entry(page, 'Notes').click({ button: 'right' });
      await page.getByRole('menuitem', { name: text('files:actions.compress') }).click();
      await dialogOf(page).getByRole('textbox').waitFor();
    },
  },
  {
    name: 'archive',
    as: 'user',
    open: async ({ page, root, go }) => {
      const files = { 'docs/a.txt': 'hello', 'docs/b/c.txt': 'x', 'readme.md': '# Read' };
      await write(join(root, 'Documents', 'things.zip'), zipOf(files));
      await go('/archive/Documents/things.zip');
      await entry(page, 'readme.md').waitFor();
    },
  },
  {
    name: 'duplicates',
    as: 'user',
    open: async ({ page, root, go, text }) => {
      await write(join(root, 'Documents', 'Copies', 'letter.txt'), 'equal contents');
      await write(join(root, 'Documents', 'letter.txt'), 'equal contents');
      await go('/duplicates/Documents/');
      const start = page.getByRole('button', { name: text('space:duplicates.start') });
      // The result of an earlier search is shown at once; the files have been written again since.
      const again = page.getByRole('button', { name: text('space:duplicates.again') });
      await start.or(again).click();
      await page.getByRole('checkbox').first().waitFor();
    },
  },
  {
    name: 'reading',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/Notes/plan.md');
      await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor();
    },
  },
  {
    name: 'player',
    as: 'user',
    open: async ({ page, root, go, text }) => {
      await write(join(root, 'Music', 'Dusk.wav'), wavOf(20));
      await write(join(root, 'Music', 'Dawn.wav'), wavOf(20));
      await go('/files/Music/Dusk.wav');
      await dialogOf(page).locator('audio').waitFor({ state: 'attached' });
      await page.keyboard.press(' ');
      await page.waitForFunction(() => document.querySelector('audio')?.paused === false);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: text('player:pause'), exact: true }).click();
      await page.getByRole('button', { name: text('player:play'), exact: true }).waitFor();
    },
    close: ({ page, text }) => page.getByRole('button', { name: text('player:close'), exact: true }).click(),
  },
];
