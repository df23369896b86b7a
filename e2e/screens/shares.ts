import { fetchApi } from '../support/api.ts';
import { dialogOf, entry } from '../support/journey.ts';
import type { Screen, Stage } from './screen.ts';

const password = 'open sesame';

/** Creates a share as the administrator, over the API. */
async function createShare({ product, token }: Stage, path: string, body: object = {}): Promise<string> {
  const response = await fetchApi(product, `/api/share${path}`, token, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`No share was created: ${await response.text()}`);
  return ((await response.json()) as { hash: string }).hash;
}

async function openPrompt(stage: Stage, name: string): Promise<void> {
  await stage.go('/files/');
  await entry(stage.page, name).getByText(name, { exact: true }).click();
  await stage.page
    .locator('[role="toolbar"]')
    .getByRole('button', { name: stage.text('files:actions.share'), exact: true })
    .click();
  await dialogOf(stage.page).waitFor();
}

const createFirst = async (stage: Stage): Promise<void> => {
  await dialogOf(stage.page).getByLabel(stage.text('shares:form.password'), { exact: true }).fill('secret');
  await dialogOf(stage.page).locator('[type="submit"]').click();
  await dialogOf(stage.page)
    .getByRole('list', { name: stage.text('shares:prompt.links') })
    .waitFor();
};

/** The share dialog, the page of all shares, and the public pages. */
export const sharesScreens: readonly Screen[] = [
  {
    name: 'shares-empty',
    as: 'user',
    open: async ({ go }) => go('/settings/shares'),
  },
  {
    name: 'share-form',
    as: 'user',
    open: async (stage) => {
      await openPrompt(stage, 'Photos');
      const form = dialogOf(stage.page).locator('[type="submit"]');
      // The share exists if this screen was already opened in another layout or theme.
      const another = dialogOf(stage.page).getByRole('button', { name: stage.text('shares:prompt.new') });
      await form.or(another).first().waitFor();
      if (await another.isVisible()) await another.click();
      await form.waitFor();
    },
  },
  {
    name: 'share-list',
    as: 'user',
    open: async (stage) => {
      await openPrompt(stage, 'Photos');
      const form = dialogOf(stage.page).locator('[type="submit"]');
      const list = dialogOf(stage.page).getByRole('list', { name: stage.text('shares:prompt.links') });
      await form.or(list).first().waitFor();
      if (await form.isVisible()) await createFirst(stage);
    },
  },
  {
    name: 'share-qr',
    as: 'user',
    open: async (stage) => {
      await createShare(stage, '/Notes/', { expires: '7', unit: 'days' });
      await openPrompt(stage, 'readme.txt');
      const form = dialogOf(stage.page).locator('[type="submit"]');
      const show = dialogOf(stage.page).getByRole('button', { name: stage.text('shares:showQr') });
      await form.or(show.first()).first().waitFor();
      if (await form.isVisible()) await createFirst(stage);
      await show.first().click();
      await dialogOf(stage.page)
        .getByRole('img', { name: stage.text('shares:qrCode') })
        .waitFor();
    },
  },
  {
    name: 'share-delete',
    as: 'user',
    open: async (stage) => {
      await openPrompt(stage, 'Photos');
      await dialogOf(stage.page)
        .getByRole('button', { name: stage.text('shares:delete.action') })
        .first()
        .click();
      await stage.page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'shares',
    as: 'administrator',
    open: async (stage) => {
      await createShare(stage, '/Photos/', { expires: '3', unit: 'days' });
      await createShare(stage, '/readme.txt', { password });
      await stage.go('/settings/shares');
    },
  },
  {
    name: 'public-folder',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/')}/`),
  },
  {
    name: 'public-photos',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/Photos/')}`),
  },
  {
    name: 'public-selection',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(`/share/${await createShare(stage, '/Notes/')}`);
      await stage.page.getByRole('button', { name: stage.text('shares:public.selectMultiple') }).click();
      await stage.page.getByRole('button', { name: 'plan.md' }).click();
    },
  },
  {
    name: 'public-image',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(`/share/${await createShare(stage, '/Photos/')}/boat.png`);
      await stage.page.getByRole('button', { name: stage.text('shares:showQr') }).click();
      await stage.page.getByRole('img', { name: stage.text('shares:qrCode') }).waitFor();
    },
  },
  {
    name: 'public-sound',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/Music/tone.wav')}`),
  },
  {
    name: 'public-other',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/Papers/data.bin')}`),
  },
  {
    name: 'public-empty',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/Empty/')}`),
  },
  {
    name: 'public-formats',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(`/share/${await createShare(stage, '/Notes/')}`);
      await stage.page.getByRole('button', { name: stage.text('shares:public.formats') }).click();
      await stage.page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'public-menu',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(`/share/${await createShare(stage, '/readme.txt')}`);
      await stage.page.getByRole('button', { name: stage.text('shares:public.menu') }).click();
      await stage.page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'public-password',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/Notes/', { password })}`),
  },
  {
    name: 'public-wrong-password',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(`/share/${await createShare(stage, '/Notes/', { password })}`);
      await stage.page.locator('input[type="password"]').fill('something else');
      await stage.page.keyboard.press('Enter');
      await stage.page.getByText(stage.text('shares:public.password.wrong')).waitFor();
    },
  },
  {
    name: 'public-gone',
    as: 'visitor',
    open: async ({ go }) => go('/share/ended-long-ago'),
  },
];
