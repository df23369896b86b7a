import { join } from 'node:path';
import { fetchApi } from '../support/api.ts';
import { write } from '../support/sample-files.ts';
import type { Screen, Stage } from './screen.ts';

/** Changes some files, over the API, and shows the history. */
async function showHistory({ product, token, root, page, go }: Stage): Promise<void> {
  await write(join(root, 'Documents', 'minutes.txt'), 'minutes');
  await write(join(root, 'Documents', 'draft of an offer with a long name.txt'), 'draft');
  const send = async (method: string, path: string, body?: string): Promise<void> => {
    const response = await fetchApi(product, `/api/resources${path}`, token, {
      method,
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw new Error(`Nothing was changed: ${await response.text()}`);
  };
  await send('PUT', '/Documents/minutes.txt', 'new minutes');
  await send(
    'PATCH',
    '/Documents/minutes.txt?action=rename&destination=%2FDocuments%2Fminutes%20of%20May.txt',
  );
  await send('PATCH', '/Documents/minutes%20of%20May.txt?action=copy&destination=%2Fcopy.txt');
  await send('DELETE', '/Documents/draft%20of%20an%20offer%20with%20a%20long%20name.txt');
  await send('DELETE', '/Documents/minutes%20of%20May.txt');
  await send('DELETE', '/copy.txt');
  await go('/history');
  await page.locator('[data-operation]').first().waitFor();
}

/** The history, and the dialog of a rewind. */
export const historyScreens: readonly Screen[] = [
  { name: 'history', picture: 'never', as: 'administrator', open: showHistory },
  {
    name: 'history-rewind',
    picture: 'never',
    as: 'administrator',
    open: async (stage) => {
      await showHistory(stage);
      await stage.page.locator('header button').last().click();
      await stage.page.getByRole('dialog').waitFor();
    },
  },
];
