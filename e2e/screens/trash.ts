import { join } from 'node:path';
import { fetchApi } from '../support/api.ts';
import { write } from '../support/sample-files.ts';
import type { Screen, Stage } from './screen.ts';

/** Deletes two new files, over the API, and shows the trash. */
async function showTrash(stage: Stage): Promise<void> {
  const { product, token, root, page } = stage;
  for (const name of ['second offer.pdf', 'notes of last year.txt']) {
    await write(join(root, 'Documents', name), 'no longer needed');
    const address = `/api/resources/Documents/${encodeURIComponent(name)}`;
    const response = await fetchApi(product, address, token, { method: 'DELETE' });
    if (!response.ok) throw new Error(`Nothing was deleted: ${await response.text()}`);
  }
  await stage.go('/trash');
  await page.locator('[data-item]').first().waitFor();
}

const chooseFirst = ({ page }: Stage): Promise<void> =>
  page.locator('[data-item] [data-part=name]').first().click();

/** The trash, with a selection and with its question, and a search without a result. */
export const trashScreens: readonly Screen[] = [
  { name: 'trash', as: 'user', open: showTrash },
  {
    name: 'trash-selection',
    as: 'user',
    open: async (stage) => {
      await showTrash(stage);
      await chooseFirst(stage);
    },
  },
  {
    name: 'trash-purge',
    as: 'administrator',
    open: async (stage) => {
      await showTrash(stage);
      await chooseFirst(stage);
      await stage.page.keyboard.press('Delete');
      await stage.page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'trash-nothing-found',
    as: 'user',
    open: async (stage) => {
      await stage.go('/trash?q=nothing%20has%20this%20name');
      await stage.page.getByRole('main').getByRole('heading', { level: 2 }).waitFor();
    },
  },
];
