import { join } from 'node:path';
import { fetchApi } from '../support/api.ts';
import { dialogOf, entry, select } from '../support/journey.ts';
import { write } from '../support/sample-files.ts';
import type { Screen, Stage } from './screen.ts';

const name = 'Garden plan.txt';
const states = [
  'Garden plan\n\nNorth: hedge\nSouth: lawn\nEast: shed\n',
  'Garden plan\n\nNorth: hedge\nSouth: vegetables\nEast: shed\n',
  'Garden plan 2026\n\nNorth: hedge\nSouth: vegetables and herbs\nEast: shed\nWest: compost\n',
];

/** Saves a file three times, over the API, and opens its versions. */
async function showVersions({ product, token, root, page, go, text }: Stage): Promise<void> {
  await write(join(root, 'Documents', name), 'Garden plan\n');
  for (const body of states) {
    const address = `/api/resources/Documents/${encodeURIComponent(name)}`;
    const response = await fetchApi(product, address, token, { method: 'PUT', body });
    if (!response.ok) throw new Error(`Nothing was saved: ${await response.text()}`);
  }
  await go('/files/Documents/');
  await select(page, name);
  await entry(page, name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: text('files:actions.versions') }).click();
  await dialogOf(page).getByRole('option').first().waitFor();
}

/** The versions of a text, with its differences to the current one. */
export const versionScreens: readonly Screen[] = [
  { name: 'versions', as: 'user', open: showVersions },
  {
    name: 'versions-now',
    as: 'user',
    open: async (stage) => {
      await showVersions(stage);
      await dialogOf(stage.page).getByRole('option').first().click();
    },
  },
];
