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

/** The share dialog, the page of all shares, and the public pages. */
export const sharesScreens: readonly Screen[] = [
  {
    name: 'shares-empty',
    as: 'user',
    open: async ({ go }) => go('/settings/shares'),
  },
  {
    name: 'share-dialog',
    as: 'user',
    open: async (stage) => {
      await openPrompt(stage, 'Photos');
      await dialogOf(stage.page).getByLabel(stage.text('shares:prompt.address'), { exact: true }).waitFor();
    },
  },
  {
    name: 'share-options',
    as: 'user',
    open: async (stage) => {
      await openPrompt(stage, 'Notes');
      const prompt = dialogOf(stage.page);
      await prompt.getByText(stage.text('shares:form.quick.week'), { exact: true }).click();
      const toggle = prompt.getByRole('switch', { name: stage.text('shares:form.password') });
      if (!(await toggle.isChecked())) await toggle.click();
      await prompt.getByLabel(stage.text('shares:form.passwordField')).waitFor();
    },
  },
  {
    name: 'share-qr',
    as: 'user',
    open: async (stage) => {
      await openPrompt(stage, 'readme.txt');
      await dialogOf(stage.page)
        .getByRole('button', { name: stage.text('shares:showQr') })
        .click();
      await dialogOf(stage.page)
        .getByRole('img', { name: stage.text('shares:qrCode') })
        .waitFor();
    },
  },
  {
    name: 'share-deleted',
    as: 'user',
    open: async (stage) => {
      await openPrompt(stage, 'Photos');
      const prompt = dialogOf(stage.page);
      await prompt.getByRole('button', { name: stage.text('shares:delete.action'), exact: true }).click();
      await stage.page.getByText(stage.text('shares:shareDeleted')).waitFor();
    },
  },
  {
    name: 'shared',
    as: 'administrator',
    open: async (stage) => {
      await createShare(stage, '/Photos/', { expires: '2', unit: 'days' });
      await createShare(stage, '/readme.txt', { password });
      await stage.go('/shared');
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
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/')}/`),
  },
  {
    name: 'public-photos',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/Photos/')}`),
  },
  {
    name: 'public-selection',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(`/share/${await createShare(stage, '/Notes/')}`);
      await stage.page.getByRole('button', { name: stage.text('shares:public.selectMultiple') }).click();
      await stage.page.getByRole('button', { name: 'plan.md' }).click();
    },
  },
  {
    name: 'public-image',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(`/share/${await createShare(stage, '/Photos/')}/boat.png`);
      await stage.page.getByRole('button', { name: stage.text('shares:showQr') }).click();
      await stage.page.getByRole('img', { name: stage.text('shares:qrCode') }).waitFor();
    },
  },
  {
    name: 'public-sound',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/Music/tone.wav')}`),
  },
  {
    name: 'public-other',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/Papers/data.bin')}`),
  },
  {
    name: 'public-empty',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/Empty/')}`),
  },
  {
    name: 'public-formats',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(`/share/${await createShare(stage, '/Notes/')}`);
      await stage.page.getByRole('button', { name: stage.text('shares:public.formats') }).click();
      await stage.page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'public-menu',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(`/share/${await createShare(stage, '/readme.txt')}`);
      await stage.page.getByRole('button', { name: stage.text('shares:public.menu') }).click();
      await stage.page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'public-password',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(`/share/${await createShare(stage, '/Notes/', { password })}`),
  },
  {
    name: 'public-wrong-password',
    picture: 'always',
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
    picture: 'always',
    as: 'visitor',
    open: async ({ go }) => go('/share/ended-long-ago'),
  },
];
