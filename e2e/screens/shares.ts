import { createShare, type ShareOptions } from '../support/api.ts';
import { dialogOf, entry } from '../support/journey.ts';
import type { Screen, Stage } from './screen.ts';

const password = 'open sesame';

/** Shares an entry as the administrator. Returns the path of the page for visitors. */
const shareOf = async ({ product, token }: Stage, path: string, options?: ShareOptions): Promise<string> =>
  `/share/${await createShare(product, token, path, options)}`;

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
    open: async ({ go, page, text }) => {
      await go('/settings/shares');
      await page.getByText(text('shares:page.empty'), { exact: true }).waitFor();
    },
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
      await shareOf(stage, '/Photos/', { expires: '2', unit: 'days' });
      await shareOf(stage, '/readme.txt', { password });
      await stage.go('/shared');
    },
  },
  {
    name: 'shares',
    as: 'administrator',
    open: async (stage) => {
      await shareOf(stage, '/Photos/', { expires: '3', unit: 'days' });
      await shareOf(stage, '/readme.txt', { password });
      await stage.go('/settings/shares');
      await stage.page
        .getByRole('button', { name: stage.text('shares:delete.action') })
        .first()
        .waitFor();
    },
  },
  {
    name: 'public-folder',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(`${await shareOf(stage, '/')}/`),
  },
  {
    name: 'public-photos',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(await shareOf(stage, '/Photos/')),
  },
  {
    name: 'public-selection',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(await shareOf(stage, '/Notes/'));
      await stage.page.getByRole('button', { name: stage.text('shares:public.selectMultiple') }).click();
      await stage.page.getByRole('button', { name: 'plan.md' }).click();
    },
  },
  {
    name: 'public-image',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(`${await shareOf(stage, '/Photos/')}/boat.png`);
      await stage.page.getByRole('button', { name: stage.text('shares:showQr') }).click();
      await stage.page.getByRole('img', { name: stage.text('shares:qrCode') }).waitFor();
    },
  },
  {
    name: 'public-sound',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(await shareOf(stage, '/Music/tone.wav')),
  },
  {
    name: 'public-other',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(await shareOf(stage, '/Papers/data.bin')),
  },
  {
    name: 'public-empty',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(await shareOf(stage, '/Empty/')),
  },
  {
    name: 'public-formats',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(await shareOf(stage, '/Notes/'));
      await stage.page.getByRole('button', { name: stage.text('shares:public.formats') }).click();
      await stage.page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'public-menu',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(await shareOf(stage, '/readme.txt'));
      await stage.page.getByRole('button', { name: stage.text('shares:public.menu') }).click();
      await stage.page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'public-password',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => stage.go(await shareOf(stage, '/Notes/', { password })),
  },
  {
    name: 'public-wrong-password',
    picture: 'always',
    as: 'visitor',
    open: async (stage) => {
      await stage.go(await shareOf(stage, '/Notes/', { password }));
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
