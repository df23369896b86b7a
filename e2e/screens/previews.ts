import { join } from 'node:path';
import { bookOf, workbookOf, zipOf } from '../support/document-files.ts';
import { dialogOf } from '../support/journey.ts';
import { webmOf, write } from '../support/sample-files.ts';
import type { Screen } from './screen.ts';

/** Files of types that are not in the demo tree, in a folder of their own, each with a text of its content. */
const documents: Readonly<Record<string, { create: () => Buffer; content: string }>> = {
  'tale.epub': { create: bookOf, content: 'First part' },
  'budget.xlsx': { create: workbookOf, content: 'Rent' },
  'things.zip': {
    create: () => zipOf({ 'docs/a.txt': 'hello', 'docs/b/c.txt': 'x', 'readme.md': '# Read' }),
    content: 'docs',
  },
};

/** The previewer with each type of document; images and unknown files are among the screens of files. */
export const previewScreens: readonly Screen[] = [
  ...Object.entries(documents).map(([name, { create, content }]): Screen => ({
    name: `preview-${name.replace('.', '-')}`,
    as: 'user',
    open: async ({ page, root, go }) => {
      await write(join(root, 'Documents', name), create());
      await go(`/files/Documents/${name}`);
      await dialogOf(page).getByText(content).first().waitFor();
    },
  })),
  {
    name: 'preview-pdf',
    as: 'user',
    open: async ({ page, go, text }) => {
      await go('/files/Papers/page.pdf');
      const pdfNotice = dialogOf(page).getByText(text('previews:pdfElsewhere'));
      await dialogOf(page).locator('iframe').or(pdfNotice).first().waitFor();
    },
  },
  {
    name: 'preview-video',
    as: 'user',
    open: async ({ page, root, go }) => {
      await write(join(root, 'Films', 'film.webm'), await webmOf(page));
      await go('/files/Films/film.webm');
      // Paused, because the controls appear and disappear while a video plays.
      await dialogOf(page)
        .locator('video')
        .evaluate((film: HTMLVideoElement) => {
          film.addEventListener('play', () => film.pause());
          film.pause();
        });
    },
  },
  {
    name: 'preview-broken',
    as: 'user',
    open: async ({ page, root, go, text }) => {
      await write(join(root, 'Films', 'broken.png'), 'this is not a picture');
      await go('/files/Films/broken.png');
      await dialogOf(page).getByText(text('previews:broken')).waitFor();
    },
  },
  {
    name: 'preview-sound',
    as: 'user',
    open: async ({ page, go }) => {
      await go('/files/Music/tone.wav');
      await dialogOf(page).locator('audio').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'preview-details',
    as: 'user',
    only: 'desktop',
    open: async ({ page, go, text }) => {
      await go('/files/Photos/boat.png');
      await dialogOf(page)
        .getByRole('button', { name: text('previews:info'), exact: true })
        .click();
    },
  },
];
